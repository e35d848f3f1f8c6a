//! Parties die after every frame that they receive and after every one that they send, and every last message is
//! withheld. Nothing is lost, and the honest parties always have enough shares of one epoch.

use std::collections::{BTreeMap, BTreeSet};

use quorate_curve::{Curve, Ed25519};
use quorate_keys::session::sim::{Delivery, Network, Report};
use quorate_keys::session::{Abort, PartyId};
use quorate_keys::{
    Acknowledge, AcknowledgeParams, Repaired, Reshared, SecretShare, ShareState, SharedKey,
};

use crate::group::{Key, Of, Shares, copy, id, interpolated, parties, sid};

/// A network in which a party receives `after` frames and no more.
fn deaf(party: u16, after: usize) -> Network<'static> {
    let mut heard = 0;
    Network::new(1).tamper(move |delivery: Delivery| {
        if delivery.to != id(party) {
            return vec![delivery];
        }
        heard += 1;
        if heard > after { vec![] } else { vec![delivery] }
    })
}

/// A network in which a party sends `after` frames and no more. It may die between two recipients of one message.
fn dumb(party: u16, after: usize) -> Network<'static> {
    let mut said = 0;
    Network::new(1).tamper(move |delivery: Delivery| {
        if delivery.from != id(party) {
            return vec![delivery];
        }
        said += 1;
        if said > after { vec![] } else { vec![delivery] }
    })
}

/// The shares that a party has on its disk, by epoch.
type Disk<C> = BTreeMap<u32, (SecretShare<Of<C>>, SharedKey<Of<C>>)>;

struct World<C: Curve> {
    x: C::Scalar,
    disks: BTreeMap<u16, Disk<C>>,
}

impl<C: Curve> World<C> {
    fn new(key: &Key<C>) -> Self {
        let disk = |(party, share): (&u16, _)| {
            (*party, Disk::from([(0, (copy(share), key.public.clone()))]))
        };
        Self { x: key.x, disks: key.shares.iter().map(disk).collect() }
    }

    /// Stores every result beside the others. An unconfirmed share is stored and marked too.
    fn store(&mut self, report: Report<Reshared<Of<C>>>) {
        let done =
            report.results.into_iter().filter_map(|(party, result)| Some((party, result.ok()?)));
        for (party, Reshared { public, share }) in done.chain(report.unconfirmed) {
            let Some(share) = share else { continue };
            share.check_belongs_to(&public).unwrap();
            self.disks.entry(party.get()).or_default().insert(1, (share, public));
        }
    }

    /// Every party that has a share of epoch 1 that signs acknowledges it. A party that hears from all deletes
    /// the old one.
    fn acknowledge(&mut self, public: &SharedKey<Of<C>>, all: &[u16], network: Network<'_>) {
        let ready = |disk: &Disk<C>| {
            disk.get(&1).is_some_and(|(share, _)| share.state() != ShareState::Unconfirmed)
        };
        let committee: BTreeSet<u16> = public.parties().iter().map(PartyId::get).collect();
        if !committee.iter().all(|party| self.disks.get(party).is_some_and(ready)) {
            // The session would not end for any party.
            return;
        }
        let run =
            network.run::<Acknowledge<Of<C>>>(sid(9), Box::leak(Box::new(parties(all))), |me| {
                match self.disks.get(&me.get()).and_then(|disk| disk.get(&1)) {
                    Some((share, public)) => {
                        AcknowledgeParams::from_stored(&share.to_bytes(), &public.to_bytes())
                            .unwrap()
                    }
                    None => AcknowledgeParams::listener(me, public).unwrap(),
                }
            });
        for (party, by) in run.unwrap().results {
            let Ok(by) = by else { continue };
            self.disks
                .get_mut(&party.get())
                .unwrap()
                .retain(|_, (share, _)| !by.permits_deleting(share));
        }
    }

    /// Returns whether all live parties together, without `dead`, still have the key in an epoch that signs.
    fn survives(&self, dead: u16) -> bool {
        (0..2).any(|epoch| {
            let live = self.disks.iter().filter(|(party, _)| **party != dead);
            let held = live.filter_map(|(_, disk)| disk.get(&epoch));
            let held: Vec<_> =
                held.filter(|(share, _)| share.state() != ShareState::Unconfirmed).collect();
            let Some((_, public)) = held.first() else { return false };
            let t = usize::from(public.threshold());
            let shares: Vec<_> = held.iter().map(|(share, _)| share).collect();
            shares.len() >= t && interpolated(&shares[..t]) == self.x
        })
    }
}

/// Reshares 2 of 3 to 2 of 3, overlapping, with each of the parties dead at each time.
fn a_resharing_loses_nothing<C: Curve>(step: usize) {
    let key = Key::<C>::dealt(&[1, 2, 3], 2, 6);
    let plan = key.plan(&[1, 3], &[2, 3, 4], 2);
    let public = key.reshared(&[1, 3], &[2, 3, 4], 2, 1).public;
    let all = [1, 2, 3, 4];
    let kinds: [fn(u16, usize) -> Network<'static>; 2] = [deaf, dumb];
    for (number, kind) in kinds.into_iter().enumerate() {
        for dead in all {
            for after in (0..=9).step_by(step) {
                let mut world = World::new(&key);
                let report = key.run(kind(dead, after), &plan);
                for (party, result) in &report.results {
                    // No party is blamed for silence.
                    assert!(
                        matches!(result, Ok(_) | Err(Abort::Missing { .. })),
                        "{party} {result:?}"
                    );
                }
                // Three rounds with three peers: once all its frames were sent or received, nothing was missing.
                let live = report.results.iter().filter(|(party, _)| **party != id(dead));
                let ended = live.filter(|(_, result)| result.is_ok()).count();
                assert!(after < 9 || ended == 3, "{number} {dead}");
                assert!(after > 0 || number == 0 || ended == 0);
                world.store(report);
                assert!(world.survives(dead));
                world.acknowledge(&public, &all, kind(dead, after));
                assert!(world.survives(dead));
            }
        }
    }
}

/// The last message of each party is withheld from each and from all. The shares of the others are then pending
/// or marked, and the old shares stay. After a confirmation comes the acknowledgement, whose last messages are
/// withheld too. It never splits the parties.
fn last_words<C: Curve>() {
    let key = Key::<C>::dealt(&[1, 2, 3], 2, 6);
    let plan = key.plan(&[1, 3], &[2, 3, 4], 2);
    let all = [1, 2, 3, 4];
    for silent in all {
        for from_whom in all.iter().map(|one| vec![*one]).chain([all.to_vec()]) {
            let withheld = |round: u8| {
                let hidden = from_whom.clone();
                Network::new(1).tamper(move |delivery: Delivery| {
                    let this = delivery.from == id(silent) && delivery.round.get() == round;
                    if this && hidden.contains(&delivery.to.get()) {
                        vec![]
                    } else {
                        vec![delivery]
                    }
                })
            };
            let mut world = World::new(&key);
            let report = key.run(withheld(3), &plan);
            for (party, result) in &report.results {
                let kept = report.unconfirmed.get(party);
                let cut = *party != id(silent) && from_whom.contains(&party.get());
                assert_eq!(kept.is_some(), cut);
                assert_eq!(matches!(result, Err(Abort::Missing { .. })), cut);
                if let Some(share) = kept.and_then(|kept| kept.share.as_ref()) {
                    assert_eq!(share.state(), ShareState::Unconfirmed);
                }
            }
            let public =
                report.results.values().flatten().chain(report.unconfirmed.values()).next();
            let public = public.unwrap().public.clone();
            world.store(report);
            assert!(world.survives(silent));
            for disk in world.disks.values_mut() {
                if let Some((share, _)) = disk.get_mut(&1) {
                    share.confirm();
                }
            }
            world.acknowledge(&public, &all, withheld(1));
            // All have stored the new shares, and some deleted the old ones. Everybody has the new epoch.
            assert!(world.survives(silent));
            let new = world.disks.values().filter(|disk| disk.contains_key(&1)).count();
            assert_eq!(new, 3);
        }
    }
}

/// A repair in which one party dies. The target has its share or not, and the shares of others do not change.
fn a_repair_loses_nothing<C: Curve>() {
    let key = Key::<C>::dealt(&[1, 2, 3], 2, 6);
    let kinds: [fn(u16, usize) -> Network<'static>; 2] = [deaf, dumb];
    for kind in kinds {
        for dead in [1, 2, 3] {
            for after in 0..=8 {
                let report = key.repair(kind(dead, after), &[1, 3], 2);
                for result in report.results.values() {
                    assert!(matches!(result, Ok(_) | Err(Abort::Missing { .. })));
                }
                let mut kept =
                    report.results.into_values().flatten().chain(report.unconfirmed.into_values());
                let share = kept.find_map(|one| match one {
                    Repaired::Share(share) => Some(share),
                    Repaired::Helped => None,
                });
                assert!(after < 6 || share.is_some(), "{dead} {after}");
                if let Some(share) = share {
                    share.check_belongs_to(&key.public).unwrap();
                }
            }
        }
    }
}

fn a_resharing<C: Curve>() {
    a_resharing_loses_nothing::<C>(4);
}

every_curve! { a_resharing last_words a_repair_loses_nothing }

/// After every single frame.
#[test]
fn a_resharing_after_every_frame() {
    a_resharing_loses_nothing::<Ed25519>(1);
}

/// After a failed run, the next one with the same shares is as good as the first.
#[test]
fn after_a_failure_again() {
    let key = Key::<Ed25519>::dealt(&[1, 2, 3], 2, 6);
    let plan = key.plan(&[1, 3], &[2, 3, 4], 2);
    let failed = key.run(dumb(1, 4), &plan);
    assert!(failed.results.values().all(Result::is_err));
    key.check();
    // 1 is gone: 2 and 3 deal.
    let new = key.reshared(&[2, 3], &[2, 3, 4], 2, 8);
    new.check();
    let shares: &Shares<Ed25519> = &new.shares;
    assert_eq!(shares.len(), 3);
}
