//! The tasks of threshold ECDSA.

use std::sync::Arc;

use quorate::ecdsa::{
    AuxInfoGen, AuxInfoParams, Ecdsa, Keygen, KeygenParams, MAX_PRESIGNATURES, Presign,
    PresignMany, PresignManyParams, PresignParams, RawDigest, Sign, SignParams,
};

use crate::arguments::array32;
use crate::aux_info::{AuxInfo, AuxSecrets};
use crate::ecdsa::Presignature;
use crate::error::Result;
use crate::family::Curve;
use crate::key_share::KeyShare;
use crate::outcome::Outcome;
use crate::running::{Prepared, ready};
use crate::scheme::by_kind;
use crate::signature::Signature;

pub(super) fn keygen<C: Curve>(threshold: u16) -> Result<Box<dyn Prepared>> {
    ready::<Keygen<C>>(KeygenParams::new(threshold), |share| {
        let public = share.public().clone();
        Outcome::KeyMade { share: KeyShare::of::<Ecdsa<C>>(share, public) }
    })
}

pub(super) fn make_aux_info(secrets: &AuxSecrets) -> Result<Box<dyn Prepared>> {
    aux_info(AuxInfoParams::new(Arc::clone(&secrets.0)))
}

pub(super) fn carry_aux_info(aux: &AuxInfo) -> Result<Box<dyn Prepared>> {
    aux_info(AuxInfoParams::carried_over(&aux.0))
}

fn aux_info(params: AuxInfoParams) -> Result<Box<dyn Prepared>> {
    ready::<AuxInfoGen>(params, |aux| Outcome::AuxInfoMade {
        aux: Arc::new(AuxInfo(Arc::new(aux))),
    })
}

fn params<C: Curve>(share: &KeyShare, aux: &AuxInfo) -> Result<PresignParams<C>> {
    let share = Arc::clone(&share.view::<Ecdsa<C>>()?.share);
    Ok(PresignParams::new(share, Arc::clone(&aux.0)))
}

pub(super) fn presign(share: &KeyShare, aux: &AuxInfo) -> Result<Box<dyn Prepared>> {
    by_kind!(share.scheme(), _S => Err(share.scheme().lacks("presigning")), C => {
        ready::<Presign<C>>(params(share, aux)?, |one| Outcome::Presigned {
            presignatures: vec![Presignature::of::<C>(one)],
        })
    })
}

pub(super) fn presign_many(
    share: &KeyShare,
    aux: &AuxInfo,
    count: u16,
) -> Result<Box<dyn Prepared>> {
    by_kind!(share.scheme(), _S => Err(share.scheme().lacks("presigning")), C => {
        let params = PresignManyParams::new(params(share, aux)?, count).at_most(MAX_PRESIGNATURES);
        ready::<PresignMany<C>>(params, |many| Outcome::Presigned {
            presignatures: many.into_iter().map(Presignature::of::<C>).collect(),
        })
    })
}

pub(super) fn sign_digest(
    share: &KeyShare,
    aux: &AuxInfo,
    digest: &[u8],
) -> Result<Box<dyn Prepared>> {
    let digest = RawDigest::assume_hash_of_known_message(array32("the digest", digest)?);
    by_kind!(share.scheme(), _S => Err(share.scheme().lacks("signing of digests")), C => {
        ready::<Sign<C>>(SignParams::new(params(share, aux)?, digest), |signature| {
            Outcome::Signed { signature: Signature::ecdsa(&signature) }
        })
    })
}
