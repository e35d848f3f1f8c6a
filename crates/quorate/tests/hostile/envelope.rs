//! The headers of the key generation's frames: which frames are rejected, which are ignored, and which are
//! blamed. For each of the three rounds.

use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::generic::{Ciphersuite, DkgParams, KeySuite};
use quorate::frost::p256::P256Sha256;
use quorate::session::sim::{Delivery, Network};
use quorate::session::{Rejected, Round};
use quorate::{Fault, SessionId};

use super::dkg::{
    BODY, CONTEXT, Frames, KeyReport, Verdict, assert_unharmed, frame, honest, keygen,
    keygen_among, keygen_unhurried, verdicts,
};
use super::harness::Hostile;
use super::harness::{Ledger, MUTATOR, PARTIES, id, parties};
use quorate_testkit::mutation::splice;

const SID: u8 = 1;

/// Runs with something wrong in front of each frame of one round from the mutator to party 1, and
/// asserts that it is refused for this reason and does no harm.
fn refused<S: Hostile>(round: u8, why: Rejected, wrong: &dyn Fn(&Delivery) -> Delivery) {
    let mut from = None;
    let report = keygen::<S>(SID, |one| {
        if (one.from, one.to, one.round.get()) != (id(MUTATOR), id(1), round) {
            return vec![one];
        }
        let wrong = wrong(&one);
        from = Some(wrong.from);
        vec![wrong, one]
    });
    assert_eq!(report.stats.rejected, [(from.unwrap(), id(1), why)]);
    assert_unharmed(&report);
}

fn altered(one: &Delivery, alter: impl FnOnce(&mut Vec<u8>)) -> Delivery {
    let mut wrong = one.clone();
    alter(&mut wrong.bytes);
    wrong
}

fn with_context(one: &Delivery, context: &[u8]) -> Delivery {
    Delivery { bytes: splice(&one.bytes, CONTEXT, context), ..one.clone() }
}

type Hook<'a> = &'a mut dyn FnMut(Delivery) -> Frames;

/// The contexts of runs that differ from this one in one thing each.
fn other_contexts<S: Hostile>() -> Vec<(&'static str, Vec<u8>)> {
    let one = |run: &dyn Fn(Hook<'_>)| {
        let mut context = Vec::new();
        run(&mut |one| {
            context = one.bytes[CONTEXT].to_vec();
            vec![]
        });
        context
    };
    let among = |threshold: u16, numbers: &[u16], hook: Hook<'_>| {
        let all = parties(numbers.iter().copied());
        let report = keygen_among::<S>(threshold, &all, SID, hook);
        assert_eq!(report.results.len(), numbers.len());
    };
    vec![
        ("other session", one(&|hook| drop(keygen::<S>(SID + 1, hook)))),
        ("other threshold", one(&|hook| among(3, &PARTIES, hook))),
        ("one party more", one(&|hook| among(2, &[1, 2, 5, 6], hook))),
        ("one party fewer", one(&|hook| among(2, &[1, 2], hook))),
        ("other parties", one(&|hook| among(2, &[1, 2, 4], hook))),
        ("other suite", one(&|hook| other_suite::<S>(hook))),
    ]
}

fn other_suite<S: Ciphersuite>(hook: Hook<'_>) {
    if S::CODE == Ed25519Sha512::CODE {
        drop(keygen::<P256Sha256>(SID, hook));
    } else {
        drop(keygen::<Ed25519Sha512>(SID, hook));
    }
}

pub fn envelopes<S: Hostile>(ledger: &mut Ledger) {
    const MESSAGES: [&str; 3] = ["DKG round 1", "DKG round 2", "DKG confirm"];
    let contexts = other_contexts::<S>();
    let frames = honest::<S>(SID);
    for (round, message) in (1u8..).zip(MESSAGES) {
        let mut case = |name: &str, why: Rejected, wrong: &dyn Fn(&Delivery) -> Delivery| {
            ledger.case(message, name, || refused::<S>(round, why, wrong));
        };
        for (name, context) in &contexts {
            case(name, Rejected::OtherSession, &|one| with_context(one, context));
        }
        for version in [0, 2] {
            let why = Rejected::OtherVersion { expected: 1, found: version };
            case("version", why, &|one| altered(one, |bytes| bytes[0] = version));
        }
        let why = Rejected::OtherProtocol { expected: 1, found: 2 };
        case("other protocol", why, &|one| altered(one, |bytes| bytes[1] = 2));
        let why = Rejected::OtherSender { named: id(MUTATOR) };
        case("wrong sender", why, &|one| Delivery { from: id(5), ..one.clone() });
        let why = Rejected::OtherSender { named: id(5) };
        case("sender altered", why, &|one| altered(one, |bytes| bytes[4] = 5));
        case("sender zero", Rejected::BadFrame, &|one| altered(one, |bytes| bytes[4] = 0));
        case("reflected", Rejected::UnknownSender(id(1)), &|one| Delivery {
            from: id(1),
            ..altered(one, |bytes| bytes[4] = 1)
        });
        case("unknown sender", Rejected::UnknownSender(id(4)), &|one| Delivery {
            from: id(4),
            ..altered(one, |bytes| bytes[4] = 4)
        });
        case("wrong recipient", Rejected::OtherRecipient(id(5)), &|one| {
            altered(one, |bytes| bytes[6] = 5)
        });
        case("broadcast or not", Rejected::BadFrame, &|one| {
            altered(one, |bytes| bytes[6] = u8::from(bytes[6] == 0))
        });
        // A later round's frame of that kind does not exist, and one of round 1 has a prefix.
        case("wrong round", Rejected::BadFrame, &|one| {
            altered(one, |bytes| bytes[2] = if round == 3 { 1 } else { round + 1 })
        });
        for stray in [0, 4, 255] {
            case("no such round", Rejected::BadFrame, &|one| {
                altered(one, |bytes| bytes[2] = stray)
            });
        }
        case("header cut", Rejected::BadFrame, &|one| altered(one, |bytes| bytes.truncate(38)));
        case("nothing", Rejected::BadFrame, &|one| altered(one, Vec::clear));
        lengths::<S>(ledger, message, round, &frames);
        ledger.case(message, "identical duplicate", || duplicate::<S>(round));
        ledger.case(message, "conflicting duplicate", || conflicting::<S>(round));
        ledger.case(message, "missing", || missing::<S>(round));
        ledger.case(message, "late and other", || late::<S>(round, &frames));
        ledger.case(message, "reordered", || reordered::<S>(round));
    }
}

/// Frames that are too long.
fn lengths<S: Hostile>(ledger: &mut Ledger, message: &'static str, round: u8, frames: &[Delivery]) {
    let mut case = |name: &str, why: Rejected, wrong: &dyn Fn(&Delivery) -> Delivery| {
        ledger.case(message, name, || refused::<S>(round, why, wrong));
    };
    let start = BODY[usize::from(round) - 1];
    let limit = frame(frames, round, MUTATOR, 1).bytes.len() - start;
    let why = |got| Rejected::Oversized { limit, got };
    case("one byte more", why(limit + 1), &|one| altered(one, |bytes| bytes.push(0)));
    let megabyte = 1 << 20;
    case("a megabyte more", why(megabyte - start), &|one| {
        altered(one, |bytes| bytes.resize(megabyte, 0))
    });
    let why = Rejected::OtherVersion { expected: 1, found: 255 };
    case("all ones", why, &|one| altered(one, |bytes| bytes.fill(255)));
}

fn of_mutator(one: &Delivery, round: u8) -> bool {
    one.from == id(MUTATOR) && one.round.get() == round
}

fn duplicate<S: Hostile>(round: u8) {
    let report = keygen::<S>(SID, |one| match of_mutator(&one, round) {
        true => vec![one.clone(), one],
        false => vec![one],
    });
    assert_unharmed(&report);
    assert!(report.stats.rejected.is_empty());
}

/// Two versions, both of which would be read: the sender contradicts itself.
fn conflicting<S: Hostile>(round: u8) {
    let report = keygen_unhurried::<S>(|one| match of_mutator(&one, round) && one.to == id(1) {
        true => vec![altered(&one, |bytes| *bytes.last_mut().unwrap() ^= 1), one],
        false => vec![one],
    });
    assert_eq!(verdicts(&report)[0], Verdict::Blamed(Fault::Equivocation));
}

fn missing<S: Hostile>(round: u8) {
    let report = keygen::<S>(SID, |one| match of_mutator(&one, round) && one.to == id(1) {
        true => vec![],
        false => vec![one],
    });
    match report.results.get(&id(1)).unwrap() {
        Err(quorate::Abort::Missing { round: at, parties, .. }) => {
            assert_eq!((*at, &parties[..]), (Round(round), &[id(MUTATOR)][..]));
        }
        other => panic!("{other:?}"),
    }
    // The others cannot finish without party 1, except in the last round, where its messages are already sent.
    let expected = if round == 3 { Verdict::Done } else { Verdict::Missing };
    assert_eq!(verdicts(&report), [Verdict::Missing, expected]);
}

/// Another message for a round that is over: its sender contradicts itself, and both messages are
/// kept as evidence.
fn late<S: Hostile>(round: u8, frames: &[Delivery]) {
    if round == 3 {
        // After the last round no session is left to refuse it; before, it is early or not.
        return reordered::<S>(round);
    }
    let report: KeyReport<S> = keygen::<S>(SID, |one| {
        if !(of_mutator(&one, round + 1) && one.to == id(1)) {
            return vec![one];
        }
        let other =
            altered(frame(frames, round, MUTATOR, 1), |bytes| *bytes.last_mut().unwrap() ^= 1);
        vec![other, one]
    });
    assert!(report.stats.rejected.is_empty());
    assert_eq!(verdicts(&report)[0], Verdict::Blamed(Fault::Equivocation));
}

/// The mutator's frames of a round come long after those of all others, or long before.
fn reordered<S: Hostile>(round: u8) {
    for slow in [MUTATOR, 1] {
        let all = parties(PARTIES);
        let network = Network::new(u64::from(round))
            .latency(|from, _| if from == id(slow) { 50 } else { 1 })
            .reorder(20);
        let sid = SessionId::new([SID; 32]);
        let params = |_| DkgParams::new(2);
        let report = network.run::<quorate::frost::generic::Dkg<S>>(sid, &all, params).unwrap();
        assert_unharmed(&report);
        assert!(report.stats.rejected.is_empty());
    }
}
