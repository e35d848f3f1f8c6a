//! The suites of RFC 9381 section 5.5.

use core::fmt::Debug;

use quorate_curve::{Curve, Ed25519, MapToCurve, P256};
use quorate_frost::hash::{SuiteHash, WideSha512, XmdSha256};
use sha2::{Sha256, Sha512};

use crate::hash::{SuiteDigest, expand};

/// A suite of RFC 9381 section 5.5.
pub trait VrfSuite: Copy + Eq + Debug + Send + Sync + 'static {
    /// The group.
    type Curve: Curve;
    /// The hash function.
    type Digest: SuiteDigest;
    /// The hash of key generation.
    type KeyHash: SuiteHash;

    /// The RFC's `suite_string`.
    const SUITE: u8;
    /// The cofactor of the curve.
    const COFACTOR: u64;
    /// The name of the kind of keys.
    const KEYS: &'static str;
    /// The code of the kind of keys in stored forms.
    const CODE: u8;

    /// The point of an input, salted with the encoded key (`ECVRF_encode_to_curve`). `None` if no point is found, which a
    /// hash causes with a negligible chance. Variable time: the parties see the input.
    fn encode_to_curve(key: &[u8], input: &[u8]) -> Option<<Self::Curve as Curve>::Point>;
}

macro_rules! vrf_suite {
    ($name:ident, $curve:ty, $digest:ty, $hash:ty, $suite:literal, $cofactor:literal, $code:literal, $rfc:literal, $encode:expr) => {
        #[doc = concat!("`", $rfc, "` (RFC 9381 section 5.5).")]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name;

        impl VrfSuite for $name {
            type Curve = $curve;
            type Digest = $digest;
            type KeyHash = $hash;

            const SUITE: u8 = $suite;
            const COFACTOR: u64 = $cofactor;
            const KEYS: &'static str = concat!("quorate-prf ", $rfc);
            const CODE: u8 = $code;

            fn encode_to_curve(key: &[u8], input: &[u8]) -> Option<<$curve as Curve>::Point> {
                $encode(key, input)
            }
        }
    };
}

vrf_suite!(
    EcvrfP256Tai,
    P256,
    Sha256,
    XmdSha256,
    1,
    1,
    80,
    "ECVRF-P256-SHA256-TAI",
    |key, input| try_and_increment::<Self>(key, input, |hash| {
        let mut compressed = [2; 33];
        let [_, x @ ..] = &mut compressed;
        x.iter_mut().zip(hash).for_each(|(to, from)| *to = *from);
        P256::decode_point(&compressed)
    })
);
vrf_suite!(
    EcvrfP256Swu,
    P256,
    Sha256,
    XmdSha256,
    2,
    1,
    81,
    "ECVRF-P256-SHA256-SSWU",
    |key, input| hashed::<Self>(key, input, b"ECVRF_P256_XMD:SHA-256_SSWU_NU_\x02")
);
vrf_suite!(
    EcvrfEd25519Tai,
    Ed25519,
    Sha512,
    WideSha512,
    3,
    8,
    82,
    "ECVRF-EDWARDS25519-SHA512-TAI",
    |key, input| try_and_increment::<Self>(key, input, |hash| {
        Ed25519::decode_clearing_cofactor_vartime(hash.first_chunk()?)
    })
);
vrf_suite!(
    EcvrfEd25519Ell2,
    Ed25519,
    Sha512,
    WideSha512,
    4,
    8,
    83,
    "ECVRF-EDWARDS25519-SHA512-ELL2",
    |key, input| hashed::<Self>(key, input, b"ECVRF_edwards25519_XMD:SHA-512_ELL2_NU_\x04")
);

/// `ECVRF_encode_to_curve_try_and_increment` (section 5.4.1.1).
fn try_and_increment<V: VrfSuite>(
    key: &[u8],
    input: &[u8],
    point: impl Fn(&[u8]) -> Option<<V::Curve as Curve>::Point>,
) -> Option<<V::Curve as Curve>::Point> {
    (0..=u8::MAX).find_map(|counter| {
        let hash = V::Digest::of(&[&[V::SUITE, 1], key, input, &[counter, 0]]);
        point(hash.as_ref())
    })
}

/// `ECVRF_encode_to_curve_h2c_suite` (section 5.4.1.2).
fn hashed<V: VrfSuite<Curve: MapToCurve>>(
    key: &[u8],
    input: &[u8],
    tag: &[u8],
) -> Option<<V::Curve as Curve>::Point> {
    let uniform = expand::<V::Digest>(&[key, input], &[tag], <V::Curve as MapToCurve>::ELEMENT);
    let point = V::Curve::map_to_curve(&uniform)?;
    (!V::Curve::is_identity(&point)).then_some(point)
}
