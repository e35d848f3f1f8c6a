//! Acknowledgement by all parties that they have stored their shares of one package, and deletion of older shares.

use std::collections::BTreeMap;

use quorate::keys::{Acknowledge, AcknowledgeParams, SharedKey, StoredByAll};
use quorate::{Parties, PartyId};
use quorate_examples::{Failure, Result, failure};

use crate::disk;
use crate::family::KeyFamily;
use crate::home::{Home, name};
use crate::rounds::{Message, fresh_sid, run_as};
use crate::shares::{self, Held, NEXT, SHARE};
use crate::traffic::Traffic;

/// Runs `Acknowledge` among the parties of `next`. Those of `old` that have left listen, to learn when they may delete their
/// shares.
pub(crate) fn acknowledge<F: KeyFamily>(
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
    let params = params.into_values();
    Ok(run_as::<Acknowledge<F>>(fresh_sid(), &parties, params, network, keep)?.traffic)
}

/// Puts a party's new share in the place of its old one, if the old one may be deleted.
fn replace<F: KeyFamily>(
    home: &Home,
    me: PartyId,
    next: &SharedKey<F>,
    by_all: &StoredByAll<F>,
) -> Result {
    let mut share = shares::share(home, me, next)?;
    share.settle(by_all)?;
    if let Some(old) = Held::<F>::by(home, me)?.share
        && old.package_id() != next.package_id()
        && !by_all.permits_deleting(&old)
    {
        return Err(must_stay(me));
    }
    home.keep_secret(&name(me, SHARE), &share.to_bytes())?;
    disk::delete(&home.path(&name(me, NEXT)))
}

/// Deletes the share of a party that has left, if that is permitted.
fn leave<F: KeyFamily>(home: &Home, me: PartyId, by_all: &StoredByAll<F>) -> Result {
    match Held::<F>::by(home, me)?.share {
        Some(old) if !by_all.permits_deleting(&old) => Err(must_stay(me)),
        _ => disk::delete(&home.path(&name(me, SHARE))),
    }
}

fn must_stay(party: PartyId) -> Failure {
    failure!("the old share of party {party} must stay: it is not of an epoch before")
}
