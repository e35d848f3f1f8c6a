//! The two factors that are multiplied with the receiver's k, and the products.

use quorate_paillier::Ciphertext;
use quorate_session::PartyId;

use crate::proofs::RunBinding;

/// A factor of a product with the receiver's k.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Factor {
    /// γ: D and F, for δ.
    Gamma,
    /// x: D̂ and F̂, for χ.
    Share,
}

impl Factor {
    /// In the order of the messages.
    pub(crate) const BOTH: [Self; 2] = [Self::Gamma, Self::Share];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Gamma => "gamma",
            Self::Share => "share",
        }
    }

    /// The role of its Πaff-g.
    pub(crate) const fn role(self) -> &'static str {
        match self {
            Self::Gamma => "presign aff-g gamma",
            Self::Share => "presign aff-g share",
        }
    }
}

/// A value for each factor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ByFactor<T> {
    pub(crate) gamma: T,
    pub(crate) share: T,
}

impl<T> ByFactor<T> {
    /// The value that `make` gives for each factor, γ first.
    pub(crate) fn new(mut make: impl FnMut(Factor) -> T) -> Self {
        let [gamma, share] = Factor::BOTH.map(&mut make);
        Self { gamma, share }
    }

    /// As [`Self::new`], unless a value cannot be made.
    pub(crate) fn try_new<E>(mut make: impl FnMut(Factor) -> Result<T, E>) -> Result<Self, E> {
        Ok(Self { gamma: make(Factor::Gamma)?, share: make(Factor::Share)? })
    }

    pub(crate) const fn get(&self, factor: Factor) -> &T {
        match factor {
            Factor::Gamma => &self.gamma,
            Factor::Share => &self.share,
        }
    }

    #[cfg(test)]
    pub(crate) const fn get_mut(&mut self, factor: Factor) -> &mut T {
        match factor {
            Factor::Gamma => &mut self.gamma,
            Factor::Share => &mut self.share,
        }
    }

    /// Both with their factors, γ first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Factor, &T)> {
        Factor::BOTH.into_iter().map(|factor| (factor, self.get(factor)))
    }
}

/// A product of round 2: `D_{j,i}` under the receiver's key and `F_{j,i}` under the sender's.
#[derive(Clone)]
pub(crate) struct Pair {
    pub(crate) d: Ciphertext,
    pub(crate) f: Ciphertext,
}

impl Pair {
    /// The digest of a product that round 2 broadcasts.
    pub(crate) fn digest(
        &self,
        binding: RunBinding,
        factor: Factor,
        [from, to]: [PartyId; 2],
    ) -> [u8; 32] {
        let mut transcript = binding.transcript("quorate-cggmp presign product");
        transcript.append("factor", factor.name().as_bytes());
        transcript.append_u64("from", from.get().into());
        transcript.append_u64("to", to.get().into());
        transcript.append("D", &self.d.to_bytes());
        transcript.append("F", &self.f.to_bytes());
        transcript.finish32()
    }
}
