//! The terms on which all signers of an attempt agree.

#[cfg(not(target_has_atomic = "ptr"))]
use alloc::rc::Rc as Shared;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc as Shared;
use alloc::vec::Vec;

use quorate_session::{Binding, Limits, ParamError, Parties, PartyId, PerParty, Round};

use crate::matrix::Matrix;
use crate::message::MessageRepresentative;
use crate::package::PublicKeyPackage;
use crate::packing::FULL_LEN;
use crate::poly::{Ntt, add_all, transforms, zeros};
use crate::set::ParameterSet;
use crate::subset::Subset;

/// Bytes of a commitment.
pub(crate) const COMMITMENT: usize = 64;

/// The key, the signers, the message, and the values that follow from them.
pub(crate) struct Terms {
    pub(crate) public: Shared<PublicKeyPackage>,
    pub(crate) mu: MessageRepresentative,
    pub(crate) a: Shared<Matrix>,
    /// The subsets whose secrets each signer answers for.
    parts: PerParty<Vec<Subset>>,
}

impl Terms {
    /// The terms of an attempt of these signers, exactly as many as the threshold.
    pub(crate) fn new(
        public: Shared<PublicKeyPackage>,
        signers: &Parties,
        mu: MessageRepresentative,
    ) -> Result<Self, ParamError> {
        if signers.len() != usize::from(public.threshold()) {
            return Err(ParamError::Inconsistent("as many parties sign as the threshold says"));
        }
        let mut positions = Vec::new();
        for party in signers.iter() {
            positions.push(public.position(party).ok_or(ParamError::NotAParty(party))?);
        }
        let parts = public.shape.partition(&positions);
        let parts = parts.ok_or(ParamError::Protocol("no partition for these signers"))?;
        let parts = signers.iter().zip(parts).collect();
        let a = Shared::clone(public.a());
        Ok(Self { public, mu, a, parts })
    }

    pub(crate) fn set(&self) -> &ParameterSet {
        &self.public.set
    }

    /// The subsets whose secrets a signer answers for.
    pub(crate) fn part(&self, signer: PartyId) -> &[Subset] {
        self.parts.get(signer).map_or(&[], Vec::as_slice)
    }

    /// The transform of Σ t_S over the subsets of a signer.
    pub(crate) fn image(&self, signer: PartyId) -> Vec<Ntt> {
        let mut sum = zeros(self.public.level().k());
        let images = self.part(signer).iter().filter_map(|subset| self.public.image(*subset));
        images.for_each(|image| add_all(&mut sum, image));
        transforms(&sum)
    }
}

/// Binds the terms, except the session and the signers, which are bound already.
pub(crate) fn bind(public: &PublicKeyPackage, mu: &MessageRepresentative, binding: &mut Binding) {
    binding.append("profile", public.profile().name().as_bytes());
    binding.append("key", &public.digest());
    binding.append("message", mu.as_bytes());
    binding.append_u64("slots", public.set.slots.into());
}

/// Bytes of the commitments of all slots, opened.
pub(crate) fn opening_len(set: &ParameterSet) -> usize {
    usize::from(set.slots) * set.level.k() * FULL_LEN
}

/// Bytes of the accepted slots, one bit each.
pub(crate) fn bitmap_len(set: &ParameterSet) -> usize {
    usize::from(set.slots.div_ceil(8))
}

/// The limits of a round.
pub(crate) fn limits(set: &ParameterSet, round: Round) -> Limits {
    let broadcast = match round.get() {
        1 => COMMITMENT,
        2 => opening_len(set),
        _ => bitmap_len(set) + usize::from(set.slots) * set.level.l() * set.level.response_len(),
    };
    Limits { broadcast, direct: 0 }
}
