//! Making what an ECDSA wallet consists of: shares of a key, and everybody's auxiliary information.

use core::time::Duration;
use std::sync::Arc;
use std::time::Instant;

use getrandom::SysRng;
use quorate::session::rand_core::UnwrapErr;
use quorate::{Parties, PartyId};
use quorate_bignum::Engine;
use quorate_cggmp::{
    AuxInfo, AuxInfoGen, AuxInfoParams, AuxSecrets, EcdsaCurve, KeyShare, Keygen, KeygenParams,
};
use quorate_paillier::Level;

use crate::rounds::{self, Run, RunError};
use quorate_examples::failure::Failure;
use quorate_examples::primes::{COUNT, PrimeSearch};
use quorate_examples::progress::Progress;

/// How many candidates for primes are tested before the bar is drawn again.
const BUDGET: u64 = 64;

/// Makes a key of which any `threshold` of `parties` can sign. Quick, for it needs no big numbers.
///
/// # Errors
/// [`RunError`]; no key has been made.
pub fn key<C: EcdsaCurve>(threshold: u16, parties: &Parties) -> Result<Run<KeyShare<C>>, RunError> {
    let params = core::iter::repeat_with(|| KeygenParams::new(threshold));
    rounds::run::<Keygen<C>>(parties, params, |_| {})
}

/// Searches for the primes of one party, which is what takes long, and shows how far it is.
///
/// # Errors
/// None that is known.
pub fn secrets(
    level: Level,
    party: PartyId,
    progress: &mut Progress,
) -> Result<(AuxSecrets, Duration), Failure> {
    let clock = Instant::now();
    let mut rng = UnwrapErr(SysRng);
    let mut search = PrimeSearch::new(Engine::detect(), level, &mut rng)?;
    while !search.step(BUDGET)? {
        let (found, next) = search.progress();
        let number = found.saturating_add(1);
        progress.show(&format!("party {party} searches: prime {number} of {COUNT}"), next);
    }
    let (key, setup) = search.finish(&mut rng)?;
    Ok((AuxSecrets::new(key, setup)?, clock.elapsed()))
}

/// Has every party prove to every other that its numbers are what they must be. What comes of it
/// serves any number of keys of the same parties.
///
/// # Errors
/// [`RunError`]; nothing has been made.
pub fn aux_info(parties: &Parties, secrets: Vec<AuxSecrets>) -> Result<Run<AuxInfo>, RunError> {
    let params = |secrets| AuxInfoParams::new(Engine::detect(), Arc::new(secrets));
    rounds::run::<AuxInfoGen>(parties, secrets.into_iter().map(params), |_| {})
}
