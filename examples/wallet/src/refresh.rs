//! New shares of the same key, and when the old ones go.
//!
//! 1. A session of `Reshare`, in which all parties deal to themselves. Each party stores its new share as `party-1.next`, **beside** the old
//!    one; the new package is in `public.next`. From here on either of the two signs.
//! 2. A session of `Acknowledge`, in which each party says that its new share, as it was read back,
//!    is stored. Who has heard that from **all** puts the new share in the place of the old one.
//! 3. When all have done so, `public.next` takes the place of `public.key`.
//!
//! Killed anywhere, or with messages lost, the same command goes on with it. Nothing is deleted
//! before all have the new shares, so enough parties of one epoch are always there to sign.

use quorate::PartyId;
use quorate::Step;
use quorate::frost::generic::{
    Acknowledge, AcknowledgeParams, Frost, PublicKeyPackage, Reshare, ReshareParams, ResharePlan,
    Reshared, SecretShare, StoredByAll,
};
use quorate::session::{Protocol, Sealed, Slot};
use quorate_examples::failure::Failure;

use super::disk::{self, Privacy, write_whole};
use super::folder::{next_path, open_next, open_public, open_share};
use super::home::{Home, name, public_path};
use super::rounds::{Keeper, Letter, Traffic, run_with};
use super::suites::WalletSuite;

/// The messages of a refresh, and its result.
pub struct Refreshed {
    /// Those of the refresh itself; none if it was over already.
    pub refresh: Option<Traffic>,
    /// Those of the acknowledgement.
    pub acknowledge: Traffic,
    /// The epoch of the new shares.
    pub epoch: u32,
}

/// Refreshes the shares of a wallet, or goes on with a refresh.
///
/// `network` sees every message on its way and may alter it: only for showing what happens then.
///
/// # Errors
/// A [`Failure`]; then both shares stay with every party that has not heard from all.
pub fn refresh<S: WalletSuite>(
    home: &Home,
    mut network: impl FnMut(&mut Letter),
) -> Result<Refreshed, Failure> {
    let old = open_public::<S>(home.dir())?;
    let (next, traffic) = match under_way(home)? {
        Some(next) => (next, None),
        None => {
            let (next, traffic) = begin(home, &old, &mut network)?;
            (next, Some(traffic))
        }
    };
    let acknowledge = settle(home, &next, &mut network)?;
    write_whole(&public_path(home.dir()), &next.to_bytes(), Privacy::Everyone)?;
    disk::delete(&next_path(home.dir()))?;
    Ok(Refreshed { refresh: traffic, acknowledge, epoch: next.epoch() })
}

/// The package of a refresh that every party has ended and stored its share of. One that has not
/// ended for all is cleared away: nobody has acknowledged it, so every old share is there.
fn under_way<S: WalletSuite>(home: &Home) -> Result<Option<PublicKeyPackage<S>>, Failure> {
    let Some(next) = open_next::<S>(home.dir())? else { return Ok(None) };
    if next.parties().iter().all(|party| open_share(home, party, &next).is_ok()) {
        return Ok(Some(next));
    }
    for party in next.parties().iter() {
        disk::delete(&home.dir().join(name(party, "next")))?;
    }
    disk::delete(&next_path(home.dir()))?;
    Ok(None)
}

/// Step 1.
fn begin<S: WalletSuite>(
    home: &Home,
    old: &PublicKeyPackage<S>,
    network: impl FnMut(&mut Letter),
) -> Result<(PublicKeyPackage<S>, Traffic), Failure> {
    let plan = ResharePlan::refresh(old.shared(), old.parties().clone())?;
    let mut params = Vec::new();
    for party in old.parties().iter() {
        params.push(ReshareParams::dealer(&plan, open_share(home, party, old)?.secret_share())?);
    }
    let keeper = Ended(|me, output: &Reshared<S>| {
        // All have confirmed one package.
        write_whole(&next_path(home.dir()), &output.public.to_bytes(), Privacy::Everyone)?;
        let share = output.share.as_ref().ok_or_else(|| Failure::new("no share came out"))?;
        home.keep_secret(&name(me, "next"), &share.to_bytes())
    });
    let run = run_with::<Reshare<S>>(old.parties(), params, network, keeper)?;
    let next = run.results.into_iter().next().map(|output| output.public);
    Ok((next.ok_or_else(|| Failure::new("there are no parties"))?, run.traffic))
}

/// Step 2.
fn settle<S: WalletSuite>(
    home: &Home,
    next: &PublicKeyPackage<S>,
    network: impl FnMut(&mut Letter),
) -> Result<Traffic, Failure> {
    let mut params = Vec::new();
    for party in next.parties().iter() {
        let read_back = open_share(home, party, next)?;
        params.push(AcknowledgeParams::<S>::of_stored(&read_back.to_bytes(), &next.to_bytes())?);
    }
    let keeper = Ended(|me, by_all: &StoredByAll<S>| replace(home, me, next, by_all));
    Ok(run_with::<Acknowledge<S>>(next.parties(), params, network, keeper)?.traffic)
}

/// Puts a party's new share in the place of its old one, if that may go.
fn replace<S: WalletSuite>(
    home: &Home,
    me: PartyId,
    next: &PublicKeyPackage<S>,
    by_all: &StoredByAll<S>,
) -> Result<(), Failure> {
    let mut share = open_share(home, me, next)?;
    share.settle(by_all)?;
    let file = name(me, "share");
    let old = SecretShare::<Frost<S>>::from_bytes(&home.secret(&file)?)?;
    if old.package_id() != next.package_id() && !by_all.permits_deleting(&old) {
        return Err(Failure::new(format!("the old share of party {me} must stay")));
    }
    home.keep_secret(&file, &share.to_bytes())?;
    disk::delete(&home.dir().join(name(me, "next")))
}

/// Is told of each party's result.
struct Ended<F>(F);

impl<P: Protocol, F: FnMut(PartyId, &P::Output) -> Result<(), Failure>> Keeper<P> for Ended<F> {
    fn entered(&mut self, _: Option<Slot>, _: &Step<P>) -> Result<(), Failure> {
        Ok(())
    }

    fn ended(
        &mut self,
        me: PartyId,
        _: Slot,
        output: &P::Output,
        _: Sealed,
    ) -> Result<(), Failure> {
        (self.0)(me, output)
    }

    fn stopped(&mut self, _: PartyId, _: Slot, _: Sealed) -> Result<(), Failure> {
        Ok(())
    }
}
