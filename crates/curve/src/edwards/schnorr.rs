//! The equation of a Schnorr signature.

use crrl::ed25519::Scalar as Inner;

use super::table::{ODD, ODD_HIGH};
use super::{Addend, Edwards, odd_multiples};
use crate::bytes::limbs_from_le;
use crate::msm::{bits, non_adjacent};
/// Digits of the four multipliers of one sum; a carry may lengthen 256 bits by one digit.
type Digits = [[i8; 4]; 257];

/// A multiple of s*G - R - c*Y that is the identity only if this is, in variable time.
///
/// With c = a/b for numbers a and b of half the length (A. Antipa et al., "Accelerated
/// Verification of ECDSA Signatures", SAC 2005), that is b*s*G - b*R - a*Y: half as many doublings,
/// as twice the length of the multiplier of G is met by a second table. As b is not zero modulo the
/// order, which is prime, and all points are of that order, b changes nothing in the answer; and a
/// is computed from b, so that another b than the best would only be slower.
pub(crate) fn schnorr_vartime(key: &Edwards, r: &Edwards, s: &Inner, c: &Inner) -> Edwards {
    let b = Signed::shorter(Inner::from_i128(denominator(limbs_from_le(c.encode().as_ref()))));
    let a = Signed::shorter(b.value * c);
    let mut digits: Digits = [[0; 4]; 257];
    put(&mut digits, 0, 5, &a.limbs);
    put(&mut digits, 1, 5, &b.limbs);
    let [s0, s1, s2, s3, ..] = limbs_from_le((s * b.value).encode().as_ref());
    put(&mut digits, 2, 7, &[s0, s1, 0, 0, 0, 0, 0, 0]);
    put(&mut digits, 3, 7, &[s2, s3, 0, 0, 0, 0, 0, 0]);
    let of_key = odd_multiples(&if a.negative { *key } else { key.negated() });
    let of_r = odd_multiples(&if b.negative { *r } else { r.negated() });
    let mut sum = Edwards::IDENTITY;
    let mut doublings = 0;
    for column in digits.iter().rev().skip_while(|column| **column == [0; 4]) {
        doublings += 1;
        if *column == [0; 4] {
            continue;
        }
        sum = sum.doubled(doublings);
        doublings = 0;
        let [key, r, low, high] = *column;
        sum = add_odd(&sum, &of_key, key);
        sum = add_odd(&sum, &of_r, r);
        sum = add_odd(&sum, &ODD, low);
        sum = add_odd(&sum, &ODD_HIGH, high);
    }
    sum.doubled(doublings)
}

/// A number modulo the order, as the shorter of it and its negative.
struct Signed {
    value: Inner,
    negative: bool,
    limbs: [u64; 8],
}

impl Signed {
    fn shorter(value: Inner) -> Self {
        let plus = limbs_from_le(value.encode().as_ref());
        let minus = limbs_from_le((-value).encode().as_ref());
        let negative = bits(&minus) < bits(&plus) && minus != [0; 8];
        Self { value, negative, limbs: if negative { minus } else { plus } }
    }
}

/// A number of 256 bits, the low half first.
type Wide = [u128; 2];

fn wide_bits([low, high]: Wide) -> u32 {
    if high == 0 { 128 - low.leading_zeros() } else { 256 - high.leading_zeros() }
}

/// `shift` is below 128, and no bit is lost.
fn shifted([low, high]: Wide, shift: u32) -> Wide {
    // It takes two steps, because a shift by 128 is not valid.
    [low << shift, (high << shift) | ((low >> 1) >> (127 - shift))]
}

/// The difference, unless it is negative.
fn minus([low, high]: Wide, [other_low, other_high]: Wide) -> Option<Wide> {
    let (low, borrow) = low.overflowing_sub(other_low);
    let high = high.checked_sub(other_high)?.checked_sub(u128::from(borrow))?;
    Some([low, high])
}

/// A number b other than zero, below 2^126 in size, such that b*c is below 2^127 modulo the order.
///
/// Euclid's algorithm for the order and c, half way: for each remainder r it knows a t with
/// r = t*c modulo the order, and |t| is at most the order over the remainder before. It stops at the
/// first remainder below 2^127; the one before was not.
fn denominator([c0, c1, c2, c3, ..]: [u64; 8]) -> i128 {
    let join = |low: u64, high: u64| u128::from(low) | (u128::from(high) << 64);
    let (mut r0, mut t0): (Wide, i128) = (ORDER, 0);
    let (mut r1, mut t1): (Wide, i128) = ([join(c0, c1), join(c2, c3)], 1);
    while wide_bits(r1) > 127 {
        // The quotient's bits, from the top: r1 has more than half the length, so shifts are short.
        let mut shift = wide_bits(r0).saturating_sub(wide_bits(r1));
        loop {
            if let Some(rest) = minus(r0, shifted(r1, shift)) {
                r0 = rest;
                t0 -= t1 << shift;
            }
            if shift == 0 {
                break;
            }
            shift -= 1;
        }
        (r0, t0, r1, t1) = (r1, t1, r0, t0);
    }
    t1
}

/// The order of the group.
const ORDER: Wide = [0x14de_f9de_a2f7_9cd6_5812_631a_5cf5_d3ed, 1 << 124];

/// Writes the digits of one multiplier.
fn put(digits: &mut Digits, which: usize, width: u32, limbs: &[u64; 8]) {
    non_adjacent(limbs, width, |position, digit| {
        let column = usize::try_from(position).ok().and_then(|at| digits.get_mut(at));
        if let Some(place) = column.and_then(|column| column.get_mut(which)) {
            *place = digit;
        }
    });
}

/// Adds the entry of a table of odd multiples that belongs to a digit.
fn add_odd<A: Addend>(sum: &Edwards, table: &[A], digit: i8) -> Edwards {
    match table.get(usize::from(digit.unsigned_abs() >> 1)) {
        Some(multiple) if digit != 0 => multiple.added_vartime(sum, digit < 0),
        _ => *sum,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Powers of two and their neighbours, small fractions, and numbers all over the range, with the
    /// longest quotients among them.
    #[test]
    fn splits_are_short() {
        let two = Inner::from_u64(2);
        let mut numbers = alloc::vec![Inner::ZERO];
        let mut power = Inner::ONE;
        let mut some = Inner::from_u64(0x9e37_79b9_7f4a_7c15);
        for k in 1..600 {
            power *= two;
            some = some.square() + Inner::from_u64(k);
            numbers.extend([power, power - Inner::ONE, power + Inner::ONE, -power, some]);
            numbers.extend([
                Inner::ONE / Inner::from_u64(k),
                Inner::from_u64(k) / power,
                power / some,
            ]);
        }
        for number in numbers {
            let denominator = denominator(limbs_from_le(&number.encode()));
            assert!(denominator != 0 && denominator.unsigned_abs() < 1 << 126);
            let numerator = Signed::shorter(number * Inner::from_i128(denominator));
            assert!(bits(&numerator.limbs) <= 127);
        }
    }
}
