//! The two suites: output keys, and internal keys.

use quorate_curve::Curve;
use quorate_frost::hash::XmdSha256;
use quorate_frost::keys::derive::{DerivationPath, DeriveError, Shifted, tap_tweak};
use quorate_frost::session::wire::joined;
use quorate_frost::{
    Ciphersuite, Frost, InternalSuite, KeySuite, Point, PointBytes, RootSuite, Scalar, ScalarBytes,
    SharedKey, TweakOutOfRange, signature_bytes,
};

use crate::taproot::{self, x_only};

/// The suite `FROST-secp256k1-SHA256-TR-v1`, of output keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Secp256k1Taproot;

impl KeySuite for Secp256k1Taproot {
    type Curve = quorate_curve::Secp256k1;
    type Hash = XmdSha256;

    const CONTEXT: &'static str = "FROST-secp256k1-SHA256-TR-v1";
    const CODE: u8 = 6;
    const EVEN_Y: bool = true;

    fn default_tweak(key: &PointBytes<Self>) -> Result<Option<Scalar<Self>>, TweakOutOfRange> {
        tap_tweak(x_only(key), None).map(Some).ok_or(TweakOutOfRange)
    }
}

/// The suite of internal keys, which are tweaked before they sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaprootInternal;

impl KeySuite for TaprootInternal {
    type Curve = quorate_curve::Secp256k1;
    type Hash = XmdSha256;

    const CONTEXT: &'static str = "FROST-secp256k1-SHA256-TR-internal-v1";
    const CIPHERSUITE: &'static str = Secp256k1Taproot::CONTEXT;
    const CODE: u8 = 7;
    const EVEN_Y: bool = true;
    const TWEAKED: &'static [&'static str] = &[Secp256k1Taproot::CONTEXT];
}

impl InternalSuite for TaprootInternal {
    type Output = Secp256k1Taproot;

    fn tweak(key: &PointBytes<Self>, merkle_root: Option<&[u8; 32]>) -> Option<Scalar<Self>> {
        tap_tweak(x_only(key), merkle_root)
    }
}

/// The descendants of BIP-86, and those whose outputs commit to scripts (BIP-341).
impl RootSuite for TaprootInternal {
    type Descendant = Secp256k1Taproot;

    fn descendant_output(
        key: &SharedKey<Frost<Self>>,
        path: &DerivationPath,
        merkle_root: Option<[u8; 32]>,
    ) -> Result<Shifted<Frost<Self>, Frost<Secp256k1Taproot>>, DeriveError> {
        let root = key.extended_key(key.public_chain_code());
        key.derive_taproot(&root, path, merkle_root.as_ref(), ())
    }
}

impl Ciphersuite for Secp256k1Taproot {
    type SignatureBytes = [u8; 64];

    fn challenge(r: &PointBytes<Self>, key: &PointBytes<Self>, message: &[u8]) -> Scalar<Self> {
        taproot::tagged_hash("BIP0340/challenge", [x_only(r), x_only(key).as_slice(), message])
    }

    fn encode_signature(r: &PointBytes<Self>, z: &ScalarBytes<Self>) -> Self::SignatureBytes {
        signature_bytes(x_only(r), z.as_ref())
    }

    fn decode_signature_r(bytes: &[u8]) -> Option<(Point<Self>, &[u8])> {
        let (x, rest) = bytes.split_first_chunk::<32>()?;
        Some((Self::Curve::decode_point(&joined::<33>(&[&[2], x]))?, rest))
    }
}
