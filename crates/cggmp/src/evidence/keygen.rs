//! Evidence from key generation.

use core::marker::PhantomData;

use quorate_bignum::Engine;
use quorate_session::{
    Binding, Fault, Limits, Parties, PartyId, PerParty, Protocol, Round, SessionId,
};

use super::{Finding, Log, sealed};
use crate::keygen::reveal::Reveal;
use crate::keygen::round2::read_share;
use crate::keygen::round3::PROOF;
use crate::keygen::view::{View, key_of, read_reveals};
use crate::keygen::{bind, limits};
use crate::proofs::{RunBinding, confirmation};
use crate::{EcdsaCurve, KeyInfo, Keygen};

/// A run of [`Keygen`].
///
/// A wrong share can be shown, too: the culprit's frame to the accuser holds it in the clear.
#[derive(Clone, Debug)]
pub struct KeygenRun<C> {
    /// Its session id.
    pub sid: SessionId,
    /// Who took part.
    pub parties: Parties,
    /// The threshold of the key.
    pub threshold: u16,
    curve: PhantomData<C>,
}

impl<C: EcdsaCurve> KeygenRun<C> {
    /// The run of these parties, for a key of this threshold.
    #[must_use]
    pub const fn new(sid: SessionId, parties: Parties, threshold: u16) -> Self {
        Self { sid, parties, threshold, curve: PhantomData }
    }
}

#[allow(private_interfaces, reason = "nobody else implements it")]
impl<C: EcdsaCurve> sealed::Judge for KeygenRun<C> {
    fn parties(&self) -> &Parties {
        &self.parties
    }

    fn code(&self) -> u8 {
        Keygen::<C>::CODE
    }

    fn rounds(&self) -> u8 {
        Keygen::<C>::ROUNDS
    }

    fn limits(&self, round: Round) -> Limits {
        limits(self.threshold, round)
    }

    fn names(&self) -> RunBinding {
        let bind = |binding: &mut Binding| bind::<C>(self.threshold, binding);
        RunBinding::of::<Keygen<C>>(self.sid, &self.parties, bind)
    }

    fn judge(&self, _engine: &Engine, log: &Log<'_>) -> Result<(), Finding> {
        match log.round {
            2 => self.reveal(log),
            3 => self.revealed(log, |view| {
                view.verify(log.culprit, log.broadcast()?)?;
                Ok(())
            }),
            4 => self.confirm(log),
            _ if log.broadcast()?.len() != 32 => Err(Fault::WrongLength.into()),
            _ => Ok(()),
        }
    }
}

impl<C: EcdsaCurve> KeygenRun<C> {
    /// Round 2: V, the form of the reveal, and the share where the accuser shows it.
    fn reveal(&self, log: &Log<'_>) -> Result<(), Finding> {
        let committed = log.round(1)?.iter().find(|(party, _)| *party == log.culprit);
        let (_, committed) = committed.ok_or(Finding::Incomplete)?;
        let reveal = Reveal::<C>::from_bytes(log.broadcast()?, self.threshold.into())?;
        if reveal.digest(sealed::Judge::names(self), log.culprit) != **committed {
            return Err(Fault::InvalidDecommitment.into());
        }
        let (to, share) = log.direct()?;
        let share = read_share::<C>(share)?;
        if reveal.commitment.verify_share_vartime(to, share.expose()) {
            Ok(())
        } else {
            Err(Fault::InvalidShare.into())
        }
    }

    /// Judges what follows the reveals by the view of the run.
    fn revealed(
        &self,
        log: &Log<'_>,
        judge: impl FnOnce(&View<'_, C>) -> Result<(), Finding>,
    ) -> Result<(), Finding> {
        let reveals = read_reveals(log.round(2)?, self.threshold).ok_or(Finding::Incomplete)?;
        let key: KeyInfo<C> = key_of(&self.parties, &reveals).ok_or(Finding::Incomplete)?;
        judge(&View { names: sealed::Judge::names(self), key: &key, reveals: &reveals })
    }

    /// Round 4: the digest of all that was broadcast.
    fn confirm(&self, log: &Log<'_>) -> Result<(), Finding> {
        self.revealed(log, |view| {
            let proof = |(party, bytes): &(PartyId, &[u8])| {
                Some((*party, <[u8; PROOF]>::try_from(*bytes).ok()?))
            };
            let proofs: Option<PerParty<_>> = log.round(3)?.iter().map(proof).collect();
            let proofs = proofs.ok_or(Finding::Incomplete)?;
            Ok(confirmation(log.broadcast()?, &view.confirmation(&proofs))?)
        })
    }
}
