//! Masks made of secrets: all ones or nothing.
//!
//! A compiler that sees that a mask is one or the other may turn what is done with it into a jump: reading a table
//! whole, it then loads the one entry that is wanted, in a time that tells which. So masks pass through
//! [`black_box`], which hides from it what they can be.

use core::hint::black_box;

/// All ones if the two are equal, otherwise nothing. Both are below 2^31.
#[inline]
pub(crate) fn if_equal(a: u32, b: u32) -> u32 {
    black_box(((a ^ b).wrapping_sub(1) >> 31).wrapping_neg())
}

/// All ones for a number below zero, otherwise nothing.
#[inline]
pub(crate) fn if_negative(value: i8) -> u32 {
    black_box(u32::from(value.cast_unsigned() >> 7).wrapping_neg())
}

/// All ones for an odd number, otherwise nothing.
#[inline]
pub(crate) fn if_odd(value: u64) -> u64 {
    black_box((value & 1).wrapping_neg())
}
