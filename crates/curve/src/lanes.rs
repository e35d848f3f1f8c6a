//! Points of the curves of Ed25519 and Ed448 several at a time, by instructions that the processor may have.
//!
//! With AVX-512 IFMA, sixteen of Ed25519 are decoded in variable time, or multiplied by one scalar in constant time. Sums
//! of multiples are made in eight lanes with AVX-512 IFMA, and in four with AVX2, in variable time.
//!
//! All `unsafe` code of the crate is in this file. It is the calls below, which ask the processor
//! first.

#![allow(
    unsafe_code,
    reason = "code for a processor's extension is called here and nowhere else; each block says why it is sound"
)]

#[macro_use]
mod sums;
#[macro_use]
mod twisted;
#[macro_use]
mod untwisted;
#[cfg(all(test, feature = "std"))]
#[macro_use]
mod tests;
mod decode;
mod eight;
mod eight448;
mod field;
mod four;
mod four448;
mod multiple;
mod points448;
mod roots;
mod schedule;
mod subgroup;

use alloc::vec::Vec;
use core::ops::Range;

use crrl::ed448::Point;

use crate::edwards::Edwards;
use crate::msm::Term;
use points448::Projective;

/// The module of sums of multiples on one curve by one extension: its name, the field in lanes, the extension, the points,
/// the curve's formulas, what they need of the field besides, and the field that tests compare with.
macro_rules! sums_in {
    ($name:ident, $field:ident, $features:literal, $point:ident, $formulas:ident, [$($more:ident)?], $plain:ident) => {
        mod $name {
            use super::$field::{
                LANES, Number, Row, carried, constant, difference, $($more,)? from_bytes, from_rows, numbers, product, square,
                to_rows, total,
            };

            sums!($features, $point);
            $formulas!($features);
            #[cfg(all(test, feature = "std"))]
            field_tests!($features, $field, $plain);
        }
    };
}

sums_in!(in_eight, eight, "avx512f,avx512ifma", Edwards, twisted, [], GF25519);
sums_in!(in_four, four, "avx2", Edwards, twisted, [], GF25519);
sums_in!(in_eight448, eight448, "avx512f,avx512ifma", Projective, untwisted, [factor], GF448);
sums_in!(in_four448, four448, "avx2", Projective, untwisted, [factor], GF448);

/// Fewer points are decoded faster one by one.
const FROM: usize = 4;

/// Proof that the processor has the instructions.
#[derive(Clone, Copy)]
pub(crate) struct Lanes(());

impl Lanes {
    /// Asks the processor, if there are enough points for it to pay.
    #[cfg(feature = "std")]
    pub(crate) fn detect(points: usize) -> Option<Self> {
        let all = points >= FROM
            && std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512ifma");
        all.then_some(Self(()))
    }

    /// Without the standard library, the operating system cannot be asked. Only a build for such a
    /// processor has these.
    #[cfg(not(feature = "std"))]
    pub(crate) fn detect(points: usize) -> Option<Self> {
        let all = cfg!(all(target_feature = "avx512f", target_feature = "avx512ifma"));
        (all && points >= FROM).then_some(Self(()))
    }

    /// The scalar, whose encoding is `bytes`, times each point, in constant time.
    pub(crate) fn times(self, points: &[Edwards; 16], bytes: &[u8; 32]) -> [Edwards; 16] {
        // SAFETY: `self` is only made where the processor has the features.
        unsafe { multiple::times(points, bytes) }
    }

    /// The points of these encodings of RFC 8032; `None` if one of them is refused, as [`Curve::decode_point`] does.
    ///
    /// [`Curve::decode_point`]: crate::Curve::decode_point
    pub(crate) fn ed25519(self, encodings: &[[u8; 32]]) -> Option<Vec<Edwards>> {
        // SAFETY: `self` is only made where the processor has the features.
        unsafe { decode::ed25519(encodings) }
    }

    /// The elements of these encodings of RFC 9496; `None` if one of them is refused, as [`Curve::decode_point`] does.
    ///
    /// [`Curve::decode_point`]: crate::Curve::decode_point
    pub(crate) fn ristretto255(self, encodings: &[[u8; 32]]) -> Option<Vec<Edwards>> {
        // SAFETY: `self` is only made where the processor has the features.
        unsafe { decode::ristretto255(encodings) }
    }
}

/// Proof that the processor has the instructions AVX2.
#[derive(Clone, Copy)]
pub(crate) struct Four(());

impl Four {
    /// Asks the processor.
    #[cfg(feature = "std")]
    fn detect() -> Option<Self> {
        std::arch::is_x86_feature_detected!("avx2").then_some(Self(()))
    }

    /// As [`Lanes::detect`] without the standard library.
    #[cfg(not(feature = "std"))]
    fn detect() -> Option<Self> {
        cfg!(target_feature = "avx2").then_some(Self(()))
    }
}

/// The lanes that sums are made in.
#[derive(Clone, Copy)]
pub(crate) enum Sums {
    Eight(Lanes),
    Four(Four),
}

/// Numbers of terms whose sum is faster in four lanes than one by one. All these are measured.
const FOUR_PAY: Range<usize> = 20..700;
/// Numbers of terms whose sum is faster in eight lanes than one by one.
const EIGHT_PAY: Range<usize> = 5..20_000;
/// The same over Ed448, in eight lanes.
const ED448_EIGHT_PAY: Range<usize> = 12..2000;
/// The same over Ed448, in four lanes.
const ED448_FOUR_PAY: Range<usize> = 24..150;
/// The tables of this many terms fit in a second-level cache.
const AT_ONCE: usize = 320;

impl Sums {
    /// Asks the processor, if the number of terms is one for which lanes pay.
    pub(crate) fn detect(terms: usize) -> Option<Self> {
        match Lanes::detect(usize::MAX) {
            Some(lanes) => EIGHT_PAY.contains(&terms).then_some(Self::Eight(lanes)),
            None => FOUR_PAY.contains(&terms).then(Four::detect)?.map(Self::Four),
        }
    }

    /// The sum of all terms, in variable time.
    pub(crate) fn sum(self, terms: &[Term<Edwards>]) -> Edwards {
        let sums = terms.chunks(AT_ONCE).map(|some| match self {
            // SAFETY: `Lanes` is only made where the processor has the features.
            Self::Eight(_) => unsafe { in_eight::sum(some) },
            // SAFETY: `Four` is only made where the processor has the feature.
            Self::Four(_) => unsafe { in_four::sum(some) },
        });
        sums.reduce(|sum, more| sum.plus(&more)).unwrap_or(Edwards::IDENTITY)
    }

    /// The sum of all terms on the curve of Ed448, in variable time; nothing if lanes don't pay. As the backend's points
    /// have to be encoded, they don't for short numbers.
    pub(crate) fn ed448<P>(terms: &[Term<P>], backend: impl Fn(&P) -> Point) -> Option<Point> {
        let count = terms.len();
        let bits: u64 = terms.iter().map(|term| u64::from(term.bits())).sum();
        let pay = |terms: &Range<usize>, least: u64| {
            terms.contains(&count) && u64::try_from(count).is_ok_and(|count| bits >= least * count)
        };
        let lanes = match Lanes::detect(usize::MAX) {
            Some(lanes) => pay(&ED448_EIGHT_PAY, 256).then_some(Self::Eight(lanes)),
            None => pay(&ED448_FOUR_PAY, 384).then(Four::detect)?.map(Self::Four),
        };
        lanes?.sum_ed448(terms, backend)
    }

    /// The sum of all terms on the curve of Ed448, in variable time.
    fn sum_ed448<P>(self, terms: &[Term<P>], backend: impl Fn(&P) -> Point) -> Option<Point> {
        let points = Projective::from_points(terms.iter().map(|term| backend(&term.point)))?;
        let term = |(term, point): (&Term<P>, _)| Term { limbs: term.limbs, point };
        let terms: Vec<_> = terms.iter().zip(points).map(term).collect();
        // Tables are almost twice as large.
        let sums = terms.chunks(AT_ONCE >> 1).map(|some| match self {
            // SAFETY: `Lanes` is only made where the processor has the features.
            Self::Eight(_) => unsafe { in_eight448::sum(some) },
            // SAFETY: `Four` is only made where the processor has the feature.
            Self::Four(_) => unsafe { in_four448::sum(some) },
        });
        sums.reduce(|sum, more| sum.plus(&more)).unwrap_or(Projective::IDENTITY).point()
    }

    /// All lanes of this processor, whatever pays.
    #[cfg(all(test, feature = "std"))]
    fn all() -> Vec<Self> {
        let eight = Lanes::detect(usize::MAX).map(Self::Eight);
        eight.into_iter().chain(Four::detect().map(Self::Four)).collect()
    }

    /// Tests of the field's arithmetic.
    #[cfg(all(test, feature = "std"))]
    fn check_field(self) {
        match self {
            // SAFETY: `Lanes` is only made where the processor has the features.
            Self::Eight(_) => unsafe {
                in_eight::check_field();
                in_eight448::check_field();
            },
            // SAFETY: `Four` is only made where the processor has the feature.
            Self::Four(_) => unsafe {
                in_four::check_field();
                in_four448::check_field();
            },
        }
    }
}
