//! Lists of numbers of a fixed number of bits, as bytes (FIPS 204, §7.1): the lowest bit first.

use alloc::vec::Vec;

use crate::field::Q;
use crate::level::Level;
use crate::poly::{N, Poly, zeros};

/// Bits of a number from 0 to q − 1.
const Q_BITS: usize = 23;
/// Bits of a coefficient of t1.
const T1_BITS: usize = 10;
/// Bytes of a polynomial with coefficients from 0 to q − 1.
pub(crate) const FULL_LEN: usize = Q_BITS * (N >> 3);
/// Bytes of a polynomial of t1.
pub(crate) const T1_LEN: usize = T1_BITS * (N >> 3);

/// The place of the i-th of eight numbers of `BITS` bits in 64-bit words: the index of the word, and the bit in it.
#[inline(always)]
const fn place<const BITS: usize>(i: usize) -> (usize, usize) {
    ((i * BITS) >> 6, (i * BITS) & 63)
}

/// Packs eight numbers of `BITS` bits each, at most 24.
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "bits below 192 are in the first three words of four")]
fn pack<const BITS: usize>(numbers: [u32; 8]) -> [u8; BITS] {
    let mut words = [0_u64; 4];
    for (i, number) in numbers.into_iter().enumerate() {
        let (word, bit) = place::<BITS>(i);
        words[word] |= u64::from(number) << bit;
        // The bits beyond the upper end, if there are any.
        words[word + 1] |= u64::from(number) >> 1 >> (63 - bit);
    }
    let mut bytes = [0; BITS];
    bytes.copy_from_slice(&words.map(u64::to_le_bytes).as_flattened()[..BITS]);
    bytes
}

/// Unpacks eight numbers of `BITS` bits each, at most 24, from these bytes.
#[inline(always)]
#[allow(clippy::indexing_slicing, reason = "bits below 192 are in the first three words of four")]
#[allow(clippy::cast_possible_truncation, reason = "24 bits at the most")]
fn unpack<const BITS: usize>(bytes: &[u8; BITS]) -> [u32; 8] {
    let mut words = [[0; 8]; 4];
    words.as_flattened_mut()[..BITS].copy_from_slice(bytes);
    let words = words.map(u64::from_le_bytes);
    core::array::from_fn(|i| {
        let (word, bit) = place::<BITS>(i);
        let number = words[word] >> bit | words[word + 1] << 1 << (63 - bit);
        (number & ((1 << BITS) - 1)) as u32
    })
}

/// Applies `of` to each coefficient and appends the results, `BITS` bits each.
fn put<const BITS: usize>(out: &mut Vec<u8>, poly: &Poly, of: impl Fn(i32) -> i32) {
    let start = out.len();
    out.resize(start + BITS * (N >> 3), 0);
    let (_, packed) = out.split_at_mut(start);
    for (to, numbers) in packed.as_chunks_mut().0.iter_mut().zip(poly.0.as_chunks().0) {
        *to = pack::<BITS>(numbers.map(|a| unsigned(of(a))));
    }
}

/// Sets a polynomial to the results of applying `of` to numbers of `BITS` bits each. Coefficients whose bytes are missing
/// stay.
fn read<const BITS: usize>(poly: &mut Poly, bytes: &[u8], of: impl Fn(i32) -> i32) {
    let chunks = bytes.as_chunks().0.iter();
    for (to, bytes) in poly.0.as_chunks_mut().0.iter_mut().zip(chunks) {
        *to = unpack::<BITS>(bytes).map(|number| of(number.cast_signed()));
    }
}

/// A number that is known not to be negative.
const fn unsigned(number: i32) -> u32 {
    number.cast_unsigned()
}

/// Appends coefficients from 0 to q − 1, 23 bits each.
pub(crate) fn put_full(out: &mut Vec<u8>, poly: &Poly) {
    put::<Q_BITS>(out, poly, |a| a);
}

/// Reads [`put_full`], and refuses a coefficient of q or above.
pub(crate) fn full(bytes: &[u8]) -> Option<Poly> {
    let mut poly = Poly::ZERO;
    read_full(&mut poly, bytes).map(|()| poly)
}

/// Reads [`put_full`] into a polynomial. `None` for a coefficient of q or above.
fn read_full(poly: &mut Poly, bytes: &[u8]) -> Option<()> {
    read::<Q_BITS>(poly, bytes, |a| a);
    // Every coefficient is below q, so the difference is negative.
    let below = poly.iter().fold(-1, |signs, a| signs & (a - Q));
    (bytes.len() == FULL_LEN && below < 0).then_some(())
}

/// Reads polynomials that [`put_full`] has written one after the other. `None` for a coefficient of q or above,
/// and for bytes that are left over.
pub(crate) fn all_full(bytes: &[u8]) -> Option<Vec<Poly>> {
    let mut polys = zeros(bytes.len().div_ceil(FULL_LEN));
    for (poly, bytes) in polys.iter_mut().zip(bytes.chunks(FULL_LEN)) {
        read_full(poly, bytes)?;
    }
    Some(polys)
}

/// Appends t1 (SimpleBitPack, Algorithm 16).
pub(crate) fn put_t1(out: &mut Vec<u8>, t1: &Poly) {
    put::<T1_BITS>(out, t1, |a| a);
}

/// Reads t1, of which every form is canonical.
pub(crate) fn t1(bytes: &[u8]) -> Poly {
    let mut t1 = Poly::ZERO;
    read::<T1_BITS>(&mut t1, bytes, |a| a);
    t1
}

/// Appends the high bits of w (w1Encode, Algorithm 28).
pub(crate) fn put_w1(out: &mut Vec<u8>, level: Level, w1: &Poly) {
    match level {
        Level::MlDsa44 => put::<6>(out, w1, |a| a),
        Level::MlDsa65 | Level::MlDsa87 => put::<4>(out, w1, |a| a),
    }
}

/// Appends a polynomial of a response (BitPack, Algorithm 17), whose coefficients lie above −γ1 and not above γ1.
pub(crate) fn put_response(out: &mut Vec<u8>, level: Level, z: &Poly) {
    let number = |z| level.gamma1() - z;
    match level {
        Level::MlDsa44 => put::<18>(out, z, number),
        Level::MlDsa65 | Level::MlDsa87 => put::<20>(out, z, number),
    }
}

/// Reads [`put_response`], of which every form is canonical.
pub(crate) fn response(bytes: &[u8], level: Level) -> Poly {
    let mut z = Poly::ZERO;
    read_response(&mut z, bytes, level);
    z
}

/// Reads [`put_response`] into a polynomial.
pub(crate) fn read_response(z: &mut Poly, bytes: &[u8], level: Level) {
    let coefficient = |number| level.gamma1() - number;
    match level {
        Level::MlDsa44 => read::<18>(z, bytes, coefficient),
        Level::MlDsa65 | Level::MlDsa87 => read::<20>(z, bytes, coefficient),
    }
}

#[cfg(test)]
#[allow(clippy::integer_division_remainder_used, reason = "the definitions, by division")]
mod tests {
    use super::*;

    /// Packs numbers of `BITS` bits, and compares with packing bit by bit.
    fn bit_by_bit<const BITS: usize>() {
        for seed in 0..50_u32 {
            let numbers: [u32; 8] = core::array::from_fn(|i| {
                let i = u32::try_from(i).unwrap();
                (seed * 8 + i).wrapping_mul(0x9e37_79b9) >> (32 - u32::try_from(BITS).unwrap())
            });
            let mut expected = [0; BITS];
            for bit in 0..8 * BITS {
                let one = numbers[bit / BITS] >> (bit % BITS) & 1;
                expected[bit / 8] |= u8::try_from(one).unwrap() << (bit % 8);
            }
            assert_eq!(pack::<BITS>(numbers), expected);
            assert_eq!(unpack(&expected), numbers);
        }
    }

    #[test]
    fn numbers_come_back_from_their_bits() {
        bit_by_bit::<1>();
        bit_by_bit::<4>();
        bit_by_bit::<6>();
        bit_by_bit::<10>();
        bit_by_bit::<13>();
        bit_by_bit::<18>();
        bit_by_bit::<20>();
        bit_by_bit::<23>();
        bit_by_bit::<24>();
    }

    #[test]
    fn bits_are_in_the_order_of_the_standard() {
        let bytes = pack::<10>([1, 2, 3, 1023, 0, 0, 0, 0]);
        assert_eq!(bytes, [0x01, 0x08, 0x30, 0xc0, 0xff, 0, 0, 0, 0, 0]);
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
