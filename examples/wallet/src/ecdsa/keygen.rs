//! Making what an ECDSA wallet consists of: shares of a key, and everybody's auxiliary information.
//!
//! Each step leaves in the wallet's folder what it takes to go on after it was interrupted.

use std::collections::BTreeMap;
use std::sync::Arc;

use quorate::{Parties, PartyId};
use quorate_bignum::Engine;
use quorate_cggmp::{
    AuxInfo, AuxInfoGen, AuxInfoParams, AuxSecrets, KeyInfo, KeyShare, Keygen, KeygenParams,
};
use quorate_examples::failure::Failure;

use super::{EcdsaSuite, aux};
use crate::form::Form;
use crate::making::Making;
use crate::rounds::Run;

/// Makes a key of which any `threshold` of `parties` can sign. Quick, for it needs no big numbers.
pub(crate) fn key<C: EcdsaSuite>(
    making: &Making,
    threshold: u16,
    parties: &Parties,
) -> Result<Run<KeyShare<C>>, Failure> {
    let form = Form::<KeyShare<C>> {
        public: |key| key.info().to_bytes(),
        file: "share",
        secret: |key| key.to_bytes(),
        read: |info, share| Ok(KeyShare::from_bytes(share, &KeyInfo::from_bytes(info)?)?),
    };
    let params = |_| Ok(KeygenParams::new(threshold));
    making.run::<Keygen<C>>(making.keygen(), parties, params, &form)
}

/// Has every party prove to every other that its numbers are what they must be. What comes of it
/// serves any number of keys of the same parties.
pub(crate) fn aux_info(
    making: &Making,
    parties: &Parties,
    secrets: BTreeMap<PartyId, Arc<AuxSecrets>>,
) -> Result<Run<AuxInfo>, Failure> {
    let params = |me| match secrets.get(&me) {
        Some(secrets) => Ok(AuxInfoParams::new(Engine::detect(), Arc::clone(secrets))),
        None => Err(Failure::new(format!("party {me} has no primes"))),
    };
    let form = Form {
        public: |_| Vec::new(),
        file: "aux",
        secret: AuxInfo::to_bytes,
        read: |_, bytes| Ok(aux::open(bytes)?),
    };
    making.run::<AuxInfoGen>(making.aux_info(), parties, params, &form)
}
