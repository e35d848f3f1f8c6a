//! FROST over secp256k1 with Taproot: signatures verify as BIP-340, keys are those of BIP-341.
//!
//! Not one of RFC 9591's suites, but its equations, with the even y-coordinates of BIP-340: keys
//! and key shares are kept with an even group key, and where the group commitment is odd, all
//! signers negate their nonces.
//!
//! The key that a distributed key generation makes commits to an unspendable script path, as
//! BIP-341 advises, so that no party can hide a script in its contribution; see
//! [`quorate_frost::DkgParams::without_tweak`] for the bare key. A dealer's key is bare.
//!
//! ```
//! use quorate_frost_secp256k1_tr::{Dealing, SigningPackage, Taproot};
//! use quorate_frost::session::Parties;
//! # use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
//! # let mut rng = ChaCha20Rng::from_seed([7; 32]); // yours: the operating system's
//!
//! // A dealer makes a 2-of-3 key, and everybody tweaks it to an output key without scripts.
//! let parties = Parties::numbered(3)?;
//! let dealing = Dealing::new(2, &parties, &mut rng)?;
//! let public = dealing.public.tweak(None)?;
//! let mut shares = dealing.shares.into_iter();
//! let (Some(alice), Some(bob)) = (shares.next(), shares.next()) else { return Ok(()) };
//! let (alice, bob) = (alice.accept()?.tweak(None)?, bob.accept()?.tweak(None)?);
//!
//! // Round one: nonces stay, commitments go to the coordinator.
//! let (alices_nonces, alices_commitments) = alice.commit(&mut rng);
//! let (bobs_nonces, bobs_commitments) = bob.commit(&mut rng);
//!
//! // Round two: everybody signs the coordinator's package.
//! let message = b"two of three";
//! let package = SigningPackage::new([alices_commitments, bobs_commitments], message)?;
//! let signature_shares = [alice.sign(&package, alices_nonces)?, bob.sign(&package, bobs_nonces)?];
//!
//! let signature = public.aggregate(&package, &signature_shares)?;
//! public.verifying_key().verify(message, &signature)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "k256")]
pub mod interop;
mod taproot;

pub use taproot::Taproot;

use quorate_curve::Curve;
use quorate_frost::hash::XmdSha256;
use quorate_frost::{Ciphersuite, Point, PointBytes, Scalar};

/// The suite `FROST-secp256k1-SHA256-TR-v1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Secp256k1Taproot;

impl Ciphersuite for Secp256k1Taproot {
    type Curve = quorate_curve::Secp256k1;
    type Hash = XmdSha256;

    const CONTEXT: &'static str = "FROST-secp256k1-SHA256-TR-v1";
    const CODE: u8 = 6;
    const EVEN_Y: bool = true;

    fn challenge(r: &PointBytes<Self>, key: &PointBytes<Self>, message: &[u8]) -> Scalar<Self> {
        taproot::tagged_hash("BIP0340/challenge", [x_only(r), x_only(key), message])
    }

    fn default_tweak(key: &PointBytes<Self>) -> Option<Scalar<Self>> {
        taproot::tweak(x_only(key), None)
    }

    fn signature_r(r: &PointBytes<Self>) -> &[u8] {
        x_only(r)
    }

    fn decode_signature_r(bytes: &[u8]) -> Option<(Point<Self>, &[u8])> {
        let (x, rest) = bytes.split_first_chunk::<32>()?;
        let mut compressed = [2; 33];
        compressed.iter_mut().skip(1).zip(x).for_each(|(to, from)| *to = *from);
        Some((Self::Curve::decode_point(&compressed)?, rest))
    }
}

/// The x-coordinate of a compressed point.
fn x_only(point: &[u8; 33]) -> &[u8] {
    let [_, x @ ..] = point;
    x
}

quorate_frost::suite_types!(Secp256k1Taproot);
