//! The search for a party's primes, the slowest step, in a file of its own: `party-1.primes`.

use core::time::Duration;
use std::time::Instant;

use getrandom::SysRng;
use quorate::PartyId;
use quorate::session::rand_core::UnwrapErr;
use quorate::session::zeroize::Zeroizing;
use quorate_cggmp::{AuxSearch, AuxSecrets, AuxStep};
use quorate_examples::progress::ProgressLine;
use quorate_examples::{Failure, Result};
use quorate_paillier::Level;

use crate::disk::{self, Privacy};
use crate::home::{Home, name};
use crate::making::PRIMES;

const SEARCH: &str = "wallet: search for primes";
/// The number of candidates for primes that are tested before progress is shown again.
const BUDGET: u64 = 16;
/// The interval at which the search is stored. After a crash, later finds are found again.
const EVERY: Duration = Duration::from_secs(1);

/// Searches for the primes of one party, or resumes its search, and shows the progress.
///
/// The result is determined when the search begins: a search that was interrupted ends with the same primes.
pub(super) fn search(
    home: &Home,
    level: Level,
    me: PartyId,
    progress: &mut ProgressLine,
) -> Result<(AuxSecrets, Duration)> {
    let clock = Instant::now();
    let mut search = match load(home, me)? {
        Some(saved) => AuxSearch::resume(level, &saved)?,
        None => AuxSecrets::generate(level, &mut UnwrapErr(SysRng))?,
    };
    // Stored before anything depends on it.
    keep(home, me, &search.save())?;
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
            keep(home, me, &search.save())?;
            stored = Instant::now();
        }
    }
}

/// A party's search as it was last stored. Sealed, as its sessions are.
fn load(home: &Home, me: PartyId) -> Result<Option<Zeroizing<Vec<u8>>>> {
    let path = home.path(&name(me, PRIMES));
    let Some(sealed) = disk::read(&path)? else { return Ok(None) };
    let opened = home.seal_key(me)?.open_bytes(SEARCH, &sealed);
    opened.map(Some).map_err(Failure::about(&path, "is damaged"))
}

fn keep(home: &Home, me: PartyId, saved: &[u8]) -> Result {
    let sealed = home.make_seal_key(me)?.seal_bytes(SEARCH, saved);
    disk::replace(&home.path(&name(me, PRIMES)), &sealed, Privacy::OwnerOnly)
}

/// Deletes a search that is not needed any more.
pub(super) fn forget(home: &Home, me: PartyId) -> Result {
    disk::delete(&home.path(&name(me, PRIMES)))
}
