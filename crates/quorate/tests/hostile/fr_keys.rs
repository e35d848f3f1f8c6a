//! Attacks on keys, FR-06, FR-09 to FR-11, FR-13 and FR-14.

use quorate::Fault;
use quorate::frost::ed448::Ed448Shake256;
use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::generic::curve::Curve;
use quorate::frost::generic::{
    AcceptError, AggregateError, Commitments, Dealing, DealtShare, DecodeError, KeySuite, Point,
    PublicKeyPackage, RandomizerSeed, Scalar, SignError, Signature, SigningPackage, VerifyingKey,
};
use quorate::frost::secp256k1_tr::{Secp256k1Taproot, TaprootInternal, XOnly};
use quorate::session::Check;
use quorate::session::container::HEADER;

use super::cheat::{commitment, evaluate, polynomial, scalar_bytes};
use super::dkg::{BODY, CONTEXT, Verdict, frame, honest, keygen, verdicts};
use super::fr::plus;
use super::harness::Hostile;
use super::harness::sealed_again;
use super::harness::{
    BAD_THRESHOLD, INCONSISTENT, Key, MUTATOR, accept, copy, id, kind, parties, release, rng,
};
use super::reference::terms;
use quorate_testkit::encodings::{encoded, foreign_form, scalar_alias};
use quorate_testkit::unhex;

fn replay<S: Hostile>() {
    let old = honest::<S>(7);
    let old = frame(&old, 1, MUTATOR, 1).bytes.clone();
    // The body under this session's header: the proof is bound to the other session.
    let report = keygen::<S>(8, |mut one| {
        if one.from == id(MUTATOR) && one.round.get() == 1 {
            assert_ne!(one.bytes[CONTEXT], old[CONTEXT]);
            one.bytes.truncate(BODY[0]);
            one.bytes.extend(&old[BODY[0]..]);
        }
        vec![one]
    });
    assert_eq!(verdicts(&report), [Verdict::Blamed(Fault::InvalidProofOfPossession); 2]);
    // The whole frame: not even read.
    let report = keygen::<S>(8, |mut one| {
        if one.from == id(MUTATOR) && one.round.get() == 1 {
            one.bytes.clone_from(&old);
        }
        vec![one]
    });
    assert_eq!(verdicts(&report), [Verdict::Missing; 2]);
    // Split view of round 1, both halves honest messages: nobody has a key.
    let mut other = Vec::new();
    drop(keygen::<S>(8, |one| {
        other = one.bytes.clone();
        vec![]
    }));
    let report = keygen::<S>(8, |mut one| {
        if one.from == id(MUTATOR) && one.to == id(5) && one.round.get() == 1 {
            let coefficient = BODY[0] + quorate_testkit::encodings::point_len::<S::Curve>();
            let peers = &other
                [coefficient..coefficient + quorate_testkit::encodings::point_len::<S::Curve>()];
            one.bytes[coefficient..coefficient + peers.len()].copy_from_slice(peers);
        }
        vec![one]
    });
    assert_eq!(verdicts(&report), [Verdict::Unattributed(Check::EchoMismatch); 2]);
    assert!(report.results.values().all(Result::is_err));
}

#[test]
fn fr_06_replayed_proof_and_split_view() {
    quorate_testkit::for_every_suite!(replay);
}

/// Each of the eight combinations of the parities of internal key, output key and R.
#[test]
fn fr_10_taproot_parities_and_roots() {
    type S = Secp256k1Taproot;
    type C = <S as KeySuite>::Curve;
    let is_odd = |point: &Point<S>| encoded::<C>(point)[0] == 3;
    let mut seen = [false; 8];
    let mut rng = rng(1);
    for seed in 0..200u64 {
        let key: Scalar<S> = (seed + 2).into();
        let all = parties([1, 2, 5]);
        let dealing =
            Dealing::<TaprootInternal>::import(&scalar_bytes::<S>(&key), 2, &all, &mut rng);
        let dealing = dealing.unwrap();
        let internal =
            VerifyingKey::<S>::from_bytes(dealing.public.verifying_key().as_bytes().as_ref());
        let internal = C::decode_point(internal.unwrap().as_bytes().as_ref()).unwrap();
        assert!(!is_odd(&internal));
        let bytes = C::encode_point(&internal);
        let output = internal + C::mul_base(&S::default_tweak(&bytes).unwrap().unwrap());
        let root = [None, Some([0; 32]), Some([7; 32])][usize::try_from(seed % 3).unwrap()];
        let public = dealing.public.tweak(root).unwrap();
        let shares: Vec<_> = dealing
            .shares
            .into_iter()
            .take(2)
            .map(|share| share.accept(2, &dealing.public).unwrap())
            .map(|share| share.tweak(&dealing.public, root).unwrap())
            .collect();
        let (nonces, sent): (Vec<_>, Vec<_>) =
            shares.iter().map(|share| share.commit(&mut rng)).unzip();
        let package = SigningPackage::new(&public, sent, b"m").unwrap();
        let signed: Vec<_> = shares
            .iter()
            .zip(nonces)
            .map(|(share, nonces)| share.sign(&package, nonces).unwrap())
            .collect();
        signed.iter().for_each(|one| public.verify_share(&package, one).unwrap());
        let signature = public.aggregate(&package, &signed).unwrap();
        public.verifying_key().verify(b"m", &signature).unwrap();
        assert_eq!(signature.to_bytes().as_ref().len(), 64);
        if root.is_none() {
            let r = terms::<S>(public.verifying_key().as_bytes().as_ref(), &package).negated;
            let odd = [is_odd(&C::mul_base(&key)), is_odd(&output), r];
            seen[odd.iter().fold(0, |sum, odd| 2 * sum + usize::from(*odd))] = true;
        }
        // The signature is not one of the internal key.
        let bare = VerifyingKey::<S>::from_bytes(bytes.as_ref()).unwrap();
        assert!(bare.verify(b"m", &signature).is_err());
    }
    assert_eq!(seen, [true; 8]);
    // No root and the empty tree's are two things, and each root is another key.
    let key = Dealing::<TaprootInternal>::new(2, &parties([1, 2, 5]), &mut rng).unwrap().public;
    let x_only = |root| key.tweak(root).unwrap().x_only();
    let keys = [key.x_only(), x_only(None), x_only(Some([0; 32])), x_only(Some([1; 32]))];
    for (at, one) in keys.iter().enumerate() {
        assert!(keys[..at].iter().all(|other| other != one));
    }
}

fn refused_everywhere<S: Hostile>(bytes: &[u8]) {
    let generator = encoded::<S::Curve>(&S::Curve::generator());
    assert_eq!(VerifyingKey::<S>::from_bytes(bytes).unwrap_err(), DecodeError::BadPoint);
    for [d, e] in [[bytes, &generator], [&generator, bytes]] {
        let of = Key::<S>::new(1).public.package_id();
        let read = Commitments::<S>::from_parts(id(1), of, d, e);
        assert_eq!(read.unwrap_err(), DecodeError::BadPoint);
    }
    let signature = [bytes, &scalar_bytes::<S>(&1.into())].concat();
    assert_eq!(Signature::<S>::from_bytes(&signature).unwrap_err(), DecodeError::BadPoint);
}

#[test]
fn fr_11_small_order_and_torsion() {
    let ff = |first: &str, last: &str| format!("{first}{}{last}", "ff".repeat(30));
    let zeros = |first: &str, last: &str| format!("{first}{}{last}", "00".repeat(30));
    let eighth = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc";
    let eighth_too = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03";
    // The eight points of small order, with either sign where it is redundant, and their aliases.
    let small = [
        [zeros("01", "00"), zeros("01", "80"), ff("ec", "7f"), ff("ec", "ff")],
        [zeros("00", "00"), zeros("00", "80"), ff("ed", "7f"), ff("ed", "ff")],
        [format!("{eighth}05"), format!("{eighth}85"), ff("ee", "7f"), ff("ee", "ff")],
        [format!("{eighth_too}7a"), format!("{eighth_too}fa"), ff("ff", "7f"), ff("ff", "ff")],
    ];
    small.iter().flatten().for_each(|hex| refused_everywhere::<Ed25519Sha512>(&unhex(hex)));
    let minus_one = ["fe", &"ff".repeat(27), "fe", &"ff".repeat(27), "00"].concat();
    let wide = |first: &str, last: &str| format!("{first}{}{last}", "00".repeat(55));
    let small = [wide("01", "00"), wide("01", "80"), wide("00", "00"), wide("00", "80")];
    small.iter().chain([&minus_one]).for_each(|hex| {
        refused_everywhere::<Ed448Shake256>(&unhex(hex));
    });
    shifted_and_malleable::<Ed25519Sha512>();
    shifted_and_malleable::<Ed448Shake256>();
}

/// A + T for keys, R + T and S + L for signatures.
fn shifted_and_malleable<S: Hostile>() {
    for seed in 0..8 {
        let key = Key::<S>::new(seed);
        let signed = key.sign(&[1, 5], b"m", seed);
        let signature = key
            .public
            .aggregate(&signed.package, &signed.shares)
            .unwrap()
            .to_bytes()
            .as_ref()
            .to_vec();
        refused_everywhere::<S>(&foreign_form::<S::Curve>(
            key.public.verifying_key().as_bytes().as_ref(),
        ));
        let (r, z) = signature.split_at(quorate_testkit::encodings::point_len::<S::Curve>());
        refused_everywhere::<S>(&foreign_form::<S::Curve>(r));
        let malleated = [r, &scalar_alias::<S::Curve>(z).unwrap()].concat();
        assert_eq!(Signature::<S>::from_bytes(&malleated).unwrap_err(), DecodeError::BadScalar);
    }
}

fn another_randomizer<S: Hostile>() {
    let key = Key::<S>::new(1);
    let seeds = [1, 2].map(|seed| RandomizerSeed::new::<S>(&mut rng(seed)));
    let signers = [1, MUTATOR, 5];
    let sign = |package: &SigningPackage<S>, choice: [usize; 3]| -> Vec<_> {
        let (mut batches, _) = key.commit(&signers, 3);
        let each = signers.iter().zip(&mut batches).zip(choice);
        each.map(|((party, batch), seed)| {
            let (share, seed) = (key.share(*party), &seeds[seed]);
            let nonces = release(batch.claim_randomized(share, package, seed).unwrap());
            share.sign_randomized(package, nonces, seed).unwrap()
        })
        .collect()
    };
    let package = SigningPackage::new(&key.public, key.commit(&signers, 3).1, b"m").unwrap();
    let public = key.public.randomized(&package, &seeds[0]).unwrap();
    let honest = sign(&package, [0, 0, 0]);
    let signature = public.aggregate(&package, &honest).unwrap();
    public.verifying_key().verify(b"m", &signature).unwrap();
    honest.iter().for_each(|one| public.verify_share(&package, one).unwrap());
    assert!(key.public.verifying_key().verify(b"m", &signature).is_err());
    let mut shares = honest.clone();
    shares[1] = plus(&shares[1], 1.into());
    let wrong = public.aggregate(&package, &shares).unwrap_err();
    assert_eq!(wrong, AggregateError::Cheaters(vec![id(MUTATOR)]));
    // Another seed, or none: the coordinator may have caused it, so nobody is blamed.
    let astray = public.aggregate(&package, &sign(&package, [0, 1, 0])).unwrap_err();
    assert_eq!(astray, AggregateError::OtherPackage(id(MUTATOR)));
    let (mut batches, _) = key.commit(&signers, 3);
    let nonces = release(batches[1].claim_for(key.share(MUTATOR), &package).unwrap());
    shares[1] = key.share(MUTATOR).sign(&package, nonces).unwrap();
    let astray = public.aggregate(&package, &shares).unwrap_err();
    assert_eq!(astray, AggregateError::OtherPackage(id(MUTATOR)));
    // Nonces that were released for one seed sign with no other, and not without.
    let claimed = |seed: usize| {
        let (mut batches, _) = key.commit(&signers, 3);
        release(batches[0].claim_randomized(key.share(1), &package, &seeds[seed]).unwrap())
    };
    let refused = key.share(1).sign_randomized(&package, claimed(0), &seeds[1]).unwrap_err();
    assert_eq!(refused, SignError::OtherPackage);
    assert_eq!(key.share(1).sign(&package, claimed(0)).unwrap_err(), SignError::OtherPackage);
    // The seed gives another key with other commitments: it cannot be chosen after them.
    let other = SigningPackage::new(&key.public, key.commit(&signers, 4).1, b"m").unwrap();
    let other = key.public.randomized(&other, &seeds[0]).unwrap();
    assert_ne!(other.verifying_key(), public.verifying_key());
}

#[test]
fn fr_13_share_for_another_randomizer_is_named() {
    quorate_testkit::for_every_suite!(another_randomizer);
}

/// The dealt share of party 2 up to its commitment.
fn header<S: Hostile>(threshold: u16) -> Vec<u8> {
    let mut bytes = Key::<S>::new(1).dealt[1][..HEADER].to_vec();
    bytes.extend([0, 2, 0, 3, 0, 1, 0, 2, 0, 5]);
    bytes.extend(threshold.to_be_bytes());
    bytes
}

/// The package that all parties have, of the polynomial that the dealer announced.
fn package<S: Hostile>(threshold: u16, polynomial: &[Scalar<S>]) -> PublicKeyPackage<S> {
    imported(threshold, polynomial).unwrap()
}

fn imported<S: Hostile>(
    threshold: u16,
    polynomial: &[Scalar<S>],
) -> Result<PublicKeyPackage<S>, DecodeError> {
    let at = |party: u16| {
        encoded::<S::Curve>(&S::Curve::mul_base(&evaluate::<S>(polynomial, id(party))))
    };
    let key = encoded::<S::Curve>(&S::Curve::mul_base(&polynomial[0]));
    let shares = [1, MUTATOR, 5].map(at);
    PublicKeyPackage::<S>::from_parts(threshold, 0, parties([1, 2, 5]), &key, &shares)
}

/// Two dealings: over a line, which all parties expect, and over a parabola.
struct Dealings<S: Hostile> {
    line: Vec<Scalar<S>>,
    parabola: Vec<Scalar<S>>,
    all_have: PublicKeyPackage<S>,
}

impl<S: Hostile> Dealings<S> {
    fn new() -> Self {
        let line = polynomial::<S>(2, 1);
        let all_have = package(2, &line);
        Self { line, parabola: polynomial::<S>(3, 2), all_have }
    }
}

/// A dealer that commits to one polynomial and deals another, and one that deals another threshold.
fn dealers<S: Hostile>() {
    let dealings = Dealings::<S>::new();
    wrong_shares(&dealings);
    equivocations(&dealings);
    other_keys::<S>();
}

fn at<S: Hostile>(polynomial: &[Scalar<S>], party: u16) -> Scalar<S> {
    evaluate::<S>(polynomial, id(party))
}

fn wrong_shares<S: Hostile>(dealings: &Dealings<S>) {
    let Dealings { line, parabola, all_have } = dealings;
    let deal = |threshold: u16, committed: &[Scalar<S>], share: Scalar<S>| {
        let body = [commitment::<S>(committed), scalar_bytes::<S>(&share)].concat();
        accept::<S>(&sealed_again::<S>(&[header::<S>(threshold), body].concat()), 2, all_have)
    };
    assert!(deal(2, line, at::<S>(line, MUTATOR)).is_ok(), "control");
    // On the line but for another party, on another curve, off by one, nothing at all.
    let wrong =
        [at::<S>(line, 1), at::<S>(parabola, MUTATOR), at::<S>(line, MUTATOR) + 1.into(), 0.into()];
    for share in wrong {
        assert_eq!(deal(2, line, share).unwrap_err(), None);
    }
    // The vector is exactly as long as the threshold says.
    let three = deal(2, parabola, at::<S>(parabola, MUTATOR)).unwrap_err();
    assert!([DecodeError::TrailingBytes, DecodeError::BadScalar].contains(&three.unwrap()));
    let one = deal(2, &line[..1], line[0]).unwrap_err();
    assert!([DecodeError::Truncated, DecodeError::BadPoint].contains(&one.unwrap()));
    assert_eq!(deal(1, &line[..1], line[0]).unwrap_err(), Some(BAD_THRESHOLD));
    // A share of zero is refused even where the polynomial is zero there.
    let root = [line[1] * -Scalar::<S>::from(u64::from(MUTATOR)), line[1]];
    assert!(at::<S>(&root, MUTATOR) == Scalar::<S>::default());
    assert_eq!(deal(2, &root, at::<S>(&root, MUTATOR)).unwrap_err(), None);
}

/// A dealer that equivocates: every share fits the commitment that came with it.
fn equivocations<S: Hostile>(dealings: &Dealings<S>) {
    let Dealings { line, parabola, all_have } = dealings;
    let dealt = |threshold: u16, polynomial: &[Scalar<S>]| {
        let share = scalar_bytes::<S>(&at::<S>(polynomial, MUTATOR));
        let body = [commitment::<S>(polynomial), share].concat();
        DealtShare::<S>::from_bytes(&sealed_again::<S>(&[header::<S>(threshold), body].concat()))
            .unwrap()
    };
    let refused = |dealt: DealtShare<S>, public: &PublicKeyPackage<S>, error: AcceptError| {
        assert_eq!(dealt.accept(2, public).unwrap_err(), error);
    };
    // Another key; another polynomial of the same key, to this party alone.
    refused(dealt(2, &polynomial::<S>(2, 9)), all_have, AcceptError::OtherPackage);
    let tilted = [line[0], line[1] + 1.into()];
    refused(dealt(2, &tilted), all_have, AcceptError::OtherPackage);
    // A package of the same key with other shares: its name is not the one that others have.
    let other = package(2, &tilted);
    refused(dealt(2, line), &other, AcceptError::OtherPackage);
    assert_eq!(other.key_id(), all_have.key_id());
    assert_ne!(other.package_id(), all_have.package_id());
    // Another threshold than was agreed on: in the commitment, in the package, in both.
    let raised = AcceptError::WrongThreshold { expected: 2, got: 3 };
    refused(dealt(3, parabola), all_have, raised);
    // Three points on a line are no package of threshold 3; those on a parabola are.
    assert_eq!(imported::<S>(3, line).unwrap_err(), DecodeError::BadPoint);
    refused(dealt(2, line), &package(3, parabola), raised);
    refused(dealt(3, parabola), &package(3, parabola), raised);
    assert!(dealt(3, parabola).accept(3, &package(3, parabola)).is_ok(), "control");
}

/// A dealer whose commitment is to another key than the one announced.
fn other_keys<S: Hostile>() {
    // The dealer's commitment is the key, so a key other than the announced one shows.
    let (announced, dealt) = (Key::<S>::new(1), Key::<S>::new(2));
    assert_ne!(dealt.share(1).verifying_key(), announced.public.verifying_key());
    let import = quorate::frost::generic::KeyShare::<S>::import;
    let secret = scalar_bytes::<S>(&super::reference::secret(dealt.share(1)));
    let error = import(id(1), &secret, &announced.public).unwrap_err();
    assert_eq!(kind(error), INCONSISTENT);
    assert_eq!(copy(dealt.share(1), &dealt.public).id(), id(1));
    assert_eq!(DealtShare::<S>::from_bytes(&dealt.dealt[0]).unwrap().id(), id(1));
}

#[test]
fn fr_14_dealers_that_cheat() {
    quorate_testkit::for_every_suite!(dealers);
}
