//! FR-09: the repair of a lost share, with helpers that lie. Parties 1 and 2 help party 5. Masks and
//! shares that are wrong and well sealed are in the tests of `quorate-keys`, over every curve.

use quorate::frost::generic::{Mismatch, PlanError, Repair, RepairParams, RepairPlan, Repaired};
use quorate::session::sim::{Delivery, Network, Report};
use quorate::session::{Check, ParamError};
use quorate::{Fault, Parties, PartyId, Session, SessionId};

use super::dkg::{Frames, Verdict, frame, judged};
use super::harness::Hostile;
use super::harness::{Key, Ledger, MUTATOR, id, parties, rng};
use quorate_testkit::encodings::{point_len, scalar_len};
use quorate_testkit::mutation::{Class, Field, Kind, cases, splice};

const SID: SessionId = SessionId::new([1; 32]);
/// Every round has a broadcast, so every frame has an echo.
const BODY: usize = 71;
const TARGET: u16 = 5;

fn plan<S: Hostile>(key: &Key<S>) -> RepairPlan<S> {
    key.repair(&[1, MUTATOR], TARGET)
}

fn run<S: Hostile>(key: &Key<S>, hook: impl FnMut(Delivery) -> Frames) -> Report<Repaired<S>> {
    let plan = plan(key);
    let network = Network::new(1).tamper(hook);
    network.run::<Repair<S>>(SID, &plan.parties(), |me| key.part(&plan, me)).unwrap()
}

/// The ends of the run for the honest helper and for the target, whose share is the one it had. The evidence
/// of every blame also convinces third parties.
fn verdicts<S: Hostile>(key: &Key<S>, report: &Report<Repaired<S>>) -> [Verdict; 2] {
    let shares = report.results.values().flatten().chain(report.unconfirmed.values());
    for share in shares {
        if let Repaired::Share(share) = share {
            assert!(*share.to_bytes() == *key.share(TARGET).to_bytes());
        }
    }
    let plan = plan(key);
    [1, TARGET].map(|party| {
        judged(report, party, |fault, evidence| {
            assert_eq!(plan.convicts(SID, evidence, id(MUTATOR)), Some(fault));
        })
    })
}

fn record<S: Hostile>(key: &Key<S>) -> Frames {
    let mut frames = Vec::new();
    let report = run(key, |one| {
        frames.push(one.clone());
        vec![one]
    });
    assert_eq!(verdicts(key, &report), [Verdict::Done; 2]);
    frames
}

/// The fields of the mutator's message of a round.
fn layout<S: Hostile>(round: u8) -> (&'static str, Vec<Field>) {
    let (point, scalar) = (point_len::<S::Curve>(), scalar_len::<S::Curve>());
    let mut at = BODY;
    let mut next = |name, class, length| Field::next(name, class, length, &mut at);
    match round {
        1 => ("repair opening key", vec![next("Y", Class::Point, point)]),
        2 => {
            let points = ["constant", "coefficient", "D", "R"];
            let points = points.map(|name| next(name, Class::Point, point));
            let scalars = ["z", "sealed for 1"].map(|name| next(name, Class::Scalar, scalar));
            ("repair mask", [&points[..], &scalars[..]].concat())
        }
        _ => {
            next("kind", Class::Bytes, 1);
            ("repair gift", vec![next("sealed for 5", Class::Scalar, scalar)])
        }
    }
}

/// Every mutation of a helper's broadcasts.
pub fn fields<S: Hostile>(ledger: &mut Ledger) {
    let (key, other) = (Key::<S>::new(1), Key::<S>::new(2));
    let (frames, foreign) = (record(&key), record(&other));
    for round in 1..=3 {
        let (message, fields) = layout::<S>(round);
        let find = |frames: &Frames, from: u16| frame(frames, round, from, TARGET).bytes.clone();
        let sent = find(&frames, MUTATOR);
        assert_eq!(fields.last().unwrap().at.end, sent.len());
        let tampered = |bytes: &[u8]| {
            let report = run(&key, |mut one| {
                if (one.from, one.round.get()) == (id(MUTATOR), round) {
                    one.bytes = bytes.to_vec();
                }
                vec![one]
            });
            verdicts(&key, &report)
        };
        let blamed = |fault| [Verdict::Blamed(fault); 2];
        // A round takes what its longest message may have: in round 2 one sealed mask more.
        let most = match round {
            1 => sent.len(),
            _ => sent.len() + scalar_len::<S::Curve>(),
        };
        let longer = |length: usize| match length > most {
            true => [Verdict::Missing; 2],
            false => blamed(Fault::WrongLength),
        };
        let valid = match round {
            2 => blamed(Fault::InvalidProofOfPossession),
            // The mutator's echo is truthful. Neither receiver can tell which message the other received.
            _ => [Verdict::Unattributed(Check::EchoMismatch); 2],
        };
        let cases = cases::<S::Curve>(&fields, &sent, &find(&frames, 1), &find(&foreign, MUTATOR));
        for case in cases {
            ledger.case(message, &format!("{} / {}", case.field, case.mutation), || {
                let expected = match (case.kind, case.class) {
                    (Kind::Longer, _) => longer(case.bytes.len()),
                    (Kind::Invalid, Class::Point) => blamed(Fault::InvalidPoint),
                    (Kind::Invalid, _) => blamed(Fault::InvalidScalar),
                    _ => valid,
                };
                assert_eq!(tampered(&case.bytes), expected);
            });
        }
        for end in [BODY, sent.len() - 1] {
            ledger.case(message, "length", || {
                assert_eq!(tampered(&sent[..end]), blamed(Fault::WrongLength));
            });
        }
        if round == 3 {
            for kind in [2, 255] {
                let bytes = splice(&sent, BODY..BODY + 1, &[kind]);
                ledger.case(message, "kind", || {
                    assert_eq!(tampered(&bytes), blamed(Fault::Malformed));
                });
            }
        }
    }
}

fn inputs<S: Hostile>() {
    let (key, other) = (Key::<S>::new(1), Key::<S>::new(2));
    let (all, plan) = (parties([1, MUTATOR, TARGET]), plan(&key));
    let start = |params, me: u16, parties: &Parties| {
        Session::<Repair<S>>::start(SID, id(me), parties, params, &mut rng(1)).map(drop)
    };
    let part = |me: u16| key.part(&plan, id(me));
    assert_eq!(start(part(1), 1, &all), Ok(()));
    // Fewer helpers than the threshold; a helper twice; a helper that is the target; a target or a helper that holds no
    // share; a share of another key, or of no helper.
    let planned = |helpers: &[u16], target: u16| {
        let helpers = Parties::new(helpers.iter().map(|helper| id(*helper)));
        let planned = RepairPlan::new(key.public.shared(), helpers.unwrap(), id(target));
        planned.err()
    };
    let higher = Key::<S>::among(3, &parties([1, 2, 5, 6]), 3);
    let few = RepairPlan::new(higher.public.shared(), parties([1, 2]), id(TARGET));
    assert_eq!(few.err(), Some(PlanError::TooFew { need: 3, got: 2 }));
    let twice = Parties::new([id(1), id(1), id(TARGET)]);
    assert_eq!(twice, Err(ParamError::DuplicateParty(id(1))));
    assert_eq!(planned(&[1, TARGET], TARGET), Some(PlanError::OtherPart(id(TARGET))));
    assert_eq!(planned(&[1, 2], 6), Some(PlanError::NotAHolder(id(6))));
    assert_eq!(planned(&[1, 4], TARGET), Some(PlanError::NotAHolder(id(4))));
    let helper = |share: &Key<S>, party: u16| {
        RepairParams::helper(&plan, share.share(party).secret_share()).err()
    };
    assert_eq!(helper(&other, 1), Some(PlanError::Mismatch(Mismatch::WrongKey)));
    assert_eq!(helper(&key, TARGET), Some(PlanError::OtherPart(id(TARGET))));
    // Another party's part; a target that is not there; a stranger.
    for (me, all) in [(2, &all), (1, &parties([1, 2])), (1, &parties([1, 2, 4, 5]))] {
        let refused = start(part(1), me, all);
        assert!(matches!(refused, Err(ParamError::Inconsistent(_))), "{refused:?}");
    }

    // A helper that is silent is not blamed; one that has another package in mind is not heard.
    let silent = run(&key, |one| if one.from == id(MUTATOR) { vec![] } else { vec![one] });
    assert_eq!(verdicts(&key, &silent), [Verdict::Missing; 2]);
    let foreign = self::plan(&other);
    let report = Network::new(1)
        .run::<Repair<S>>(SID, &all, |me: PartyId| {
            if me == id(MUTATOR) { other.part(&foreign, me) } else { key.part(&plan, me) }
        })
        .unwrap();
    assert_eq!(verdicts(&key, &report), [Verdict::Missing; 2]);
    // The target deals as if it were a helper.
    let deal = frame(&record(&key), 2, 1, TARGET).bytes.clone();
    let report = run(&key, |mut one| {
        if one.from == id(TARGET) && one.round.get() == 2 {
            one.bytes.truncate(BODY);
            one.bytes.extend(&deal[BODY..]);
        }
        vec![one]
    });
    for helper in [1, MUTATOR] {
        let result = report.results.get(&id(helper)).unwrap();
        let culprits: Vec<_> = result.as_ref().unwrap_err().culprits().collect();
        assert_eq!(culprits, [id(TARGET)]);
    }
}

#[test]
fn fr_09_repair_with_wrong_helpers() {
    quorate_testkit::for_every_suite!(inputs);
}
