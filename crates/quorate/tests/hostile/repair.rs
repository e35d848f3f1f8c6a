//! FR-09: the repair of a lost share, with helpers that lie. Parties 1 and 2 help party 5.

use quorate::frost::generic::curve::Curve;
use quorate::frost::generic::{Repair, RepairOutput, RepairParams};
use quorate::session::sim::{Delivery, Network, Report};
use quorate::session::{Check, ParamError};
use quorate::{Abort, Fault, Parties, Session, SessionId};

use super::cheat::scalar_bytes;
use super::dkg::{Frames, frame};
use super::harness::Hostile;
use super::harness::{Key, Ledger, MUTATOR, id, parties, rng};
use quorate_testkit::mutation::{Class, Field, Kind, cases};

/// A direct message's body follows the header: no round has broadcasts, so there is no echo.
const BODY: [usize; 2] = [71, 39];
const TARGET: u16 = 5;

fn params<S: Hostile>(key: &Key<S>, me: u16, target: u16) -> RepairParams<S> {
    if me == target {
        RepairParams::target(id(me), &key.public)
    } else {
        RepairParams::helper(key.share(me), &key.public, id(target))
    }
}

fn run<S: Hostile>(
    key: &Key<S>,
    parties: &Parties,
    hook: impl FnMut(Delivery) -> Frames,
) -> Report<RepairOutput<S>> {
    let network = Network::new(1).tamper(hook);
    let params = |me: quorate::PartyId| params(key, me.get(), TARGET);
    network.run::<Repair<S>>(SessionId::new([1; 32]), parties, params).unwrap()
}

/// How it ended for a party: whether it has what it should, or why not.
fn outcome<S: Hostile>(key: &Key<S>, report: &Report<RepairOutput<S>>, party: u16) -> Outcome {
    match report.results.get(&id(party)).unwrap() {
        Ok(RepairOutput::Helped) => Outcome::Done,
        Ok(RepairOutput::Repaired(share)) => {
            assert!(*share.to_bytes() == *key.share(TARGET).to_bytes());
            Outcome::Done
        }
        Err(Abort::Misbehaviour(blames)) => {
            assert_eq!((blames.len(), blames[0].party), (1, id(MUTATOR)));
            Outcome::Blamed(blames[0].fault)
        }
        Err(Abort::Unattributed { check, .. }) => Outcome::Unattributed(*check),
        Err(_) => Outcome::Missing,
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    Done,
    Blamed(Fault),
    Unattributed(Check),
    Missing,
}

const FAILED: Outcome = Outcome::Unattributed(Check::ResultMismatch);

/// Every mutation of an addend (round 1, to helper 1) and of a sum (round 2, to the target).
pub fn fields<S: Hostile>(ledger: &mut Ledger) {
    let (key, other, all) = (Key::<S>::new(1), Key::<S>::new(2), parties([1, 2, TARGET]));
    let record = |key: &Key<S>| {
        let mut frames = Vec::new();
        let report = run(key, &all, |one| {
            frames.push(one.clone());
            vec![one]
        });
        assert!([1, 2, TARGET].iter().all(|n| outcome(key, &report, *n) == Outcome::Done));
        frames
    };
    let (frames, foreign) = (record(&key), record(&other));
    for (message, round, to) in [("repair addend", 1, 1), ("repair sum", 2, TARGET)] {
        let find =
            |frames: &Frames, from: u16, to: u16| frame(frames, round, from, to).bytes.clone();
        let sent = find(&frames, MUTATOR, to);
        let peers = find(&frames, 1, if round == 1 { MUTATOR } else { TARGET });
        let field = Field {
            name: "scalar",
            class: Class::Scalar,
            at: BODY[usize::from(round) - 1]..sent.len(),
        };
        let tampered = |bytes: &[u8]| {
            let report = run(&key, &all, |mut one| {
                if (one.from, one.to, one.round.get()) == (id(MUTATOR), id(to), round) {
                    one.bytes = bytes.to_vec();
                }
                vec![one]
            });
            [1, TARGET].map(|party| outcome(&key, &report, party))
        };
        // Who was sent something that cannot be read names the sender; a wrong number spoils the
        // sum, and nobody can tell whose it was.
        let unreadable = |fault| match round {
            1 => [Outcome::Blamed(fault), Outcome::Missing],
            _ => [Outcome::Done, Outcome::Blamed(fault)],
        };
        for case in cases::<S::Curve>(&[field], &sent, &peers, &find(&foreign, MUTATOR, to)) {
            ledger.case(message, case.mutation, || match case.kind {
                Kind::Invalid => {
                    assert_eq!(tampered(&case.bytes), unreadable(Fault::InvalidScalar))
                }
                _ => assert_eq!(tampered(&case.bytes), [Outcome::Done, FAILED]),
            });
        }
        for end in [BODY[usize::from(round) - 1], sent.len() - 1] {
            ledger.case(message, "length", || {
                assert_eq!(tampered(&sent[..end]), unreadable(Fault::WrongLength));
            });
        }
        ledger.case(message, "long", || {
            let long = [&sent[..], &[0]].concat();
            let expected = if round == 1 { Outcome::Missing } else { Outcome::Done };
            assert_eq!(tampered(&long), [expected, Outcome::Missing]);
        });
    }
}

fn inputs<S: Hostile>() {
    let (key, other) = (Key::<S>::new(1), Key::<S>::new(2));
    let all = parties([1, 2, TARGET]);
    let start = |params, me: u16, parties: &Parties| {
        let sid = SessionId::new([1; 32]);
        Session::<Repair<S>>::start(sid, id(me), parties, params, &mut rng(1)).map(drop)
    };
    assert_eq!(start(params(&key, 1, TARGET), 1, &all), Ok(()));
    // Fewer helpers than the threshold; a helper twice; a helper that is the target; another
    // party's part; a target that is not there; a stranger; a share of another key.
    assert_eq!(start(params(&key, 1, TARGET), 1, &parties([1, 5])), Err(ParamError::Threshold));
    let twice = Parties::new([id(1), id(1), id(TARGET)]);
    assert_eq!(twice, Err(ParamError::DuplicateParty(id(1))));
    let inconsistent = |result| assert!(matches!(result, Err(ParamError::Inconsistent(_))));
    let own = RepairParams::helper(key.share(TARGET), &key.public, id(TARGET));
    inconsistent(start(own, TARGET, &all));
    inconsistent(start(params(&key, 1, TARGET), 2, &all));
    let absent = start(params(&key, 1, TARGET), 1, &parties([1, 2]));
    assert_eq!(absent, Err(ParamError::NotAParty(id(TARGET))));
    let stranger = start(params(&key, 1, TARGET), 1, &parties([1, 2, 4, 5]));
    assert_eq!(stranger, Err(ParamError::NotAParty(id(4))));
    let foreign = RepairParams::helper(other.share(1), &key.public, id(TARGET));
    inconsistent(start(foreign, 1, &all));

    // A helper that is silent is not blamed; one that has another package in mind is not heard.
    let silent = run(&key, &all, |one| if one.from == id(MUTATOR) { vec![] } else { vec![one] });
    assert!([1, TARGET].iter().all(|n| outcome(&key, &silent, *n) == Outcome::Missing));
    let network = Network::new(1);
    let report = network
        .run::<Repair<S>>(SessionId::new([1; 32]), &all, |me| {
            params(if me == id(MUTATOR) { &other } else { &key }, me.get(), TARGET)
        })
        .unwrap();
    assert!([1, TARGET].iter().all(|n| outcome(&key, &report, *n) == Outcome::Missing));
    // The target sends addends as if it were a helper.
    let report = run(&key, &all, |mut one| {
        if one.from == id(TARGET) && one.round.get() == 1 {
            one.bytes.truncate(BODY[0]);
            one.bytes.extend(scalar_bytes::<S>(&S::Curve::scalar_from_wide(&[1])));
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
