//! The parts of a suite of RFC 9591 §6: a group, a hash, and the names that separate them.

use core::fmt::Debug;

use quorate_curve::Curve;
use quorate_session::wire::joined;

use crate::hash::SuiteHash;

/// A scalar of the suite's group.
pub type Scalar<S> = <<S as KeySuite>::Curve as Curve>::Scalar;
/// An element of the suite's group.
pub type Point<S> = <<S as KeySuite>::Curve as Curve>::Point;
/// The canonical encoding of an element.
pub type PointBytes<S> = <<S as KeySuite>::Curve as Curve>::PointBytes;
/// The canonical encoding of a scalar.
pub type ScalarBytes<S> = <<S as KeySuite>::Curve as Curve>::ScalarBytes;

/// The part of a ciphersuite that keys need: a group, a hash, and the names that separate them.
///
/// Keys of a suite that is not a [`Ciphersuite`] too can be dealt, generated, reshared and
/// repaired, and cannot sign: Taproot's internal keys ([`InternalSuite`]).
pub trait KeySuite: Copy + Eq + Debug + Send + Sync + 'static {
    /// The prime-order group: one of the five of `quorate-curve`, whose trait is [sealed](Curve#sealed).
    type Curve: Curve;
    /// The hash functions.
    type Hash: SuiteHash;

    /// The RFC's `contextString`.
    const CONTEXT: &'static str;
    /// The name of the ciphersuite in stored keys of the frost-* crates.
    const CIPHERSUITE: &'static str = Self::CONTEXT;
    /// The byte that stands for the suite in every stored and sent form.
    const CODE: u8;
    /// `true` if keys and group commitments are normalised to an even y-coordinate (BIP-340).
    const EVEN_Y: bool = false;

    /// The contexts of the suites of tweaked keys ([`InternalSuite::Output`]); of none if keys are not tweaked.
    const TWEAKED: &'static [&'static str] = &[];

    /// The shift of a key that all parties have generated together, applied before anybody uses it. `None` except
    /// for Taproot's output keys, which commit to an unspendable script path (BIP-341).
    ///
    /// # Errors
    /// [`TweakOutOfRange`]: the suite has a tweak, and this key's is not below the order.
    fn default_tweak(_key: &PointBytes<Self>) -> Result<Option<Scalar<Self>>, TweakOutOfRange> {
        Ok(None)
    }
}

/// The hash that would tweak a key is not below the order of the group (BIP-341; chance below 2^-127). Such a key is not
/// used: without its tweak it would be the key of somebody who might have hidden a script in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TweakOutOfRange;

/// A FROST ciphersuite (RFC 9591 §6). A suite defines its parts, and the functions H1 to H5 follow from them. A
/// suite that signs for an existing verifier replaces the functions that the verifier fixes.
pub trait Ciphersuite: KeySuite {
    /// An encoded signature: an array of 64 bytes for Ed25519, Ristretto255 and Taproot, of 65 for
    /// P-256 and secp256k1, of 114 for Ed448.
    type SignatureBytes: Copy + Eq + Debug + AsRef<[u8]> + Send + Sync + 'static;

    /// H1, up to the signer's identifier: the binding factor's hash (RFC 9591 §4.4).
    fn h1() -> Self::Hash {
        Self::Hash::new(Self::CONTEXT, "rho")
    }

    /// H2, before its input: the challenge's hash. Ed25519 and Ed448 replace it by the one of
    /// RFC 8032.
    fn h2() -> Self::Hash {
        Self::Hash::new(Self::CONTEXT, "chal")
    }

    /// The challenge: H2 of the encoded group commitment, group key and message (RFC 9591 §4.6).
    fn challenge(r: &PointBytes<Self>, key: &PointBytes<Self>, message: &[u8]) -> Scalar<Self> {
        absorb::<Self>(Self::h2(), [r.as_ref(), key.as_ref(), message])
    }

    /// H3: a nonce (RFC 9591 §4.1).
    fn h3(random: &[u8], secret: &[u8]) -> Scalar<Self> {
        hash_to_scalar::<Self>("nonce", [random, secret])
    }

    /// H4: the message's digest.
    fn h4(message: &[u8]) -> <Self::Hash as SuiteHash>::Digest {
        Self::Hash::digest(Self::CONTEXT, "msg", [message])
    }

    /// H5: the digest of the encoded commitment list.
    fn h5<'a>(list: impl IntoIterator<Item = &'a [u8]>) -> <Self::Hash as SuiteHash>::Digest {
        Self::Hash::digest(Self::CONTEXT, "com", list)
    }

    /// The encoding of a signature: R and z, each as the suite's verifiers write it.
    /// [`signature_bytes`] joins two that are written one after the other.
    fn encode_signature(r: &PointBytes<Self>, z: &ScalarBytes<Self>) -> Self::SignatureBytes;

    /// Reads a signature's group commitment off the front of `bytes`, strictly.
    fn decode_signature_r(bytes: &[u8]) -> Option<(Point<Self>, &[u8])> {
        let (r, rest) = bytes.split_at_checked(point_len::<Self>())?;
        Some((Self::Curve::decode_point(r)?, rest))
    }
}

/// The suite of keys that are tweaked before they sign. The tweaked keys are those of another
/// suite, so that none is tweaked twice and none signs untweaked.
pub trait InternalSuite: KeySuite {
    /// The suite of the tweaked keys.
    type Output: Ciphersuite + KeySuite<Curve = Self::Curve>;

    /// The shift of the key `key` that commits to the script tree with this Merkle root, or to no
    /// script at all; `None` if the hash is no scalar.
    fn tweak(key: &PointBytes<Self>, merkle_root: Option<&[u8; 32]>) -> Option<Scalar<Self>>;
}

/// R ‖ z, which take N bytes together.
///
/// # Panics
/// If they take more or fewer.
#[must_use]
pub fn signature_bytes<const N: usize>(r: &[u8], z: &[u8]) -> [u8; N] {
    joined(&[r, z])
}

/// Hashes to a scalar under one of the suite's own tags.
pub(crate) fn hash_to_scalar<'a, S: KeySuite>(
    tag: &'static str,
    parts: impl IntoIterator<Item = &'a [u8]>,
) -> Scalar<S> {
    absorb::<S>(S::Hash::new(S::CONTEXT, tag), parts)
}

/// The scalar that a hash gives for these parts.
fn absorb<'a, S: KeySuite>(
    mut hash: S::Hash,
    parts: impl IntoIterator<Item = &'a [u8]>,
) -> Scalar<S> {
    parts.into_iter().for_each(|part| hash.update(part));
    hash.finish::<S::Curve>()
}

/// The RFC's encoding of a party's identifier: the scalar of its number.
pub(crate) fn identifier_bytes<S: KeySuite>(id: quorate_session::PartyId) -> ScalarBytes<S> {
    S::Curve::encode_scalar(&Scalar::<S>::from(u64::from(id.get())))
}

/// Bytes of an encoded element.
pub(crate) const fn point_len<S: KeySuite>() -> usize {
    size_of::<PointBytes<S>>()
}

/// Bytes of an encoded scalar.
pub(crate) const fn scalar_len<S: KeySuite>() -> usize {
    size_of::<ScalarBytes<S>>()
}

/// Returns whether this is the encoding of a key with odd y, of a suite whose keys have even y.
pub(crate) fn is_odd<S: KeySuite>(bytes: &PointBytes<S>) -> bool {
    // SEC1: the first byte is 3 for an odd y. Only suites over SEC1 curves ask for even keys.
    S::EVEN_Y && bytes.as_ref().first() == Some(&3)
}
