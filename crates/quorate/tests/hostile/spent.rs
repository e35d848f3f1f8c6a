//! FR-02, SE-10: nonces that outlive a process. Crashes lose nothing, restores spend nothing twice.

use quorate::frost::generic::{
    ClaimError, Mismatch, NonceBatch, PackageError, PublishedNonces, ReceiptError, SignError,
    SigningPackage,
};
use quorate::session::stock::{Counters, WaterMarks};
use quorate::session::{ClaimRecord, Continuity, RecordError, SpentInMemory};

use super::harness::Hostile;
use super::harness::{Key, MUTATOR, id, release, rng, seal_key};

/// Sealed nonces of party 2, and packages that ask for them: two of one message each.
struct Stored<S: Hostile> {
    key: Key<S>,
    sealed: Vec<u8>,
    packages: [SigningPackage<S>; 2],
}

impl<S: Hostile> Stored<S> {
    fn new() -> Self {
        let key = Key::<S>::new(1);
        let (batches, sent) = key.commit(&[1, MUTATOR], 3);
        let package =
            |text: &[u8]| SigningPackage::new(&key.public, sent.iter().copied(), text).unwrap();
        let packages = [package(b"one"), package(b"two")];
        Self { sealed: batches[1].seal(&seal_key()), packages, key }
    }

    fn open(&self) -> NonceBatch<S> {
        NonceBatch::open(&self.sealed, &seal_key(), Continuity::StayedUp).unwrap()
    }

    /// A signer's steps with a stored batch, up to the bytes that it sends.
    fn sign(&self, package: usize, table: &mut SpentInMemory) -> Result<Vec<u8>, ClaimRecord> {
        let package = &self.packages[package];
        let claim = self.open().claim_for(self.key.share(MUTATOR), package).unwrap();
        let record = claim.record();
        assert_eq!((record.id, record.digest), (claim.id().0, package.digest(None)));
        let receipt = record.store(table).map_err(|_| record)?;
        let nonces = claim.release(receipt).unwrap();
        Ok(self.key.share(MUTATOR).sign(package, nonces).unwrap().to_bytes())
    }
}

/// A share that was recorded and lost before it was sent comes out again, even after whole batches.
fn crash_before_sending<S: Hostile>() {
    let stored = Stored::<S>::new();
    let table = &mut SpentInMemory::new();
    let lost = stored.sign(0, table).unwrap();
    let again = stored.sign(0, table).unwrap();
    assert_eq!(lost, again, "the very same share");
    assert_eq!(table.len(), 1);
    // For anything else the nonces are spent, and stay spent.
    let refused = stored.sign(1, table).unwrap_err();
    let first = stored.packages[0].digest(None);
    let spent = RecordError::Spent { id: refused.id, on: first };
    assert_eq!(refused.store(table).unwrap_err(), spent);
    assert_eq!(stored.sign(0, table).unwrap(), lost);
}

#[test]
fn fr_02_a_share_is_released_again_after_a_crash_and_for_nothing_else() {
    quorate_testkit::for_every_suite!(crash_before_sending);
}

/// A receipt fits its own claim, and released nonces sign their own package.
fn receipts<S: Hostile>() {
    let stored = Stored::<S>::new();
    let [one, two] = &stored.packages;
    let claim = |package| stored.open().claim_for(stored.key.share(MUTATOR), package).unwrap();
    let receipt = |record: ClaimRecord| record.store(&mut SpentInMemory::new()).unwrap();
    let other_package = receipt(claim(two).record());
    assert_eq!(claim(one).release(other_package).unwrap_err(), ReceiptError);
    let (mut others, _) = stored.key.commit(&[1], 3);
    let other_pair = receipt(others[0].claim_for(stored.key.share(1), one).unwrap().record());
    assert_eq!(claim(one).release(other_pair).unwrap_err(), ReceiptError);
    let released = claim(one).release(receipt(claim(one).record())).unwrap();
    let signed = stored.key.share(MUTATOR).sign(two, released);
    assert_eq!(signed.unwrap_err(), SignError::OtherPackage);
}

#[test]
fn fr_02_a_receipt_fits_one_claim_and_released_nonces_one_package() {
    quorate_testkit::for_every_suite!(receipts);
}

/// A crash between sealing and publishing loses nothing: the stored batch has all its commitments.
fn crash_before_publishing<S: Hostile>() {
    let key = Key::<S>::new(1);
    let share = key.share(MUTATOR);
    let mut batch = share.precompute(3, &mut rng(5));
    let public: Vec<_> = batch.commitments().collect();
    let sealed = batch.seal(&seal_key());
    let opened = NonceBatch::<S>::open(&sealed, &seal_key(), Continuity::StayedUp).unwrap();
    assert!(opened.commitments().eq(public.iter().copied()), "nothing is lost");
    assert!(opened.ids().eq(public.iter().map(|one| one.nonce_id())));
    assert_eq!((opened.generation(), opened.len()), (batch.generation(), 3));
    assert_eq!((opened.id(), opened.package_id()), (id(MUTATOR), key.public.package_id()));
    assert_eq!(*opened.seal(&seal_key()), *sealed, "one form for one batch");
    // After a restart that is not vouched for, the batch is empty and stays so.
    let emptied = NonceBatch::<S>::open(&sealed, &seal_key(), Continuity::Unknown).unwrap();
    assert_eq!((emptied.len(), emptied.dropped(), emptied.counters().expired), (0, 3, 3));
    assert!(emptied.generation() > batch.generation() && emptied.publish().slots().is_empty());

    // Every change is a greater generation, so that a store can tell which batch is the newer.
    let mut generations = vec![batch.generation()];
    assert!(share.replenish(&mut batch, 2, &mut rng(6)));
    generations.push(batch.generation());
    assert!(public.iter().all(|one| batch.commitments().any(|kept| kept == *one)));
    let (_, partner) = key.commit(&[1], 3);
    let package = SigningPackage::new(&key.public, [public[0], partner[0]], b"m").unwrap();
    let claim = batch.claim_for(share, &package).unwrap();
    generations.push(batch.generation());
    assert!(batch.discard(&public[1].nonce_id()));
    generations.push(batch.generation());
    assert!(generations.is_sorted_by(|a, b| a < b));
    // A call that changes nothing keeps the generation.
    assert!(!batch.discard(&claim.id()));
    assert_eq!(batch.claim_for(share, &package).unwrap_err(), ClaimError::NoNonces);
    assert!(!key.share(1).replenish(&mut batch, 2, &mut rng(6)), "another signer's");
    assert_eq!((batch.generation(), batch.len()), (generations[3], 3));
}

#[test]
fn fr_02_nothing_is_lost_between_sealing_and_publishing() {
    quorate_testkit::for_every_suite!(crash_before_publishing);
}

/// Bulk, water marks, counters, expiry, and slots that mean the same at every signer.
fn stock<S: Hostile>() {
    let key = Key::<S>::new(1);
    let marks = WaterMarks { low: 3, high: 6 };
    let signers = [1, MUTATOR];
    let mut rng = rng(9);
    let mut batches = signers.map(|party| key.share(party).precompute(6, &mut rng));
    let published = |batches: &[NonceBatch<S>; 2]| {
        signers.map(|party| {
            let batch = &batches[usize::from(party) - 1];
            let sent = batch.publish().to_bytes();
            let read = PublishedNonces::<S>::from_bytes(id(party), &sent).unwrap();
            assert!(read == batch.publish() && read.to_bytes() == sent);
            assert!(PublishedNonces::<S>::from_bytes(id(5), &sent).is_err(), "in another's name");
            read
        })
    };
    let mut known = published(&batches);
    for (one, batch) in known.iter().zip(&batches) {
        assert_eq!((one.generation(), one.to_make(marks)), (batch.generation(), 0));
        assert_eq!(one.to_make(WaterMarks { low: 7, high: 10 }), 4);
    }
    // Slot 4 for all, by number.
    let pair = known.each_mut().map(|one| one.take(4).unwrap());
    assert!(known[0].take(4).is_none());
    let package = SigningPackage::new(&key.public, pair, b"m").unwrap();
    let shares = [0, 1].map(|at| {
        let share = key.share(signers[at]);
        let claim = batches[at].claim_for(share, &package).unwrap();
        share.sign(&package, release(claim)).unwrap()
    });
    key.public.aggregate(&package, &shares).unwrap();
    assert_eq!(batches[0].claim_for(key.share(1), &package).unwrap_err(), ClaimError::NoNonces);
    // The second signer has lost slot 0 as well.
    let first = batches[1].ids().next().unwrap();
    assert!(batches[1].discard(&first));
    let common = PublishedNonces::common(&key.public, &published(&batches)).unwrap();
    assert!(common.iter().eq([1, 2, 3, 5]));
    let counters = Counters { made: 6, claimed: 1, expired: 0, refused: 1 };
    assert_eq!((batches[0].counters(), batches[0].to_make(marks)), (counters, 0));
    // Stored and restored; below the low mark it is filled up, in slots that were never used.
    let mut batch =
        NonceBatch::<S>::open(&batches[1].seal(&seal_key()), &seal_key(), Continuity::StayedUp)
            .unwrap();
    let ids: Vec<_> = batch.ids().take(2).collect();
    assert!(ids.iter().all(|one| batch.discard(one)));
    assert_eq!((batch.len(), batch.to_make(marks)), (2, 4));
    let count = batch.to_make(marks);
    assert!(key.share(MUTATOR).replenish(&mut batch, count, &mut rng));
    assert!(batch.slots().iter().eq([3, 5, 6, 7, 8, 9]));
    assert_eq!(batch.counters(), Counters { made: 10, claimed: 1, expired: 3, refused: 0 });
    // When the epoch ends, all of them are dropped, here and at the coordinator.
    assert_eq!(batch.keep_only(&key.public), 0);
    let other = Key::<S>::new(2).public;
    assert_eq!((batch.keep_only(&other), batch.len(), batch.keep_only(&other)), (6, 0, 0));
    assert_eq!((known[1].keep_only(&other), known[1].slots().is_empty()), (5, true));
    let why = Mismatch::WrongKey;
    let party = id(1);
    let mismatch = PublishedNonces::common(&other, &published(&batches));
    assert_eq!(mismatch, Err(PackageError::Mismatch { party, why }));
}

#[test]
fn fr_02_nonces_are_a_stock_with_marks_and_slots() {
    quorate_testkit::for_every_suite!(stock);
}
