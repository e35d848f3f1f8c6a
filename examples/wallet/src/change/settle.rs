//! Acknowledgement by all parties that they have stored their shares of one package, and deletion of older shares.

use std::collections::BTreeMap;

use quorate::Parties;
use quorate::keys::{Acknowledge, AcknowledgeParams, SharedKey, StoredByAll};
use quorate_examples::{Result, ensure};

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
        let older = Held::<F>::by(home, me)?.share;
        if let Some(older) = older.filter(|share| share.package_id() != next.package_id()) {
            let may_go = by_all.permits_deleting(&older);
            ensure!(may_go, "the old share of party {me} must stay: it is not of an epoch before");
        }
        if !next.parties().contains(me) {
            return disk::delete(&home.path(&name(me, SHARE)));
        }
        // The new share takes the place of the old one.
        let mut share = shares::share(home, me, next)?;
        share.settle(by_all)?;
        home.keep_secret(&name(me, SHARE), &share.to_bytes())?;
        disk::delete(&home.path(&name(me, NEXT)))
    };
    let params = params.into_values();
    Ok(run_as::<Acknowledge<F>>(fresh_sid(), &parties, params, network, keep)?.traffic)
}
