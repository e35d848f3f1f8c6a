//! Folding: one proof about many statements under one map.

use alloc::vec::Vec;

use quorate_bignum::{Integer, Natural, SecretInteger};
use quorate_session::Transcript;

/// The most presignatures of one run.
pub const MAX_BATCH: usize = 1024;
/// The most statements that are folded: two for each of them.
pub const MAX_FOLD: usize = 2 * MAX_BATCH;

/// Bytes of a seed of weights.
pub(crate) const SEED_BYTES: usize = 32;
/// A false statement passes with at most `2^-SECURITY` for each hash that the prover tries.
const SECURITY: u32 = 128;

/// `λ`: the length of a weight, and of the challenge after it, for this many statements.
#[must_use]
pub const fn weight_bits(count: usize) -> u32 {
    SECURITY + count.next_power_of_two().ilog2()
}

/// When the weights of a fold are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stages {
    /// After the first message: the weights are the challenge, and every map is folded.
    One = 1,
    /// Before the first message, which may depend on them, and a challenge comes after it. The prover's commitments are
    /// fixed before the weights.
    Two = 2,
}

/// The number of stages in which statements are folded into one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fold {
    pub(crate) stages: Stages,
    pub(crate) count: usize,
}

impl Fold {
    /// Returns whether there are statements, and not too many.
    pub(crate) const fn is_valid(self) -> bool {
        self.count > 0 && self.count <= MAX_FOLD
    }
}

/// The numbers of a purpose that a seed stands for.
fn expand(seed: &[u8], purpose: &'static str, bits: u32, index: usize) -> Natural {
    let mut transcript = Transcript::new("zk fold");
    transcript.append("seed", seed);
    transcript.append_u64(purpose, index as u64);
    let (digest, len) = (transcript.finish(), bits.div_ceil(8) as usize);
    let bytes: Vec<u8> = digest.into_iter().take(len).collect();
    Natural::from_be_bytes(&bytes).shr(bits.next_multiple_of(8).saturating_sub(bits))
}

/// The challenge that follows the weights.
pub(crate) fn challenge(seed: &[u8], count: usize) -> Integer {
    Integer::from(expand(seed, "challenge", weight_bits(count), 0))
}

/// The weights of the statements, `e_1 … e_M`.
pub(crate) struct Weights(Vec<Integer>);

impl Weights {
    /// The weights that follow from a seed.
    pub(crate) fn new(seed: &[u8], count: usize) -> Self {
        let bits = weight_bits(count);
        Self((0..count).map(|index| Integer::from(expand(seed, "weight", bits, index))).collect())
    }

    /// The weights of statements from `first` on.
    pub(crate) fn from(&self, first: usize) -> &[Integer] {
        self.0.get(first..).unwrap_or_default()
    }
}

/// Jobs of how many powers a product of `count` is cut into: a list of them fills an engine's lanes, and each shares its
/// squarings.
pub(crate) fn terms_of_job(count: usize) -> usize {
    count.div_ceil(8).clamp(1, 8)
}

/// `Σ e x`, half by half: a sum is a bit longer than the longer of two.
pub(crate) fn weighted_sum(terms: &[(&SecretInteger, &Integer)]) -> SecretInteger {
    match terms {
        [] => SecretInteger::from(quorate_bignum::SecretNatural::from_be_bytes(&[0])),
        [(x, e)] => x.mul_public(e),
        _ => {
            let (left, right) = terms.split_at(terms.len() >> 1);
            weighted_sum(left).add(&weighted_sum(right))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_of_nothing_is_zero() {
        assert_eq!(weighted_sum(&[]).declassify(), Integer::zero());
    }
}
