//! Work that is also compiled for wide vectors, AVX2 or AVX-512, and runs with them if the processor has them.
//!
//! The work itself is safe code that names neither, and gives the same bits everywhere: a multiplication and an
//! addition are never contracted. All `unsafe` code of the crate is in this file. It is the two calls below, whose
//! tokens are made only after asking the processor.

#![allow(
    unsafe_code,
    reason = "code for a processor's extension is called here and nowhere else; each block says why it is sound"
)]

/// Work on many numbers. Every function that it calls has to be inlined into it; otherwise that part uses narrow
/// vectors.
pub(crate) trait Work {
    /// The result.
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Does the work with the widest vectors that the processor has.
pub(crate) fn widely<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(token) = x86::Avx512::detect() {
            return token.run(work);
        }
        if let Some(token) = x86::Avx2::detect() {
            return token.run(work);
        }
    }
    work.run()
}

/// Does the work that the second argument makes of a copy of the first, with vectors of every width. Returns the
/// result, which is the same for all widths.
#[cfg(test)]
macro_rules! every_width {
    ($start:expr, |$to:ident| $work:expr) => {{
        use crate::simd::{Work, by_avx2, by_avx512};
        let mut value = $start;
        let output = {
            let $to = &mut value;
            $work.run()
        };
        let mut again = $start;
        let $to = &mut again;
        if let Some(found) = by_avx2($work) {
            assert!(found == output && again == value, "AVX2");
        }
        let mut again = $start;
        let $to = &mut again;
        if let Some(found) = by_avx512($work) {
            assert!(found == output && again == value, "AVX-512");
        }
        value
    }};
}
#[cfg(test)]
pub(crate) use every_width;

/// Does the work with AVX2, if the processor has it.
#[cfg(test)]
pub(crate) fn by_avx2<W: Work>(work: W) -> Option<W::Output> {
    #[cfg(target_arch = "x86_64")]
    return x86::Avx2::detect().map(|token| token.run(work));
    #[cfg(not(target_arch = "x86_64"))]
    return None;
}

/// Does the work with AVX-512, if the processor has it.
#[cfg(test)]
pub(crate) fn by_avx512<W: Work>(work: W) -> Option<W::Output> {
    #[cfg(target_arch = "x86_64")]
    return x86::Avx512::detect().map(|token| token.run(work));
    #[cfg(not(target_arch = "x86_64"))]
    return None;
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Work;

    /// Asks the processor for its features. Without the standard library it cannot be asked, and only a build for
    /// such a processor has the features.
    macro_rules! has {
        ($($feature:tt),+) => {{
            #[cfg(feature = "std")]
            let has = $(std::arch::is_x86_feature_detected!($feature))&&+;
            #[cfg(not(feature = "std"))]
            let has = $(cfg!(target_feature = $feature))&&+;
            has
        }};
    }

    /// Proof that the processor has AVX-512 with the extensions that came with its second generation.
    #[derive(Clone, Copy)]
    pub(super) struct Avx512(());

    impl Avx512 {
        #[inline]
        pub(super) fn detect() -> Option<Self> {
            has!("avx512f", "avx512bw", "avx512dq", "avx512vl").then_some(Self(()))
        }

        #[inline]
        pub(super) fn run<W: Work>(self, work: W) -> W::Output {
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
            fn inside<W: Work>(work: W) -> W::Output {
                work.run()
            }
            // SAFETY: `self` is made only if the processor has the features.
            unsafe { inside(work) }
        }
    }

    /// Proof that the processor has AVX2.
    #[derive(Clone, Copy)]
    pub(super) struct Avx2(());

    impl Avx2 {
        #[inline]
        pub(super) fn detect() -> Option<Self> {
            has!("avx2").then_some(Self(()))
        }

        #[inline]
        pub(super) fn run<W: Work>(self, work: W) -> W::Output {
            #[target_feature(enable = "avx2")]
            fn inside<W: Work>(work: W) -> W::Output {
                work.run()
            }
            // SAFETY: `self` is made only if the processor has the features.
            unsafe { inside(work) }
        }
    }
}
