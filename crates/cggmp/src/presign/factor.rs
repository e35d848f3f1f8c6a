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

    /// The one that is not this one.
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Gamma => Self::Share,
            Self::Share => Self::Gamma,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Gamma => "gamma",
            Self::Share => "share",
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

    /// The value for one factor.
    pub(crate) fn into_one(self, factor: Factor) -> T {
        match factor {
            Factor::Gamma => self.gamma,
            Factor::Share => self.share,
        }
    }

    pub(crate) const fn get(&self, factor: Factor) -> &T {
        match factor {
            Factor::Gamma => &self.gamma,
            Factor::Share => &self.share,
        }
    }

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
    /// `D, D̂` and `F, F̂`.
    pub(crate) const fn ciphertexts(
        ByFactor { gamma, share }: &ByFactor<Self>,
    ) -> [[&Ciphertext; 2]; 2] {
        [[&gamma.d, &share.d], [&gamma.f, &share.f]]
    }
}

/// Bytes of a digest of products.
pub(crate) const DIGEST: usize = 32;

/// The products that one party makes for another, for one presignature of a run.
#[derive(Clone, Copy)]
pub(crate) struct Between {
    pub(crate) binding: RunBinding,
    /// Among the presignatures of the run.
    pub(crate) index: usize,
    pub(crate) from: PartyId,
    pub(crate) to: PartyId,
}

impl Between {
    /// The digest of one product.
    pub(crate) fn digest_of(&self, factor: Factor, Pair { d, f }: &Pair) -> [u8; 32] {
        let mut transcript = self.binding.transcript("quorate-cggmp presign product");
        transcript.append_u64("index", self.index as u64);
        transcript.append("factor", factor.name().as_bytes());
        transcript.append_u64("from", self.from.get().into());
        transcript.append_u64("to", self.to.get().into());
        transcript.append("D", &d.to_bytes());
        transcript.append("F", &f.to_bytes());
        transcript.finish32()
    }

    /// The digest that round 2 broadcasts, from those of both products: a red alert shows one of them, and of the other
    /// its digest.
    pub(crate) fn joined(&self, digests: &ByFactor<[u8; 32]>) -> [u8; 32] {
        let mut transcript = self.binding.transcript("quorate-cggmp presign products");
        transcript.append("gamma", &digests.gamma);
        transcript.append("share", &digests.share);
        transcript.finish32()
    }

    /// The digest that round 2 broadcasts of these products.
    pub(crate) fn digest(&self, pairs: ByFactor<&Pair>) -> [u8; 32] {
        self.joined(&ByFactor::new(|factor| self.digest_of(factor, pairs.get(factor))))
    }
}
