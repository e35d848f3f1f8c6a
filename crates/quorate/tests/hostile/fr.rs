//! Attacks on signing, FR-01 to FR-05, FR-07, FR-08 and FR-12.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;
use quorate::frost::generic::curve::{Curve, Secret};
use quorate::frost::generic::dkg::parts::{Announcement, part3};
use quorate::frost::generic::hash::SuiteHash;
use quorate::frost::generic::{
    AggregateError, ClaimError, Commitments, Coordinator, DecodeError, DkgParams, NonceBatch,
    PackageError, Scalar, SignError, Signature, SignatureShare, SigningPackage, VerifyingKey,
    verify_batch,
};

use super::cheat::{commitment, evaluate, prove, scalar_bytes};
use super::harness::Hostile;
use super::harness::{Key, MUTATOR, id, package_of, parties, release, rng, seal_key, sent};
use super::harness::{sealed_again, undigested};
use super::reference::{entries, factors, lambda, nonces, secret, share, terms};
use quorate::session::Continuity;
use quorate::session::container::HEADER;
use quorate_testkit::encodings::{encoded, identity, point_len, scalar_len};

/// The share with something added to its scalar.
pub fn plus<S: Hostile>(share: &SignatureShare<S>, error: Scalar<S>) -> SignatureShare<S> {
    let z = S::Curve::decode_scalar(share.scalar().as_ref()).unwrap() + error;
    with_scalar(share, share.id().get(), &z)
}

/// The share of this number with this scalar, as it would be sent.
pub fn with_scalar<S: Hostile>(
    share: &SignatureShare<S>,
    party: u16,
    z: &Scalar<S>,
) -> SignatureShare<S> {
    let mut bytes = undigested(&share.to_bytes()).to_vec();
    bytes[HEADER..HEADER + 2].copy_from_slice(&party.to_be_bytes());
    let start = bytes.len() - scalar_len::<S::Curve>();
    bytes[start..].copy_from_slice(&scalar_bytes::<S>(z));
    SignatureShare::from_bytes(id(party), &sealed_again::<S>(&bytes)).unwrap()
}

fn binding_factors<S: Hostile>() {
    let (key, other) = (Key::<S>::new(1), Key::<S>::new(2));
    let signed = key.sign(&[1, MUTATOR, 5], b"message", 3);
    let (batches, _) = key.commit(&[1, MUTATOR, 5], 3);
    for (batch, signature_share) in batches.iter().zip(&signed.shares) {
        let party = key.share(signature_share.id().get());
        let expected = share(party, &signed.package, nonces(batch));
        assert!(
            signature_share.scalar().as_ref() == scalar_bytes::<S>(&expected),
            "as the RFC has it"
        );
    }
    let (list, group) = (entries(&signed.package), key.public.verifying_key().as_bytes().as_ref());
    let honest = factors::<S>(group, b"message", &list);
    let fresh = entries(&key.sign(&[1, MUTATOR, 5], b"message", 4).package);
    let mut changed = vec![
        factors::<S>(other.public.verifying_key().as_bytes().as_ref(), b"message", &list),
        factors::<S>(group, b"messagf", &list),
        factors::<S>(group, b"message\0", &list),
    ];
    for at in 0..3 {
        let [mut d, mut e, mut party] = [list.clone(), list.clone(), list.clone()];
        d[at].1.clone_from(&fresh[at].1);
        e[at].2.clone_from(&fresh[at].2);
        party[at].0 = id(9);
        changed.extend([d, e, party].map(|list| factors::<S>(group, b"message", &list)));
    }
    for factors in changed {
        assert!(factors.iter().zip(&honest).all(|(one, other)| one != other), "every ρ changes");
    }
    assert!(honest[0] != honest[1] && honest[1] != honest[2]);
}

#[test]
fn fr_01_every_binding_factor_binds_everything() {
    quorate_testkit::for_every_suite!(binding_factors);
}

/// The documented misuse: one sealed batch opened twice, **and** a table of spent nonces that was
/// restored with it. Three shares of one pair of nonces are three equations for d, e and the
/// signing share.
fn nonce_reuse<S: Hostile>() {
    let key = Key::<S>::new(1);
    let victim = key.share(MUTATOR);
    let batch = victim.precompute(1, &mut rng(5));
    let mine = batch.commitments().next().unwrap();
    let sealed = batch.seal(&seal_key());
    drop(batch);
    let mut rows = Vec::new();
    for message in [b"one", b"two", b"six"] {
        let mut restored =
            NonceBatch::<S>::open(&sealed, &seal_key(), Continuity::StayedUp).unwrap();
        let (_, partner) = key.commit(&[1], 6);
        let package = SigningPackage::new(&key.public, [mine, partner[0]], message).unwrap();
        let claim = restored.claim_for(victim, &package).unwrap();
        assert_eq!(claim.id(), mine.nonce_id(), "the name under which it is recorded");
        let again = restored.claim_for(victim, &package).unwrap_err();
        assert_eq!(again, ClaimError::NoNonces, "claimed once per batch");
        let z = victim.sign(&package, release(claim)).unwrap().scalar();
        let z = S::Curve::decode_scalar(z.as_ref()).unwrap();
        let terms = terms::<S>(key.public.verifying_key().as_bytes().as_ref(), &package);
        // z = ±(d + ρe) + cλs, made positive in d and e.
        let weight = terms.challenge * lambda::<S>(package.signers(), id(MUTATOR));
        let sign = |x: Scalar<S>| if terms.negated { -x } else { x };
        rows.push((terms.factors[1], sign(weight), sign(z)));
    }
    let [(r1, w1, z1), (r2, w2, z2), (r3, w3, z3)] = rows[..] else { panic!("three shares") };
    let determinant = (r1 - r2) * (w1 - w3) - (r1 - r3) * (w1 - w2);
    let numerator = (r1 - r2) * (z1 - z3) - (r1 - r3) * (z1 - z2);
    let extracted = numerator * S::Curve::invert(&determinant);
    assert!(extracted == secret(victim), "reuse gives the share away");
}

#[test]
fn fr_02_nonces_used_twice_give_the_share_away() {
    quorate_testkit::for_every_suite!(nonce_reuse);
}

fn coordinator_equivocation<S: Hostile>() {
    let key = Key::<S>::new(1);
    let (mut batches, sent) = key.commit(&[1, MUTATOR, 5], 3);
    let [ours, theirs] =
        [b"one", b"two"].map(|text| SigningPackage::new(&key.public, sent.clone(), text).unwrap());
    let mut sign = |at: usize, party: u16, package: &SigningPackage<S>| {
        let share = key.share(party);
        let nonces = release(batches[at].claim_for(share, package).unwrap());
        share.sign(package, nonces).unwrap()
    };
    let shares = [sign(0, 1, &ours), sign(1, MUTATOR, &ours), sign(2, 5, &theirs)];
    // No signature of either message, and nobody is blamed: the share says what it is for.
    let foreign = |package, party: u16| {
        let error = key.public.aggregate(package, &shares).unwrap_err();
        assert_eq!(error, AggregateError::OtherPackage(id(party)));
        assert!(error.culprits().is_empty());
    };
    foreign(&ours, 5);
    foreign(&theirs, 1);

    let others = key.commit(&[1, MUTATOR, 5], 4).1;
    let refused = |list: &[Commitments<S>], error: SignError| {
        let (nonces, mine) = key.share(1).commit(&mut rng(30));
        let list: Vec<_> =
            list.iter().map(|one| if *one == sent[0] { mine } else { *one }).collect();
        let package = package_of(&key.public, &list, b"m");
        assert_eq!(key.share(1).sign(&package, nonces).unwrap_err(), error);
    };
    let of = key.public.package_id();
    let half = |hiding: &[u8], binding: &[u8]| {
        let (nonces, mine) = key.share(1).commit(&mut rng(30));
        let [hiding, binding] =
            [(hiding, mine.hiding().as_ref()), (binding, mine.binding().as_ref())]
                .map(|(other, own)| if other.is_empty() { own } else { other });
        let altered = Commitments::from_parts(id(1), of, hiding, binding).unwrap();
        let package = package_of(&key.public, &[altered, sent[1]], b"m");
        let refused = key.share(1).sign(&package, nonces).unwrap_err();
        assert_eq!(refused, SignError::CommitmentMismatch);
    };
    refused(&[others[0], sent[1]], SignError::CommitmentMismatch);
    half(others[0].hiding().as_ref(), &[]);
    half(&[], others[0].binding().as_ref());
    half(others[0].binding().as_ref(), others[0].hiding().as_ref());
    refused(&[sent[1], sent[2]], SignError::NotASigner);
    refused(&[sent[0]], SignError::TooFewSigners { got: 1, need: 2 });
    let new = |list: &[Commitments<S>]| {
        SigningPackage::new(&key.public, list.iter().copied(), b"m").unwrap_err()
    };
    assert_eq!(new(&[sent[0], sent[1], sent[0]]), PackageError::DuplicateParty(id(1)));
    assert_eq!(new(&[]), PackageError::Empty);
    assert_eq!(new(&sent[..1]), PackageError::TooFewSigners { got: 1, need: 2 });
}

#[test]
fn fr_03_coordinator_equivocation_on_message_or_commitments() {
    quorate_testkit::for_every_suite!(coordinator_equivocation);
}

fn cheaters<S: Hostile>() {
    let numbers = [1u16, 2, 5, 300, 65535];
    let key = Key::<S>::among(3, &parties(numbers), 1);
    let signed = key.sign(&numbers, b"m", 2);
    // Every set of cheaters, each wrong by another amount.
    for set in 1u32..32 {
        let wrong = |at: usize| set >> at & 1 == 1;
        let error = |at: usize| if wrong(at) { at as u64 + 1 } else { 0 };
        let shares: Vec<_> =
            signed.shares.iter().enumerate().map(|(at, one)| plus(one, error(at).into())).collect();
        let named: Vec<_> = (0..5).filter(|at| wrong(*at)).map(|at| id(numbers[at])).collect();
        let found = key.public.aggregate(&signed.package, &shares).unwrap_err();
        assert_eq!(found.culprits(), named);
        assert_eq!(found, AggregateError::Cheaters(named));
    }
    // Errors that cancel make a valid signature: two signers together may move any amount between
    // their shares, which reveals nothing about the key. Harmless, and accepted.
    let mut shares = signed.shares.clone();
    shares[0] = plus(&shares[0], 1.into());
    shares[3] = plus(&shares[3], -Scalar::<S>::from(1));
    let signature = key.public.aggregate(&signed.package, &shares).unwrap();
    key.public.verifying_key().verify(b"m", &signature).unwrap();
    assert_eq!(signature, key.public.aggregate(&signed.package, &signed.shares).unwrap());
    for at in [0, 3] {
        let found = key.public.verify_share(&signed.package, &shares[at]).unwrap_err();
        assert_eq!(found.culprits(), [id(numbers[at])]);
    }
    // With a third error that does not cancel, all three are named.
    shares[2] = plus(&shares[2], 7.into());
    let found = key.public.aggregate(&signed.package, &shares).unwrap_err();
    assert_eq!(found.culprits(), [id(1), id(5), id(300)]);
    // A signer with a share of another key.
    let other = Key::<S>::among(3, &parties(numbers), 9);
    let (mut batches, _) = other.commit(&numbers, 2);
    let mut shares = signed.shares.clone();
    let z = share(other.share(2), &signed.package, nonces(&batches.remove(1)));
    shares[1] = SignatureShare::from_parts(id(2), &signed.package, &scalar_bytes::<S>(&z)).unwrap();
    let found = key.public.aggregate(&signed.package, &shares).unwrap_err();
    assert_eq!(found, AggregateError::Cheaters(vec![id(2)]));
}

#[test]
fn fr_04_exactly_the_cheaters_are_named() {
    quorate_testkit::for_every_suite!(cheaters);
}

/// Coefficients that a party would predict if their seed were a constant.
fn predicted<S: Hostile>(constant: u8, terms: usize) -> [Scalar<S>; 2] {
    let mut rng = ChaCha20Rng::from_seed([constant; 32]);
    [(); 2].map(|()| S::Curve::batch_coefficient_vartime(&mut rng, terms))
}

/// Among many signers the equations are checked in sums. Errors that cancel in a sum, or would under coefficients known
/// beforehand, hide no cheater.
fn cheaters_among_many<S: Hostile>() {
    let numbers: Vec<u16> = (1..=12).collect();
    let key = Key::<S>::among(2, &parties(1..=12), 1);
    let signed = key.sign(&numbers, b"m", 2);
    let digests: Vec<_> = signed.shares.iter().map(SignatureShare::package_digest).collect();
    assert_eq!(digests, [signed.package.digest(None); 12]);
    let one = Scalar::<S>::from(1);
    let named = |errors: &[(usize, Scalar<S>)]| {
        let mut shares = signed.shares.clone();
        for (at, error) in errors {
            shares[*at] = plus(&shares[*at], *error);
        }
        let found = key.public.aggregate(&signed.package, &shares).unwrap_err();
        let expected: Vec<_> = errors.iter().map(|(at, _)| id(numbers[*at])).collect();
        assert_eq!(found, AggregateError::Cheaters(expected));
    };
    named(&[(11, one)]);
    named(&[(0, one), (7, one)]);
    named(&[(0, one), (1, -one), (11, one)]);
    for constant in [0, 1] {
        let [first, second] = predicted::<S>(constant, 36);
        named(&[(0, second), (1, -first), (11, one)]);
    }
}

#[test]
fn fr_04_cheaters_among_many_signers() {
    quorate_testkit::for_every_suite!(cheaters_among_many);
}

/// Two wrong signatures of a batch whose errors would cancel under coefficients known beforehand.
fn predicted_batch<S: Hostile>() {
    let key = Key::<S>::new(1);
    let messages = [b"first", b"other"];
    let good = messages.map(|message| {
        let signed = key.sign(&[1, 2], message, 2);
        key.public.aggregate(&signed.package, &signed.shares).unwrap()
    });
    let verifying = key.public.verifying_key();
    let verdict = |signatures: &[Signature<S>; 2]| {
        let [one, other] = signatures;
        let items = [(verifying, &messages[0][..], one), (verifying, &messages[1][..], other)];
        verify_batch(&items)
    };
    assert!(verdict(&good).is_ok());
    for constant in [0, 1] {
        let [first, second] = predicted::<S>(constant, 4);
        let mut at = 0;
        let moved = good.map(|signature| {
            let error = [second, -first][at];
            at += 1;
            moved(&signature, error)
        });
        assert_eq!(verdict(&moved).unwrap_err().invalid, [0, 1]);
    }
}

/// The signature with something added to its scalar, which is at its end.
fn moved<S: Hostile>(signature: &Signature<S>, error: Scalar<S>) -> Signature<S> {
    let mut bytes = signature.to_bytes().as_ref().to_vec();
    let start = bytes.len() - scalar_len::<S::Curve>();
    let z = S::Curve::decode_scalar(&bytes[start..]).unwrap() + error;
    bytes[start..].copy_from_slice(&scalar_bytes::<S>(&z));
    Signature::from_bytes(&bytes).unwrap()
}

#[test]
fn coefficients_of_a_batch_are_not_known_beforehand() {
    quorate_testkit::for_every_suite!(predicted_batch);
}

fn counts_and_ids<S: Hostile>() {
    let key = Key::<S>::new(1);
    let coordinator = Coordinator::new(key.public.clone());
    let all = key.sign(&[1, MUTATOR, 5], b"m", 3);
    let aggregate = |shares: &[SignatureShare<S>]| key.public.aggregate(&all.package, shares);
    let [one, two, three] = all.shares[..] else { panic!("three shares") };
    assert!(aggregate(&[three, one, two]).is_ok(), "in any order");
    let missing = AggregateError::MissingShares(vec![id(MUTATOR)]);
    assert_eq!(aggregate(&[one, three]).unwrap_err(), missing);
    let nothing = aggregate(&[]).unwrap_err();
    assert_eq!(nothing, AggregateError::MissingShares(vec![id(1), id(MUTATOR), id(5)]));
    assert!(nothing.culprits().is_empty(), "silence proves nothing");
    let twice = aggregate(&[one, two, two, three]).unwrap_err();
    assert_eq!(twice, AggregateError::DuplicateShare(id(MUTATOR)));
    let stranger = SignatureShare::from_parts(id(4), &all.package, one.scalar().as_ref()).unwrap();
    let stray = aggregate(&[one, two, three, stranger]).unwrap_err();
    assert_eq!(stray, AggregateError::UnexpectedShare(id(4)));
    assert_eq!(key.public.verify_share(&all.package, &stranger).unwrap_err(), stray);

    // Fewer than t, and parties that hold no share of this key.
    let first = all.package.commitments_of(id(1)).unwrap();
    let few = package_of(&key.public, &[first], b"m");
    let short = AggregateError::TooFewSigners { got: 1, need: 2 };
    let share = SignatureShare::from_parts(id(1), &few, one.scalar().as_ref()).unwrap();
    assert_eq!(key.public.aggregate(&few, &[share]).unwrap_err(), short);
    let started = coordinator.start(sent(&[first]), b"m");
    assert_eq!(started.unwrap_err(), PackageError::TooFewSigners { got: 1, need: 2 });
    let of = key.public.package_id();
    let unknown =
        Commitments::from_parts(id(4), of, first.hiding().as_ref(), first.binding().as_ref())
            .unwrap();
    let wide = package_of(&key.public, &[first, unknown], b"m");
    let unknown = key.public.aggregate(&wide, &[]).unwrap_err();
    assert_eq!(unknown, AggregateError::UnknownParty(id(4)));
    // O5: a session that fails leaves the others of the same key alone.
    let sessions = [b"a", b"b", b"c"].map(|text| {
        let (mut batches, commitments) = key.commit(&[1, 5], u64::from(text[0]));
        let mut session = coordinator.start(sent(&commitments), text).unwrap();
        for (party, batch) in [1, 5].into_iter().zip(&mut batches) {
            let own = key.share(party);
            let nonces = release(batch.claim_for(own, session.package()).unwrap());
            let mut share = own.sign(session.package(), nonces).unwrap();
            if (party, text) == (5, b"b") {
                share = plus(&share, 1.into());
            }
            session.receive(id(party), &share.to_bytes()).unwrap();
        }
        session
    });
    let results = coordinator.aggregate_all(sessions.into());
    assert!(results[0].is_ok() && results[2].is_ok());
    assert_eq!(results[1], Err(AggregateError::Cheaters(vec![id(5)])));
}

#[test]
fn fr_05_counts_and_identifiers() {
    quorate_testkit::for_every_suite!(counts_and_ids);
}

fn identities<S: Hostile>() {
    let (o, g) = (identity::<S::Curve>(), encoded::<S::Curve>(&S::Curve::generator()));
    let of = Key::<S>::new(1).public.package_id();
    let refused = |hiding: &[u8], binding: &[u8]| {
        let read = Commitments::<S>::from_parts(id(1), of, hiding, binding);
        assert_eq!(read.unwrap_err(), DecodeError::BadPoint);
    };
    refused(&o, &g);
    refused(&g, &o);
    assert_eq!(VerifyingKey::<S>::from_bytes(&o).unwrap_err(), DecodeError::BadPoint);
    // The constants of two dealers cancel, or their shares for party 1 do. Each proof and each share is
    // valid, so no single party is to blame.
    let sum_of = |second: [Scalar<S>; 2]| {
        let first = [3.into(), 5.into()];
        let all: Vec<_> = [first, second]
            .iter()
            .zip([1, 2])
            .map(|(polynomial, party)| {
                let proof = prove::<S>(&[0; 32], id(party), &polynomial[0]);
                let body = [commitment::<S>(polynomial), proof].concat();
                (id(party), Announcement::<S>::from_bytes(&body, 2).unwrap())
            })
            .collect();
        let own = Secret::new(evaluate::<S>(&first, id(1)));
        let received = [(id(2), Secret::new(evaluate::<S>(&second, id(1))))];
        let params = DkgParams::new(2);
        part3::<S>(id(1), &parties([1, 2]), params, &own, &all, &received).map(drop)
    };
    assert_eq!(sum_of([4.into(), 5.into()]), Ok(()));
    assert_eq!(sum_of([-Scalar::<S>::from(3), 6.into()]), Err(Vec::new()));
    assert_eq!(sum_of([4.into(), -Scalar::<S>::from(12)]), Err(Vec::new()));
}

#[test]
fn fr_07_zero_and_identity() {
    quorate_testkit::for_every_suite!(identities);
}

fn separation<S: Hostile>() {
    let plain = |tag| {
        let mut hash = S::Hash::new(S::CONTEXT, tag);
        hash.update(b"input");
        scalar_bytes::<S>(&hash.finish::<S::Curve>())
    };
    let mut h1 = S::h1();
    h1.update(b"input");
    let outputs = [
        scalar_bytes::<S>(&h1.finish::<S::Curve>()),
        scalar_bytes::<S>(&S::h3(b"inp", b"ut")),
        plain("dkg"),
        plain("randomizer"),
        plain("chal"),
    ];
    for (at, one) in outputs.iter().enumerate() {
        assert!(outputs[..at].iter().all(|other| other != one));
    }
    assert_ne!(S::h4(b"input").as_ref(), S::h5([&b"input"[..]]).as_ref());
    // Bytes moved across the boundary between message and list: the two are hashed apart.
    let list = entries(&Key::<S>::new(1).sign(&[1, 5], b"m", 3).package);
    let key = vec![2; point_len::<S::Curve>()];
    let mut shifted = list.clone();
    let moved = shifted[1].2.pop().unwrap();
    let honest = factors::<S>(&key, b"m", &list);
    assert!(honest != factors::<S>(&key, &[b'm', moved], &shifted));
    assert!(honest != factors::<S>(&key, b"", &list));
}

#[test]
fn fr_08_hashes_are_separated() {
    quorate_testkit::for_every_suite!(separation);
}

fn single_shares<S: Hostile>() {
    // Enough runs that R and the key have each parity.
    for seed in 0..6 {
        let key = Key::<S>::new(seed);
        let signed = key.sign(&[1, MUTATOR, 5], b"m", seed);
        for one in &signed.shares {
            key.public.verify_share(&signed.package, one).unwrap();
            let found = key.public.verify_share(&signed.package, &plus(one, 1.into())).unwrap_err();
            assert_eq!(found.culprits(), [one.id()]);
            let z = S::Curve::decode_scalar(one.scalar().as_ref()).unwrap();
            let negated = with_scalar(one, one.id().get(), &-z);
            assert!(key.public.verify_share(&signed.package, &negated).is_err());
        }
    }
}

#[test]
fn fr_12_single_shares_verify_in_every_suite() {
    quorate_testkit::for_every_suite!(single_shares);
}
