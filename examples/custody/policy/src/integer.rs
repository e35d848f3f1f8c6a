//! Sums of amounts.

use quorate_purpose::Integer;

/// The sum of two integers that are not negative; `None` beyond 256 bits, or if one is negative.
#[must_use]
pub fn checked_add(one: &Integer, other: &Integer) -> Option<Integer> {
    if one.is_negative() || other.is_negative() {
        return None;
    }
    let (mut sum, mut carry) = ([0_u8; 32], 0_u16);
    let places = one.magnitude().iter().zip(other.magnitude()).zip(&mut sum).rev();
    for ((one, other), sum) in places {
        let [high, low] =
            carry.wrapping_add((*one).into()).wrapping_add((*other).into()).to_be_bytes();
        (*sum, carry) = (low, high.into());
    }
    if carry == 0 { Integer::from_be_bytes(&sum) } else { None }
}
