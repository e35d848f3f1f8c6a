//! The test vector of RFC 9180, A.2.1 and A.2.1.1: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20-Poly1305, base mode.

use alloc::vec::Vec;
use core::convert::Infallible;

use hpke::Serializable as _;
use quorate_testkit::unhex;
use rand_core::{TryCryptoRng, TryRng};

use super::{Bound, Detached, derive, open, seal};

const VECTOR: &str = include_str!("../../tests/vectors/rfc9180-a2.1.txt");

/// A value of the vector.
fn value(name: &str) -> Vec<u8> {
    let line = VECTOR.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    unhex(line.unwrap())
}

fn array<const N: usize>(name: &str) -> [u8; N] {
    value(name).try_into().unwrap()
}

/// A generator that gives the keying material of the vector's ephemeral key.
struct Fixed(Vec<u8>);

impl TryRng for Fixed {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        panic!("keying material is asked for as bytes")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        panic!("keying material is asked for as bytes")
    }

    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Infallible> {
        to.copy_from_slice(&core::mem::take(&mut self.0));
        Ok(())
    }
}

impl TryCryptoRng for Fixed {}

#[test]
fn the_vector_of_rfc_9180_is_sealed_and_opened_byte_for_byte() {
    let (private, public) = derive(&array("ikmR"));
    assert_eq!(public, array("pkRm"));
    // The appendix prints the key before it is clamped.
    let clamped = curve25519_dalek::scalar::clamp_integer(array("skRm"));
    assert_eq!(private.to_bytes().as_slice(), clamped);
    let (info, aad) = (value("info"), value("aad"));
    let bound = Bound { info: &info, header: &aad };
    let mut buffer = value("pt");
    let sealed = seal(&public, bound, &mut buffer, &mut Fixed(value("ikmE"))).unwrap();
    assert_eq!(sealed.encapsulated, array("enc"));
    assert_eq!([buffer.as_slice(), &sealed.tag].concat(), value("ct"));
    open(&private, bound, &sealed, &mut buffer).unwrap();
    assert_eq!(buffer, value("pt"));
}

#[test]
fn keys_of_small_order_are_refused_in_both_directions() {
    let (private, _) = derive(&[1; 32]);
    let bound = Bound { info: b"", header: b"" };
    for weak in [[0; 32], core::array::from_fn(|place| u8::from(place == 0))] {
        let mut rng = quorate_testkit::rng(1);
        assert!(seal(&weak, bound, &mut [0; 4], &mut rng).is_none());
        let detached = Detached { encapsulated: weak, tag: [0; 16] };
        assert!(open(&private, bound, &detached, &mut [0; 4]).is_none());
    }
}
