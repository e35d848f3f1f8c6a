//! The memory of a party in a red alert.

use quorate_bignum::{Engine, SecretInteger};
use quorate_session::PerParty;

use super::view::View;
use crate::EcdsaCurve;
use crate::presign::factor::{ByFactor, Factor, Pair};
use crate::presign::secrets::Sent;
use crate::presign::signer::Signer;

/// A presigning that failed, as P_i knows it.
pub(crate) struct Alarm<C: EcdsaCurve> {
    /// With the broadcasts of all rounds in view.
    pub(crate) signer: Signer<C>,
    pub(crate) sent: PerParty<ByFactor<Sent>>,
    pub(crate) received: PerParty<ByFactor<Pair>>,
    /// δ_i and χ_i over the integers.
    pub(crate) totals: ByFactor<SecretInteger>,
    /// The factor whose sum is wrong.
    pub(crate) factor: Factor,
}

impl<C: EcdsaCurve> Alarm<C> {
    pub(super) const fn view(&self) -> View<'_, C> {
        View { presigning: &self.signer.view, factor: self.factor }
    }

    pub(super) const fn engine(&self) -> &Engine {
        &self.signer.engine
    }
}
