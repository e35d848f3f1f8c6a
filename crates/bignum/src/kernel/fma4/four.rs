//! The calls of the kernel for four numbers.

use core::arch::x86_64::_mm256_setr_epi64x;

use super::super::block::{Block, Blocks, zeros};
use super::super::fma::split::V;
use super::super::fma::{Fma, blocks, select, vectors, vectors_mut};
use super::arith;
use super::moduli::{self, Under};
use super::pair;

/// The right to run these kernels: made only where the processor has AVX2 and FMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Four(Fma);

/// The moduli of a list with their constants, as the kernel's callers have them.
#[derive(Clone, Copy)]
pub(super) struct Moduli<'a> {
    /// What [`Four::prepare`] computed.
    pub(super) prepared: &'a [Block],
    /// -1/n modulo 2^51, in the first four words.
    pub(super) k0: &'a Block,
    /// The limbs of each.
    pub(super) limbs: usize,
}

impl Four {
    /// Asks the processor.
    pub(super) fn detect() -> Option<Self> {
        Fma::detect().map(Self)
    }

    /// Whether this thread rounds to nearest. Only then are products exact.
    pub(super) fn rounds_to_nearest(self) -> bool {
        self.0.rounds_to_nearest()
    }

    /// The constants of moduli of `limbs` limbs.
    pub(super) fn prepare(self, n: &[Block], limbs: usize) -> Blocks {
        let mut out = zeros(blocks(moduli::constants_len(limbs)));
        // SAFETY: the token proves the features.
        unsafe { moduli::constants(vectors_mut(&mut out), &vectors(n)[..limbs]) }
        out
    }

    /// Blocks of scratch space for [`Self::mul`] and [`Self::sqr`].
    pub(super) const fn scratch(limbs: usize) -> usize {
        blocks(arith::scratch_len(limbs))
    }

    /// Blocks of scratch space for [`Self::mul_pairs`] and [`Self::sqr_pairs`].
    pub(super) const fn pair_scratch(limbs: usize) -> usize {
        blocks(pair::scratch_len(limbs))
    }

    /// Montgomery product lane by lane: `out` = `a` `b` / 2^(51 L) modulo `n`.
    ///
    /// Limbs are below 2^51. If a < 2^i N and b < 2^j N, i + j <= 8, then the result is below (1 + 2^(i + j - 8)) N; so below
    /// 2 N. Constant time.
    pub(super) fn mul(
        self,
        out: &mut [Block],
        [a, b]: [&[Block]; 2],
        moduli: Moduli<'_>,
        scratch: &mut [Block],
    ) {
        let limbs = moduli.limbs;
        let out = &mut vectors_mut(out)[..limbs];
        let (a, b) = (&vectors(a)[..limbs], &vectors(b)[..limbs]);
        // SAFETY: the token proves the features.
        unsafe { arith::mul(out, a, b, under(moduli), vectors_mut(scratch)) }
    }

    /// Montgomery square; all else as in [`Self::mul`].
    pub(super) fn sqr(
        self,
        out: &mut [Block],
        a: &[Block],
        moduli: Moduli<'_>,
        scratch: &mut [Block],
    ) {
        let limbs = moduli.limbs;
        let (out, a) = (&mut vectors_mut(out)[..limbs], &vectors(a)[..limbs]);
        // SAFETY: the token proves the features.
        unsafe { arith::sqr(out, a, under(moduli), vectors_mut(scratch)) }
    }

    /// The product of pairs modulo the squares of the moduli; `complement` is `1 - R mod N`. A pair is two numbers one after the
    /// other.
    pub(super) fn mul_pairs(
        self,
        out: &mut [Block],
        factors: [&[Block]; 2],
        complement: &[Block],
        moduli: Moduli<'_>,
        scratch: &mut [Block],
    ) {
        let limbs = moduli.limbs;
        let factors = factors.map(|pair| halves(pair, limbs));
        let (out, scratch) = (halves_mut(out, limbs), vectors_mut(scratch));
        let complement = &vectors(complement)[..limbs];
        // SAFETY: the token proves the features.
        unsafe { pair::mul(out, factors, complement, under(moduli), scratch) }
    }

    /// The square of a pair; all else as in [`Self::mul_pairs`].
    pub(super) fn sqr_pairs(
        self,
        out: &mut [Block],
        x: &[Block],
        complement: &[Block],
        moduli: Moduli<'_>,
        scratch: &mut [Block],
    ) {
        let limbs = moduli.limbs;
        let (out, scratch) = (halves_mut(out, limbs), vectors_mut(scratch));
        let complement = &vectors(complement)[..limbs];
        // SAFETY: the token proves the features.
        unsafe { pair::sqr(out, halves(x, limbs), complement, under(moduli), scratch) }
    }

    /// Lane `i` of `out` is lane `i` of entry `index[i]`, or zero if there is none. Constant time: it reads every entry.
    pub(super) fn select(self, out: &mut [Block], table: &[Block], index: &Block) {
        // SAFETY: the token proves the features.
        unsafe { select::private(vectors_mut(out), vectors(table), lanes(index)) }
    }

    /// Lane `i` of `out` is entry `index[i]` of a table of numbers of `limbs` words, or zero. Constant time: it reads every
    /// entry.
    pub(super) fn select_shared(
        self,
        out: &mut [Block],
        table: &[u64],
        limbs: usize,
        index: &Block,
    ) {
        // SAFETY: the token proves the features.
        unsafe { select::shared(&mut vectors_mut(out)[..limbs], table, lanes(index)) }
    }
}

/// The first four words, one in each lane.
#[target_feature(enable = "avx2,fma")]
fn lanes(block: &Block) -> V {
    let [a, b, c, d, ..] = block.0.map(u64::cast_signed);
    _mm256_setr_epi64x(a, b, c, d)
}

/// The halves of a pair, each of whole blocks, without what fills the last one.
fn halves(pair: &[Block], limbs: usize) -> [&[V]; 2] {
    let (a, b) = pair.split_at(pair.len() >> 1);
    [&vectors(a)[..limbs], &vectors(b)[..limbs]]
}

/// The halves of a pair, to be written.
fn halves_mut(pair: &mut [Block], limbs: usize) -> [&mut [V]; 2] {
    let (a, b) = pair.split_at_mut(pair.len() >> 1);
    [&mut vectors_mut(a)[..limbs], &mut vectors_mut(b)[..limbs]]
}

/// The moduli as the arithmetic reads them.
#[target_feature(enable = "avx2,fma")]
fn under(Moduli { prepared, k0, limbs }: Moduli<'_>) -> Under<'_> {
    Under::new(vectors(prepared), limbs, lanes(k0))
}
