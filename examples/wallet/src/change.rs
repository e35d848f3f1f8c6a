//! New shares of the same key, for the same parties (a refresh) or for others and with another threshold, and the deletion of
//! the old ones. In a wallet with [hardened children](super::hardened), the PRF key changes with the key that signs: steps 1 and 2
//! for both, and then 3 and 4.
//!
//! 1. The wallet makes everything that new parties need besides shares: [`StoredKey::equip`].
//! 2. A session of `Reshare`. Each party of the new committee stores its share as `party-1.next`, **beside** the old one; the
//!    new package is in `public.next`. From here on either of the two signs.
//! 3. A session of `Acknowledge`, in which each party says that its new share, as it was read back, is stored. A party that has
//!    heard that from **all** replaces its old share by the new one. A party that has left deletes its own.
//! 4. When all have done so, `public.next` takes the place of `public.key`.
//!
//! If the process is killed anywhere, or messages are lost, the same command resumes the change. Nothing is deleted before all
//! have the new shares, so enough parties of one epoch are always there to sign.

use std::collections::BTreeMap;

use clap::{Args, value_parser};
use quorate::keys::{
    Acknowledge, AcknowledgeParams, Committee, Reshare, ReshareParams, ResharePlan, Reshared,
    SharedKey, StoredByAll,
};
use quorate::{Parties, PartyId};
use quorate_examples::args::party;
use quorate_examples::{Failure, Out, Result, ensure, failure};

use super::commands::check_threshold;
use super::disk::{self, Privacy};
use super::family::{KeyFamily, StoredKey};
use super::hardened;
use super::home::{Home, name};
use super::making::NUMBERS;
use super::rounds::{Message, fresh_sid, run_as};
use super::shares;
use super::traffic::Traffic;

/// The messages of a resharing, by round.
const RESHARE_ROUNDS: [&str; 3] = ["keys to seal under", "sealed shares, proofs", "digests"];
/// The message of an acknowledgement.
pub(crate) const ACKNOWLEDGED: [&str; 1] = ["\"my share is stored\""];

/// The change that the user asks for; the default is a refresh.
#[derive(Clone, Debug, Default, Args)]
pub struct Wanted {
    /// The parties that have shares from then on, such as 1,2,5
    #[arg(long, value_name = "PARTIES", required = true, value_delimiter = ',', value_parser = party)]
    to: Option<Vec<PartyId>>,
    /// How many of them it takes to sign; as many as now unless given
    #[arg(long, value_parser = value_parser!(u16).range(NUMBERS))]
    threshold: Option<u16>,
    /// The parties that give their shares, as many as it takes to sign; all that have one unless given
    #[arg(long, value_name = "PARTIES", value_delimiter = ',', value_parser = party)]
    dealers: Vec<PartyId>,
}

impl Wanted {
    fn committee<F: StoredKey>(&self, old: &SharedKey<F>) -> Result<Committee> {
        let threshold = self.threshold.unwrap_or(old.threshold());
        let to = self.to.as_deref().unwrap_or(old.parties().as_slice());
        check_threshold(threshold, u16::try_from(to.len())?)?;
        Ok(Committee::new(Parties::new(to.iter().copied())?, threshold)?)
    }
}

/// Makes the change, or resumes it.
///
/// `network` sees every message on its way and may alter it, which is only for demonstrations.
pub fn change<F: KeyFamily>(
    home: &Home,
    wanted: &Wanted,
    mut network: impl FnMut(&mut Message),
    out: &mut Out,
) -> Result {
    let old = shares::current::<F>(home.dir())?;
    let (to, dealers) = (wanted.committee(&old)?, &*wanted.dealers);
    let prf = hardened::prf_key(home.dir(), &old)?;
    let prf = prf.map(|old| Change { home, old, to: to.clone() });
    let own = Change { home, old, to };
    // Killed when the key that signs had changed, and the PRF key had not come to its end.
    let is_late = prf.as_ref().map_or(Ok(false), |prf| prf.is_behind(own.old.epoch()))?;
    // Both keys are looked at before either changes: of two changes to different parties, neither could be ended.
    let ready = if is_late { Some(own.ended()?) } else { own.ready()? };
    let prf = prf.map(|prf| Ok::<_, Failure>((prf.ready()?, prf))).transpose()?;
    let next = own.prepare(ready, dealers, &mut network, out)?;
    let Some((ready, prf)) = prf else {
        own.finish(&next, &mut network, out)?;
        return describe(&own.old, &next, out);
    };
    // New shares of both keys are stored before an old one of either goes: at any moment one committee has both keys.
    let heading = "\nThe same for the PRF key:";
    writeln!(out, "{heading}");
    let next_prf = prf.prepare(ready, dealers, &mut network, out)?;
    writeln!(out);
    own.finish(&next, &mut network, out)?;
    writeln!(out, "{heading}");
    prf.finish(&next_prf, &mut network, out)?;
    describe(&own.old, &next, out)
}

/// Runs `Acknowledge` among the parties of `next`. Those of `old` that have left listen, to learn when they may delete their
/// shares.
pub(crate) fn acknowledge<F: StoredKey>(
    home: &Home,
    old: &SharedKey<F>,
    next: &SharedKey<F>,
    network: impl FnMut(&mut Message),
) -> Result<Traffic> {
    let mut params = BTreeMap::new();
    for party in next.parties().iter() {
        let read_back = shares::share(home, party, next)?.to_bytes();
        params.insert(party, AcknowledgeParams::<F>::from_stored(&read_back, &next.to_bytes())?);
    }
    for party in old.parties().iter().filter(|party| !next.parties().contains(*party)) {
        if shares::stored::<F>(home, party, F::SHARE)?.is_some() {
            params.insert(party, AcknowledgeParams::listener(party, next)?);
        }
    }
    let parties = Parties::new(params.keys().copied())?;
    let keep = |me, by_all: &StoredByAll<F>| {
        let older = shares::stored::<F>(home, me, F::SHARE)?;
        if let Some(older) = older.filter(|share| share.package_id() != next.package_id()) {
            let may_go = by_all.permits_deleting(&older);
            ensure!(may_go, "the old share of party {me} must stay: it is not of an epoch before");
        }
        if !next.parties().contains(me) {
            return disk::delete(&home.path(&name(me, F::SHARE)));
        }
        // The new share takes the place of the old one.
        let mut share = shares::share(home, me, next)?;
        share.settle(by_all)?;
        home.keep_secret(&name(me, F::SHARE), &share.to_bytes())?;
        disk::delete(&home.path(&name(me, F::NEXT)))
    };
    let params = params.into_values();
    Ok(run_as::<Acknowledge<F>>(fresh_sid(), &parties, params, network, keep)?.traffic)
}

fn describe<F: StoredKey>(old: &SharedKey<F>, next: &SharedKey<F>, out: &mut Out) -> Result {
    let (threshold, parties) = (next.threshold(), list(next.parties().iter()));
    writeln!(out, "\n  epoch {} of the key: any {threshold} of {parties} can sign", next.epoch());
    for party in old.parties().iter().filter(|party| !next.parties().contains(*party)) {
        writeln!(out, "  party {party} has left, and its share is deleted");
    }
    writeln!(out, "  shares of earlier epochs are worth nothing together with these");
    writeln!(out, "  backups of them are refused from now on: make new ones, and destroy the old");
    Ok(())
}

/// A change from the present package of a key.
struct Change<'a, F: StoredKey> {
    home: &'a Home,
    old: SharedKey<F>,
    /// The new committee.
    to: Committee,
}

impl<F: StoredKey> Change<'_, F> {
    /// Steps 1 and 2, unless all are `ready` for this package.
    fn prepare(
        &self,
        ready: Option<SharedKey<F>>,
        dealers: &[PartyId],
        network: impl FnMut(&mut Message),
        out: &mut Out,
    ) -> Result<SharedKey<F>> {
        let Some(next) = ready else {
            self.clear(out)?;
            return self.begin(dealers, network, out);
        };
        let epoch = next.epoch();
        writeln!(out, "Goes on: all parties have stored their shares of epoch {epoch}.\n");
        Ok(next)
    }

    /// Steps 3 and 4.
    fn finish(
        &self,
        next: &SharedKey<F>,
        network: impl FnMut(&mut Message),
        out: &mut Out,
    ) -> Result {
        let home = self.home;
        let traffic = acknowledge(home, &self.old, next, network)?;
        traffic.print(&ACKNOWLEDGED, "old share deleted", out);
        F::settle(home, next, out)?;
        disk::replace(&home.path(F::PUBLIC), &next.to_bytes(), Privacy::Everyone)?;
        disk::delete(&home.path(F::NEXT_PUBLIC))
    }

    /// Returns whether this key has come to an epoch and not ended the change, or has still to come to it.
    fn is_behind(&self, epoch: u32) -> Result<bool> {
        let next = shares::next(self.home.dir(), &self.old)?;
        Ok(self.old.epoch() < epoch || next.is_some_and(|next| next.epoch() == epoch))
    }

    /// The package of a key whose change has ended before that of the PRF key, if it is the change asked for.
    fn ended(&self) -> Result<SharedKey<F>> {
        if *self.old.committee() == self.to {
            Ok(self.old.clone())
        } else {
            Err(another(&self.old))
        }
    }

    /// The package of a change for which every party has stored its share. A change of which a share is missing may be cleared
    /// away, provided that no party has acknowledged it and enough old shares are there.
    fn ready(&self) -> Result<Option<SharedKey<F>>> {
        let Some(next) = shares::next(self.home.dir(), &self.old)? else { return Ok(None) };
        let (_, lack) = shares::holders(self.home, &next)?;
        match lack.last() {
            None if *next.committee() == self.to => Ok(Some(next)),
            None => Err(another(&next)),
            Some(missing) => self.check_may_be_given_up(&next, *missing).map(|()| None),
        }
    }

    /// Clears away a change of which a share is missing.
    fn clear(&self, out: &mut Out) -> Result {
        let (home, dir) = (self.home, self.home.dir());
        let Some(next) = shares::next(dir, &self.old)? else { return Ok(()) };
        for party in next.parties().iter() {
            disk::delete(&home.path(&name(party, F::NEXT)))?;
        }
        disk::delete(&dir.join(F::NEXT_PUBLIC))?;
        writeln!(out, "A change that had not ended is begun anew.\n");
        Ok(())
    }

    /// Checks that a change of which a party's share is missing may be cleared away: no party has put its new share in the
    /// place of the old one, and the old ones are enough.
    fn check_may_be_given_up(&self, next: &SharedKey<F>, missing: PartyId) -> Result {
        let (have, _) = shares::holders(self.home, &self.old)?;
        let mut too_late = have.len() < usize::from(self.old.threshold());
        for party in next.parties().iter() {
            let share = shares::stored::<F>(self.home, party, F::SHARE)?;
            too_late |= share.is_some_and(|share| share.check_belongs_to(next).is_ok());
        }
        ensure!(
            !too_late,
            "party {missing} has no share of epoch {}, and others have given up their older ones. Get it back with \
             `repair --party {missing}`, then run this again",
            next.epoch()
        );
        Ok(())
    }

    /// Steps 1 and 2.
    fn begin(
        &self,
        dealers: &[PartyId],
        network: impl FnMut(&mut Message),
        out: &mut Out,
    ) -> Result<SharedKey<F>> {
        let home = self.home;
        let plan = self.plan(dealers)?;
        F::equip(home, self.to.parties(), None, out)?;
        let mut params = Vec::new();
        for party in plan.parties().iter() {
            params.push(if plan.dealers().contains(party) {
                ReshareParams::dealer(&plan, &shares::share(home, party, &self.old)?)?
            } else {
                ReshareParams::member(&plan, party)?
            });
        }
        let keep = |me, output: &Reshared<F>| {
            // All have confirmed one package.
            let public = F::public_bytes(&output.public);
            disk::replace(&home.path(F::NEXT_PUBLIC), &public, Privacy::Everyone)?;
            match &output.share {
                Some(share) => home.keep_secret(&name(me, F::NEXT), &F::share_bytes(share)),
                None => Ok(()),
            }
        };
        let run = run_as::<Reshare<F>>(fresh_sid(), &plan.parties(), params, network, keep)?;
        run.traffic.print(&RESHARE_ROUNDS, "checks, new share beside the old", out);
        Ok(SharedKey::from_bytes(&F::public_bytes(&run.first()?.public))?)
    }

    /// The dealers and the new committee, whose new members must not have a share yet. A party of the old committee that has
    /// lost its share does not deal, and gets a new one.
    fn plan(&self, dealers: &[PartyId]) -> Result<ResharePlan<F>> {
        let (home, old) = (self.home, &self.old);
        for party in self.to.parties().iter().filter(|party| !old.parties().contains(*party)) {
            ensure!(
                shares::stored::<F>(home, party, F::SHARE)?.is_none(),
                "party {party} holds no share of this key, and {} is there: move it away",
                home.path(&name(party, F::SHARE)).display()
            );
        }
        let mut have = Vec::new();
        for party in old.parties().iter() {
            if shares::stored::<F>(home, party, F::SHARE)?.is_some() {
                // A share of another package is an error, which says what to do.
                have.push(shares::share(home, party, old)?.id());
            }
        }
        let dealers = if dealers.is_empty() { &have } else { dealers };
        Ok(ResharePlan::new(old, enough(old, dealers)?, self.to.clone())?)
    }
}

/// The failure if all have stored their shares of another change than the one asked for.
fn another<F: StoredKey>(next: &SharedKey<F>) -> Failure {
    let (epoch, parties, threshold) = (next.epoch(), list(next.parties().iter()), next.threshold());
    failure!(
        "another change of the key is under way, to parties {parties} with threshold {threshold}, and all of them have \
         stored their shares of epoch {epoch}. End it first, with `reshare --to {parties} --threshold {threshold}`"
    )
}

/// Parties as the command line takes them, such as `1,2,5`.
pub(crate) fn list(parties: impl IntoIterator<Item = PartyId>) -> String {
    parties.into_iter().map(|party| party.to_string()).collect::<Vec<_>>().join(",")
}

/// These parties, if they are enough to deal new shares or repair one.
pub(crate) fn enough<F: StoredKey>(key: &SharedKey<F>, parties: &[PartyId]) -> Result<Parties> {
    let (need, got) = (key.threshold(), parties.len());
    ensure!(
        got >= usize::from(need),
        "it takes {need} parties with their shares, got {got}. `restore` gives back those that have a backup"
    );
    Ok(Parties::new(parties.iter().copied())?)
}
