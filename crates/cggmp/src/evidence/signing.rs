//! Evidence from presigning and signing.

use quorate_bignum::Engine;
use quorate_session::{Binding, Parties, SessionId};
use quorate_zk::Own;

use super::finding::{Finding, all_hold};
use super::judge::{PublicRun, Terms};
use super::log::Log;
use crate::presign::factor::Factor;
use crate::presign::messages::{
    CONFIRMATION, Round1Broadcast, Round1Direct, Round2Broadcast, Round3Broadcast, limits,
};
use crate::presign::params::bind;
use crate::presign::red_alert::view::View as RedAlert;
use crate::presign::view::View;
use crate::sign::view::View as Signing;
use crate::{AuxPublic, EcdsaCurve, KeyInfo, Presign, PresignatureInfo, RawDigest, Sign};
use quorate_session::rounds::confirmation;

/// A run of [`Presign`], or of [`Sign`].
#[derive(Clone, Debug)]
pub struct SigningRun<C: EcdsaCurve> {
    /// Its session id.
    pub sid: SessionId,
    /// The parties that took part.
    pub signers: Parties,
    /// The key, derived where one signed for a derived key.
    pub key: KeyInfo<C>,
    /// The moduli of all parties.
    pub aux: AuxPublic,
    /// The digest signed, in a run of [`Sign`].
    pub digest: Option<RawDigest>,
}

#[allow(private_interfaces, reason = "nobody else implements it")]
impl<C: EcdsaCurve> PublicRun for SigningRun<C> {
    fn terms(&self) -> Terms<'_> {
        let limits = |round| limits(self.aux.level(), self.signers.len(), round);
        let bind = |binding: &mut Binding| {
            bind(&self.key, &self.aux, binding);
            if let Some(digest) = &self.digest {
                binding.append("digest", digest.as_bytes());
            }
        };
        match self.digest {
            Some(_) => Terms::new::<Sign<C>>(self.sid, &self.signers, limits, bind),
            None => Terms::new::<Presign<C>>(self.sid, &self.signers, limits, bind),
        }
    }

    fn judge(&self, engine: &Engine, log: &Log<'_>) -> Result<(), Finding> {
        let (view, body) = (self.view(log)?, log.broadcast()?);
        let (culprit, own) = (log.culprit, Own::default());
        match log.round {
            1 => {
                let opening = view.read_round1(culprit, body)?;
                let (to, proofs) = log.direct()?;
                let message = (opening, Round1Direct::from_bytes(proofs, view.aux.level())?);
                all_hold(view.verify_round1(engine, to, [(culprit, &message)], own))
            }
            2 => {
                // The broadcast has to be in order whatever was sent besides.
                let broadcast = view.read_round2(culprit, body)?;
                let (to, products) = log.direct()?;
                view.aux.encryption_key(to).ok_or(Finding::Incomplete)?;
                let products = view.read_products([culprit, to], &broadcast, products)?;
                let message = (broadcast, products);
                all_hold(view.verify_round2(engine, to, [(culprit, &message)], own))
            }
            3 => {
                let sums = Round3Broadcast::from_bytes(body)?;
                all_hold(view.verify_round3(engine, [(culprit, &sums)], own))
            }
            _ => match view.wrong_sum() {
                Some(factor) => red_alert(&view, factor, engine, log),
                None => self.after_right_sums(&view, log),
            },
        }
    }
}

impl<C: EcdsaCurve> SigningRun<C> {
    /// The view of the run before the last round of the accused.
    fn view(&self, log: &Log<'_>) -> Result<View<C>, Finding> {
        let shares = self.key.additive(&self.signers).map_err(|_| Finding::Incomplete)?;
        let mut view = View::new(self.terms().binding, &self.key, &shares, &self.aux);
        view.openings = log.read_all(1, |party, body| {
            Round1Broadcast::from_bytes(body, self.aux.encryption_key(party)?).ok()
        })?;
        view.announced = log
            .read_all(2, |party, body| Round2Broadcast::from_bytes(body, view.peers(party)).ok())?;
        view.sums = log.read_all(3, |_, body| Round3Broadcast::from_bytes(body).ok())?;
        Ok(view)
    }

    /// Round 4 of a run whose sums are right: a confirmation, or σ_j.
    fn after_right_sums(&self, view: &View<C>, log: &Log<'_>) -> Result<(), Finding> {
        match self.digest {
            _ if log.round != 4 => Err(Finding::Incomplete),
            None => Ok(confirmation(log.broadcast()?, CONFIRMATION)?),
            Some(digest) => {
                let info = PresignatureInfo::from_view(view).ok_or(Finding::Incomplete)?;
                let view = Signing::new(info, digest).ok_or(Finding::Incomplete)?;
                Ok(view.verify_share(log.culprit, log.broadcast()?)?)
            }
        }
    }
}

/// A red alert: Πdec in round 4, Πaff-g* of every product in round 5.
fn red_alert<C: EcdsaCurve>(
    presigning: &View<C>,
    factor: Factor,
    engine: &Engine,
    log: &Log<'_>,
) -> Result<(), Finding> {
    let view = RedAlert { presigning, factor };
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
