//! Evidence from presigning and signing.

use alloc::vec::Vec;

use quorate_bignum::{Engine, Natural};
use quorate_session::{Binding, Parties, PartyId, SessionId};
use quorate_zk::Own;

use super::finding::{Finding, all_hold};
use super::judge::{PublicRun, Terms};
use super::log::Log;
use crate::presign::messages::{CONFIRMATION, Round1Direct, Round3Broadcast, Sizes};
use crate::presign::params::{bind, bind_count};
use crate::presign::red_alert::view::View as RedAlert;
use crate::presign::view::{Multiplied, View, WrongSum};
use crate::proofs::Look;
use crate::sign::view::View as Signing;
use crate::{
    AuxPublic, EcdsaCurve, Presign, PresignMany, PresignatureInfo, PublicKeyPackage, RawDigest,
    Sign,
};
use quorate_session::rounds::confirmation;

/// The result that the signers of a run make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SigningGoal {
    /// A presignature, by [`Presign`].
    Presignature,
    /// This number of presignatures, by [`PresignMany`].
    Presignatures(u16),
    /// The signature of a digest, by [`Sign`].
    Signature(RawDigest),
}

impl SigningGoal {
    /// The number of presignatures that are made.
    const fn count(self) -> u16 {
        match self {
            Self::Presignature | Self::Signature(_) => 1,
            Self::Presignatures(count) => count,
        }
    }
}

/// A run of [`Presign`], of [`PresignMany`], or of [`Sign`].
#[derive(Clone, Debug)]
pub struct SigningRun<C: EcdsaCurve> {
    /// The session id of the run.
    pub sid: SessionId,
    /// The parties that took part.
    pub signers: Parties,
    /// The key, derived where one signed for a derived key.
    pub key: PublicKeyPackage<C>,
    /// The moduli of all parties.
    pub aux: AuxPublic,
    /// The result that it makes.
    pub goal: SigningGoal,
}

#[allow(private_interfaces, reason = "nobody else implements it")]
impl<C: EcdsaCurve> PublicRun for SigningRun<C> {
    fn terms(&self) -> Terms<'_> {
        let count = self.goal.count();
        let sizes = Sizes { level: self.aux.level(), count: count.into() };
        let limits = |round| sizes.limits(self.signers.len(), round);
        let bind = |binding: &mut Binding| {
            bind(&self.key, &self.aux, binding);
            match &self.goal {
                SigningGoal::Presignature => {}
                SigningGoal::Presignatures(count) => bind_count(*count, binding),
                SigningGoal::Signature(digest) => {
                    binding.append("digest", digest.as_bytes());
                }
            }
        };
        let (sid, signers) = (self.sid, &self.signers);
        match self.goal {
            SigningGoal::Presignature => Terms::new::<Presign<C>>(sid, signers, limits, bind),
            SigningGoal::Presignatures(_) => {
                Terms::new::<PresignMany<C>>(sid, signers, limits, bind)
            }
            SigningGoal::Signature(_) => Terms::new::<Sign<C>>(sid, signers, limits, bind),
        }
    }

    fn judge(&self, engine: &Engine, log: &Log<'_>) -> Result<(), Finding> {
        let (view, body) = (self.view(log)?, log.broadcast()?);
        let (culprit, own) = (log.culprit, Own::default());
        match log.round {
            1 => {
                let opening = view.read_round1(culprit, body, Look::First)?;
                let (to, proofs) = log.direct()?;
                let message = (opening, Round1Direct::from_bytes(proofs, view.sizes)?);
                all_hold(view.verify_round1(engine, to, [(culprit, &message)], own))
            }
            2 => {
                // The broadcast has to be in order whatever was sent besides.
                let broadcast = view.read_round2(culprit, body)?;
                let (to, products) = log.direct()?;
                view.aux.encryption_key(to).ok_or(Finding::Incomplete)?;
                let products =
                    view.read_products([culprit, to], &broadcast, products, Look::First)?;
                let committed = committed(&view, [culprit, to], log)?;
                let (broadcast, direct, committed) = (&broadcast, &products, &committed[..]);
                let message = Multiplied { broadcast, direct, committed };
                all_hold(view.verify_round2(engine, to, [(culprit, message)], own))
            }
            3 => {
                let sums = Round3Broadcast::from_bytes(body, view.count())?;
                all_hold(view.verify_round3(engine, [(culprit, &sums)], own))
            }
            _ => match view.wrong_sum() {
                Some(wrong) => red_alert(&view, wrong, engine, log),
                None => self.after_right_sums(&view, log),
            },
        }
    }
}

impl<C: EcdsaCurve> SigningRun<C> {
    /// The view of the run before the last round of the accused.
    fn view(&self, log: &Log<'_>) -> Result<View<C>, Finding> {
        let shares = self.key.additive(&self.signers).map_err(|_| Finding::Incomplete)?;
        let terms = (self.terms().binding, self.goal.count());
        let mut view = View::new(terms, &self.key, shares.into(), &self.aux);
        view.openings =
            log.read_all(1, |party, body| view.read_round1(party, body, Look::First).ok())?;
        view.announced = log.read_all(2, |party, body| view.read_round2(party, body).ok())?;
        let count = view.count();
        view.sums = log.read_all(3, |_, body| Round3Broadcast::from_bytes(body, count).ok())?;
        Ok(view)
    }

    /// Round 4 of a run whose sums are right: a confirmation, or σ_j.
    fn after_right_sums(&self, view: &View<C>, log: &Log<'_>) -> Result<(), Finding> {
        match self.goal {
            _ if log.round != 4 => Err(Finding::Incomplete),
            SigningGoal::Presignature | SigningGoal::Presignatures(_) => {
                Ok(confirmation(log.broadcast()?, CONFIRMATION)?)
            }
            SigningGoal::Signature(digest) => {
                let info = PresignatureInfo::from_view(view, 0).ok_or(Finding::Incomplete)?;
                let view = Signing::new(info, digest).ok_or(Finding::Incomplete)?;
                Ok(view.verify_share(log.culprit, log.broadcast()?)?)
            }
        }
    }
}

/// The commitments to γ in the message of the accused to the accuser in round 1, which Πaff-g opens. The accuser took
/// that message, so it is not judged again.
fn committed<C: EcdsaCurve>(
    view: &View<C>,
    between: [PartyId; 2],
    log: &Log<'_>,
) -> Result<Vec<Natural>, Finding> {
    let proof = log.first.ok_or(Finding::Incomplete)?;
    let proof = Round1Direct::from_bytes(proof, view.sizes).map_err(|_| Finding::Incomplete)?;
    let opening = view.openings.get(log.culprit).ok_or(Finding::Incomplete)?;
    view.committed(between, opening, &proof).ok_or(Finding::Incomplete)
}

/// A red alert: Πdec in round 4, Πaff-g* of every product in round 5.
fn red_alert<C: EcdsaCurve>(
    presigning: &View<C>,
    wrong: WrongSum,
    engine: &Engine,
    log: &Log<'_>,
) -> Result<(), Finding> {
    let view = RedAlert { presigning, wrong };
    let (culprit, own) = (log.culprit, Own::default());
    if log.round == 4 {
        let shown = view.read(culprit, log.broadcast()?)?;
        return Ok(view.verify_dec(engine, culprit, &shown, own)?);
    }
    let shown = log.earlier(4).find(|(party, _)| *party == culprit);
    let shown = shown.and_then(|(_, body)| view.read(culprit, body).ok());
    let sent = shown.ok_or(Finding::Incomplete)?.into_sent();
    let proofs = view.read_product_proofs(culprit, log.broadcast()?)?;
    for ((to, sent), proof) in sent.iter().zip(proofs.values()) {
        view.verify_aff_g_star(engine, [culprit, to], (sent, proof), own)?;
    }
    Ok(())
}
