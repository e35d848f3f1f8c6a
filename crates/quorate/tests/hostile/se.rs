//! Attacks on broadcast, sessions and transport, SE-01 to SE-08, on the key generation.

use quorate::frost::generic::{Dkg, DkgParams, KeyShare};
use quorate::session::sim::{Delivery, Network};
use quorate::session::{Check, Evidence, Progress, Rejected};
use quorate::{Fault, Session, SessionId};

use super::cheat::{commitment, polynomial, prove};
use super::dkg::{
    BODY, CONTEXT, KeyReport, Verdict, assert_unharmed, frame, honest, keygen, keygen_unhurried,
    verdicts,
};
use super::harness::Hostile;
use super::harness::{Key, MUTATOR, PARTIES, id, parties, rng, sealed_again, undigested};
use quorate_testkit::encodings::point_len;

/// The fate of a frame.
type Alter<'a> = &'a dyn Fn(&mut Vec<u8>);

/// Party 2 sends 1 one thing and 5 another in this round.
fn split_view<S: Hostile>(round: u8, alter: Alter<'_>) -> KeyReport<S> {
    keygen::<S>(1, |mut one| {
        if (one.from, one.to, one.round.get()) == (id(MUTATOR), id(5), round) {
            alter(&mut one.bytes);
        }
        vec![one]
    })
}

fn equivocation<S: Hostile>() {
    // Another coefficient, another polynomial with a valid proof: both halves are fine alone.
    let fresh = polynomial::<S>(2, 9);
    let coefficient = BODY[0] + point_len::<S::Curve>();
    let alterations: [Alter<'_>; 2] = [
        &|bytes| {
            let other = &commitment::<S>(&fresh)[point_len::<S::Curve>()..];
            bytes[coefficient..coefficient + other.len()].copy_from_slice(other);
        },
        &|bytes| {
            let proof = prove::<S>(&bytes[CONTEXT], id(MUTATOR), &fresh[0]);
            bytes.truncate(BODY[0]);
            bytes.extend([commitment::<S>(&fresh), proof].concat());
        },
    ];
    for alter in alterations {
        let report = split_view::<S>(1, alter);
        assert_eq!(verdicts(&report), [Verdict::Unattributed(Check::EchoMismatch); 2]);
        assert!(report.results.values().all(Result::is_err), "nobody has a key");
    }
    // The last message: a confirmation can be withheld or spoilt towards one party. A spoilt one names
    // its sender, and the party has the key all the same, unconfirmed: see `confirm`.
    let report = split_view::<S>(3, &|bytes| bytes[BODY[2]] ^= 1);
    let spoilt = Verdict::Blamed(Fault::InvalidConfirmation);
    assert_eq!(verdicts(&report), [Verdict::Done, spoilt]);
}

#[test]
fn se_01_equivocation_in_every_broadcast() {
    quorate_testkit::for_every_suite!(equivocation);
}

/// A party may blame for an error that it alone can see. If another party claims to have seen something else,
/// the fault is not known. `verdict` asserts that only the mutator is ever named.
fn false_blame<S: Hostile>() {
    let report = split_view::<S>(1, &|bytes| *bytes.last_mut().unwrap() ^= 1);
    let [fine, cheated] = verdicts(&report);
    assert_eq!(fine, Verdict::Missing);
    let provable = [Fault::InvalidProofOfPossession, Fault::InvalidScalar];
    assert!(provable.iter().any(|fault| cheated == Verdict::Blamed(*fault)));
    // The mutator claims to have seen another round 1: the fault could be any party's.
    let report = keygen::<S>(1, |mut one| {
        if one.from == id(MUTATOR) && one.round.get() == 2 {
            one.bytes[super::dkg::ECHO][0] ^= 1;
        }
        vec![one]
    });
    assert_eq!(verdicts(&report), [Verdict::Unattributed(Check::EchoMismatch); 2]);
    // A wrong confirmation accuses the others. All have echoed the broadcasts behind it, so only its
    // sender can be wrong.
    let report = keygen::<S>(1, |mut one| {
        if one.from == id(MUTATOR) && one.round.get() == 3 {
            one.bytes[BODY[2]] ^= 1;
        }
        vec![one]
    });
    assert_eq!(verdicts(&report), [Verdict::Blamed(Fault::InvalidConfirmation); 2]);
}

#[test]
fn se_02_no_blame_of_the_honest_by_equivocation() {
    quorate_testkit::for_every_suite!(false_blame);
}

/// One party has other parameters: it and the others reject each other's frames, without blame. The matrix of
/// envelopes tests every part of the context.
fn other_parameters<S: Hostile>() {
    let all = parties(PARTIES);
    let which = "threshold";
    {
        let report = Network::new(1)
            .run::<Dkg<S>>(SessionId::new([1; 32]), &all, |me| {
                DkgParams::new(if me == id(MUTATOR) { 3 } else { 2 })
            })
            .unwrap();
        assert_eq!(verdicts(&report), [Verdict::Missing; 2]);
        let why = Rejected::OtherParameters { which };
        let between = |one: u16, other: u16| (id(one), id(other), why);
        for pair in [between(1, 2), between(2, 1), between(2, 5), between(5, 2)] {
            assert!(report.stats.rejected.contains(&pair));
        }
        assert_eq!(report.stats.rejected.len(), 4);
    }
}

#[test]
fn se_03_every_parameter_is_part_of_the_session() {
    quorate_testkit::for_every_suite!(other_parameters);
}

/// The transport determines the sender; the sender in the frame is compared with it.
fn spoofed_sender<S: Hostile>() {
    for relabel in [false, true] {
        let report = keygen::<S>(1, |one| {
            let mut spoofed = one.clone();
            if one.from != id(MUTATOR) || one.to != id(1) {
                return vec![one];
            }
            // The mutator's own connection, party 5's name; or 5's connection, the mutator's.
            if relabel {
                spoofed.bytes[3..5].copy_from_slice(&5u16.to_be_bytes());
            } else {
                spoofed.from = id(5);
            }
            vec![spoofed, one]
        });
        assert_unharmed(&report);
        assert_eq!(report.stats.rejected.len(), 3);
        let why = Rejected::OtherSender { named: id(if relabel { 5 } else { MUTATOR }) };
        assert!(report.stats.rejected.iter().all(|(.., found)| *found == why));
    }
}

#[test]
fn se_04_spoofed_sender() {
    quorate_testkit::for_every_suite!(spoofed_sender);
}

fn duplicates<S: Hostile>() {
    let report = keygen::<S>(1, |one| vec![one.clone(), one.clone(), one]);
    assert_unharmed(&report);
    assert!(report.stats.rejected.is_empty());
    // Contradictions in a round that is still open, from the party that would be heard first.
    for round in 1..=3 {
        let report = keygen_unhurried::<S>(|one| {
            if (one.from, one.to, one.round.get()) != (id(MUTATOR), id(1), round) {
                return vec![one];
            }
            let mut other = one.clone();
            other.bytes[BODY[usize::from(round) - 1]] ^= 1;
            vec![one, other]
        });
        let [first, _] = verdicts(&report);
        assert_eq!(first, Verdict::Blamed(Fault::Equivocation), "round {round}");
    }
}

#[test]
fn se_05_duplicates_and_contradictions() {
    quorate_testkit::for_every_suite!(duplicates);
}

fn mixing<S: Hostile>() {
    // Every stored form of another suite, with this suite's or the other's name on it.
    let Key { shares, public, .. } = Key::<S>::new(1);
    let key = shares[0].to_bytes();
    let other = match S::CODE {
        1 => Key::<quorate::frost::p256::P256Sha256>::new(1).shares[0].to_bytes(),
        _ => Key::<quorate::frost::ed25519::Ed25519Sha512>::new(1).shares[0].to_bytes(),
    };
    assert!(KeyShare::<S>::from_bytes(&other, &public).is_err());
    let mut renamed = other.to_vec();
    // Version, kind and curve stay; the length too.
    renamed[6..8].copy_from_slice(&key[6..8]);
    // With the digest of the name, or that of the code alone.
    for form in [renamed.clone(), sealed_again::<S>(undigested(&renamed))] {
        assert!(KeyShare::<S>::from_bytes(&form, &public).is_err());
    }
    assert!(KeyShare::<S>::from_bytes(&key, &public).is_ok());
}

#[test]
fn se_06_suites_are_not_mixed() {
    quorate_testkit::for_every_suite!(mixing);
}

/// Eight runs at once, each party of each hearing every frame of all.
fn concurrent<S: Hostile>() {
    let all: Vec<Vec<Delivery>> = (1..=8).map(honest::<S>).collect();
    for sid in 1..=8u8 {
        let report = keygen::<S>(sid, |one| {
            let others = all.iter().zip(1u8..).filter(|(_, other)| *other != sid);
            let same = |frames: &Vec<Delivery>| {
                let (from, to) = (one.from.get(), one.to.get());
                frame(frames, one.round.get(), from, to).clone()
            };
            others.map(|(frames, _)| same(frames)).chain([one.clone()]).collect()
        });
        assert_unharmed(&report);
        assert!(report.stats.rejected.iter().all(|(.., why)| *why == Rejected::OtherSession));
        assert!(report.stats.rejected.len() >= 7 * 4);
    }
}

#[test]
fn se_07_concurrent_sessions() {
    quorate_testkit::for_every_suite!(concurrent);
}

/// From honest runs no evidence can be made, however frames are relabelled, repeated or mixed.
fn evidence<S: Hostile>() {
    let (one, two) = (honest::<S>(1), honest::<S>(2));
    let context: [u8; 32] = one[0].bytes[CONTEXT].try_into().unwrap();
    for accused in PARTIES {
        for claimed in PARTIES {
            let relabelled = |frames: &[Delivery]| -> Vec<_> {
                let of = frames.iter().filter(|one| one.from == id(claimed));
                of.map(|one| (id(accused), one.bytes.clone())).collect()
            };
            let frames = [relabelled(&one), relabelled(&two), relabelled(&one)].concat();
            assert!(!Evidence::new(context, frames).proves_equivocation(id(accused)));
        }
    }
    // A rollback gives two honest versions of one session: that is evidence.
    let mut other = frame(&one, 1, MUTATOR, 1).bytes.clone();
    other[BODY[0]] ^= 1;
    let frames =
        vec![(id(MUTATOR), frame(&one, 1, MUTATOR, 1).bytes.clone()), (id(MUTATOR), other)];
    assert!(Evidence::new(context, frames).proves_equivocation(id(MUTATOR)));
}

#[test]
fn se_08_no_evidence_from_honest_runs() {
    quorate_testkit::for_every_suite!(evidence);
}

/// A session that receives no frame blames nobody and stays as it is.
fn silence<S: Hostile>() {
    let all = parties(PARTIES);
    let sid = SessionId::new([1; 32]);
    let step = Session::<Dkg<S>>::start(sid, id(1), &all, DkgParams::new(2), &mut rng(1)).unwrap();
    let Ok(Progress::Waiting(session)) = step.session.advance() else { panic!("waits") };
    assert_eq!(session.waiting_for().collect::<Vec<_>>(), [id(MUTATOR), id(5)]);
}

#[test]
fn silence_blames_nobody() {
    quorate_testkit::for_every_suite!(silence);
}
