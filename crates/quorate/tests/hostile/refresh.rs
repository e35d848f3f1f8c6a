//! VS-08, VS-09: the refresh of a key's shares, with a party that cheats. Deals that are wrong and
//! well proved are in the tests of `quorate-keys`, over every curve.

use quorate::frost::generic::curve::Curve;
use quorate::frost::generic::{Mismatch, PlanError, Reshare, ReshareParams, ResharePlan, Reshared};
use quorate::session::sim::{Delivery, Network, Report};
use quorate::session::{Check, ParamError};
use quorate::{Fault, PartyId, Session, SessionId};

use super::dkg::{CONTEXT, ECHO, Frames, Verdict, echo, frame, judged};
use super::harness::Hostile;
use super::harness::{Key, Ledger, MUTATOR, PARTIES, id, parties, rng};
use quorate_testkit::encodings::{encoded, point_len, scalar_len};
use quorate_testkit::mutation::{Case, Class, Field, Kind, cases, splice};

type Outcome<S> = Report<Reshared<S>>;

const SID: SessionId = SessionId::new([1; 32]);
/// Every round has a broadcast, so every frame has an echo.
const BODY: usize = 71;

fn run<S: Hostile>(key: &Key<S>, hook: impl FnMut(Delivery) -> Frames) -> Outcome<S> {
    let plan = key.refresh();
    let network = Network::new(1).tamper(hook);
    network.run::<Reshare<S>>(SID, &plan.parties(), |me| key.dealer(&plan, me)).unwrap()
}

/// The ends of the run for the honest two. The evidence of every blame also convinces third parties.
fn verdicts<S: Hostile>(key: &Key<S>, report: &Outcome<S>) -> [Verdict; 2] {
    let mut packages = report.results.values().flatten().map(|one| one.public.package_id());
    if let Some(first) = packages.next() {
        assert!(packages.all(|other| other == first));
    }
    let plan = key.refresh();
    [1, 5].map(|party| {
        judged(report, party, |fault, evidence| {
            assert_eq!(plan.convicts(SID, evidence, id(MUTATOR)), Some(fault));
        })
    })
}

/// The frames of an honest refresh, after which all sign with new shares.
fn honest<S: Hostile>(key: &Key<S>) -> Frames {
    let mut frames = Vec::new();
    let report = run(key, |one| {
        frames.push(one.clone());
        vec![one]
    });
    assert_eq!(verdicts(key, &report), [Verdict::Done; 2]);
    let output = report.results[&id(1)].as_ref().unwrap();
    let share = output.share.as_ref().unwrap();
    assert_eq!(output.public.key_id(), key.public.key_id());
    assert_eq!((share.epoch(), share.threshold()), (1, 2));
    frames
}

/// Runs with another frame of one round from the mutator to `victims`. If `echoed`, which is for round 1, the
/// mutator's echo agrees with that frame.
fn tampered<S: Hostile>(
    key: &Key<S>,
    frames: &Frames,
    (round, victims): (u8, &[u16]),
    bytes: &[u8],
    echoed: bool,
) -> [Verdict; 2] {
    let bodies = PARTIES.map(|party| match party {
        MUTATOR => bytes.get(BODY..).unwrap_or_default().to_vec(),
        _ => frame(frames, 1, party, MUTATOR).bytes[BODY..].to_vec(),
    });
    let report = run(key, |mut one| {
        let mine = one.from == id(MUTATOR) && victims.contains(&one.to.get());
        if mine && one.round.get() == round {
            one.bytes = bytes.to_vec();
        } else if mine && echoed && one.round.get() == 2 {
            let digest = echo(&one.bytes[CONTEXT], &bodies);
            one.bytes[ECHO].copy_from_slice(&digest);
        }
        vec![one]
    });
    verdicts(key, &report)
}

/// The altered messages of a round, with the name of the message and what was sent.
fn altered<S: Hostile>(
    [frames, foreign]: [&Frames; 2],
    round: u8,
    fields: &[Field],
) -> (Vec<u8>, Vec<Case>) {
    let [sent, other] =
        [frames, foreign].map(|frames| frame(frames, round, MUTATOR, 1).bytes.clone());
    let peers = &frame(frames, round, 5, 1).bytes;
    let cases = cases::<S::Curve>(fields, &sent, peers, &other);
    (sent, cases)
}

/// Every mutation of every field of the three rounds.
pub fn fields<S: Hostile>(ledger: &mut Ledger) {
    let (key, other) = (Key::<S>::new(1), Key::<S>::new(2));
    let (frames, foreign) = (honest(&key), honest(&other));
    opening_keys::<S>(ledger, &key, [&frames, &foreign]);
    deals::<S>(ledger, &key, [&frames, &foreign]);
    confirmations::<S>(ledger, &key, [&frames, &foreign]);
}

fn opening_keys<S: Hostile>(ledger: &mut Ledger, key: &Key<S>, frames: [&Frames; 2]) {
    const MESSAGE: &str = "refresh opening key";
    let mut at = BODY;
    let field = Field::next("Y", Class::Point, point_len::<S::Curve>(), &mut at);
    let (sent, cases) = altered::<S>(frames, 1, &[field]);
    let first = |bytes: &[u8], echoed| tampered(key, frames[0], (1, &[1, 5]), bytes, echoed);
    for case in cases {
        ledger.case(MESSAGE, case.mutation, || match case.kind {
            Kind::Longer => assert_eq!(first(&case.bytes, false), [Verdict::Missing; 2]),
            Kind::Invalid => {
                assert_eq!(first(&case.bytes, false), [Verdict::Blamed(Fault::InvalidPoint); 2]);
            }
            _ => {
                let split = Verdict::Unattributed(Check::EchoMismatch);
                assert_eq!(first(&case.bytes, false), [split; 2]);
                // The mutator's own session sees another message of its own, and falls silent.
                assert_eq!(first(&case.bytes, true), [Verdict::Missing; 2]);
            }
        });
    }
    for end in [BODY, sent.len() - 1] {
        ledger.case(MESSAGE, "length", || {
            assert_eq!(first(&sent[..end], false), [Verdict::Blamed(Fault::WrongLength); 2]);
        });
    }
}

fn deals<S: Hostile>(ledger: &mut Ledger, key: &Key<S>, frames: [&Frames; 2]) {
    const MESSAGE: &str = "refresh deal";
    let (point, scalar) = (point_len::<S::Curve>(), scalar_len::<S::Curve>());
    let mut at = BODY;
    let points = ["constant", "coefficient", "D", "R"]
        .map(|name| Field::next(name, Class::Point, point, &mut at));
    let scalars = ["z", "sealed for 1", "sealed for 5"]
        .map(|name| Field::next(name, Class::Scalar, scalar, &mut at));
    let (sent, cases) = altered::<S>(frames, 2, &[&points[..], &scalars[..]].concat());
    assert_eq!(at, sent.len());
    let second = |bytes: &[u8]| tampered(key, frames[0], (2, &[1, 5]), bytes, false);
    // A dealer that is no member deals one share more. A longer frame is not taken.
    let most = sent.len() + scalar;
    let longer = |length: usize| match length > most {
        true => Verdict::Missing,
        false => Verdict::Blamed(Fault::WrongLength),
    };
    for case in cases {
        ledger.case(MESSAGE, &format!("{} / {}", case.field, case.mutation), || {
            let expected = match (case.kind, case.class) {
                (Kind::Longer, _) => longer(case.bytes.len()),
                (Kind::Invalid, Class::Point) => Verdict::Blamed(Fault::InvalidPoint),
                (Kind::Invalid, _) => Verdict::Blamed(Fault::InvalidScalar),
                // The proof covers all of it.
                _ => Verdict::Blamed(Fault::InvalidProofOfPossession),
            };
            assert_eq!(second(&case.bytes), [expected; 2]);
        });
    }
    // One point fewer lowers the threshold, one more raises it.
    let fewer = splice(&sent, points[1].at.clone(), &[]);
    for short in [&sent[..BODY], &sent[..sent.len() - 1], &fewer] {
        ledger.case(MESSAGE, "length", || {
            assert_eq!(second(short), [Verdict::Blamed(Fault::WrongLength); 2]);
        });
    }
    ledger.case(MESSAGE, "one more", || {
        let end = points[1].at.end;
        let more = splice(&sent, end..end, &encoded::<S::Curve>(&S::Curve::generator()));
        assert_eq!(second(&more), [longer(more.len()); 2]);
    });
    // To one of the two: the other waits for the party that has stopped, and no new share is kept.
    ledger.case(MESSAGE, "to one", || {
        let mut bytes = sent.clone();
        bytes[points[2].at.clone()].copy_from_slice(&sent[points[3].at.clone()]);
        let found = tampered(key, frames[0], (2, &[1]), &bytes, false);
        let named = Verdict::Blamed(Fault::InvalidProofOfPossession);
        assert_eq!(found, [named, Verdict::Missing]);
    });
}

fn confirmations<S: Hostile>(ledger: &mut Ledger, key: &Key<S>, frames: [&Frames; 2]) {
    const MESSAGE: &str = "refresh confirmation";
    let digest = Field { name: "digest", class: Class::Bytes, at: BODY + 1..BODY + 33 };
    let (sent, cases) = altered::<S>(frames, 3, &[digest]);
    let third = |bytes: &[u8]| tampered(key, frames[0], (3, &[1, 5]), bytes, false);
    for case in cases {
        let fault = match case.kind {
            Kind::Longer | Kind::Shorter => Fault::WrongLength,
            _ => Fault::InvalidConfirmation,
        };
        ledger.case(MESSAGE, case.mutation, || {
            assert_eq!(third(&case.bytes), [Verdict::Blamed(fault); 2]);
        });
    }
    // A complaint that is none, something else, nothing.
    for (kind, fault) in [(1, Fault::WrongLength), (2, Fault::Malformed), (255, Fault::Malformed)] {
        let bytes = splice(&sent, BODY..BODY + 1, &[kind]);
        ledger.case(MESSAGE, "kind", || {
            assert_eq!(third(&bytes), [Verdict::Blamed(fault); 2]);
        });
    }
    ledger.case(MESSAGE, "empty", || {
        assert_eq!(third(&sent[..BODY]), [Verdict::Blamed(Fault::WrongLength); 2]);
    });
}

/// Half of the parties never receive the last confirmation: all still sign with the shares that they had.
fn forget_and_forgive<S: Hostile>() {
    let key = Key::<S>::new(1);
    let report = run(&key, |one| match one.from == id(MUTATOR) && one.round.get() == 3 {
        true if one.to == id(5) => vec![],
        _ => vec![one],
    });
    assert_eq!(verdicts(&key, &report), [Verdict::Done, Verdict::Missing]);
    let signed = key.sign(&PARTIES, b"m", 2);
    key.public.aggregate(&signed.package, &signed.shares).unwrap();
    // A dealer whose sealed shares are moved by a constant is named, and so moves no key.
    let report = run(&key, |mut one| {
        if one.from == id(MUTATOR) && one.round.get() == 2 {
            let share = one.bytes.split_off(one.bytes.len() - scalar_len::<S::Curve>());
            let moved = S::Curve::decode_scalar(&share).unwrap() + 1.into();
            one.bytes.extend(super::cheat::scalar_bytes::<S>(&moved));
        }
        vec![one]
    });
    let named = Verdict::Blamed(Fault::InvalidProofOfPossession);
    assert_eq!(verdicts(&key, &report), [named; 2]);
    let signed = key.sign(&PARTIES, b"m", 3);
    key.public.aggregate(&signed.package, &signed.shares).unwrap();
}

#[test]
fn vs_08_refresh_that_aborts_changes_nothing() {
    quorate_testkit::for_every_suite!(forget_and_forgive);
}

fn other_key_or_parties<S: Hostile>() {
    let (key, other) = (Key::<S>::new(1), Key::<S>::new(2));
    let plan = key.refresh();
    let start = |me: u16, numbers: &[u16], params| {
        let all = parties(numbers.iter().copied());
        Session::<Reshare<S>>::start(SID, id(me), &all, params, &mut rng(1)).map(drop)
    };
    let own = || key.dealer(&plan, id(1));
    assert_eq!(start(1, &PARTIES, own()), Ok(()));
    for (me, numbers) in [(1, &[1, 2][..]), (1, &[1, 2, 5, 6]), (1, &[1, 2, 4]), (2, &PARTIES)] {
        let refused = start(me, numbers, own());
        assert!(matches!(refused, Err(ParamError::Inconsistent(_))), "{refused:?}");
    }
    // Another key's share; fewer dealers than the threshold; a dealer without a share; a party of
    // the plan in another part.
    let foreign = ReshareParams::dealer(&plan, other.share(1).secret_share());
    assert_eq!(foreign.err(), Some(PlanError::Mismatch(Mismatch::WrongKey)));
    let refresh = |dealers: &[u16]| {
        let dealers = parties(dealers.iter().copied());
        ResharePlan::refresh(key.public.shared(), dealers).err()
    };
    assert_eq!(refresh(&[1, 5]), None);
    assert_eq!(refresh(&[1, 6]), Some(PlanError::NotAHolder(id(6))));
    let higher = Key::<S>::among(3, &parties(PARTIES), 3);
    let two = ResharePlan::refresh(higher.public.shared(), parties([1, 5]));
    assert_eq!(two.err(), Some(PlanError::TooFew { need: 3, got: 2 }));
    let member = ReshareParams::member(&plan, id(1));
    assert_eq!(member.err(), Some(PlanError::OtherPart(id(1))));
    // A party that refreshes another key is not heard.
    let plans = [plan, other.refresh()];
    let report = Network::new(1)
        .run::<Reshare<S>>(SID, &parties(PARTIES), |me: PartyId| {
            if me == id(MUTATOR) { other.dealer(&plans[1], me) } else { key.dealer(&plans[0], me) }
        })
        .unwrap();
    assert_eq!(verdicts(&key, &report), [Verdict::Missing; 2]);
}

#[test]
fn vs_09_refresh_of_another_key_or_by_other_parties() {
    quorate_testkit::for_every_suite!(other_key_or_parties);
}
