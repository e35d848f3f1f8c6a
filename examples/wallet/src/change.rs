//! New shares of the same key, for the same parties (a refresh) or for others and with another threshold, and when the
//! old ones go.
//!
//! 1. What new parties need besides shares is made: [`WalletFamily::equip`].
//! 2. A session of `Reshare`. Each party of the new committee stores its share as `party-1.next`, **beside** the old
//!    one; the new package is in `public.next`. From here on either of the two signs.
//! 3. A session of `Acknowledge`, in which each party says that its new share, as it was read back, is stored. Who has
//!    heard that from **all** puts the new share in the place of the old one, and who has left deletes its own.
//! 4. When all have done so, `public.next` takes the place of `public.key`.
//!
//! Killed anywhere, or with messages lost, the same command goes on with it. Nothing is deleted before all have the new
//! shares, so enough parties of one epoch are always there to sign.

pub(crate) mod settle;

use core::fmt::Write;
use std::collections::BTreeMap;

use quorate::keys::{Committee, Reshare, ReshareParams, ResharePlan, Reshared, SharedKey};
use quorate::{Parties, PartyId};
use quorate_examples::failure::Failure;
use quorate_examples::out::Out;

use super::commands::check_threshold;
use super::disk::{self, Privacy, write_whole};
use super::family::WalletFamily;
use super::home::{Home, name, public_path};
use super::report;
use super::rounds::{Letter, run_with};
use super::shares::{self, Held, NEXT, next_path};

/// The messages of a resharing, by round.
const RESHARE_ROUNDS: [&str; 3] = ["keys to seal under", "sealed shares, proofs", "digests"];
/// The message of an acknowledgement.
pub(crate) const ACKNOWLEDGED: [&str; 1] = ["\"my share is stored\""];

/// The change that the user asks for.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The new committee, in ascending order; the one that there is unless given.
    pub to: Option<Vec<PartyId>>,
    /// The new threshold; the one that there is unless given.
    pub threshold: Option<u16>,
    /// The parties that deal; all that have their shares unless given.
    pub dealers: Vec<PartyId>,
}

impl Wanted {
    fn committee<F: WalletFamily>(&self, old: &SharedKey<F>) -> Result<Committee, Failure> {
        let threshold = self.threshold.unwrap_or(old.threshold());
        let to = self.to.as_deref().unwrap_or(old.parties().as_slice());
        check_threshold(threshold, u16::try_from(to.len())?)?;
        Ok(Committee::new(Parties::new(to.iter().copied())?, threshold)?)
    }
}

/// Makes the change, or goes on with it.
///
/// `network` sees every message on its way and may alter it: only for showing what happens then.
///
/// # Errors
/// A [`Failure`]; then both shares stay with every party that has not heard from all.
pub fn change<F: WalletFamily>(
    home: &Home,
    wanted: &Wanted,
    mut network: impl FnMut(&mut Letter),
    out: &mut Out,
) -> Result<(), Failure> {
    let old = shares::current::<F>(home.dir())?;
    let committee = wanted.committee(&old)?;
    let next = match under_way(home, &old, &committee, out)? {
        Some(next) => {
            writeln!(
                out,
                "Goes on: all parties have stored their shares of epoch {}.\n",
                next.epoch()
            )?;
            next
        }
        None => begin(home, &old, &committee, &wanted.dealers, &mut network, out)?,
    };
    let traffic = settle::acknowledge(home, &old, &next, &mut network)?;
    report::rounds(&traffic, &ACKNOWLEDGED, "old share deleted", out);
    F::settle(home, &next, out)?;
    write_whole(&public_path(home.dir()), &next.to_bytes(), Privacy::Everyone)?;
    disk::delete(&next_path(home.dir()))?;
    describe(&old, &next, out)
}

fn describe<F: WalletFamily>(
    old: &SharedKey<F>,
    next: &SharedKey<F>,
    out: &mut Out,
) -> Result<(), Failure> {
    let (threshold, parties) = (next.threshold(), list(next.parties().iter()));
    writeln!(out, "\n  epoch {} of the key: any {threshold} of {parties} can sign", next.epoch())?;
    for party in old.parties().iter().filter(|party| !next.parties().contains(*party)) {
        writeln!(out, "  party {party} has left, and its share is deleted")?;
    }
    writeln!(out, "  shares of earlier epochs are worth nothing together with these")?;
    writeln!(out, "  backups of them are refused from now on: make new ones, and destroy the old")?;
    Ok(())
}

/// Parties as the command line takes them, such as `1,2,5`.
pub(crate) fn list(parties: impl IntoIterator<Item = PartyId>) -> String {
    parties.into_iter().map(|party| party.to_string()).collect::<Vec<_>>().join(",")
}

/// The package of a change that every party has stored its share of. One that has not come so far is cleared away:
/// nobody has acknowledged it, and enough old shares are there.
fn under_way<F: WalletFamily>(
    home: &Home,
    old: &SharedKey<F>,
    committee: &Committee,
    out: &mut Out,
) -> Result<Option<SharedKey<F>>, Failure> {
    let Some(next) = shares::next(home.dir(), old)? else { return Ok(None) };
    let mut missing = None;
    for party in next.parties().iter() {
        if !shares::has(home, party, &next)? {
            missing = Some(party);
        }
    }
    let Some(missing) = missing else {
        return match next.committee() == committee {
            true => Ok(Some(next)),
            false => Err(another(&next)),
        };
    };
    may_be_given_up(home, old, &next, missing)?;
    for party in next.parties().iter() {
        disk::delete(&home.dir().join(name(party, NEXT)))?;
    }
    disk::delete(&next_path(home.dir()))?;
    writeln!(out, "A change that had not ended is begun anew.\n")?;
    Ok(None)
}

/// All have stored their shares of another change than the one asked for.
fn another<F: WalletFamily>(next: &SharedKey<F>) -> Failure {
    let (epoch, parties, threshold) = (next.epoch(), list(next.parties().iter()), next.threshold());
    Failure::new(format!(
        "another change of the key is under way, to parties {parties} with threshold {threshold}, and all of them have \
         stored their shares of epoch {epoch}. End it first, with `reshare --to {parties} --threshold {threshold}`"
    ))
}

/// Whether a change may be cleared away of which a party's share is missing: no party has put its new share in the place
/// of the old one, and the old ones are enough.
fn may_be_given_up<F: WalletFamily>(
    home: &Home,
    old: &SharedKey<F>,
    next: &SharedKey<F>,
    missing: PartyId,
) -> Result<(), Failure> {
    let (mut have, mut given_up) = (0, false);
    for party in Parties::new(old.parties().iter().chain(joining(old, next.committee())))?.iter() {
        let held = Held::<F>::by(home, party)?;
        have += usize::from(held.has(old));
        given_up |= held.share.is_some_and(|share| share.expect(next).is_ok());
    }
    if !given_up && have >= usize::from(old.threshold()) {
        return Ok(());
    }
    let epoch = next.epoch();
    Err(Failure::new(format!(
        "party {missing} has no share of epoch {epoch}, and others have given up their older ones. Get it back with \
         `repair --party {missing}`, then run this again"
    )))
}

fn joining<F: WalletFamily>(
    old: &SharedKey<F>,
    committee: &Committee,
) -> impl Iterator<Item = PartyId> {
    committee.parties().iter().filter(|party| !old.parties().contains(*party))
}

/// Steps 1 and 2.
fn begin<F: WalletFamily>(
    home: &Home,
    old: &SharedKey<F>,
    committee: &Committee,
    dealers: &[PartyId],
    network: impl FnMut(&mut Letter),
    out: &mut Out,
) -> Result<SharedKey<F>, Failure> {
    for party in joining(old, committee) {
        if let Some(file) = Held::<F>::by(home, party)?.share.map(|_| name(party, "share")) {
            let path = home.dir().join(file);
            return Err(Failure::new(format!(
                "party {party} holds no share of this key, and {} is there: move it away",
                path.display()
            )));
        }
    }
    let plan = plan(home, old, committee, dealers)?;
    F::equip(home, committee.parties(), None, out)?;
    let mut params = Vec::new();
    for party in plan.parties().iter() {
        params.push(if plan.dealers().contains(party) {
            ReshareParams::dealer(&plan, &shares::share(home, party, old)?)?
        } else {
            ReshareParams::member(&plan, party)?
        });
    }
    let mut made = BTreeMap::new();
    let keep = |me, output: &Reshared<F>| {
        // All have confirmed one package.
        let public = F::public_bytes(&output.public);
        write_whole(&next_path(home.dir()), &public, Privacy::Everyone)?;
        if let Some(share) = &output.share {
            home.keep_secret(&name(me, NEXT), &F::share_bytes(share))?;
        }
        made.insert(me, public);
        Ok(())
    };
    let run = run_with::<Reshare<F>>(&plan.parties(), params, network, keep)?;
    report::rounds(&run.traffic, &RESHARE_ROUNDS, "checks, new share beside the old", out);
    let public = made.into_values().next().ok_or_else(|| Failure::new("there are no parties"))?;
    Ok(SharedKey::from_bytes(&public)?)
}

/// Who deals, and to whom. A party of the old committee that has lost its share does not deal, and gets a new one.
fn plan<F: WalletFamily>(
    home: &Home,
    old: &SharedKey<F>,
    committee: &Committee,
    dealers: &[PartyId],
) -> Result<ResharePlan<F>, Failure> {
    let mut have = Vec::new();
    for party in old.parties().iter() {
        if Held::<F>::by(home, party)?.share.is_some() {
            // One of another package is an error, which says what to do.
            have.push(shares::share(home, party, old)?.party());
        }
    }
    let dealers = if dealers.is_empty() { &have } else { dealers };
    Ok(ResharePlan::new(old, enough(old, dealers)?, committee.clone())?)
}

/// These parties, if they are as many as it takes to give their shares.
pub(crate) fn enough<F: WalletFamily>(
    key: &SharedKey<F>,
    parties: &[PartyId],
) -> Result<Parties, Failure> {
    let (need, got) = (key.threshold(), parties.len());
    if got < usize::from(need) {
        return Err(Failure::new(format!(
            "it takes {need} parties with their shares, got {got}. `restore` gives back those that have a backup"
        )));
    }
    Ok(Parties::new(parties.iter().copied())?)
}
