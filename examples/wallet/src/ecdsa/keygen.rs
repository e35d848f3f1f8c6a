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
use quorate_paillier::Level;

use super::EcdsaSuite;
use crate::home::name;
use crate::making::Making;
use crate::rounds::Run;

/// Makes a key of which any `threshold` of `parties` can sign. Quick, for it needs no big numbers.
pub(crate) fn key<C: EcdsaSuite>(
    making: &Making,
    threshold: u16,
    parties: &Parties,
) -> Result<Run<KeyShare<C>>, Failure> {
    making.run::<Keygen<C>>(
        making.keygen(),
        parties,
        |_| Ok(KeygenParams::new(threshold)),
        |me, key| {
            making.keep_public(me, &key.info().to_bytes())?;
            making.home.keep_secret(&name(me, "share"), &key.to_bytes())
        },
        |me| {
            let info = KeyInfo::from_bytes(&making.made_public()?)?;
            Ok(KeyShare::from_bytes(&making.home.secret(&name(me, "share"))?, &info)?)
        },
    )
}

/// Has every party prove to every other that its numbers are what they must be. What comes of it
/// serves any number of keys of the same parties.
pub(crate) fn aux_info(
    making: &Making,
    parties: &Parties,
    secrets: BTreeMap<PartyId, Arc<AuxSecrets>>,
) -> Result<Run<AuxInfo>, Failure> {
    let level = secrets.values().next().map_or(Level::default(), |secrets| secrets.level());
    let params = |me| match secrets.get(&me) {
        Some(secrets) => Ok(AuxInfoParams::new(Engine::detect(), Arc::clone(secrets))),
        None => Err(Failure::new(format!("party {me} has no primes"))),
    };
    making.run::<AuxInfoGen>(
        making.aux_info(),
        parties,
        params,
        |me, aux| making.home.keep_secret(&name(me, "aux"), &aux.to_bytes()),
        |me| {
            let bytes = making.home.secret(&name(me, "aux"))?;
            Ok(AuxInfo::from_bytes(&Engine::detect(), level, &bytes)?)
        },
    )
}
