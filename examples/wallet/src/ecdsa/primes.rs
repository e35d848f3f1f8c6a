//! The search for a party's primes, the slowest step, in a file of its own: `party-1.primes`.

use core::time::Duration;
use std::time::Instant;

use getrandom::SysRng;
use quorate::PartyId;
use quorate::session::rand_core::UnwrapErr;
use quorate_cggmp::{AuxSearch, AuxSecrets, AuxStep};
use quorate_examples::Result;
use quorate_examples::progress::ProgressLine;
use quorate_paillier::Level;

use crate::home::{Home, name};
use crate::making::PRIMES;

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
    let (clock, file) = (Instant::now(), &name(me, PRIMES));
    let mut search = match home.secret_if_there(file)? {
        Some(saved) => AuxSearch::resume(level, &saved)?,
        None => AuxSecrets::generate(level, &mut UnwrapErr(SysRng))?,
    };
    // Stored before anything depends on it.
    home.keep_secret(file, &search.save())?;
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
            home.keep_secret(file, &search.save())?;
            stored = Instant::now();
        }
    }
}
