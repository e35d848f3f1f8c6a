//! Auxiliary information in the wallet's files: `party-1.aux`, and beside it, until a change of the key has ended,
//! `party-1.aux-next` for the new committee.
//!
//! Auxiliary information belongs to a set of parties and to no epoch. So a refresh needs none, and a resharing needs it only if
//! a party joins. The new party then searches for its primes, and all of the new committee prove theirs to each other again,
//! the others with the primes that they have. The search, the slowest step, is stored in `party-1.primes`.

use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use getrandom::SysRng;
use quorate::session::container::ContainerError;
use quorate::session::rand_core::UnwrapErr;
use quorate::{Parties, PartyId};
use quorate_cggmp::{
    AuxInfo, AuxInfoGen, AuxInfoParams, AuxSearch, AuxSecrets, AuxStep, DecodeError,
};
use quorate_examples::progress::ProgressLine;
use quorate_examples::{Failure, Out, Result, failure};
use quorate_paillier::Level;

use super::keygen::AUX_ROUNDS;
use crate::change::list;
use crate::disk;
use crate::home::{Home, name};
use crate::making::{PRIMES, tidy};
use crate::rounds::{fresh_sid, run_as};

/// The ending of the file.
pub(super) const AUX: &str = "aux";
/// The ending of the file for the next committee.
const NEXT: &str = "aux-next";

/// The number of candidates for primes that are tested before progress is shown again.
const BUDGET: u64 = 16;
/// The interval at which the search is stored. After a crash, later finds are found again.
const EVERY: Duration = Duration::from_secs(1);

/// Auxiliary information of either level.
fn open(bytes: &[u8]) -> Result<AuxInfo, DecodeError> {
    let open = |level| AuxInfo::from_bytes(level, bytes);
    match open(Level::Bits128) {
        Err(DecodeError::Container(ContainerError::WrongFamily { .. })) => open(Level::Bits112),
        other => other,
    }
}

/// A party's file, if it is there.
fn read(home: &Home, party: PartyId, ending: &str) -> Result<Option<AuxInfo>> {
    let file = name(party, ending);
    let Some(bytes) = home.secret_if_there(&file)? else { return Ok(None) };
    let path = home.path(&file);
    let aux = open(&bytes).map_err(Failure::about(&path, "is damaged"))?;
    if aux.id() == party {
        return Ok(Some(aux));
    }
    Err(Failure::at(&path, format_args!("is not party {party}'s in this wallet")))
}

/// The auxiliary information that these parties have in common, in their order, and the ending of its files. `None` if they
/// have none in common.
fn common(home: &Home, parties: &Parties) -> Result<Option<(Vec<AuxInfo>, &'static str)>> {
    for ending in [AUX, NEXT] {
        let own = parties.iter().map(|party| read(home, party, ending));
        let Some(own) = own.collect::<Result<Option<Vec<_>>>>()? else { continue };
        let digest = own.first().map(AuxInfo::digest);
        let fits =
            |aux: &AuxInfo| Some(aux.digest()) == digest && aux.lacks(parties).next().is_none();
        if own.iter().all(fits) {
            return Ok(Some((own, ending)));
        }
    }
    Ok(None)
}

/// The auxiliary information of signers, in their order.
pub(super) fn of_signers(home: &Home, signers: &Parties) -> Result<Vec<AuxInfo>> {
    common(home, signers)?.map(|(own, _)| own).ok_or_else(|| {
        failure!(
            "parties {} have no auxiliary information in common. If a change of the key is under way, run the command \
             that began it again; if one has lost its own, `repair` or `restore` makes it anew together with its share",
            list(signers.iter())
        )
    })
}

/// Makes auxiliary information for these parties, unless they have it.
pub(super) fn equip(home: &Home, parties: &Parties, level: Option<Level>, out: &mut Out) -> Result {
    if common(home, parties)?.is_some() {
        return Ok(());
    }
    let (mut params, mut without) = (BTreeMap::new(), Vec::new());
    let mut level = level.unwrap_or_default();
    for party in parties.iter() {
        let next = || read(home, party, NEXT);
        let Some(aux) = read(home, party, AUX)?.map_or_else(next, |aux| Ok(Some(aux)))? else {
            without.push(party);
            continue;
        };
        level = aux.level();
        params.insert(party, AuxInfoParams::carried_over(&aux));
    }
    if !without.is_empty() {
        let (bits, without) = (level.modulus_bits(), list(without.iter().copied()));
        let search = format!("The search for primes, for moduli of {bits} bits");
        writeln!(out, "Without auxiliary information: party {without}. {search}.");
    }
    let all = list(parties.iter());
    writeln!(out, "Parties {all} prove their moduli to each other, before anything else:");
    let mut progress = out.progress();
    for party in &without {
        let (secrets, _) = search_primes(home, level, *party, &mut progress)?;
        params.insert(*party, AuxInfoParams::new(Arc::new(secrets)));
    }
    drop(progress);
    let keep = |me, aux: &AuxInfo| home.keep_secret(&name(me, NEXT), &aux.to_bytes());
    let run = run_as::<AuxInfoGen>(fresh_sid(), parties, params.into_values(), |_| {}, keep)?;
    run.traffic.print(&AUX_ROUNDS, "checks, moduli kept", out);
    writeln!(out);
    without.iter().try_for_each(|party| disk::delete(&home.path(&name(*party, PRIMES))))
}

/// Searches for the primes of one party, or resumes its search, and shows the progress.
///
/// The result is determined when the search begins: a search that was interrupted ends with the same primes.
pub(super) fn search_primes(
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

/// Keeps the auxiliary information that these parties have in common, and deletes all other, with the primes that it was made of.
pub(super) fn settle(home: &Home, parties: &Parties) -> Result {
    let Some((common, ending)) = common(home, parties)? else { return Ok(()) };
    for aux in common.iter().filter(|_| ending == NEXT) {
        home.keep_secret(&name(aux.id(), AUX), &aux.to_bytes())?;
    }
    for file in disk::names(home.dir())? {
        let keep = parties.iter().any(|party| file == name(party, AUX));
        let is_aux = [AUX, NEXT].iter().any(|ending| file.ends_with(&format!(".{ending}")));
        if is_aux && !keep {
            disk::delete(&home.path(&file))?;
        }
    }
    // The process was killed before `equip` deleted them.
    tidy(home.dir())
}
