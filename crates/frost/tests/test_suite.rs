//! The tests for authors of suites pass a right suite, and name the rule that a wrong one breaks.
#![allow(missing_docs, reason = "tests")]

use quorate_curve::P256;
use quorate_frost::hash::XmdSha256;
use quorate_frost::test_suite::{Violation, conformance};
use quorate_frost::{Ciphersuite, KeySuite, PointBytes, Scalar, ScalarBytes, signature_bytes};
use quorate_testkit::rng;

/// A suite with one mistake, or with none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Suite<const MISTAKE: u8>;

const NONE: u8 = 0;
const DEAF: u8 = 1;
const FLIP: u8 = 2;
const KEYLESS: u8 = 3;

impl<const MISTAKE: u8> KeySuite for Suite<MISTAKE> {
    type Curve = P256;
    type Hash = XmdSha256;

    const CONTEXT: &'static str = "a suite of the tests";
    const CODE: u8 = 200;
}

impl<const MISTAKE: u8> Ciphersuite for Suite<MISTAKE> {
    type SignatureBytes = [u8; 65];

    fn challenge(r: &PointBytes<Self>, key: &PointBytes<Self>, message: &[u8]) -> Scalar<Self> {
        use quorate_frost::hash::SuiteHash as _;
        let mut hash = Self::h2();
        hash.update(r.as_ref());
        hash.update(if MISTAKE == KEYLESS { &[] } else { key.as_ref() });
        hash.update(if MISTAKE == DEAF { b"" } else { message });
        hash.finish::<P256>()
    }

    fn encode_signature(r: &PointBytes<Self>, z: &ScalarBytes<Self>) -> Self::SignatureBytes {
        let mut z = z.as_ref().to_vec();
        if let Some(last) = z.last_mut().filter(|_| MISTAKE == FLIP) {
            *last ^= 1;
        }
        signature_bytes(r.as_ref(), &z)
    }
}

fn broken<const MISTAKE: u8>() -> Option<&'static str> {
    conformance::<Suite<MISTAKE>>(&mut rng(1)).err().map(|Violation { rule }| rule)
}

#[test]
fn a_right_suite_passes() {
    assert_eq!(broken::<NONE>(), None);
}

#[test]
fn the_rule_that_a_wrong_suite_breaks_is_named() {
    assert_eq!(broken::<DEAF>(), Some("it does not verify for another message"));
    assert_eq!(broken::<FLIP>(), Some("a signature is read as it was written"));
    assert_eq!(broken::<KEYLESS>(), Some("a challenge depends on commitment, key and message"));
}
