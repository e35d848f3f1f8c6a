//! The work as the strategies see it: reduced bases, exponents without a sign, one modulus.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::modular::parameters::Parameters;
use crate::number::limbs::Words;

/// `base^exponent`, where the exponent is below `2^bits`. The time shows `bits`, whatever strategy raises it.
pub(crate) struct Power {
    pub(crate) base: Words,
    pub(crate) exponent: Words,
    pub(crate) bits: u32,
    /// `true` if the exponent is public, so that the time may show all of it.
    pub(crate) public: bool,
}

/// A product of powers under one modulus.
pub(crate) struct Job {
    pub(crate) modulus: Arc<Parameters>,
    pub(crate) powers: Vec<Power>,
}

impl Job {
    /// A job whose longest exponent comes first, so that jobs side by side in lanes waste little.
    pub(crate) fn new(modulus: &Arc<Parameters>, mut powers: Vec<Power>) -> Self {
        powers.sort_by_key(|p| core::cmp::Reverse(p.bits));
        Self { modulus: Arc::clone(modulus), powers }
    }

    /// The longest exponent, if it is public. Jobs that have it in common share their digits.
    pub(crate) fn public_exponent(&self) -> Option<&[u64]> {
        self.powers.first().filter(|power| power.public).map(|power| power.exponent.as_slice())
    }

    /// Bits of the longest exponent: the squarings that the job needs.
    pub(crate) fn longest(&self) -> u32 {
        self.powers.first().map_or(0, |p| p.bits)
    }
}
