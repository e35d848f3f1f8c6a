//! The memory of a party in a red alert.

use alloc::vec::Vec;

use quorate_bignum::{Engine, SecretInteger};
use quorate_session::PerParty;

use super::view::View;
use crate::EcdsaCurve;
use crate::presign::factor::{ByFactor, Pair};
use crate::presign::secrets::{Nonces, Sent};
use crate::presign::signer::Signer;
use crate::presign::view::WrongSum;

/// A presignature that failed, as P_i knows it. The others of the run are dropped.
pub(crate) struct Alarm<C: EcdsaCurve> {
    /// With the broadcasts of all rounds in view.
    pub(crate) signer: Signer<C>,
    pub(crate) nonces: Nonces<C>,
    pub(crate) sent: PerParty<ByFactor<Sent>>,
    pub(crate) received: PerParty<ByFactor<Pair>>,
    /// δ_i or χ_i over the integers.
    pub(crate) total: SecretInteger,
    pub(crate) wrong: WrongSum,
}

/// The products sent and received, by peer and presignature.
type Exchanged = (PerParty<Vec<ByFactor<Sent>>>, PerParty<Vec<ByFactor<Pair>>>);

impl<C: EcdsaCurve> Alarm<C> {
    /// Keeps what belongs to the presignature that failed.
    pub(crate) fn new(
        mut signer: Signer<C>,
        (sent, received): Exchanged,
        totals: Vec<ByFactor<SecretInteger>>,
        wrong: WrongSum,
    ) -> Option<Self> {
        let nonces = one(core::mem::take(&mut signer.secrets.each), wrong)?;
        let total = one(totals, wrong)?.into_one(wrong.factor);
        let sent = sent.into_iter().map(|(peer, sent)| Some((peer, one(sent, wrong)?)));
        let sent = sent.collect::<Option<_>>()?;
        let received = received.into_iter().map(|(peer, pairs)| Some((peer, one(pairs, wrong)?)));
        let received = received.collect::<Option<_>>()?;
        Some(Self { signer, nonces, sent, received, total, wrong })
    }

    /// γ_i or x_i.
    pub(super) const fn secret(&self) -> &SecretInteger {
        self.signer.secrets.factor(self.wrong.factor, &self.nonces)
    }

    pub(super) const fn view(&self) -> View<'_, C> {
        View { presigning: &self.signer.view, wrong: self.wrong }
    }

    pub(super) const fn engine(&self) -> &Engine {
        &self.signer.engine
    }
}

/// The element of the presignature that failed.
fn one<T>(each: Vec<T>, wrong: WrongSum) -> Option<T> {
    each.into_iter().nth(wrong.index)
}
