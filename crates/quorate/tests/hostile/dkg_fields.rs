//! The key generation's messages: every field, every mutation.

use quorate::Fault;
use quorate::frost::generic::curve::Curve;
use quorate::session::sim::Delivery;
use quorate::session::{Check, Rejected};

use super::dkg::{
    BODY, CONTEXT, Replacement, Verdict, assert_unharmed, frame, honest, keygen, replaced, verdicts,
};
use super::harness::Hostile;
use super::harness::{Ledger, MUTATOR, id};
use quorate_testkit::encodings::{encoded, point_len, scalar_len};
use quorate_testkit::mutation::{Class, Field, Kind, cases, flipped, splice};

const SID: u8 = 1;
const ECHO_FAILS: Verdict = Verdict::Unattributed(Check::EchoMismatch);

/// The refusal of a frame of this round that is longer than the honest one.
fn oversized<S: Hostile>(round: u8, bytes: &[u8]) -> Rejected {
    let start = BODY[usize::from(round) - 1];
    let limit = frame(&honest::<S>(SID), round, MUTATOR, 1).bytes.len() - start;
    Rejected::Oversized { limit, got: bytes.len() - start }
}

/// A frame that is not taken leaves both honest parties waiting; followed by the right one it
/// does no harm.
fn refused<S: Hostile>(round: u8, bytes: &[u8]) {
    let why = oversized::<S>(round, bytes);
    for with_the_right_one in [false, true] {
        let report = keygen::<S>(SID, |one| {
            if one.from != id(MUTATOR) || one.round.get() != round {
                return vec![one];
            }
            let mut wrong = one.clone();
            wrong.bytes = bytes.to_vec();
            if with_the_right_one { vec![wrong, one] } else { vec![wrong] }
        });
        let rejected = [1, 5].map(|victim| (id(MUTATOR), id(victim), why));
        assert_eq!(report.stats.rejected, rejected);
        if with_the_right_one {
            assert_unharmed(&report);
        } else {
            assert_eq!(verdicts(&report), [Verdict::Missing; 2]);
        }
    }
}

const MESSAGE: &str = "DKG round 1";

/// Round 1: the commitment φ and the proof (R, z).
pub fn round_1<S: Hostile>(ledger: &mut Ledger) {
    let (point, frames) = (point_len::<S::Curve>(), honest::<S>(SID));
    let sent = &frame(&frames, 1, MUTATOR, 1).bytes;
    let other = honest::<S>(SID + 1);
    let other = &frame(&other, 1, MUTATOR, 1).bytes;
    let mut at = BODY[0];
    let fields = [
        Field::next("constant", Class::Point, point, &mut at),
        Field::next("coefficient", Class::Point, point, &mut at),
        Field::next("proof R", Class::Point, point, &mut at),
        Field::next("proof z", Class::Scalar, scalar_len::<S::Curve>(), &mut at),
    ];
    let run =
        |bytes: &[u8], victims: &[u16], echoed| announced::<S>(&frames, bytes, victims, echoed);
    let blamed = |fault| [Verdict::Blamed(fault); 2];
    for case in cases::<S::Curve>(&fields, sent, &frame(&frames, 1, 1, MUTATOR).bytes, other) {
        let name = format!("{} / {}", case.field, case.mutation);
        let coefficient = case.field == "coefficient" && case.kind == Kind::Valid;
        ledger.case(MESSAGE, &name, || match (case.class, case.kind) {
            (_, Kind::Longer) => refused::<S>(1, &case.bytes),
            (Class::Point, Kind::Invalid) => {
                assert_eq!(run(&case.bytes, &[1, 5], false), blamed(Fault::InvalidPoint));
            }
            (_, Kind::Invalid) => {
                assert_eq!(run(&case.bytes, &[1, 5], false), blamed(Fault::InvalidScalar));
            }
            // The proof covers the constant alone: the mutator's echo reveals the change.
            _ if coefficient => assert_eq!(run(&case.bytes, &[1, 5], false), [ECHO_FAILS; 2]),
            _ => {
                let fault = Fault::InvalidProofOfPossession;
                assert_eq!(run(&case.bytes, &[1, 5], false), blamed(fault));
            }
        });
        if coefficient {
            ledger.case(MESSAGE, &format!("{name}, consistently"), || {
                // If it lies about what it sent, its shares are not on that polynomial.
                assert_eq!(run(&case.bytes, &[1, 5], true), blamed(Fault::InvalidShare));
            });
            ledger.case(MESSAGE, &format!("{name}, to one party"), || {
                assert_eq!(run(&case.bytes, &[1], false), [ECHO_FAILS; 2]);
            });
        } else if case.kind == Kind::Valid {
            ledger.case(MESSAGE, &format!("{name}, to one party"), || {
                let fault = Verdict::Blamed(Fault::InvalidProofOfPossession);
                assert_eq!(run(&case.bytes, &[1], false), [fault, Verdict::Missing]);
            });
        }
    }
    vectors::<S>(ledger, &frames, &fields);
    bodies::<S>(ledger, &frames, other);
}

/// A run in which the mutator's round 1 is another message.
fn announced<S: Hostile>(
    frames: &[Delivery],
    bytes: &[u8],
    victims: &[u16],
    echoed: bool,
) -> [Verdict; 2] {
    let bytes = bytes.to_vec();
    verdicts(&replaced::<S>(SID, frames, &Replacement { round: 1, victims, bytes, echoed }))
}

/// Round 1 with another list of points.
fn vectors<S: Hostile>(ledger: &mut Ledger, frames: &[Delivery], fields: &[Field]) {
    let sent = &frame(frames, 1, MUTATOR, 1).bytes;
    let [one, two, proof] =
        [&fields[0], &fields[1], &fields[2]].map(|field| &sent[field.at.clone()]);
    let generator = encoded::<S::Curve>(&S::Curve::generator());
    let rest = &sent[fields[1].at.end..];
    let with = |points: &[&[u8]]| [&sent[..BODY[0]], &points.concat(), rest].concat();
    let vectors: [(&str, Vec<u8>, Verdict); 8] = [
        ("empty", with(&[]), Verdict::Blamed(Fault::WrongLength)),
        ("one fewer", with(&[one]), Verdict::Blamed(Fault::WrongLength)),
        ("one more", with(&[one, two, &generator]), Verdict::Missing),
        ("twice", with(&[one, two, one, two]), Verdict::Missing),
        ("swapped", with(&[two, one]), Verdict::Blamed(Fault::InvalidProofOfPossession)),
        ("constant repeated", with(&[one, one]), ECHO_FAILS),
        (
            "coefficient repeated",
            with(&[two, two]),
            Verdict::Blamed(Fault::InvalidProofOfPossession),
        ),
        ("R for the coefficient", with(&[one, proof]), ECHO_FAILS),
    ];
    for (name, bytes, expected) in vectors {
        ledger.case(MESSAGE, &format!("vector / {name}"), || match expected {
            Verdict::Missing => refused::<S>(1, &bytes),
            _ => assert_eq!(announced::<S>(frames, &bytes, &[1, 5], false), [expected; 2]),
        });
    }
}

/// Round 1 with another body.
fn bodies<S: Hostile>(ledger: &mut Ledger, frames: &[Delivery], other: &[u8]) {
    let sent = &frame(frames, 1, MUTATOR, 1).bytes;
    let blamed = |fault| [Verdict::Blamed(fault); 2];
    let bodies: [(&str, Vec<u8>, Fault); 4] = [
        ("no body", Vec::new(), Fault::WrongLength),
        ("one byte less", sent[BODY[0]..sent.len() - 1].to_vec(), Fault::WrongLength),
        ("all ones", vec![255; sent.len() - BODY[0]], Fault::InvalidPoint),
        ("other session's", other[BODY[0]..].to_vec(), Fault::InvalidProofOfPossession),
    ];
    for (name, body, fault) in bodies {
        let bytes = splice(sent, BODY[0]..sent.len(), &body);
        ledger.case(MESSAGE, name, || {
            assert_eq!(announced::<S>(frames, &bytes, &[1, 5], false), blamed(fault))
        });
    }
    ledger.case(MESSAGE, "other party's", || {
        let peers = &frame(frames, 1, 1, 5).bytes[BODY[0]..];
        let bytes = splice(sent, BODY[0]..sent.len(), peers);
        let fault = Fault::InvalidProofOfPossession;
        assert_eq!(announced::<S>(frames, &bytes, &[1, 5], false), blamed(fault));
    });
}

/// Round 2: a share, and the echo of round 1.
pub fn round_2<S: Hostile>(ledger: &mut Ledger) {
    const MESSAGE: &str = "DKG round 2";
    let (frames, other) = (honest::<S>(SID), honest::<S>(SID + 1));
    let sent = &frame(&frames, 2, MUTATOR, 1).bytes;
    let share = BODY[1]..sent.len();
    let field = Field { name: "share", class: Class::Scalar, at: share.clone() };
    let run = told::<S>;
    let peers = &frame(&frames, 2, 5, 1).bytes;
    for case in cases::<S::Curve>(&[field], sent, peers, &frame(&other, 2, MUTATOR, 1).bytes) {
        let fault = match case.kind {
            Kind::Invalid => Fault::InvalidScalar,
            _ => Fault::InvalidShare,
        };
        let name = format!("share / {}", case.mutation);
        ledger.case(MESSAGE, &name, || run(&case.bytes, Verdict::Blamed(fault)));
    }
    let bodies: [(&str, Vec<u8>); 2] =
        [("empty", Vec::new()), ("short", sent[share.start..share.end - 1].to_vec())];
    for (name, body) in bodies {
        let bytes = splice(sent, share.clone(), &body);
        let expected = Verdict::Blamed(Fault::WrongLength);
        ledger.case(MESSAGE, &format!("share / {name}"), || run(&bytes, expected));
    }
    echoes::<S>(ledger, sent, &frame(&other, 2, MUTATOR, 1).bytes);
    ledger.case(MESSAGE, "swapped shares", || {
        let shares = [1, 5].map(|to| frame(&frames, 2, MUTATOR, to).bytes[BODY[1]..].to_vec());
        let report = keygen::<S>(SID, |mut one| {
            if one.from == id(MUTATOR) && one.round.get() == 2 {
                one.bytes.truncate(BODY[1]);
                one.bytes.extend(&shares[usize::from(one.to == id(1))]);
            }
            vec![one]
        });
        assert_eq!(verdicts(&report), [Verdict::Blamed(Fault::InvalidShare); 2]);
    });
    ledger.case(MESSAGE, "long", || {
        let long = [&sent[..], &[0]].concat();
        refused_direct::<S>(&long, oversized::<S>(2, &long))
    });
    ledger.case(MESSAGE, "cut within the echo", || {
        refused_direct::<S>(&sent[..60], Rejected::BadFrame)
    });
}

/// A run in which the mutator sends party 1 another message in round 2.
fn told<S: Hostile>(bytes: &[u8], expected: Verdict) {
    let (frames, bytes) = (honest::<S>(SID), bytes.to_vec());
    let replacement = Replacement { round: 2, victims: &[1], bytes, echoed: false };
    // The other party moves on and waits for the victim's confirmation.
    let verdicts = verdicts(&replaced::<S>(SID, &frames, &replacement));
    assert_eq!(verdicts, [expected, Verdict::Missing]);
}

/// Round 2 with another echo of round 1.
fn echoes<S: Hostile>(ledger: &mut Ledger, sent: &[u8], other: &[u8]) {
    use super::dkg::ECHO;
    let echoes: [(&str, Vec<u8>); 3] = [
        ("bit flip", flipped(sent, 50)),
        ("zero", splice(sent, ECHO, &[0; 32])),
        ("other session's", splice(sent, ECHO, &other[ECHO])),
    ];
    for (name, bytes) in echoes {
        ledger.case("DKG round 2", &format!("echo / {name}"), || told::<S>(&bytes, ECHO_FAILS));
    }
}

/// As [`refused`], for a message to party 1 alone.
fn refused_direct<S: Hostile>(bytes: &[u8], why: Rejected) {
    let report = keygen::<S>(SID, |one| {
        if (one.from, one.to, one.round.get()) != (id(MUTATOR), id(1), 2) {
            return vec![one];
        }
        let wrong = Delivery { bytes: bytes.to_vec(), ..one.clone() };
        vec![wrong, one]
    });
    assert_eq!(report.stats.rejected, [(id(MUTATOR), id(1), why)]);
    assert_unharmed(&report);
}

/// Round 3: the digest that all have to agree on.
pub fn round_3<S: Hostile>(ledger: &mut Ledger) {
    const MESSAGE: &str = "DKG confirm";
    let (frames, other) = (honest::<S>(SID), honest::<S>(SID + 1));
    let sent = &frame(&frames, 3, MUTATOR, 1).bytes;
    let field = Field { name: "digest", class: Class::Bytes, at: BODY[2]..sent.len() };
    let peers = &frame(&frames, 3, 1, 5).bytes;
    assert_eq!(sent[BODY[2]..], peers[BODY[2]..], "one digest for all: no party's own to copy");
    assert_eq!(sent[CONTEXT], peers[CONTEXT]);
    let run = |bytes: &[u8], expected: Verdict| {
        let replacement =
            Replacement { round: 3, victims: &[1, 5], bytes: bytes.to_vec(), echoed: false };
        assert_eq!(verdicts(&replaced::<S>(SID, &frames, &replacement)), [expected; 2]);
    };
    for case in cases::<S::Curve>(&[field], sent, peers, &frame(&other, 3, MUTATOR, 1).bytes) {
        ledger.case(MESSAGE, case.mutation, || match case.kind {
            Kind::Longer => refused::<S>(3, &case.bytes),
            Kind::Shorter => run(&case.bytes, Verdict::Blamed(Fault::WrongLength)),
            _ => run(&case.bytes, Verdict::Blamed(Fault::InvalidConfirmation)),
        });
    }
}
