//! The cost of one malicious frame: the CPU time that an honest party spends on a round in which one
//! peer's frame is wrong, beside the same round in order, and what the red alert adds.
//!
//! One run among all parties is recorded; the victim alone goes through it again for each frame.

use core::time::Duration;
use std::sync::Arc;

use quorate_bignum::Engine;
use quorate_cggmp::session::{
    Outgoing, Parties, PartyId, Progress, Protocol, Round, Session, SessionId, Step, To, frame,
};
use quorate_cggmp::{
    AuxInfo, AuxInfoGen, AuxInfoParams, AuxSecrets, KeyShare, Keygen, KeygenParams, Presign,
    PresignParams, Secp256k1,
};

use quorate_sharing::Curve as _;

use super::ours::find;
use super::{EcdsaArgs, EcdsaStep};
use crate::{Meter as _, Stopwatch, generator};

/// Bytes of a frame's header, and of the prefix after it.
const HEADER: usize = 39;
const PREFIX: usize = 32;

/// A frame: from, to, whether it is a broadcast.
type Frame = (PartyId, PartyId, bool, Vec<u8>);

/// Prints the table for every number of parties and level asked for, of the protocols asked for: key generation,
/// auxiliary information, presigning; all unless a step is named.
///
/// Where auxiliary information is not asked for, presigning has one for which nothing was proved.
pub fn malice(args: &EcdsaArgs) {
    println!(
        "| parties | protocol | round | the malicious frame | bytes | CPU, ms | in order, ms | longest step, ms |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let steps = args.steps();
    for setup in &args.setups {
        let all = Parties::numbered(setup.n).expect("a valid number of parties");
        // Presigning needs the keys, whatever is asked for.
        let keygen = |_| KeygenParams::new(setup.n);
        let keys = probe::<Keygen<Secp256k1>>(&all, "key generation", keygen);
        let secrets = secrets(args.engine, setup.level.into(), &all);
        let mut aux = Vec::new();
        if steps.contains(&EcdsaStep::AuxInfo) {
            let params = |party: PartyId| {
                let own = Arc::clone(&secrets[place(&all, party)]);
                AuxInfoParams::new(own).with_engine(args.engine).with_table_bytes(0)
            };
            aux = probe::<AuxInfoGen>(&all, "auxiliary information", params);
        }
        if steps.contains(&EcdsaStep::Presign) {
            let aux = if aux.is_empty() { without_proofs(&all, &secrets) } else { aux };
            presigning(args.engine, &all, shared(keys), shared(aux));
        }
    }
}

fn shared<T>(items: Vec<T>) -> Vec<Arc<T>> {
    items.into_iter().map(Arc::new).collect()
}

/// Without tables: those for 128 parties at each of them are more than a machine has room for.
fn without_proofs(all: &Parties, secrets: &[Arc<AuxSecrets>]) -> Vec<AuxInfo> {
    let named: Vec<_> = all.iter().zip(secrets.iter().cloned()).collect();
    all.iter()
        .map(|me| AuxInfo::without_proofs(me, &named).expect("secrets of every party"))
        .collect()
}

fn presigning(
    engine: Engine,
    all: &Parties,
    keys: Vec<Arc<KeyShare<Secp256k1>>>,
    aux: Vec<Arc<AuxInfo>>,
) {
    let params = |party: PartyId| {
        let at = place(all, party);
        PresignParams::new(Arc::clone(&keys[at]), Arc::clone(&aux[at])).with_engine(engine)
    };
    drop(probe::<Presign<Secp256k1>>(all, "presigning", params));
    alert(all, params);
}

fn place(all: &Parties, party: PartyId) -> usize {
    all.position(party).expect("one of the parties")
}

fn secrets(engine: Engine, level: quorate_paillier::Level, all: &Parties) -> Vec<Arc<AuxSecrets>> {
    let numbers: Vec<u8> =
        (0..all.len()).map(|at| u8::try_from(at).expect("few parties")).collect();
    in_parallel(numbers, |at| {
        let primes = find(&engine, level, [0xfe, at]);
        let made = AuxSecrets::from_primes(level, &primes, &mut generator(at));
        Arc::new(made.expect("good primes"))
    })
}

/// Does the same for every item, on all cores.
fn in_parallel<T: Send, O: Send>(items: Vec<T>, work: impl Fn(T) -> O + Sync) -> Vec<O> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut chunks: Vec<Vec<(usize, T)>> = (0..threads).map(|_| Vec::new()).collect();
    for (at, item) in items.into_iter().enumerate() {
        chunks[at % threads].push((at, item));
    }
    let mut done: Vec<(usize, O)> = std::thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> = chunks
            .into_iter()
            .map(|chunk| {
                scope.spawn(move || {
                    chunk.into_iter().map(|(at, item)| (at, work(item))).collect::<Vec<_>>()
                })
            })
            .collect();
        running.into_iter().flat_map(|one| one.join().expect("a run that ends")).collect()
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, output)| output).collect()
}

fn start<P: Protocol>(all: &Parties, me: PartyId, params: P::Params) -> Step<P> {
    let seed = u8::try_from(place(all, me)).expect("few parties");
    let rng = &mut generator(seed);
    Session::start(SessionId::new([7; 32]), me, all, params, rng).expect("valid parameters")
}

/// How a session went on, the time that it took, and the longest step.
struct Went<P: Protocol> {
    next: Result<Progress<P>, quorate_cggmp::session::Abort>,
    took: Duration,
    longest: Duration,
}

/// Takes the frames of a round and all steps of its work.
fn go_on<'f, P: Protocol>(
    mut session: Session<P>,
    frames: impl Iterator<Item = (PartyId, &'f [u8])>,
) -> Went<P> {
    let (mut took, mut longest) = (Duration::ZERO, Duration::ZERO);
    let mut step = |work: &mut dyn FnMut()| {
        let mut watch = Stopwatch::default();
        watch.start();
        work();
        watch.stop();
        took += watch.total();
        longest = longest.max(watch.total());
    };
    step(&mut || ());
    for (from, frame) in frames {
        // A frame that is refused is waited for, and costs nothing more.
        let _refused = session.receive(from, frame).is_err();
    }
    let mut session = Some(session);
    loop {
        let mut progress = None;
        step(&mut || progress = session.take().map(Session::advance));
        match progress.expect("a session to advance") {
            Ok(Progress::Working(working)) => session = Some(working),
            Ok(next) => return Went { next: Ok(next), took, longest },
            Err(stopped) => return Went { next: Err(stopped.abort), took, longest },
        }
    }
}

/// Addresses what a party sends.
fn post(all: &Parties, from: PartyId, outgoing: &[Outgoing]) -> Vec<Frame> {
    let each = outgoing.iter().flat_map(|message| {
        let broadcast = message.to == To::Everyone;
        let to =
            all.iter().filter(move |to| *to != from && (broadcast || message.to == To::Only(*to)));
        to.map(move |to| (from, to, broadcast, message.bytes.clone()))
    });
    each.collect()
}

fn of(frames: &[Frame], me: PartyId) -> impl Iterator<Item = (PartyId, &[u8])> {
    let mine = frames.iter().filter(move |(_, to, ..)| *to == me);
    mine.map(|(from, _, _, bytes)| (*from, bytes.as_slice()))
}

/// A round of all parties.
fn together<P: Protocol<State: Send, Output: Send>>(
    sessions: Vec<Session<P>>,
    frames: &[Frame],
) -> Vec<Progress<P>>
where
    Session<P>: Send,
    Progress<P>: Send,
{
    in_parallel(sessions, |session| {
        let me = session.party_id();
        go_on(session, of(frames, me)).next.expect("honest parties")
    })
}

/// A row of the table.
struct Row<'r> {
    all: &'r Parties,
    protocol: &'r str,
    round: usize,
    what: &'r str,
    bytes: usize,
}

impl Row<'_> {
    fn print<P: Protocol>(&self, went: &Went<P>, honest: Duration) {
        let ms = |time: Duration| format!("{:.2}", time.as_secs_f64() * 1e3);
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            self.all.len(),
            self.protocol,
            self.round,
            self.what,
            self.bytes,
            ms(went.took),
            ms(honest),
            ms(went.longest)
        );
    }
}

/// Records a run of all parties, and tries one wrong frame in every round.
fn probe<P: Protocol<State: Send, Output: Send>>(
    all: &Parties,
    protocol: &str,
    params: impl Fn(PartyId) -> P::Params + Sync,
) -> Vec<P::Output>
where
    Step<P>: Send,
    Session<P>: Send,
    Progress<P>: Send,
{
    let victim = all.iter().next().expect("a party");
    let culprit = all.iter().last().expect("a party");
    let mut steps = in_parallel(all.iter().collect(), |me| start::<P>(all, me, params(me)));
    let mut rounds: Vec<Vec<Frame>> = Vec::new();
    let outputs = loop {
        let frames: Vec<Frame> = steps
            .iter()
            .flat_map(|step| post(all, step.session.party_id(), &step.outgoing))
            .collect();
        let sessions = steps.into_iter().map(|step| step.session).collect();
        let (mut next, mut outputs) = (Vec::new(), Vec::new());
        for progress in together(sessions, &frames) {
            match progress {
                Progress::Round(step) => next.push(step),
                Progress::Done { output, .. } => outputs.push(output),
                other => panic!("{other:?}"),
            }
        }
        rounds.push(frames.into_iter().filter(|(_, to, ..)| *to == victim).collect());
        steps = next;
        if steps.is_empty() {
            break outputs;
        }
    };
    for (at, frames) in rounds.iter().enumerate() {
        let reach = || replay::<P>(all, victim, params(victim), &rounds[..at]);
        let honest = go_on(reach(), of(frames, victim)).took;
        for broadcast in [true, false] {
            let mut frames = frames.clone();
            let wrong = |frame: &&mut Frame| frame.0 == culprit && frame.2 == broadcast;
            let Some((.., frame)) = frames.iter_mut().find(wrong) else { continue };
            // Of an empty message, a byte more.
            if frame.len() > HEADER + PREFIX {
                *frame.last_mut().expect("a frame") ^= 1;
            } else {
                frame.push(0);
            }
            let bytes = frame.len();
            let went = go_on(reach(), of(&frames, victim));
            if went.next.is_ok() {
                // A commitment, which is held against what is revealed in the next round.
                continue;
            }
            let what = if broadcast { "broadcast" } else { "to one party" };
            Row { all, protocol, round: at + 1, what, bytes }.print(&went, honest);
        }
    }
    outputs
}

/// The victim, at the round after these.
fn replay<P: Protocol>(
    all: &Parties,
    me: PartyId,
    params: P::Params,
    rounds: &[Vec<Frame>],
) -> Session<P> {
    let mut session = start::<P>(all, me, params).session;
    for frames in rounds {
        session = match go_on(session, of(frames, me)).next {
            Ok(Progress::Round(step)) => step.session,
            other => panic!("{other:?}"),
        };
    }
    session
}

type Signing = Presign<Secp256k1>;

/// Runs presigning up to round 3: the sums of all parties are on the way.
fn up_to_sums(
    all: &Parties,
    params: impl Fn(PartyId) -> PresignParams<Secp256k1> + Sync,
) -> (Vec<Session<Signing>>, Vec<Frame>) {
    let begin = |me| start::<Signing>(all, me, params(me));
    let mut steps = in_parallel(all.iter().collect(), begin);
    for round in 1.. {
        let posted = |step: &Step<Signing>| post(all, step.session.party_id(), &step.outgoing);
        let frames: Vec<Frame> = steps.iter().flat_map(posted).collect();
        let sessions = steps.into_iter().map(|step| step.session).collect();
        if round == 3 {
            return (sessions, frames);
        }
        let next = together(sessions, &frames).into_iter().map(|one| match one {
            Progress::Round(step) => step,
            other => panic!("{other:?}"),
        });
        steps = next.collect();
    }
    unreachable!("round 3 comes")
}

/// δ + 1 from one party, the same for everybody: the alert that it raises.
fn alert(all: &Parties, params: impl Fn(PartyId) -> PresignParams<Secp256k1> + Sync) {
    let victim = all.iter().next().expect("a party");
    let culprit = all.iter().last().expect("a party");
    let (sessions, mut round) = up_to_sums(all, params);
    // The culprit itself is told a wrong one, so that it raises the alarm as well.
    for (from, to, _, bytes) in &mut round {
        if *from == culprit || (*to == culprit && *from == victim) {
            let delta = &mut bytes[HEADER + PREFIX..HEADER + PREFIX + 32];
            let wrong = Secp256k1::decode_scalar(delta).expect("a scalar") + 1u64.into();
            delta.copy_from_slice(&Secp256k1::encode_scalar(&wrong));
        }
    }
    let bytes = round.iter().find(|frame| frame.0 == culprit).map_or(0, |frame| frame.3.len());
    let echo = echo(all, &round, [culprit, victim]);
    let went = in_parallel(sessions, |session| {
        let me = session.party_id();
        go_on(session, of(&round, me))
    });
    let (mut alarm, mut raised) = (Vec::new(), None);
    for (me, went) in all.iter().zip(went) {
        let Ok(Progress::Round(step)) = went.next else { panic!("no alert") };
        alarm.extend(post(all, me, &step.outgoing).into_iter().filter(|one| one.1 == victim));
        if me == victim {
            raised = Some((step.session, went.took));
        }
    }
    for (.., bytes) in alarm.iter_mut().filter(|frame| frame.0 == culprit) {
        bytes[HEADER..HEADER + PREFIX].copy_from_slice(&echo);
    }
    let sent: usize = alarm.iter().map(|frame| frame.3.len()).sum();
    let (session, took) = raised.expect("the victim");
    let verified = go_on(session, of(&alarm, victim));
    let abort = verified.next.as_ref().expect_err("the alert names the culprit").clone();
    assert!(abort.culprits().eq([culprit]), "{abort}");
    let made = Went::<Signing> { next: Err(abort), took, longest: took };
    let row = |round, what, bytes| Row { all, protocol: "presigning", round, what, bytes };
    row(3, "δ + 1: the alert is made", bytes).print(&made, Duration::ZERO);
    row(4, "δ + 1: all alerts are verified", sent).print(&verified, Duration::ZERO);
}

/// The echo of round 3 as the victim saw it, for the culprit to send.
fn echo(all: &Parties, round: &[Frame], [culprit, victim]: [PartyId; 2]) -> [u8; 32] {
    let first = round.first().map_or(&[][..], |frame| &frame.3);
    let context = first[7..HEADER].try_into().expect("the context");
    let bodies: Vec<Vec<u8>> = all
        .iter()
        .map(|from| {
            // What the victim itself said, another party but the culprit has.
            let other = all.iter().find(|to| *to != from && *to != culprit).unwrap_or(victim);
            let to = if from == victim { other } else { victim };
            let found = round.iter().find(|frame| frame.0 == from && frame.1 == to);
            found.map_or(Vec::new(), |frame| frame.3[HEADER + PREFIX..].to_vec())
        })
        .collect();
    frame::echo(&context, Round(3), bodies.iter())
}
