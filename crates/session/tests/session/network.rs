//! Whole runs over a network that misbehaves.

use crate::toy;

use quorate_session::{
    Abort, Binding, Check, Ended, Evidence, Inbox, Limits, Next, Outbox, Outgoing, ParamError,
    Parties, PartyId, Progress, Protocol, Rejected, Round, Run, SessionId, To, drive,
    rand_core::Rng,
    sim::{Delivery, Network, Report, RoundStats},
    wire::Reader,
};
use quorate_testkit::Lcg;
use toy::{ECHOED, Params, Sum, advance_all, exchange, id, params, start_all};

fn run(network: Network<'_>, parties: &Parties) -> Report<u64> {
    network.run::<Sum>(SessionId::new([1; 32]), parties, params).unwrap()
}

fn assert_all_done(report: &Report<u64>, parties: &Parties) {
    let sum = parties.iter().map(|party| u64::from(party.get()) * 1000).sum();
    assert_eq!(report.results.len(), parties.len());
    for (party, result) in &report.results {
        assert_eq!(*result, Ok(sum), "{party}");
    }
    assert_eq!(report.stats.diverged, 0);
}

#[test]
fn a_perfect_network_sends_each_message_once() {
    let parties = Parties::numbered(4).unwrap();
    let report = run(Network::new(1), &parties);
    assert_all_done(&report, &parties);
    let size = |body: usize, header: usize, count: u64| count * (body + header) as u64;
    let expected = [
        RoundStats { broadcasts: 4, broadcast_bytes: size(64, ECHOED, 4), ..RoundStats::default() },
        RoundStats {
            broadcasts: 4,
            broadcast_bytes: size(40, ECHOED, 4),
            directs: 12,
            direct_bytes: size(64, ECHOED, 12),
        },
        RoundStats { directs: 12, direct_bytes: size(64, ECHOED, 12), ..RoundStats::default() },
    ];
    assert_eq!(report.stats.rounds, expected);
    assert!(report.stats.ended_at.values().all(|time| *time == 3));
}

#[test]
fn every_kind_of_bad_weather() {
    let parties = Parties::numbered(5).unwrap();
    for seed in 0..60 {
        let network = Network::new(seed).reorder(20).duplicate(20).lose(20).crash(20);
        let report = run(network, &parties);
        assert_all_done(&report, &parties);
        assert!(report.stats.resumed > 0 && report.stats.lost > 0 && report.stats.duplicates > 0);
        assert!(report.stats.rejected.is_empty());
    }
}

#[test]
fn one_seed_one_run() {
    let parties = Parties::numbered(4).unwrap();
    let go = |seed| run(Network::new(seed).reorder(9).lose(10).crash(10), &parties).stats;
    assert_eq!(go(5), go(5));
    assert_ne!(go(5), go(6));
}

#[test]
fn latency_is_counted() {
    let parties = Parties::numbered(3).unwrap();
    let slow = |from: PartyId, _| if from == id(3) { 50 } else { 1 };
    let report = run(Network::new(1).latency(slow), &parties);
    assert_all_done(&report, &parties);
    // Party 3's frames arrive at 50, 51 (it heard the others at 1) and 101 (it heard them at 51).
    let ended: Vec<u64> = report.stats.ended_at.values().copied().collect();
    assert_eq!(ended, [101, 101, 52]);
}

#[test]
fn a_silent_party_is_named_and_not_blamed() {
    let parties = Parties::numbered(3).unwrap();
    let mute = |delivery: Delivery| {
        if delivery.from == id(3) { vec![] } else { vec![delivery] }
    };
    let report = run(Network::new(1).tamper(mute), &parties);
    for party in [id(1), id(2)] {
        let Err(Abort::Missing { parties, .. }) = &report.results[&party] else { panic!() };
        assert_eq!(parties, &[id(3)]);
    }
}

/// Party 3 sends, in some round, something else to half of the others, for every byte of every
/// broadcast.
#[test]
fn se_01_equivocation_is_caught() {
    let parties = Parties::numbered(5).unwrap();
    for (round, header, body) in [(1, ECHOED, 64), (2, ECHOED, 40)] {
        for place in 0..body {
            let equivocate = |mut delivery: Delivery| {
                let hit =
                    delivery.from == id(3) && delivery.broadcast && delivery.round.get() == round;
                if hit && delivery.to.get() > 3 {
                    delivery.bytes[header + place] ^= 1;
                }
                vec![delivery]
            };
            let report = run(Network::new(place as u64).tamper(equivocate), &parties);
            for (party, result) in &report.results {
                let abort = result.as_ref().expect_err("nobody outputs");
                // SE-02: the culprit or nobody, never an honest party.
                assert!(abort.culprits().all(|culprit| culprit == id(3)), "{party}: {abort}");
            }
        }
    }
}

/// Numbers added without any commitment: nothing but the echo can tell a split view.
struct Plain;

impl Protocol for Plain {
    const NAME: &'static str = "plain sum";
    const CODE: u8 = 201;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 2;
    type Params = ();
    type State = u64;
    type Output = u64;

    fn bind((): &(), _: &mut Binding) {}

    fn limits((): &(), _: usize, round: Round) -> Limits {
        Limits { broadcast: if round == Round::FIRST { 8 } else { 1 }, direct: 0 }
    }

    fn start((): (), run: &Run) -> Result<(u64, Outbox), ParamError> {
        let own = u64::from(run.party_id().get());
        Ok((own, Outbox::broadcast(own.to_be_bytes().to_vec())))
    }

    fn next(sum: u64, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        if run.round() == Round(2) {
            return Ok(Next::Done(sum));
        }
        let numbers = inbox.verify(|_, message| Ok(Reader::new(message.broadcast).u64()?))?;
        let sum = numbers.values().fold(sum, |sum, number| sum.wrapping_add(*number));
        // The empty message to come confirms by the echo in its frame.
        Ok(Next::Round(sum, Outbox::default()))
    }
}

#[test]
fn se_01_the_echo_alone_catches_a_split_view() {
    let parties = Parties::numbered(5).unwrap();
    let sid = SessionId::new([1; 32]);
    let honest = Network::new(1).run::<Plain>(sid, &parties, |_| ()).unwrap();
    assert!(honest.results.values().all(|result| *result == Ok(15)));
    for victims in 1..15_u32 {
        let equivocate = |mut delivery: Delivery| {
            if delivery.from == id(5) && delivery.round == Round::FIRST {
                let hit = victims >> (delivery.to.get() - 1) & 1 == 1;
                delivery.bytes[ECHOED] ^= u8::from(hit);
            }
            vec![delivery]
        };
        let network = Network::new(victims.into()).reorder(3).tamper(equivocate);
        let report = network.run::<Plain>(sid, &parties, |_| ()).unwrap();
        for (party, result) in report.results.iter().take(4) {
            let Err(Abort::Unattributed { check, .. }) = result else { panic!("{party}") };
            assert_eq!(*check, Check::EchoMismatch);
        }
    }
}

#[test]
fn se_02_equivocation_blames_no_honest_party() {
    let parties = Parties::numbered(4).unwrap();
    for seed in 0..200 {
        let mut random = Lcg(seed);
        let culprit = id(1 + u16::try_from(random.below(4)).unwrap());
        let equivocate = |mut delivery: Delivery| {
            if delivery.from == culprit && random.below(3) == 0 {
                let place = random.below(delivery.bytes.len());
                let mut other = delivery.clone();
                other.bytes[place] ^= 1 << random.below(8);
                match random.below(3) {
                    0 => return vec![other],
                    1 => return vec![delivery, other],
                    _ => delivery.bytes.truncate(place),
                }
            }
            vec![delivery]
        };
        let report = run(Network::new(seed).reorder(5).tamper(equivocate), &parties);
        for (party, result) in report.results.iter().filter(|(party, _)| **party != culprit) {
            if let Err(abort) = result {
                assert!(abort.culprits().all(|blamed| blamed == culprit), "{party}: {abort}");
            }
        }
    }
}

/// A lie that everybody hears alike is blamed by everybody on the liar.
#[test]
fn consistent_lies_are_blamed_by_all() {
    let parties = Parties::numbered(4).unwrap();
    let lie = |mut delivery: Delivery| {
        if delivery.from == id(2) && delivery.broadcast && delivery.round.get() == 2 {
            delivery.bytes[ECHOED] ^= 1;
        }
        vec![delivery]
    };
    let report = run(Network::new(1).tamper(lie), &parties);
    for party in [id(1), id(3), id(4)] {
        let abort = report.results[&party].as_ref().unwrap_err();
        assert_eq!(abort.culprits().collect::<Vec<_>>(), [id(2)]);
    }
}

#[test]
fn se_03_a_party_with_other_parameters_is_rejected_and_not_blamed() {
    let parties = Parties::numbered(3).unwrap();
    let params = |me: PartyId| Params { threshold: u64::from(me == id(2)), ..params(me) };
    let report = Network::new(1).run::<Sum>(SessionId::new([1; 32]), &parties, params).unwrap();
    assert!(report.results.values().all(|result| matches!(result, Err(Abort::Missing { .. }))));
    assert!(
        report
            .stats
            .rejected
            .iter()
            .all(|(_, _, why)| { *why == Rejected::OtherParameters { which: "threshold" } })
    );
    assert_eq!(report.stats.rejected.len(), 4);
}

#[test]
fn se_05_replays_from_other_rounds_and_parties_change_nothing() {
    let parties = Parties::numbered(4).unwrap();
    let mut seen: Vec<Delivery> = Vec::new();
    let mut random = Lcg(3);
    let replay = |delivery: Delivery| {
        seen.push(delivery.clone());
        let mut old = seen[random.below(seen.len())].clone();
        let relabelled = Delivery { from: delivery.from, to: delivery.to, ..old.clone() };
        old.to = delivery.to;
        vec![old, relabelled, delivery]
    };
    let report = run(Network::new(9).tamper(replay), &parties);
    assert_all_done(&report, &parties);
    assert!(!report.stats.rejected.is_empty());
}

/// Eight sessions of the same parties, every frame delivered to every session.
#[test]
fn se_07_concurrent_sessions_do_not_mix() {
    let parties = Parties::numbered(3).unwrap();
    let mut runs: Vec<_> = (0..8).map(|sid| start_all(sid, &parties)).collect();
    for _ in 0..2 {
        let mail: Vec<Vec<(PartyId, To, Vec<u8>)>> = runs
            .iter()
            .map(|steps| {
                let each = steps.iter().flat_map(|step| {
                    let from = step.session.party_id();
                    step.outgoing.iter().map(move |sent| (from, sent.to, sent.bytes.clone()))
                });
                each.collect()
            })
            .collect();
        for (index, steps) in runs.iter_mut().enumerate() {
            for foreign in (0..8).filter(|other| *other != index) {
                for step in steps.iter_mut() {
                    for (from, _, bytes) in &mail[foreign] {
                        assert!(step.session.receive(*from, bytes).is_err());
                    }
                }
            }
        }
        runs = runs.into_iter().map(|steps| advance_all(exchange(steps))).collect();
    }
    for steps in runs {
        for session in exchange(steps) {
            assert!(matches!(session.advance(), Ok(Progress::Done { output: 6000, .. })));
        }
    }
}

/// No choice and no relabelling of the frames of honest runs is evidence against anybody.
#[test]
fn se_08_honest_frames_are_no_evidence() {
    let parties = Parties::numbered(3).unwrap();
    let mut frames: Vec<(PartyId, Vec<u8>)> = Vec::new();
    let mut contexts = Vec::new();
    for sid in [1, 2] {
        let mut steps = start_all(sid, &parties);
        contexts.push(steps[0].session.slot().session());
        for _ in 0..3 {
            for step in &steps {
                let sent =
                    step.outgoing.iter().map(|sent| (step.session.party_id(), sent.bytes.clone()));
                frames.extend(sent);
            }
            if steps[0].session.round().get() < 3 {
                steps = advance_all(exchange(steps));
            }
        }
    }
    for context in contexts {
        for claimed in parties.iter() {
            let relabelled = frames.iter().map(|(_, bytes)| (claimed, bytes.clone())).collect();
            for frames in [frames.clone(), relabelled] {
                let evidence = Evidence::new(context, frames);
                assert!(parties.iter().all(|party| !evidence.proves_equivocation(party)));
            }
        }
    }
}

#[test]
fn se_08_evidence_stands_without_the_session() {
    let parties = Parties::numbered(3).unwrap();
    let twice = |delivery: Delivery| {
        let mut other = delivery.clone();
        if delivery.from == id(2) && delivery.round.get() == 1 {
            other.bytes[ECHOED] ^= 1;
        }
        vec![delivery, other]
    };
    let report = run(Network::new(1).tamper(twice), &parties);
    let Err(Abort::Misbehaviour(blames)) = &report.results[&id(1)] else { panic!("no blame") };
    let mut evidence = blames[0].evidence.clone().unwrap();
    assert!(evidence.proves_equivocation(id(2)));
    // The same frames held against somebody else.
    let frames = evidence.frames.iter().map(|(_, bytes)| (id(1), bytes.clone()));
    let relabelled = Evidence::new(evidence.context, frames);
    assert!(!relabelled.proves_equivocation(id(1)));
    evidence.context[0] ^= 1;
    assert!(!evidence.proves_equivocation(id(2)));
}

/// Draws in `start` and in `next`, and hands everything out.
struct Draw;

impl Protocol for Draw {
    const NAME: &'static str = "draw";
    const CODE: u8 = 202;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 2;
    type Params = ();
    type State = Vec<u64>;
    type Output = Vec<u64>;

    fn bind((): &(), _: &mut Binding) {}

    fn limits((): &(), _: usize, _: Round) -> Limits {
        Limits { broadcast: 1, direct: 0 }
    }

    fn start((): (), run: &Run) -> Result<(Vec<u64>, Outbox), ParamError> {
        Ok((draw(run), Outbox::default()))
    }

    fn next(mut drawn: Vec<u64>, run: &Run, _: Inbox<'_>) -> Result<Next<Self>, Abort> {
        drawn.extend(draw(run));
        if run.round() == Round(2) {
            return Ok(Next::Done(drawn));
        }
        Ok(Next::Round(drawn, Outbox::default()))
    }
}

fn draw(run: &Run) -> Vec<u64> {
    assert_eq!(run.rng("one").next_u64(), run.rng("one").next_u64());
    let mut drawn = vec![run.rng("one").next_u64(), run.rng("two").next_u64()];
    drawn.extend(run.parties().iter().map(|party| run.rng_for("one", party).next_u64()));
    drawn
}

#[test]
fn every_round_purpose_and_party_draws_its_own_stream() {
    let parties = Parties::numbered(3).unwrap();
    let sid = SessionId::new([1; 32]);
    let report = Network::new(1).crash(50).run::<Draw>(sid, &parties, |_| ()).unwrap();
    assert_eq!(report.stats.diverged, 0);
    let mut drawn: Vec<u64> = report.results.into_values().flat_map(Result::unwrap).collect();
    assert_eq!(drawn.len(), 3 * 3 * 5);
    drawn.sort_unstable();
    drawn.dedup();
    assert_eq!(drawn.len(), 3 * 3 * 5);
}

#[test]
fn confirm_round_keeps_a_split_result_from_standing() {
    let parties = Parties::numbered(3).unwrap();
    let other_result = |mut delivery: Delivery| {
        if delivery.from == id(3) && delivery.round.get() == 3 {
            *delivery.bytes.last_mut().unwrap() ^= 1;
        }
        vec![delivery]
    };
    let report = run(Network::new(1).tamper(other_result), &parties);
    for party in [id(1), id(2)] {
        let Err(Abort::Unattributed { check, .. }) = report.results[&party] else { panic!() };
        assert_eq!(check, Check::ResultMismatch);
    }
}

#[test]
fn larger_run_in_bad_weather() {
    let parties = Parties::new((1..=24).map(|number| id(number * 2000))).unwrap();
    let report = run(Network::new(4).reorder(50).duplicate(10).lose(5).crash(1), &parties);
    assert_all_done(&report, &parties);
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "it needs threads")]
fn drive_runs_a_party_among_others() {
    let parties = Parties::numbered(2).unwrap();
    let mut steps = start_all(1, &parties);
    let (two, one) = (steps.remove(1), steps.remove(0));
    // Party 2 runs on its own thread, with channels for a transport.
    let (to_two, at_two) = std::sync::mpsc::channel();
    let (to_one, at_one) = std::sync::mpsc::channel();
    let other = std::thread::spawn(move || {
        let send = |message: &Outgoing| to_one.send((id(2), message.bytes.clone())).unwrap();
        drive(two, send, || at_two.recv().ok())
    });
    // What isn't a frame of this run does no harm.
    to_two.send((id(1), vec![1, 2, 3])).unwrap();
    let send = |message: &Outgoing| to_two.send((id(1), message.bytes.clone())).unwrap();
    assert_eq!(drive(one, send, || at_one.recv().ok()), Ok(Ended::Done(3000)));
    assert_eq!(other.join().unwrap(), Ok(Ended::Done(3000)));
}
