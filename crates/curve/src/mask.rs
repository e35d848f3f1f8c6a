//! Masks made of secrets: all ones or nothing.
//!
//! If a compiler sees that a mask has only two values, it may turn its use into a jump. When a
//! table is read whole, it would then load only the wanted entry, in a time that shows which. So
//! masks pass through [`black_box`], which hides their possible values from the compiler.

use core::hint::black_box;

/// A mask of all ones if the two are equal, otherwise zero. Both are below 2^31.
#[inline]
pub(crate) fn if_equal(a: u32, b: u32) -> u32 {
    black_box(((a ^ b).wrapping_sub(1) >> 31).wrapping_neg())
}

/// A mask of all ones for a number below zero, otherwise zero.
#[inline]
pub(crate) fn if_negative(value: i8) -> u32 {
    black_box(u32::from(value.cast_unsigned() >> 7).wrapping_neg())
}

/// A mask of all ones for an odd number, otherwise zero.
#[inline]
pub(crate) fn if_odd(value: u64) -> u64 {
    black_box((value & 1).wrapping_neg())
}
