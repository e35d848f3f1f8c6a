//! The repair of lost shares by t others; and the steps after a party has its share again, by repair or from a backup.

use quorate::PartyId;
use quorate::keys::{Repair, RepairParams, RepairPlan, Repaired, SharedKey};
use quorate_examples::{Failure, Out, Result, bail, failure};
use quorate_paillier::Level;

use super::change::{ACKNOWLEDGED, acknowledge, enough, list};
use super::family::{KeyFamily, StoredKey};
use super::hardened::{self, PrfKey};
use super::home::{Home, check_party, name};
use super::rounds::{fresh_sid, run_as};
use super::shares;

/// The messages of a repair, by round.
const REPAIR_ROUNDS: [&str; 4] =
    ["keys to seal under", "sealed masks, proofs", "sealed parts of the share", "\"I have it\""];

/// Repairs a party's shares with the help of `helpers`, or of all others that have theirs.
pub(crate) fn repair<F: KeyFamily>(
    home: &Home,
    party: PartyId,
    helpers: &[PartyId],
    out: &mut Out,
) -> Result {
    let own = lost::<F>(home, party)?;
    let prf = match hardened::prf_key(home.dir(), &shares::current::<F>(home.dir())?)? {
        Some(_) => lost::<PrfKey>(home, party)?,
        None => None,
    };
    if own.is_none() && prf.is_none() {
        return Err(not_lost::<F>(home, party));
    }
    if let Some(lost) = own {
        repair_one(home, lost, party, helpers, out)?;
    }
    if let Some(lost) = prf {
        writeln!(out, "\nThe share of the PRF key:");
        repair_one(home, lost, party, helpers, out)?;
    }
    Ok(())
}

fn repair_one<F: StoredKey>(
    home: &Home,
    (key, ending): Lost<F>,
    party: PartyId,
    helpers: &[PartyId],
    out: &mut Out,
) -> Result {
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
    let run = run_as::<Repair<F>>(fresh_sid(), &plan.parties(), params, |_| {}, keep)?;
    run.traffic.print(&REPAIR_ROUNDS, "checks, share kept", out);
    writeln!(out, "\n  party {party} has its share of epoch {} again", key.epoch());
    back(home, &key, None, out)
}

/// The package of which a party has lost its share, and the ending of the share's file.
type Lost<F> = (SharedKey<F>, &'static str);

/// What a party has lost, if it has. In the middle of a change it is the next package, if the others can repair its share.
fn lost<F: StoredKey>(home: &Home, party: PartyId) -> Result<Option<Lost<F>>> {
    let key = shares::current::<F>(home.dir())?;
    if let Some(next) = shares::next(home.dir(), &key)?
        && next.parties().contains(party)
    {
        let need = usize::from(next.threshold());
        match shares::has(home, party, &next)? {
            false if others(home, party, &next)?.len() >= need => return Ok(Some((next, F::NEXT))),
            // It joins with the change.
            true if !key.parties().contains(party) => return Ok(None),
            _ => {}
        }
    }
    Ok(is_lost(home, party, &key)?.then_some((key, F::SHARE)))
}

/// Returns whether a party has lost its share. Refuses an unknown party, or one whose file is another share.
pub(crate) fn is_lost<F: StoredKey>(
    home: &Home,
    party: PartyId,
    key: &SharedKey<F>,
) -> Result<bool> {
    check_party(party, key.parties())?;
    let has = shares::has(home, party, key)?;
    if !has && home.path(&name(party, F::SHARE)).exists() {
        // The error gives the epoch of the file, and says that it has to be moved away.
        shares::share(home, party, key)?;
    }
    Ok(!has)
}

/// The failure for a party that has lost nothing.
pub(crate) fn not_lost<F: StoredKey>(home: &Home, party: PartyId) -> Failure {
    let path = home.path(&name(party, F::SHARE));
    failure!("party {party} has its share, {}: nothing is replaced", path.display())
}

/// The other parties that have their shares of this package.
fn others<F: StoredKey>(home: &Home, party: PartyId, key: &SharedKey<F>) -> Result<Vec<PartyId>> {
    let (mut have, _) = shares::holders(home, key)?;
    have.retain(|other| *other != party);
    Ok(have)
}

/// The steps after a share is restored: makes everything else that signing needs. When all have their shares, all acknowledge
/// them.
pub(crate) fn back<F: StoredKey>(
    home: &Home,
    key: &SharedKey<F>,
    level: Option<Level>,
    out: &mut Out,
) -> Result {
    let current = shares::current::<F>(home.dir())?;
    if shares::next(home.dir(), &current)?.is_some() {
        writeln!(out, "  a change of the key is under way: run the command that began it again");
        return Ok(());
    }
    F::equip(home, key.parties(), level, out)?;
    F::settle(home, key, out)?;
    let (_, missing) = shares::holders(home, key)?;
    if missing.is_empty() {
        let traffic = acknowledge(home, key, key, |_| {})?;
        traffic.print(&ACKNOWLEDGED, "share is marked as ready", out);
    } else {
        let missing = list(missing);
        writeln!(out, "  no shares yet: parties {missing}. `repair` or `restore` them, too");
    }
    Ok(())
}

/// Refuses a command that must not run in the middle of a change.
pub(crate) fn check_settled<F: StoredKey>(home: &Home, key: &SharedKey<F>) -> Result {
    let Some(next) = shares::next(home.dir(), key)? else { return Ok(()) };
    let (parties, threshold) = (list(next.parties().iter()), next.threshold());
    bail!(
        "a change of the key is under way: end it first, with `reshare --to {parties} --threshold {threshold}`"
    )
}
