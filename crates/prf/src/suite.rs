//! Suites: a group that can be hashed to, a hash function, and the names that separate them.

use alloc::vec::Vec;
use core::fmt::Debug;

use quorate_curve::{Curve, MapToCurve, P256, Ristretto255, Secp256k1};
use quorate_frost::hash::{SuiteHash, WideSha512, XmdSha256};
use sha2::{Sha256, Sha512};

use crate::hash::{SuiteDigest, expand};

/// A scalar of a suite.
pub(crate) type SuiteScalar<S> = <<S as PrfSuite>::Curve as Curve>::Scalar;
/// An element of a suite's group.
pub(crate) type SuitePoint<S> = <<S as PrfSuite>::Curve as Curve>::Point;

/// A ciphersuite of RFC 9497 section 4, or one that is made in the same way.
pub trait PrfSuite: Copy + Eq + Debug + Send + Sync + 'static {
    /// The group.
    type Curve: MapToCurve;
    /// The hash function.
    type Digest: SuiteDigest;
    /// The hash of key generation.
    type KeyHash: SuiteHash;

    /// The RFC's identifier, which is hashed with everything.
    const IDENTIFIER: &'static str;
    /// The bytes that are mapped to an element of the group.
    const ELEMENT_BYTES: usize;
    /// The bytes that are reduced to a scalar.
    const SCALAR_BYTES: usize;
    /// The code of the first kind of keys in stored forms; the codes of the others follow.
    const CODE: u8;
    /// The names of the kinds of keys: OPRF, VOPRF, POPRF, and derivation of keys.
    const KEYS: [&'static str; 4];
}

/// `ristretto255-SHA512` (RFC 9497 section 4.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ristretto255Sha512;

impl PrfSuite for Ristretto255Sha512 {
    type Curve = Ristretto255;
    type Digest = Sha512;
    type KeyHash = WideSha512;

    const IDENTIFIER: &'static str = "ristretto255-SHA512";
    const ELEMENT_BYTES: usize = 64;
    const SCALAR_BYTES: usize = 64;
    const CODE: u8 = 64;
    const KEYS: [&'static str; 4] = [
        "quorate-prf OPRF ristretto255-SHA512",
        "quorate-prf VOPRF ristretto255-SHA512",
        "quorate-prf POPRF ristretto255-SHA512",
        "quorate-prf KDF ristretto255-SHA512",
    ];
}

/// `P256-SHA256` (RFC 9497 section 4.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct P256Sha256;

impl PrfSuite for P256Sha256 {
    type Curve = P256;
    type Digest = Sha256;
    type KeyHash = XmdSha256;

    const IDENTIFIER: &'static str = "P256-SHA256";
    const ELEMENT_BYTES: usize = 96;
    const SCALAR_BYTES: usize = 48;
    const CODE: u8 = 68;
    const KEYS: [&'static str; 4] = [
        "quorate-prf OPRF P256-SHA256",
        "quorate-prf VOPRF P256-SHA256",
        "quorate-prf POPRF P256-SHA256",
        "quorate-prf KDF P256-SHA256",
    ];
}

/// The construction of RFC 9497 over secp256k1 with SHA-256. **Not a suite of the RFC**: its identifier says so, and no
/// other implementation has to agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Secp256k1Sha256;

impl PrfSuite for Secp256k1Sha256 {
    type Curve = Secp256k1;
    type Digest = Sha256;
    type KeyHash = XmdSha256;

    const IDENTIFIER: &'static str = "quorate-secp256k1-SHA256";
    const ELEMENT_BYTES: usize = 96;
    const SCALAR_BYTES: usize = 48;
    const CODE: u8 = 72;
    const KEYS: [&'static str; 4] = [
        "quorate-prf OPRF secp256k1-SHA256",
        "quorate-prf VOPRF secp256k1-SHA256",
        "quorate-prf POPRF secp256k1-SHA256",
        "quorate-prf KDF secp256k1-SHA256",
    ];
}

/// `HashToGroup`: an element of which nobody knows the logarithm; `None` for the neutral element, which a hash gives with a
/// negligible chance.
pub(crate) fn hash_to_group<S: PrfSuite>(
    message: &[&[u8]],
    tag: &[&[u8]],
) -> Option<SuitePoint<S>> {
    let uniform = expand::<S::Digest>(message, tag, S::ELEMENT_BYTES);
    let point = S::Curve::map_to_curve(&uniform)?;
    // The caller stops either way.
    quorate_declassify::declassify(!S::Curve::is_identity(&point)).then_some(point)
}

/// `HashToScalar`.
pub(crate) fn hash_to_scalar<S: PrfSuite>(message: &[&[u8]], tag: &[&[u8]]) -> SuiteScalar<S> {
    S::Curve::scalar_from_wide(&expand::<S::Digest>(message, tag, S::SCALAR_BYTES))
}

/// `contextString` of RFC 9497 section 3.1.
pub(crate) fn context<S: PrfSuite>(mode: u8) -> Vec<u8> {
    [b"OPRFV1-", [mode].as_slice(), b"-", S::IDENTIFIER.as_bytes()].concat()
}
