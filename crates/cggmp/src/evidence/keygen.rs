//! Evidence from key generation.

use core::marker::PhantomData;

use quorate_bignum::Engine;
use quorate_session::{Binding, Parties, SessionId};

use super::finding::Finding;
use super::judge::{PublicRun, Terms};
use super::log::Log;
use crate::keygen::bind;
use crate::keygen::messages::{Reveal, limits, read_share};
use crate::keygen::view::{View, check_share};
use crate::proofs::exactly;
use crate::{EcdsaCurve, Keygen};
use quorate_session::rounds::confirmation;

/// A run of [`Keygen`].
///
/// A wrong share can be shown, too: the culprit's frame to the accuser holds it in the clear.
#[derive(Clone, Debug)]
pub struct KeygenRun<C> {
    /// The session id of the run.
    pub sid: SessionId,
    /// The parties that took part.
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
impl<C: EcdsaCurve> PublicRun for KeygenRun<C> {
    fn terms(&self) -> Terms<'_> {
        let limits = |round| limits(self.threshold, round);
        let bind = |binding: &mut Binding| bind::<C>(self.threshold, binding);
        Terms::new::<Keygen<C>>(self.sid, &self.parties, limits, bind)
    }

    fn judge(&self, _engine: &Engine, log: &Log<'_>) -> Result<(), Finding> {
        let (view, body) = (self.view(log)?, log.broadcast()?);
        match log.round {
            1 => exactly::<32>(body).map(drop)?,
            2 => {
                let reveal = view.read_reveal(log.culprit, body)?;
                let (to, share) = log.direct()?;
                check_share(&reveal, to, read_share::<C>(share)?.expose())?;
            }
            3 => {
                let key = view.key().ok_or(Finding::Incomplete)?;
                view.verify_proof(&key, log.culprit, body)?;
            }
            _ => {
                let key = view.key().ok_or(Finding::Incomplete)?;
                let proofs = log.read_all(3, |_, proof| exactly(proof).ok())?;
                confirmation(body, &view.confirmation(&key, &proofs))?;
            }
        }
        Ok(())
    }
}

impl<C: EcdsaCurve> KeygenRun<C> {
    /// The view of the run before the last round of the accused.
    fn view(&self, log: &Log<'_>) -> Result<View<C>, Finding> {
        let read = |_, bytes: &[u8]| Reveal::from_bytes(bytes, self.threshold.into()).ok();
        let digests = log.earlier(1).filter_map(|(party, v)| Some((party, exactly(v).ok()?)));
        Ok(View {
            digests: digests.collect(),
            reveals: log.read_all(2, read)?,
            ..View::new(self.terms().binding, &self.parties, self.threshold)
        })
    }
}
