//! A lost share, given back by t others; and what follows when a party has its share again, by repair or from a backup.

use core::fmt::Write;

use quorate::PartyId;
use quorate::keys::{Repair, RepairParams, RepairPlan, Repaired, SharedKey};
use quorate_examples::failure::Failure;
use quorate_examples::out::Out;
use quorate_paillier::Level;

use super::change::settle::acknowledge;
use super::change::{ACKNOWLEDGED, enough, list};
use super::family::WalletFamily;
use super::home::{Home, name, no_such_party};
use super::report;
use super::rounds::run_with;
use super::shares::{self, NEXT, SHARE};

/// The messages of a repair, by round.
const REPAIR_ROUNDS: [&str; 4] =
    ["keys to seal under", "sealed masks, proofs", "sealed parts of the share", "\"I have it\""];

/// Gives a party its share back, with the help of `helpers`, or of all others that have theirs.
///
/// # Errors
/// A [`Failure`]; nothing is overwritten.
pub(crate) fn repair<F: WalletFamily>(
    home: &Home,
    party: PartyId,
    helpers: &[PartyId],
    out: &mut Out,
) -> Result<(), Failure> {
    let (key, ending) = lost::<F>(home, party)?;
    let others = others(home, party, &key)?;
    let helpers = if helpers.is_empty() { &others } else { helpers };
    let plan = RepairPlan::new(&key, enough(&key, helpers)?, party)?;
    let mut params = Vec::new();
    for member in plan.parties().iter() {
        params.push(match member == party {
            true => RepairParams::target(&plan),
            false => RepairParams::helper(&plan, &shares::share(home, member, &key)?)?,
        });
    }
    let keep = |me, output: &Repaired<F>| match output {
        Repaired::Helped => Ok(()),
        Repaired::Share(share) => home.keep_secret(&name(me, ending), &F::share_bytes(share)),
    };
    let run = run_with::<Repair<F>>(&plan.parties(), params, |_| {}, keep)?;
    report::rounds(&run.traffic, &REPAIR_ROUNDS, "checks, share kept", out);
    writeln!(out, "\n  party {party} has its share of epoch {} again", key.epoch())?;
    back(home, &key, None, out)
}

/// The package of which a party has lost its share, and the ending of the file that it goes into. In the middle of a
/// change it is the next one, if the others can give it.
fn lost<F: WalletFamily>(
    home: &Home,
    party: PartyId,
) -> Result<(SharedKey<F>, &'static str), Failure> {
    let key = shares::current::<F>(home.dir())?;
    if let Some(next) = shares::next(home.dir(), &key)?
        && next.parties().contains(party)
        && !shares::has(home, party, &next)?
        && others(home, party, &next)?.len() >= usize::from(next.threshold())
    {
        return Ok((next, NEXT));
    }
    check_lost(home, party, &key)?;
    Ok((key, SHARE))
}

/// Refuses a party that is none, or whose file is there.
pub(crate) fn check_lost<F: WalletFamily>(
    home: &Home,
    party: PartyId,
    key: &SharedKey<F>,
) -> Result<(), Failure> {
    if !key.parties().contains(party) {
        return Err(no_such_party(party, key.parties()));
    }
    let path = home.dir().join(name(party, SHARE));
    if shares::has(home, party, key)? {
        return Err(Failure::new(format!(
            "party {party} has its share, {}: nothing is replaced",
            path.display()
        )));
    }
    if path.exists() {
        // It says of which epoch it is, and that it has to be moved away.
        shares::share(home, party, key)?;
    }
    Ok(())
}

/// The other parties that have their shares of this package.
fn others<F: WalletFamily>(
    home: &Home,
    party: PartyId,
    key: &SharedKey<F>,
) -> Result<Vec<PartyId>, Failure> {
    let mut have = Vec::new();
    for other in key.parties().iter().filter(|other| *other != party) {
        if shares::has(home, other, key)? {
            have.push(other);
        }
    }
    Ok(have)
}

/// The steps after a share is back: all else that signing takes is made, and when all have their shares, all say so.
pub(crate) fn back<F: WalletFamily>(
    home: &Home,
    key: &SharedKey<F>,
    level: Option<Level>,
    out: &mut Out,
) -> Result<(), Failure> {
    let current = shares::current::<F>(home.dir())?;
    if shares::next(home.dir(), &current)?.is_some() {
        writeln!(out, "  a change of the key is under way: run the command that began it again")?;
        return Ok(());
    }
    F::equip(home, key.parties(), level, out)?;
    F::settle(home, key, out)?;
    let mut missing = Vec::new();
    for party in key.parties().iter() {
        if !shares::has(home, party, key)? {
            missing.push(party);
        }
    }
    if missing.is_empty() {
        let traffic = acknowledge(home, key, key, |_| {})?;
        report::rounds(&traffic, &ACKNOWLEDGED, "share is marked as ready", out);
    } else {
        let missing = list(missing);
        writeln!(out, "  no shares yet: parties {missing}. `repair` or `restore` them, too")?;
    }
    Ok(())
}

/// Refuses what is not for the middle of a change.
pub(crate) fn check_settled<F: WalletFamily>(
    home: &Home,
    key: &SharedKey<F>,
) -> Result<(), Failure> {
    match shares::next(home.dir(), key)? {
        Some(next) => {
            let (parties, threshold) = (list(next.parties().iter()), next.threshold());
            Err(Failure::new(format!(
                "a change of the key is under way: end it first, with `reshare --to {parties} --threshold {threshold}`"
            )))
        }
        None => Ok(()),
    }
}
