//! All say that they have stored their shares of one package, and older shares go.

use std::collections::BTreeMap;

use quorate::keys::{Acknowledge, AcknowledgeParams, SharedKey, StoredByAll};
use quorate::{Parties, PartyId};
use quorate_examples::failure::Failure;

use crate::disk;
use crate::family::WalletFamily;
use crate::home::{Home, name};
use crate::rounds::{Letter, run_with};
use crate::shares::{self, Held, NEXT, SHARE};
use crate::traffic::Traffic;

/// Runs `Acknowledge` among the parties of `next`. Those of `old` that have left listen, to hear when their shares may
/// go.
pub(crate) fn acknowledge<F: WalletFamily>(
    home: &Home,
    old: &SharedKey<F>,
    next: &SharedKey<F>,
    network: impl FnMut(&mut Letter),
) -> Result<Traffic, Failure> {
    let mut params = BTreeMap::new();
    for party in next.parties().iter() {
        let read_back = shares::share(home, party, next)?.to_bytes();
        params.insert(party, AcknowledgeParams::<F>::from_stored(&read_back, &next.to_bytes())?);
    }
    for party in old.parties().iter().filter(|party| !next.parties().contains(*party)) {
        if Held::<F>::by(home, party)?.share.is_some() {
            params.insert(party, AcknowledgeParams::listener(party, next)?);
        }
    }
    let parties = Parties::new(params.keys().copied())?;
    let keep = |me, by_all: &StoredByAll<F>| {
        if next.parties().contains(me) {
            replace(home, me, next, by_all)
        } else {
            leave(home, me, by_all)
        }
    };
    Ok(run_with::<Acknowledge<F>>(&parties, params.into_values(), network, keep)?.traffic)
}

/// Puts a party's new share in the place of its old one, if that may go.
fn replace<F: WalletFamily>(
    home: &Home,
    me: PartyId,
    next: &SharedKey<F>,
    by_all: &StoredByAll<F>,
) -> Result<(), Failure> {
    let mut share = shares::share(home, me, next)?;
    share.settle(by_all)?;
    if let Some(old) = Held::<F>::by(home, me)?.share
        && old.package_id() != next.package_id()
        && !by_all.permits_deleting(&old)
    {
        return Err(must_stay(me));
    }
    home.keep_secret(&name(me, SHARE), &share.to_bytes())?;
    disk::delete(&home.dir().join(name(me, NEXT)))
}

/// Deletes the share of a party that has left, if it may go.
fn leave<F: WalletFamily>(
    home: &Home,
    me: PartyId,
    by_all: &StoredByAll<F>,
) -> Result<(), Failure> {
    match Held::<F>::by(home, me)?.share {
        Some(old) if !by_all.permits_deleting(&old) => Err(must_stay(me)),
        _ => disk::delete(&home.dir().join(name(me, SHARE))),
    }
}

fn must_stay(party: PartyId) -> Failure {
    Failure::new(format!("the old share of party {party} must stay: it is not of an epoch before"))
}
