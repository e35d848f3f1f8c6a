//! Points of the curve of Ed25519 sixteen at a time, by the instructions AVX-512 IFMA where the processor has them:
//! decoded in variable time, multiplied by one scalar in constant time.
//!
//! All `unsafe` code of the crate is in this file. It is the calls below, which ask the processor
//! first.

#![allow(
    unsafe_code,
    reason = "code for a processor's extension is called here and nowhere else; each block says why it is sound"
)]

mod decode;
mod field;
mod multiple;
mod roots;
mod subgroup;

use alloc::vec::Vec;

use crate::edwards::Edwards;

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
