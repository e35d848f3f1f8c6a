//! The tasks of threshold ML-DSA.

use quorate::mldsa;

use crate::error::Result;
use crate::mldsa::{MlDsaAttempt, MlDsaKeyShare, MlDsaLevel, accepted};
use crate::outcome::Outcome;
use crate::running::{Prepared, ready};
use crate::signature::Signature;

pub(super) fn keygen(level: MlDsaLevel, threshold: u16) -> Result<Box<dyn Prepared>> {
    let params = mldsa::DkgParams::new(level.inner(), threshold);
    let end = |share| Outcome::MlDsaKeyMade { share: MlDsaKeyShare::of(share) };
    ready::<mldsa::Dkg>(params, end)
}

pub(super) fn sign(attempt: &MlDsaAttempt) -> Result<Box<dyn Prepared>> {
    ready::<mldsa::Sign>(attempt.take()?, |attempted| {
        let signed = |one: &mldsa::Signature| Signature::plain(&one.to_bytes());
        let signature = attempted.signature.as_ref().map(signed);
        Outcome::MlDsaAttempted { signature, accepted: accepted(&attempted) }
    })
}
