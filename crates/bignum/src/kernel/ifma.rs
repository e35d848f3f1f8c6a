//! The common ground of the two AVX-512 IFMA kernels: the unit of storage, the proof that the processor has
//! the instructions, and the few intrinsics they are written in.

use core::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_load_si512, _mm512_madd52hi_epu64,
    _mm512_madd52lo_epu64, _mm512_set1_epi64, _mm512_setzero_si512, _mm512_srli_epi64,
    _mm512_store_si512,
};

pub(crate) use super::block::Block;

/// Bits of one limb.
pub(crate) const LIMB_BITS: u32 = 52;

/// Proof that the processor has the instructions of these kernels. Only [`Ifma::detect`] makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ifma(());

impl Ifma {
    /// Asks the processor.
    #[cfg(feature = "std")]
    pub(crate) fn detect() -> Option<Self> {
        let all = std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512ifma")
            && std::arch::is_x86_feature_detected!("avx512vl")
            && std::arch::is_x86_feature_detected!("avx512dq")
            && std::arch::is_x86_feature_detected!("avx512bw");
        all.then_some(Self(()))
    }

    /// Without the standard library, the operating system cannot be asked. Only a build for such a processor has
    /// the kernels.
    #[cfg(not(feature = "std"))]
    pub(crate) fn detect() -> Option<Self> {
        let all = cfg!(all(
            target_feature = "avx512f",
            target_feature = "avx512ifma",
            target_feature = "avx512vl",
            target_feature = "avx512dq",
            target_feature = "avx512bw",
        ));
        all.then_some(Self(()))
    }
}

/// One vector register.
pub(crate) type V = __m512i;

/// Reads a block.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn load(block: &Block) -> V {
    // SAFETY: the reference is valid for 64 bytes and `Block` is aligned to 64.
    unsafe { _mm512_load_si512(core::ptr::from_ref(block).cast()) }
}

/// Writes a block.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn store(block: &mut Block, value: V) {
    // SAFETY: the reference is valid for 64 bytes, unique, and `Block` is aligned to 64.
    unsafe { _mm512_store_si512(core::ptr::from_mut(block).cast(), value) }
}

/// `c` + the low 52 bits of the products of the low 52 bits of `a` and `b`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(crate) fn lo(c: V, a: V, b: V) -> V {
    _mm512_madd52lo_epu64(c, a, b)
}

/// `c` + the high 52 bits of the products of the low 52 bits of `a` and `b`.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
pub(crate) fn hi(c: V, a: V, b: V) -> V {
    _mm512_madd52hi_epu64(c, a, b)
}

/// Lanewise sum.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn add(a: V, b: V) -> V {
    _mm512_add_epi64(a, b)
}

/// Bitwise and.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn and(a: V, b: V) -> V {
    _mm512_and_si512(a, b)
}

/// The bits above the 52 of a limb.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn above(a: V) -> V {
    _mm512_srli_epi64::<LIMB_BITS>(a)
}

/// Eight zeros.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn zero() -> V {
    _mm512_setzero_si512()
}

/// Eight times 2^52 - 1.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn mask() -> V {
    _mm512_set1_epi64((1 << LIMB_BITS) - 1)
}

/// Returns both values, and orders the users of one after the computation of the other. This keeps the compiler
/// from separating interleaved streams of work.
#[inline]
#[target_feature(enable = "avx512f")]
pub(crate) fn tie(mut a: V, mut b: V) -> (V, V) {
    // SAFETY: no instruction at all; both registers are in and out.
    unsafe {
        core::arch::asm!("/* {0} {1} */", inout(zmm_reg) a, inout(zmm_reg) b, options(pure, nomem, nostack, preserves_flags));
    }
    (a, b)
}
