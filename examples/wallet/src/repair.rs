//! The repair of a lost share by t others; and the steps after a party has its share again, by repair or from a backup.

use quorate::PartyId;
use quorate::keys::{Repair, RepairParams, RepairPlan, Repaired, SharedKey};
use quorate_examples::{Out, Result, bail, ensure};
use quorate_paillier::Level;

use super::change::{ACKNOWLEDGED, acknowledge, enough, list};
use super::family::KeyFamily;
use super::home::{Home, check_party, name};
use super::rounds::{fresh_sid, run_as};
use super::shares::{self, NEXT, SHARE};

/// The messages of a repair, by round.
const REPAIR_ROUNDS: [&str; 4] =
    ["keys to seal under", "sealed masks, proofs", "sealed parts of the share", "\"I have it\""];

/// Repairs a party's share with the help of `helpers`, or of all others that have theirs.
pub(crate) fn repair<F: KeyFamily>(
    home: &Home,
    party: PartyId,
    helpers: &[PartyId],
    out: &mut Out,
) -> Result {
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
    let run = run_as::<Repair<F>>(fresh_sid(), &plan.parties(), params, |_| {}, keep)?;
    run.traffic.print(&REPAIR_ROUNDS, "checks, share kept", out);
    writeln!(out, "\n  party {party} has its share of epoch {} again", key.epoch());
    back(home, &key, None, out)
}

/// The package of which a party has lost its share, and the ending of the share's file. In the middle of a change it is the
/// next package, if the others can repair its share.
fn lost<F: KeyFamily>(home: &Home, party: PartyId) -> Result<(SharedKey<F>, &'static str)> {
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

/// Refuses an unknown party, or one whose file is there.
pub(crate) fn check_lost<F: KeyFamily>(home: &Home, party: PartyId, key: &SharedKey<F>) -> Result {
    check_party(party, key.parties())?;
    let path = home.path(&name(party, SHARE));
    ensure!(
        !shares::has(home, party, key)?,
        "party {party} has its share, {}: nothing is replaced",
        path.display()
    );
    if path.exists() {
        // The error gives the epoch of the file, and says that it has to be moved away.
        shares::share(home, party, key)?;
    }
    Ok(())
}

/// The other parties that have their shares of this package.
fn others<F: KeyFamily>(home: &Home, party: PartyId, key: &SharedKey<F>) -> Result<Vec<PartyId>> {
    let (mut have, _) = shares::holders(home, key)?;
    have.retain(|other| *other != party);
    Ok(have)
}

/// The steps after a share is restored: makes everything else that signing needs. When all have their shares, all acknowledge
/// them.
pub(crate) fn back<F: KeyFamily>(
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
pub(crate) fn check_settled<F: KeyFamily>(home: &Home, key: &SharedKey<F>) -> Result {
    let Some(next) = shares::next(home.dir(), key)? else { return Ok(()) };
    let (parties, threshold) = (list(next.parties().iter()), next.threshold());
    bail!(
        "a change of the key is under way: end it first, with `reshare --to {parties} --threshold {threshold}`"
    )
}
