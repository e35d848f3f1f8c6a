//! Making what an ECDSA wallet consists of: shares of a key, and everybody's auxiliary information.
//!
//! Each step leaves in the wallet's folder what it takes to go on after it was interrupted.

use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use getrandom::SysRng;
use quorate::session::rand_core::UnwrapErr;
use quorate::{Parties, PartyId};
use quorate_bignum::Engine;
use quorate_cggmp::{
    AuxInfo, AuxInfoGen, AuxInfoParams, AuxSearch, AuxSecrets, AuxStep, KeyInfo, KeyShare, Keygen,
    KeygenParams,
};
use quorate_examples::failure::Failure;
use quorate_examples::progress::Progress;
use quorate_paillier::Level;

use super::EcdsaSuite;
use crate::home::name;
use crate::making::Making;
use crate::rounds::Run;

/// The number of candidates for primes that are tested before progress is shown again.
const BUDGET: u64 = 16;
/// The interval at which the search is stored. After a crash, later finds are found again.
const EVERY: Duration = Duration::from_secs(1);

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

/// Searches for the primes of one party, which is what takes long, and shows how far it is.
///
/// The result is determined when the search begins: interrupted, it ends with the same primes.
pub(crate) fn secrets(
    making: &Making,
    level: Level,
    me: PartyId,
    progress: &mut Progress,
) -> Result<(AuxSecrets, Duration), Failure> {
    let (clock, engine) = (Instant::now(), Engine::detect());
    let mut search = match making.search(me)? {
        Some(saved) => AuxSearch::resume(&engine, level, &saved)?,
        None => AuxSecrets::generate(&engine, level, &mut UnwrapErr(SysRng))?,
    };
    // Before anything depends on it.
    making.keep_search(me, &search.save())?;
    let mut stored = Instant::now();
    loop {
        let done = search.progress();
        let number = done.found.saturating_add(1);
        progress.show(&format!("party {me} searches: prime {number} of 4"), done.fraction);
        search = match search.step(BUDGET)? {
            AuxStep::Done(secrets) => return Ok((secrets, clock.elapsed())),
            AuxStep::Searching(search) => search,
        };
        if stored.elapsed() >= EVERY {
            making.keep_search(me, &search.save())?;
            stored = Instant::now();
        }
    }
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
