//! VS-14: the deletion of old shares after a refresh. Each party follows the documentation of
//! `Acknowledge` exactly; party 2 withholds any message from any party.

use std::collections::BTreeMap;

use quorate::frost::generic::{
    Acknowledge, AcknowledgeParams, KeyShare, Mismatch, PackageId, PlanError, PublicKeyPackage,
    Reshare, ReshareParams, ResharePlan, ShareState, SigningPackage, StoredByAll,
};
use quorate::session::sim::{Delivery, Network};
use quorate::session::{ParamError, Rejected};
use quorate::{Abort, Fault, PartyId, Session, SessionId};

use super::dkg::Frames;
use super::harness::Hostile;
use super::harness::{Key, MUTATOR, PARTIES, id, parties, rng};

type Hook<'a> = &'a mut dyn FnMut(Delivery) -> Frames;

/// A party's store: shares in their stored form, and their packages.
struct Store<S: Hostile> {
    shares: BTreeMap<PackageId, Vec<u8>>,
    packages: BTreeMap<PackageId, PublicKeyPackage<S>>,
}

impl<S: Hostile> Store<S> {
    fn put(&mut self, share: &KeyShare<S>) {
        self.shares.insert(share.package_id(), share.to_bytes().to_vec());
    }

    fn share(&self, of: &PackageId) -> KeyShare<S> {
        KeyShare::from_bytes(&self.shares[of], &self.packages[of]).unwrap()
    }

    /// The epochs in which the party can sign.
    fn epochs(&self) -> Vec<u32> {
        self.shares.keys().map(PackageId::epoch).collect()
    }

    /// The party's part in the acknowledgement of a package.
    fn stored(&self, of: &PackageId) -> AcknowledgeParams<S> {
        let public = self.packages[of].to_bytes();
        AcknowledgeParams::<S>::from_stored(&self.shares[of], &public).unwrap()
    }

    /// The documented steps with the acknowledgement of all.
    fn settle(&mut self, all: &StoredByAll<S>) {
        let mut new = self.share(&all.package_id());
        new.settle(all).unwrap();
        self.put(&new);
        let shares: Vec<_> = self.shares.keys().copied().collect();
        for old in shares {
            if all.permits_deleting(self.share(&old).secret_share()) {
                self.shares.remove(&old);
            }
        }
    }
}

/// The parties' stores, and the number of sessions so far.
struct World<S: Hostile> {
    stores: BTreeMap<PartyId, Store<S>>,
    sessions: u8,
}

impl<S: Hostile> World<S> {
    fn new() -> (Self, PackageId) {
        let key = Key::<S>::new(1);
        let of = key.public.package_id();
        let store = |party: u16| {
            let packages = BTreeMap::from([(of, key.public.clone())]);
            let mut store = Store { shares: BTreeMap::new(), packages };
            store.put(key.share(party));
            (id(party), store)
        };
        (Self { stores: PARTIES.map(store).into(), sessions: 0 }, of)
    }

    fn sid(&mut self) -> SessionId {
        self.sessions += 1;
        SessionId::new([self.sessions; 32])
    }

    /// A refresh of the shares of one package: a party that finishes it stores the new share beside the old.
    fn refresh(&mut self, of: &PackageId, hook: Hook<'_>) -> Option<PackageId> {
        let (sid, all) = (self.sid(), parties(PARTIES));
        let params = |me: PartyId| {
            let store = &self.stores[&me];
            let plan = ResharePlan::refresh(store.packages[of].shared(), all.clone()).unwrap();
            ReshareParams::dealer(&plan, store.share(of).secret_share()).unwrap()
        };
        let report = Network::new(1).tamper(hook).run::<Reshare<S>>(sid, &all, params).unwrap();
        let mut new = None;
        for (party, result) in report.results {
            let Ok(output) = result else { continue };
            let share = output.share.unwrap();
            assert_eq!(share.state(), ShareState::Pending);
            let store = self.stores.get_mut(&party).unwrap();
            store.put(&share);
            store.packages.insert(output.public.package_id(), output.public.clone());
            new = Some(output.public.package_id());
        }
        new
    }

    /// The acknowledgement by the parties that have stored this package. A party that has heard it from all
    /// settles and deletes. A party that has not stored the package sends nothing.
    fn acknowledge(&mut self, of: &PackageId, hook: Hook<'_>) {
        let (sid, all) = (self.sid(), parties(PARTIES));
        let silent: Vec<_> =
            all.iter().filter(|party| !self.stores[party].shares.contains_key(of)).collect();
        // A party without the share cannot start. The simulation gives it another share, and drops its
        // messages.
        let params = |me: PartyId| {
            let store = &self.stores[&me];
            let other = store.shares.keys().next().unwrap();
            store.stored(if silent.contains(&me) { other } else { of })
        };
        let network = Network::new(1).tamper(|one| match silent.contains(&one.from) {
            true => vec![],
            false => hook(one),
        });
        let report = network.run::<Acknowledge<S>>(sid, &all, params).unwrap();
        for (party, result) in report.results {
            if let (Ok(all), false) = (result, silent.contains(&party)) {
                self.stores.get_mut(&party).unwrap().settle(&all);
            }
        }
    }

    /// Returns whether the two honest parties still sign together, in some epoch.
    fn honest_sign(&self) -> bool {
        let [one, five] = [&self.stores[&id(1)], &self.stores[&id(5)]];
        let both = one.shares.keys().filter(|of| five.shares.contains_key(of));
        let signed = both.map(|of| {
            let mut rng = rng(3);
            let shares = [one.share(of), five.share(of)];
            let public = &one.packages[of];
            let (nonces, sent): (Vec<_>, Vec<_>) =
                shares.iter().map(|share| share.commit(&mut rng)).unzip();
            let package = SigningPackage::new(public, sent, b"m").unwrap();
            let signed: Vec<_> = shares
                .iter()
                .zip(nonces)
                .map(|(share, nonces)| share.sign(&package, nonces).unwrap())
                .collect();
            public.aggregate(&package, &signed).unwrap();
        });
        signed.count() > 0
    }
}

/// Withholds the mutator's messages of a round from these parties.
fn withheld(round: u8, from: &[u16]) -> impl FnMut(Delivery) -> Frames {
    let victims: Vec<_> = from.iter().map(|victim| id(*victim)).collect();
    move |one| {
        let gone = one.from == id(MUTATOR) && one.round.get() == round && victims.contains(&one.to);
        if gone { vec![] } else { vec![one] }
    }
}

fn forget_and_forgive<S: Hostile>() {
    // The last digest of the refresh is withheld from nobody, one, the other, both; and then the
    // acknowledgement in the same four ways.
    let choices: [&[u16]; 4] = [&[], &[1], &[5], &[1, 5]];
    for digests in choices {
        for acknowledgements in choices {
            let (mut world, old) = World::<S>::new();
            let new = world.refresh(&old, &mut withheld(3, digests));
            assert!(world.honest_sign(), "after the refresh");
            let Some(new) = new else { continue };
            world.acknowledge(&new, &mut withheld(1, acknowledgements));
            assert!(world.honest_sign(), "after the acknowledgement");
            let epochs = |party| world.stores[&id(party)].epochs();
            // Only a party that has heard it from all has deleted anything.
            for party in [1, 5] {
                let (stored, told) =
                    (!digests.contains(&party), !acknowledgements.contains(&party));
                let expected: &[u32] = match (stored, digests.is_empty() && told) {
                    (false, _) => &[0],
                    (true, false) => &[0, 1],
                    (true, true) => &[1],
                };
                let mut found = epochs(party);
                found.sort_unstable();
                assert_eq!(found, expected, "{digests:?} {acknowledgements:?} {party}");
            }
            // Whatever was withheld: once all acknowledge truthfully, all are in one epoch.
            if !digests.is_empty() {
                continue;
            }
            world.acknowledge(&new, &mut |one| vec![one]);
            for store in world.stores.values() {
                assert_eq!(store.epochs(), [1]);
                assert_eq!(store.share(&new).state(), ShareState::Ready);
            }
        }
    }
}

#[test]
fn vs_14_a_withheld_digest_splits_nobody() {
    quorate_testkit::for_every_suite!(forget_and_forgive);
}

/// Two refreshes of one epoch, of which the first did not end for all: two packages of epoch 1. The
/// acknowledgement of one of them deletes the old share and not the other.
fn two_of_one_epoch<S: Hostile>() {
    let (mut world, old) = World::<S>::new();
    let first = world.refresh(&old, &mut withheld(3, &[5])).unwrap();
    let second = world.refresh(&old, &mut |one| vec![one]).unwrap();
    assert_eq!((first.epoch(), second.epoch(), first == second), (1, 1, false));
    let again = Mismatch::WrongPackage { epoch: 1 };
    assert_eq!(second.check_belongs_to(&first), Err(again));
    world.acknowledge(&second, &mut |one| vec![one]);
    let one = &world.stores[&id(1)].shares;
    assert!(one.contains_key(&first) && one.contains_key(&second) && !one.contains_key(&old));
    assert!(world.honest_sign());
    // The next refresh and its acknowledgement clear both away.
    let third = world.refresh(&second, &mut |one| vec![one]).unwrap();
    world.acknowledge(&third, &mut |one| vec![one]);
    assert!(world.stores.values().all(|store| store.epochs() == [2]));
    assert!(world.honest_sign());
}

#[test]
fn vs_14_two_refreshes_of_one_epoch_do_not_delete_each_other() {
    quorate_testkit::for_every_suite!(two_of_one_epoch);
}

/// Refusals by the session itself, with those it names.
fn acknowledgements<S: Hostile>() {
    let (mut world, old) = World::<S>::new();
    let new = world.refresh(&old, &mut |one| vec![one]).unwrap();
    let all = parties(PARTIES);
    let params = |party: PartyId, of: &PackageId| world.stores[&party].stored(of);
    let sid = SessionId::new([9; 32]);
    let start = |me: u16, numbers: &[u16]| {
        let all = parties(numbers.iter().copied());
        Session::<Acknowledge<S>>::start(sid, id(me), &all, params(id(1), &new), &mut rng(1))
            .map(drop)
    };
    assert_eq!(start(1, &PARTIES), Ok(()));
    assert!(matches!(start(5, &PARTIES), Err(ParamError::Inconsistent(_))));
    assert_eq!(start(1, &[1, 5]), Err(ParamError::NotAParty(id(MUTATOR))));
    // A party that has left may listen; a member of the committee may not take part as a listener.
    assert_eq!(start(1, &[1, 2, 5, 6]), Ok(()));
    let public = &world.stores[&id(1)].packages[&new];
    assert!(AcknowledgeParams::<S>::listener(id(6), public.shared()).is_ok());
    let refused = AcknowledgeParams::<S>::listener(id(1), public.shared());
    assert_eq!(refused.err(), Some(PlanError::OtherPart(id(1))));
    // The share of one package is not acknowledged as that of another, and an empty share is refused.
    let share = &world.stores[&id(1)].shares[&old];
    assert!(AcknowledgeParams::<S>::from_stored(share, &public.to_bytes()).is_err());
    assert!(AcknowledgeParams::<S>::from_stored(&[], &public.to_bytes()).is_err());
    // Party 2 acknowledges the old epoch: it is not heard, and nobody has it from all.
    let report = Network::new(1)
        .run::<Acknowledge<S>>(sid, &all, |me| {
            params(me, if me == id(MUTATOR) { &old } else { &new })
        })
        .unwrap();
    let other =
        |(.., why): &(PartyId, PartyId, Rejected)| matches!(why, Rejected::OtherParameters { .. });
    assert!(report.stats.rejected.iter().all(other));
    assert!(report.results.values().all(|one| matches!(one, Err(Abort::Missing { .. }))));
    // Party 2 sends an acknowledgement with a byte too many.
    let report = Network::new(1)
        .tamper(|mut one| {
            if one.from == id(MUTATOR) {
                one.bytes.push(0);
            }
            vec![one]
        })
        .run::<Acknowledge<S>>(sid, &all, |me| params(me, &new))
        .unwrap();
    let Err(Abort::Misbehaviour(blames)) = &report.results[&id(1)] else { panic!("no blame") };
    assert_eq!((blames[0].party, blames[0].fault), (id(MUTATOR), Fault::WrongLength));
    // The acknowledgement of one package settles no share of another.
    let mut report =
        Network::new(1).run::<Acknowledge<S>>(sid, &all, |me| params(me, &new)).unwrap();
    let by_all = report.results.remove(&id(1)).unwrap().unwrap();
    let mut share = world.stores[&id(1)].share(&old);
    let late = Mismatch::WrongEpoch { expected: 1, got: 0 };
    assert_eq!(share.settle(&by_all), Err(late));
    assert!(
        by_all.permits_deleting(share.secret_share())
            && !by_all.permits_deleting(world.stores[&id(1)].share(&new).secret_share())
    );
    let other = Key::<S>::new(2);
    assert!(!by_all.permits_deleting(other.share(1).secret_share()), "another key's");
}

#[test]
fn vs_14_what_an_acknowledgement_is() {
    quorate_testkit::for_every_suite!(acknowledgements);
}
