//! Signing under shifted keys: randomised ones and children. Shares, nonces and packages of one key, passed off as another's.

use quorate_curve::{Curve, Ed25519};
use quorate_frost::keys::derive::DerivationPath;
use quorate_frost::session::{Parties, RecordError, SpentInMemory};
use quorate_frost::{
    AggregateError, Ciphersuite, ClaimError, Commitments, KeyShare, Mismatch, NonceBatch, Nonces,
    PublicKeyPackage, RandomizedKey, RandomizerSeed, Scalar, SignError, SignatureShare,
    SigningPackage,
};

use super::bench::{Cheap, Edwards, Even, Key, MESSAGE, id, plus, release, replaced, rng};
use crate::for_suites;

/// A package, and the shares of all parties under the key that a seed makes of theirs.
struct Randomized<S: Ciphersuite> {
    package: SigningPackage<S>,
    key: RandomizedKey<S>,
    shares: Vec<SignatureShare<S>>,
}

impl<S: Ciphersuite> Randomized<S> {
    fn new(key: &Key<S>, seed: &RandomizerSeed, message: &[u8], nonces: u8) -> Self {
        let mut rng = rng(nonces);
        let round: Vec<_> = key.shares.iter().map(|share| share.commit(&mut rng)).collect();
        let sent = round.iter().map(|(_, public)| *public);
        let package = SigningPackage::new(&key.public, sent, message).unwrap();
        let sign = |(share, nonces): (&KeyShare<S>, Nonces<S>)| {
            share.sign_randomized(&package, nonces, seed).unwrap()
        };
        let nonces = round.into_iter().map(|(nonces, _)| nonces);
        let shares = key.shares.iter().zip(nonces).map(sign).collect();
        let key = key.public.randomized(&package, seed).unwrap();
        Self { package, key, shares }
    }

    /// A share with an error, under the digest of the seed.
    fn plus(&self, at: usize, error: Scalar<S>) -> SignatureShare<S> {
        self.passed_off(&plus(&self.shares[at], &self.package, error))
    }

    /// A share of something else, as one of this package and seed.
    fn passed_off(&self, share: &SignatureShare<S>) -> SignatureShare<S> {
        let (from, to) = (share.package_digest(), self.shares[0].package_digest());
        let bytes = replaced::<S>(&share.to_bytes(), &from, &to);
        SignatureShare::from_bytes(share.id(), &bytes).unwrap()
    }
}

/// Errors under a randomised key, over enough seeds that its sign changes where keys are even.
fn randomized_errors<S: Ciphersuite>() {
    let key = Key::<S>::new(4, 1);
    let (zero, one) = (Scalar::<S>::default(), Scalar::<S>::from(1));
    for number in 0..4 {
        let seed = RandomizerSeed::new::<S>(&mut rng(number));
        let of = Randomized::new(&key, &seed, MESSAGE, number);
        for errors in
            [[zero, one, -one, zero], [zero, one, one + one, zero], [one, one, -one, -(one + one)]]
        {
            let shares: Vec<_> =
                errors.iter().enumerate().map(|(at, error)| of.plus(at, *error)).collect();
            let wrong =
                |share: &&SignatureShare<S>| of.key.verify_share(&of.package, share).is_err();
            let alone: Vec<_> = shares.iter().filter(wrong).map(SignatureShare::id).collect();
            let expected = (1..).zip(&errors).filter(|(_, error)| **error != zero);
            assert!(expected.map(|(number, _)| id(number)).eq(alone.iter().copied()));
            let sum = errors.iter().fold(zero, |sum, error| sum + *error);
            match of.key.aggregate(&of.package, &shares) {
                Ok(signature) if sum == zero => {
                    of.key.verifying_key().verify(MESSAGE, &signature).unwrap();
                }
                result => assert_eq!(result, Err(AggregateError::Cheaters(alone))),
            }
        }
        // Party 2 leaves the seed out, or takes another, and passes the share off as right.
        let other = RandomizerSeed::new::<S>(&mut rng(number + 100));
        let other = Randomized::new(&key, &other, MESSAGE, number);
        let plain = key.sign(MESSAGE, number);
        for wrong in [plain.shares[1], other.shares[1]] {
            let mut shares = of.shares.clone();
            shares[1] = of.passed_off(&wrong);
            let named = of.key.aggregate(&of.package, &shares);
            assert_eq!(named, Err(AggregateError::Cheaters(vec![id(2)])));
        }
    }
}

#[test]
fn errors_under_a_randomised_key_name_exactly_the_cheaters() {
    for_suites!(randomized_errors);
}

/// The key of one package and the shares of another, or a package that is not the key's. Nobody is named.
fn another_package<S: Ciphersuite>() {
    let key = Key::<S>::new(3, 1);
    let seed = RandomizerSeed::new::<S>(&mut rng(1));
    let [one, two] = [b"one", b"two"].map(|text| Randomized::new(&key, &seed, text, text[0]));
    for (key, package, shares) in [
        (&one.key, &two.package, &one.shares),
        (&one.key, &two.package, &two.shares),
        (&one.key, &one.package, &two.shares),
    ] {
        let refused = key.aggregate(package, shares).unwrap_err();
        assert_eq!(refused, AggregateError::OtherPackage(id(1)));
        let refused = key.verify_share(package, &shares[1]).unwrap_err();
        assert_eq!(refused, AggregateError::OtherPackage(id(2)));
    }
    let nothing = one.key.aggregate(&two.package, &[]).unwrap_err();
    assert!(nothing.culprits().is_empty());
    one.key.aggregate(&one.package, &one.shares).unwrap();
}

#[test]
fn a_randomised_key_of_another_package_names_nobody() {
    another_package::<Cheap>();
    another_package::<Even>();
}

/// One pair under two seeds, and with and without one: one record for each, and only the first is made.
#[test]
fn one_pair_of_nonces_is_released_for_one_seed() {
    let key = Key::<Cheap>::new(3, 1);
    let share = &key.shares[0];
    let stored = share.precompute(1, &mut rng(2));
    let mine = stored.commitments().next().unwrap();
    let (_, other) = key.shares[1].commit(&mut rng(3));
    let package = SigningPackage::new(&key.public, [mine, other], MESSAGE).unwrap();
    let table = &mut SpentInMemory::new();
    let seeds = [1, 2].map(|seed| RandomizerSeed::new::<Cheap>(&mut rng(seed)));
    let empty = RandomizerSeed::from_bytes(b"");
    let open = || super::bench::reopened(&stored);
    let first = open().claim_randomized(share, &package, &seeds[0]).unwrap();
    let on = first.record().digest;
    drop(first.record().store(table).unwrap());
    let refused = open().claim_randomized(share, &package, &empty).unwrap_err();
    assert_eq!(refused, ClaimError::Sign(SignError::Tweak));
    for claim in
        [open().claim_randomized(share, &package, &seeds[1]), open().claim_for(share, &package)]
    {
        let record = claim.unwrap().record();
        assert_eq!(record.store(table).unwrap_err(), RecordError::Spent { id: record.id, on });
    }
    let again = open().claim_randomized(share, &package, &seeds[0]).unwrap();
    drop(again.record().store(table).unwrap());
    // Released without a seed, it signs with none.
    let nonces = || release(open().claim_for(share, &package).unwrap());
    for seed in &seeds {
        let refused = share.sign_randomized(&package, nonces(), seed).unwrap_err();
        assert_eq!(refused, SignError::OtherPackage);
    }
}

/// A coordinator moves the first entry of the list of commitments into the seed: the hash would be the same for the package
/// of all signers and for the one without the first, and with it the randomised key.
fn moved_boundary<S: Ciphersuite>() {
    let key = Key::<S>::new(3, 1);
    let signed = key.sign(MESSAGE, 2);
    let first = signed.sent[0];
    let number = S::Curve::encode_scalar(&1.into());
    let seed = RandomizerSeed::new::<S>(&mut rng(1));
    let entry = [number.as_ref(), first.hiding().as_ref(), first.binding().as_ref()].concat();
    let longer = RandomizerSeed::from_bytes(&[seed.as_bytes(), &entry].concat());
    let fewer = SigningPackage::new(&key.public, signed.sent[1..].to_vec(), MESSAGE).unwrap();
    let whole = key.public.randomized(&signed.package, &seed).unwrap();
    let moved = key.public.randomized(&fewer, &longer);
    assert!(moved.is_err(), "one key for two packages: {moved:?}, {whole:?}");
    // No signer takes such a seed either, and no shorter one.
    let short = RandomizerSeed::from_bytes(&seed.as_bytes()[1..]);
    for seed in [longer, short, RandomizerSeed::from_bytes(b"")] {
        let (nonces, mine) = key.shares[1].commit(&mut rng(3));
        let package = SigningPackage::new(&key.public, [mine, signed.sent[2]], MESSAGE).unwrap();
        let refused = key.shares[1].sign_randomized(&package, nonces, &seed).unwrap_err();
        assert_eq!(refused, SignError::Tweak);
    }
}

#[test]
fn a_seed_of_another_length_makes_no_randomised_key() {
    for_suites!(moved_boundary);
}

/// A child's package, with shares that belong to its parent or to another child.
#[test]
fn shares_and_nonces_of_a_parent_sign_nothing_for_its_child() {
    let key = Key::<Edwards>::new(3, 1);
    let root = key.public.extended_key([7; 32]);
    let child = |path: &str| {
        let path: DerivationPath = path.parse().unwrap();
        let public = key.public.derive(&root, &path).unwrap();
        let share = |share: &KeyShare<_>| share.derive(&key.public, &root, &path).unwrap();
        Key { shares: key.shares.iter().map(share).collect(), public }
    };
    let [one, two] = ["m/0", "m/1"].map(child);
    let right = one.sign(MESSAGE, 2);
    let signature = one.public.aggregate(&right.package, &right.shares).unwrap();
    one.public.verifying_key().verify(MESSAGE, &signature).unwrap();
    assert!(key.public.verifying_key().verify(MESSAGE, &signature).is_err());
    // Party 2 signs with the parent's share, or with that of a sibling.
    for other in [&key, &two] {
        let z = other.sign(MESSAGE, 2).shares[1].scalar();
        let wrong = SignatureShare::from_parts(id(2), &right.package, z.as_ref()).unwrap();
        let mut shares = right.shares.clone();
        shares[1] = wrong;
        let named = one.public.aggregate(&right.package, &shares);
        assert_eq!(named, Err(AggregateError::Cheaters(vec![id(2)])));
        // Without the pretence it is a share of another key, and names nobody.
        shares[1] = other.sign(MESSAGE, 2).shares[1];
        let refused = one.public.aggregate(&right.package, &shares).unwrap_err();
        assert!(
            matches!(refused, AggregateError::Mismatch { .. }) && refused.culprits().is_empty()
        );
    }
    // Nonces of the parent under the child's name.
    let renamed = |one: &Commitments<Edwards>, name| {
        Commitments::from_parts(one.id(), name, one.hiding(), one.binding()).unwrap()
    };
    for share in [&key.shares[0], &one.shares[0]] {
        let (nonces, mine) = key.shares[0].commit(&mut rng(5));
        let name = one.public.package_id();
        let sent = [renamed(&mine, name), right.sent[1]];
        let package = SigningPackage::new(&one.public, sent, MESSAGE).unwrap();
        assert!(matches!(share.sign(&package, nonces), Err(SignError::Mismatch(_))));
    }
}

/// Stored pairs of the parent sign for one descendant, whichever, and then for no other and not for the parent.
#[test]
fn a_stored_pair_of_a_parent_signs_for_one_descendant() {
    let key = Key::<Edwards>::new(3, 1);
    let root = key.public.extended_key([7; 32]);
    let stored: Vec<_> =
        (1..).zip(&key.shares).map(|(n, one)| one.precompute(1, &mut rng(n))).collect();
    let sent = || stored.iter().map(|batch| batch.commitments().next().unwrap());
    let table = &mut SpentInMemory::new();
    for (path, is_first) in [("m/0/5", true), ("m/1", false)] {
        let path: DerivationPath = path.parse().unwrap();
        let public = key.public.derive(&root, &path).unwrap();
        let own = sent().map(|one| one.for_child(key.public.package_id(), &public).unwrap());
        let package = SigningPackage::new(&public, own, MESSAGE).unwrap();
        let own: Vec<_> =
            key.shares.iter().map(|one| one.derive(&key.public, &root, &path).unwrap()).collect();
        let claims = stored.iter().zip(&own).map(|(one, share)| {
            let mut one = super::bench::reopened(one);
            one.claim_for_child(key.public.package_id(), share, &package).unwrap()
        });
        let claims: Vec<_> = claims.collect();
        for claim in &claims {
            assert_eq!(claim.record().store(table).is_ok(), is_first);
        }
        let shares = own
            .iter()
            .zip(claims)
            .map(|(share, claim)| share.sign(&package, release(claim)).unwrap());
        let signature = public.aggregate(&package, &shares.collect::<Vec<_>>()).unwrap();
        public.verifying_key().verify(MESSAGE, &signature).unwrap();
    }
    let package = SigningPackage::new(&key.public, sent(), MESSAGE).unwrap();
    let of_parent = super::bench::reopened(&stored[0]).claim_for(&key.shares[0], &package).unwrap();
    assert!(of_parent.record().store(table).is_err());
    // A claim for a child is of no use to the parent's share.
    let child = key.public.derive(&root, &"m/1".parse().unwrap()).unwrap();
    let parent = key.public.package_id();
    let own = sent().map(|one| one.for_child(parent, &child).unwrap());
    let package = SigningPackage::new(&child, own, MESSAGE).unwrap();
    let mut batch = super::bench::reopened(&stored[0]);
    let path = "m/1".parse().unwrap();
    let share = key.shares[0].derive(&key.public, &root, &path).unwrap();
    let refused = batch.claim_for_child(parent, &key.shares[0], &package).unwrap_err();
    assert!(matches!(refused, ClaimError::Sign(SignError::Mismatch(_))));
    let nonces = release(batch.claim_for_child(parent, &share, &package).unwrap());
    assert!(matches!(key.shares[0].sign(&package, nonces), Err(SignError::Mismatch(_))));
}

/// Pairs of another key, and of the same key before a refresh, are no pairs of the parent: the coordinator does not take their
/// commitments for a child, and the signer takes no pair out of such a batch.
#[test]
fn stored_pairs_of_another_key_or_epoch_sign_for_no_child() {
    let old = Key::<Edwards>::new(3, 1);
    let (now, stranger) = (old.at_epoch(1), Key::<Edwards>::new(3, 2));
    let path: DerivationPath = "m/0/5".parse().unwrap();
    let parent = now.public.package_id();
    let root = now.public.extended_key([7; 32]);
    let child = now.public.derive(&root, &path).unwrap();
    let share = now.shares[0].derive(&now.public, &root, &path).unwrap();
    let refused = |batch: &mut NonceBatch<_>, parent, package: &SigningPackage<_>, why| {
        let claim = batch.claim_for_child(parent, &share, package);
        assert_eq!(claim.unwrap_err(), ClaimError::Sign(SignError::Mismatch(why)));
        assert_eq!((batch.len(), batch.counters().refused), (1, 1));
    };
    for (key, why) in
        [(&old, Mismatch::WrongEpoch { expected: 1, got: 0 }), (&stranger, Mismatch::WrongKey)]
    {
        let mut batch = key.shares[0].precompute(1, &mut rng(1));
        let mine = batch.commitments().next().unwrap();
        assert_eq!(mine.for_child(parent, &child).unwrap_err(), why);
        // The coordinator passes them off as the parent's, or takes the old key for the parent.
        refused(&mut batch, parent, &package_of(&now, &child, &mine), why);
    }
    let batch = &mut old.shares[0].precompute(1, &mut rng(1));
    let mine = batch.commitments().next().unwrap();
    let stale = old.public.package_id();
    let why = Mismatch::WrongEpoch { expected: 1, got: 0 };
    assert_eq!(mine.for_child(stale, &child).unwrap_err(), why);
    refused(batch, stale, &package_of(&now, &child, &mine), why);
}

/// A pair that a child's share made serves neither the parent nor a sibling, and one of another sharing of the parent's key in its
/// epoch serves no child. A claim for the key itself takes no pair out for a child.
#[test]
fn stored_pairs_of_a_child_or_of_another_sharing_are_not_the_parents() {
    let key = Key::<Edwards>::new(3, 1);
    let (parent, root) = (key.public.package_id(), key.public.extended_key([7; 32]));
    let derived = |path: &str| {
        let path = path.parse().unwrap();
        let share = key.shares[0].derive(&key.public, &root, &path).unwrap();
        (key.public.derive(&root, &path).unwrap(), share)
    };
    let ((child, share), (sibling, other)) = (derived("m/0"), derived("m/1"));
    let sharing = of_two(&key);
    let refused = |made: &KeyShare<_>, for_child, share, public: &PublicKeyPackage<_>, why| {
        let mut batch = made.precompute(1, &mut rng(1));
        let mine = batch.commitments().next().unwrap();
        let package = package_of(&key, public, &mine);
        let claim = if for_child {
            assert_eq!(mine.for_child(parent, public).unwrap_err(), why);
            batch.claim_for_child(parent, share, &package)
        } else {
            batch.claim_for(share, &package)
        };
        assert_eq!(claim.unwrap_err(), ClaimError::Sign(SignError::Mismatch(why)));
        assert_eq!((batch.len(), batch.counters().refused), (1, 1));
    };
    refused(&share, false, &key.shares[0], &key.public, Mismatch::WrongKey);
    refused(&share, true, &key.shares[0], &key.public, Mismatch::WrongKey);
    refused(&share, true, &other, &sibling, Mismatch::WrongKey);
    refused(&sharing, true, &share, &child, Mismatch::WrongPackage { epoch: 0 });
    refused(&key.shares[0], false, &share, &child, Mismatch::WrongKey);
}

/// The first share of a key in another package of it, whose parties are the first two.
fn of_two(key: &Key<Edwards>) -> KeyShare<Edwards> {
    let parties = Parties::numbered(2).unwrap();
    let verifying: Vec<_> =
        parties.iter().map(|id| key.public.verifying_share(id).unwrap()).collect();
    let point = key.public.verifying_key().as_bytes();
    let public = PublicKeyPackage::from_parts(2, 0, parties, point.as_ref(), &verifying).unwrap();
    let secret = Ed25519::encode_scalar(key.shares[0].secret_share().secret().expose());
    let mut share = KeyShare::import(id(1), secret.as_ref(), &public).unwrap();
    share.confirm();
    share
}

/// A child's package with these commitments in it, whatever made them, and with right ones of party 2.
fn package_of(
    parent: &Key<Edwards>,
    child: &PublicKeyPackage<Edwards>,
    first: &Commitments<Edwards>,
) -> SigningPackage<Edwards> {
    let (_, second) = parent.shares[1].commit(&mut rng(2));
    let named = [first, &second].map(|one| {
        Commitments::from_parts(one.id(), child.package_id(), one.hiding(), one.binding()).unwrap()
    });
    SigningPackage::new(child, named, MESSAGE).unwrap()
}
