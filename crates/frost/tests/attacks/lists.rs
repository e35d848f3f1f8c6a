//! Lists of nonces: older ones, other keys' and epochs', the same pair twice.

use quorate_frost::session::{Continuity, RecordError, SpentInMemory};
use quorate_frost::{
    Ciphersuite, ClaimError, Commitments, Coordinator, DecodeError, Mismatch, NonceBatch,
    PackageError, PublishedNonces, RandomizerSeed, SignError, SigningPackage,
};
use quorate_testkit::Stuck;
use quorate_testkit::encodings::{Encoding, foreign_form};

use super::bench::{
    Cheap, Edwards, Even, Key, Large, MESSAGE, forged, id, release, reopened, replaced, rng,
};
use crate::for_suites;

/// Two batches of three, and the lists that their owners have published.
struct Lists<S: Ciphersuite> {
    key: Key<S>,
    batches: [NonceBatch<S>; 2],
    lists: [PublishedNonces<S>; 2],
}

impl<S: Ciphersuite> Lists<S> {
    fn new() -> Self {
        let key = Key::<S>::new(3, 1);
        let batches =
            [0, 1].map(|at: u8| key.shares[usize::from(at)].precompute(3, &mut rng(10 + at)));
        let lists = batches.each_ref().map(NonceBatch::publish);
        Self { key, batches, lists }
    }

    /// The package of a coordinator that believes this slot to be left.
    fn package(&self, slot: u32, message: &[u8]) -> SigningPackage<S> {
        let pair = self.lists.clone().map(|mut list| list.take(slot).unwrap());
        SigningPackage::new(&self.key.public, pair, message).unwrap()
    }
}

/// A coordinator whose lists were restored, or two coordinators with one list, ask twice for one slot.
fn a_slot_under_two_packages<S: Ciphersuite>() {
    let mut of = Lists::<S>::new();
    let [one, two] = [b"one", b"two"].map(|text| of.package(1, text));
    let (table, stored) = (&mut SpentInMemory::new(), of.batches[0].seal(&seal_key()));
    let share = &of.key.shares[0];
    let claim = of.batches[0].claim_for(share, &one).unwrap();
    let receipt = claim.record().store(table).unwrap();
    let sent = share.sign(&one, claim.release(receipt).unwrap()).unwrap();
    let generation = of.batches[0].generation();
    for package in [&two, &one] {
        let refused = of.batches[0].claim_for(share, package).unwrap_err();
        assert_eq!(refused, ClaimError::NoNonces);
    }
    assert_eq!((of.batches[0].generation(), of.batches[0].len()), (generation, 2));
    // The batch is restored to an older copy: the record alone refuses the second package.
    let restored = || NonceBatch::<S>::open(&stored, &seal_key(), Continuity::StayedUp).unwrap();
    let claim = restored().claim_for(share, &two).unwrap();
    let spent = RecordError::Spent { id: claim.id().0, on: one.digest(None) };
    assert_eq!(claim.record().store(table).unwrap_err(), spent);
    let claim = restored().claim_for(share, &one).unwrap();
    let receipt = claim.record().store(table).unwrap();
    assert!(share.sign(&one, claim.release(receipt).unwrap()).unwrap() == sent);
}

fn seal_key() -> quorate_frost::session::SealKey {
    quorate_testkit::lockstep::seal_key()
}

#[test]
fn one_slot_under_two_packages_is_signed_for_one() {
    a_slot_under_two_packages::<Cheap>();
    a_slot_under_two_packages::<Even>();
}

/// Each pair of a batch that is split is in one of the batches, which opens and signs, and in no other.
fn split<S: Ciphersuite>() {
    let of = Lists::<S>::new();
    let packages = [0, 1, 2].map(|slot| of.package(slot, MESSAGE));
    let Lists { key, batches: [batch, _], .. } = of;
    let singles: Vec<_> = batch.split().map(|one| reopened(&one)).collect();
    assert!(singles.len() == 3 && singles.iter().all(|one| one.len() == 1));
    for (at, mut one) in singles.into_iter().enumerate() {
        for (of, package) in packages.iter().enumerate() {
            let Ok(claim) = one.claim_for(&key.shares[0], package) else { continue };
            assert_eq!(at, of);
            key.shares[0].sign(package, release(claim)).unwrap();
        }
        assert!(one.is_empty());
    }
}

#[test]
fn batch_that_is_split_has_each_pair_once() {
    split::<Cheap>();
    split::<Even>();
}

#[test]
fn pairs_that_are_swapped_or_mixed_are_no_pair_of_the_batch() {
    let mut of = Lists::<Cheap>::new();
    let name = of.key.public.package_id();
    let pairs: Vec<_> = of.batches[0].commitments().collect();
    let other = of.batches[1].commitments().next().unwrap();
    let [d, e] = [pairs[0].hiding(), pairs[0].binding()].map(|bytes| *bytes);
    let mixed = [
        (e, d),
        (d, *pairs[1].binding()),
        (*pairs[1].hiding(), e),
        (*other.hiding(), *other.binding()),
    ];
    for (d, e) in mixed {
        let asked = Commitments::from_parts(id(1), name, &d, &e).unwrap();
        let package = SigningPackage::new(&of.key.public, [asked, other], MESSAGE).unwrap();
        let refused = of.batches[0].claim_for(&of.key.shares[0], &package).unwrap_err();
        assert_eq!(refused, ClaimError::NoNonces);
    }
    assert_eq!((of.batches[0].len(), of.batches[0].counters().refused), (3, 4));
}

/// Lists of another key and of another epoch have no slot in common with this one's, and a signer whose epoch it is not
/// signs neither.
#[test]
fn lists_of_another_key_or_epoch_are_refused_and_nobody_is_to_blame() {
    let of = Lists::<Cheap>::new();
    let public = &of.key.public;
    let (stranger, later) = (Key::<Cheap>::new(3, 2), of.key.at_epoch(1));
    for (key, why) in
        [(&stranger, Mismatch::WrongKey), (&later, Mismatch::WrongEpoch { expected: 0, got: 1 })]
    {
        let list = key.shares[1].precompute(3, &mut rng(11)).publish();
        let refused = PackageError::Mismatch { party: id(2), why };
        let common = PublishedNonces::common(public, [&of.lists[0], &list]);
        assert_eq!(common, Err(refused.clone()));
        let pair = [of.lists[0].clone(), list].map(|mut list| list.take(0).unwrap());
        let package = SigningPackage::new(public, pair, MESSAGE).unwrap_err();
        assert_eq!((package.culprits().count(), package), (0, refused));
    }
    // The pair of epoch 0, under the name of epoch 1: neither the old share nor the new one signs with it.
    let pairs = of.lists.clone().map(|mut list| {
        let one = list.take(0).unwrap();
        let name = later.public.package_id();
        Commitments::from_parts(one.id(), name, one.hiding(), one.binding()).unwrap()
    });
    let package = SigningPackage::new(&later.public, pairs, MESSAGE).unwrap();
    for share in [&of.key.shares[0], &later.shares[0]] {
        let mut batch = reopened(&of.batches[0]);
        let refused = batch.claim_for(share, &package).unwrap_err();
        assert!(matches!(refused, ClaimError::Sign(SignError::Mismatch(_))), "{refused:?}");
        assert_eq!((batch.len(), batch.counters().refused), (3, 1));
    }
    // Nor does the new share add to the old batch.
    let mut batch = reopened(&of.batches[0]);
    assert!(!later.shares[0].replenish(&mut batch, 1, &mut rng(1)) && batch.len() == 3);
}

/// Packages that ask for a pair of the batch and that its owner does not sign: the pair is still there for one that it signs.
fn packages_that_nobody_signs<S: Ciphersuite>() {
    let of = Lists::<S>::new();
    let (share, later) = (&of.key.shares[0], of.key.at_epoch(1));
    let mut batch = reopened(&of.batches[0]);
    let right = of.package(0, MESSAGE);
    let [mine, other] = of.lists.clone().map(|mut list| list.take(0).unwrap());
    let named = |one: &Commitments<S>, party, name| {
        let [d, e] = [one.hiding(), one.binding()];
        Commitments::from_parts(id(party), name, d.as_ref(), e.as_ref()).unwrap()
    };
    let name = of.key.public.package_id();
    let new = later.public.package_id();
    let of_new = [named(&mine, 1, new), named(&other, 2, new)];
    let cases = [
        (forged(&[mine]), SignError::TooFewSigners { got: 1, need: 2 }),
        (forged(&[mine, named(&other, 4, name)]), SignError::UnknownParty(id(4))),
        (forged(&of_new), SignError::Mismatch(Mismatch::WrongEpoch { expected: 0, got: 1 })),
    ];
    let generation = batch.generation();
    for (package, why) in &cases {
        let refused = batch.claim_for(share, package).unwrap_err();
        assert_eq!(refused, ClaimError::Sign(*why));
    }
    // The share of another party, and of a later epoch.
    let refused = batch.claim_for(&of.key.shares[1], &right).unwrap_err();
    assert_eq!(refused, ClaimError::Sign(SignError::CommitmentMismatch));
    let refused = batch.claim_for(&later.shares[0], &right).unwrap_err();
    assert!(matches!(refused, ClaimError::Sign(SignError::Mismatch(_))));
    // A seed of another length.
    let seed = RandomizerSeed::from_bytes(b"short");
    let refused = batch.claim_randomized(share, &right, &seed).unwrap_err();
    assert_eq!(refused, ClaimError::Sign(SignError::Tweak));
    let counters = batch.counters();
    assert_eq!((batch.len(), batch.generation()), (3, generation));
    assert_eq!((counters.claimed, counters.refused), (0, 6));
    let claim = batch.claim_for(share, &right).unwrap();
    share.sign(&right, release(claim)).unwrap();
    assert_eq!((batch.len(), batch.counters().claimed), (2, 1));
}

#[test]
fn a_package_that_nobody_signs_spends_no_pair() {
    for_suites!(packages_that_nobody_signs);
}

#[test]
fn a_signer_listed_twice_has_its_slots_once() {
    let of = Lists::<Cheap>::new();
    let [one, two] = &of.lists;
    let common = |lists: &[&PublishedNonces<Cheap>]| {
        PublishedNonces::common(&of.key.public, lists.iter().copied()).unwrap()
    };
    assert_eq!(common(&[one, two, one, two]), common(&[one, two]));
    assert!(common(&[]).is_empty());
    let [first, second] = [one, two].map(|list| list.clone().take(2).unwrap());
    let again = one.clone().take(0).unwrap();
    for pairs in [[first, second, first], [first, second, again]] {
        let twice = SigningPackage::new(&of.key.public, pairs, MESSAGE);
        assert_eq!(twice, Err(PackageError::DuplicateParty(id(1))));
    }
}

/// A generator that was restored with a machine makes pairs again that the batch still has: they are not added a second
/// time, and the batch can be stored and opened.
fn repeats<S: Ciphersuite>() {
    let key = Key::<S>::new(3, 1);
    let mut batch = key.shares[0].precompute(3, &mut rng(5));
    let before = batch.publish();
    assert!(key.shares[0].replenish(&mut batch, 4, &mut rng(5)));
    let slots = reopened(&batch).slots();
    assert!(slots.iter().eq(0..4), "{slots:?}");
    assert_eq!(batch.counters().made, 4);
    let kept = before
        .slots()
        .iter()
        .all(|slot| before.clone().take(slot).unwrap() == batch.publish().take(slot).unwrap());
    assert!(kept);
}

#[test]
fn a_generator_that_repeats_itself_adds_no_pair_twice() {
    repeats::<Cheap>();
    repeats::<Even>();
}

/// A generator that gives one byte for ever makes one pair, and once it is claimed nothing is left of it.
#[test]
fn a_stuck_generator_leaves_no_copy_of_a_claimed_pair() {
    let key = Key::<Cheap>::new(3, 1);
    for count in [1, 2, 3] {
        let mut batch = key.shares[0].precompute(count, &mut Stuck::at(7));
        let (_, other) = key.shares[1].commit(&mut rng(8));
        let mine = batch.commitments().next().unwrap();
        let package = SigningPackage::new(&key.public, [mine, other], MESSAGE).unwrap();
        assert!(batch.claim_for(&key.shares[0], &package).is_ok());
        let again = reopened(&batch).claim_for(&key.shares[0], &package);
        assert_eq!((batch.len(), again.is_ok()), (0, false));
    }
}

/// Messages that are read together: of several pairs, of somebody else, cut, and with a bad point.
fn messages_read_together<S: Ciphersuite<Curve: Encoding>>() {
    let key = Key::<S>::new(3, 1);
    let made: Vec<_> = key.shares[0].precompute(9, &mut rng(2)).commitments().collect();
    let mut sent: Vec<_> = made.iter().map(Commitments::to_bytes).collect();
    let me = key.shares[0].id();
    let together = |sent: &[Vec<u8>]| Commitments::<S>::from_bytes_many(me, sent);
    let alone = |sent: &[Vec<u8>]| -> Vec<_> {
        sent.iter().map(|one| Commitments::<S>::from_bytes(me, one)).collect()
    };
    assert!(together(&[]).is_empty());
    assert!(together(&sent).into_iter().eq(made.iter().copied().map(Ok)));
    sent[2] = key.shares[1].commit(&mut rng(3)).1.to_bytes();
    sent[5].pop();
    let read = together(&sent);
    let others = DecodeError::NotTheSenders { sender: me, named: id(2) };
    assert_eq!(read[2], Err(others));
    assert!(read[5].is_err());
    assert_eq!(read.iter().filter(|one| one.is_ok()).count(), 7);
    assert!(read == alone(&sent));
    let bad = foreign_form::<S::Curve>(made[7].binding().as_ref());
    sent[7] = replaced::<S>(&sent[7], made[7].binding().as_ref(), &bad);
    let read = together(&sent);
    assert_eq!(read[7], Err(DecodeError::BadPoint));
    assert_eq!(read.iter().filter(|one| one.is_ok()).count(), 6);
    assert!(read == alone(&sent));
}

#[test]
fn commitments_read_together_are_those_read_alone() {
    messages_read_together::<Edwards>();
    messages_read_together::<Large>();
}

/// A coordinator that has read the commitments before begins the same session.
fn session_with_commitments_that_were_read<S: Ciphersuite>() {
    let key = Key::<S>::new(3, 1);
    let signed = key.sign(MESSAGE, 2);
    let coordinator = Coordinator::new(key.public.clone());
    let sent = signed.sent.iter().map(|one| (one.id(), one.to_bytes()));
    let session = coordinator.start(sent, MESSAGE).unwrap();
    let kept = coordinator.start_with(signed.sent.iter().copied(), MESSAGE).unwrap();
    assert!(kept.package() == session.package());
    let few = coordinator.start_with(signed.sent.iter().copied().take(1), MESSAGE);
    assert_eq!(few.unwrap_err(), PackageError::TooFewSigners { got: 1, need: 2 });
}

#[test]
fn commitments_that_were_read_before_begin_the_same_session() {
    for_suites!(session_with_commitments_that_were_read);
}
