//! Lists of numbers of a fixed number of bits, as bytes (FIPS 204, §7.1): the lowest bit first.

use alloc::vec::Vec;

use crate::field::Q;
use crate::level::Level;
use crate::poly::{N, Poly};

/// Bits of a number from 0 to q − 1.
const Q_BITS: u32 = 23;
/// Bits of a coefficient of t1.
const T1_BITS: u32 = 10;
/// Bytes of a polynomial with coefficients from 0 to q − 1.
pub(crate) const FULL_LEN: usize = Q_BITS as usize * (N >> 3);
/// Bytes of a polynomial of t1.
pub(crate) const T1_LEN: usize = T1_BITS as usize * (N >> 3);

/// Appends numbers of `bits` bits each.
fn pack(out: &mut Vec<u8>, bits: u32, numbers: impl Iterator<Item = u32>) {
    let (mut held, mut count) = (0_u64, 0_u32);
    for number in numbers {
        held |= u64::from(number) << count;
        count += bits;
        while count >= 8 {
            out.push((held & 0xff) as u8);
            held >>= 8;
            count -= 8;
        }
    }
}

/// The numbers of `bits` bits each that fill these bytes.
fn unpack(bytes: &[u8], bits: u32) -> impl Iterator<Item = u32> + '_ {
    let (mut held, mut count) = (0_u64, 0_u32);
    let mut rest = bytes.iter();
    core::iter::from_fn(move || {
        while count < bits {
            held |= u64::from(*rest.next()?) << count;
            count += 8;
        }
        let number = held & ((1 << bits) - 1);
        held >>= bits;
        count -= bits;
        u32::try_from(number).ok()
    })
}

/// A number that is not negative.
const fn unsigned(number: i32) -> u32 {
    number.cast_unsigned()
}

/// Appends coefficients from 0 to q − 1, 23 bits each.
pub(crate) fn put_full(out: &mut Vec<u8>, poly: &Poly) {
    pack(out, Q_BITS, poly.iter().map(unsigned));
}

/// Reads [`put_full`], and refuses coefficients that are not below q.
pub(crate) fn full(bytes: &[u8]) -> Option<Poly> {
    let poly = Poly::of(unpack(bytes, Q_BITS).map(u32::cast_signed));
    (bytes.len() == FULL_LEN && poly.iter().all(|a| a < Q)).then_some(poly)
}

/// Appends t1 (SimpleBitPack, Algorithm 16).
pub(crate) fn put_t1(out: &mut Vec<u8>, t1: &Poly) {
    pack(out, T1_BITS, t1.iter().map(unsigned));
}

/// Reads t1, of which every form is canonical.
pub(crate) fn t1(bytes: &[u8]) -> Poly {
    Poly::of(unpack(bytes, T1_BITS).map(u32::cast_signed))
}

/// Appends the high bits of w (w1Encode, Algorithm 28).
pub(crate) fn put_w1(out: &mut Vec<u8>, level: Level, w1: &Poly) {
    pack(out, level.high_len(), w1.iter().map(unsigned));
}

/// Appends a polynomial of a response (BitPack, Algorithm 17), whose coefficients lie above −γ1 and not above γ1.
pub(crate) fn put_response(out: &mut Vec<u8>, level: Level, z: &Poly) {
    pack(out, level.log_gamma1() + 1, z.iter().map(|z| unsigned(level.gamma1() - z)));
}

/// Reads [`put_response`], of which every form is canonical.
pub(crate) fn response(bytes: &[u8], level: Level) -> Poly {
    let numbers = unpack(bytes, level.log_gamma1() + 1);
    Poly::of(numbers.map(|number| level.gamma1() - number.cast_signed()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_from_their_bits() {
        for bits in 1..=23 {
            let numbers = (0..256_u32).map(|i| i.wrapping_mul(0x9e37_79b9) >> (32 - bits));
            let mut bytes = Vec::new();
            pack(&mut bytes, bits, numbers.clone());
            assert_eq!(bytes.len(), bits as usize * 32);
            assert!(unpack(&bytes, bits).eq(numbers));
        }
    }

    #[test]
    fn bits_are_in_the_order_of_the_standard() {
        let mut bytes = Vec::new();
        pack(&mut bytes, 10, [1, 2, 3, 1023].into_iter());
        assert_eq!(bytes, [0x01, 0x08, 0x30, 0xc0, 0xff]);
    }

    #[test]
    fn a_coefficient_of_q_is_refused() {
        for (value, good) in [(0, true), (Q - 1, true), (Q, false), ((1 << 23) - 1, false)] {
            let mut bytes = Vec::new();
            put_full(&mut bytes, &Poly::of([5, value]));
            assert_eq!(full(&bytes).is_some(), good, "{value}");
            assert!(full(&bytes[1..]).is_none());
        }
    }

    #[test]
    fn responses_reach_from_above_minus_gamma1_to_gamma1() {
        for level in Level::ALL {
            let z = Poly::of([level.gamma1(), 1 - level.gamma1(), 0, -1]);
            let mut bytes = Vec::new();
            put_response(&mut bytes, level, &z);
            assert_eq!(bytes.len(), level.response_len());
            assert!(response(&bytes, level) == z);
        }
    }
}
