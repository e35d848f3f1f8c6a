//! Several protocols on one store: by one runner, and by a runner for each.

use crate::common;

use std::sync::Arc;

use common::{BOUNDS, Shared, id, job};
use quorate_runner::store::RunRow;
use quorate_runner::{
    App, Continuity, EndKind, Error, Job, Kind, MessageTable, Record, Refusal, RunEnd, RunTable,
    Runner, StartOutcome,
};
use quorate_session::zeroize::Zeroizing;
use quorate_session::{
    Abort, Binding, Inbox, Limits, Next, Outbox, ParamError, Protocol, Round, Run, SealKey, Session,
};
use quorate_testkit::Stuck;

/// A key generation that has one name and one code for all its suites, as those of FROST have.
struct Keygen<const SUITE: usize>;

const SUITES: [&str; 2] = ["Ed25519", "Taproot"];

impl<const SUITE: usize> Protocol for Keygen<SUITE> {
    const NAME: &'static str = "key generation";
    const CODE: u8 = 212;
    const FAMILY: &'static str = SUITES[SUITE];
    const ROUNDS: u8 = 1;
    type Params = Vec<u8>;
    type State = ();
    type Output = (Vec<u8>, &'static str);

    fn bind(body: &Vec<u8>, binding: &mut Binding) {
        binding.append("suite", SUITES[SUITE].as_bytes());
        binding.append("body", body);
    }

    fn limits(_: &Vec<u8>, _: usize, _: Round) -> Limits {
        Limits { broadcast: 8, direct: 0 }
    }

    fn start(_: Vec<u8>, run: &Run) -> Result<((), Outbox), ParamError> {
        Ok(((), Outbox::broadcast(vec![0, run.party_id().get().to_be_bytes()[1]])))
    }

    fn next((): (), run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        let mut shares: Vec<_> = inbox.each().map(|message| message.broadcast[1]).collect();
        shares.push(run.party_id().get().to_be_bytes()[1]);
        shares.sort_unstable();
        Ok(Next::Done((shares, SUITES[SUITE])))
    }
}

/// A key share with its public package.
#[derive(PartialEq, Eq, Debug)]
struct Kept {
    share: Vec<u8>,
    suite: String,
}

impl Record for Kept {
    fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        Zeroizing::new([self.suite.as_bytes(), b":", &self.share].concat())
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let at = bytes.iter().position(|byte| *byte == b':')?;
        let suite = String::from_utf8(bytes[..at].to_vec()).ok()?;
        Some(Self { share: bytes[at + 1..].to_vec(), suite })
    }
}

struct Keys;

impl<const SUITE: usize> App<Keygen<SUITE>> for Keys {
    type Record = Option<Kept>;

    fn params(&mut self, job: &Job) -> Option<Vec<u8>> {
        Some(job.body.clone())
    }

    fn record(&mut self, _: &Job, end: RunEnd<(Vec<u8>, &'static str)>) -> Option<Kept> {
        match end {
            RunEnd::Done((share, suite)) => Some(Kept { share, suite: suite.to_owned() }),
            _ => None,
        }
    }
}

type Ed25519 = Keygen<0>;
type Taproot = Keygen<1>;
type Node = Runner<Shared, Keys>;

fn key() -> Arc<SealKey> {
    Arc::new(SealKey::new([1; 32]))
}

/// A runner of both suites.
fn both(me: u16, store: &Shared) -> Node {
    let builder = Runner::builder(id(me), key(), Continuity::StayedUp).bounds(BOUNDS);
    builder.protocol::<Ed25519>().protocol::<Taproot>().open(store.clone(), Keys).unwrap()
}

fn one<P>(me: u16, store: &Shared) -> Node
where
    P: Protocol,
    Keys: App<P>,
{
    let builder = Runner::builder(id(me), key(), Continuity::StayedUp).bounds(BOUNDS);
    builder.protocol::<P>().open(store.clone(), Keys).unwrap()
}

fn begin<P>(node: &mut Node, job: &Job)
where
    P: Protocol,
    Keys: App<P>,
{
    assert_eq!(node.start::<P>(job, 0, &mut Stuck::at(1)), Ok(StartOutcome::Begun));
}

/// Delivers what each node sends to the others, and works, at this time.
fn turn(nodes: &mut [&mut Node], now: u64) -> Vec<(Kind, EndKind, Option<Kept>)> {
    let mut ended = Vec::new();
    for _ in 0..4 {
        for at in 0..nodes.len() {
            let me = nodes[at].id();
            for packet in nodes[at].outgoing(now, 100).unwrap() {
                for peer in nodes.iter_mut().filter(|peer| peer.id() == packet.to) {
                    peer.receive(me, &packet.bytes, now).unwrap();
                }
            }
            for run in nodes[at].work(now).unwrap() {
                let kept = run.outcome.record::<Option<Kept>>().unwrap();
                ended.push((run.kind, run.outcome.kind, kept));
            }
        }
    }
    ended
}

#[test]
fn suites_that_share_name_and_code_are_of_two_kinds() {
    assert_ne!(Kind::of::<Ed25519>(), Kind::of::<Taproot>());
    assert_eq!(Kind::of::<Ed25519>(), Kind::of::<Keygen<0>>());
}

#[test]
fn one_runner_keeps_the_share_and_the_package_of_each_protocol() {
    let stores = [Shared::default(), Shared::default()];
    let mut nodes = [both(1, &stores[0]), both(2, &stores[1])];
    for node in &mut nodes {
        begin::<Ed25519>(node, &job(1, 2, 50));
        begin::<Taproot>(node, &job(2, 2, 50));
    }
    // One is restarted in the middle.
    nodes[0] = both(1, &stores[0]);
    let [one, two] = &mut nodes;
    let mut ended = turn(&mut [one, two], 1);
    assert_eq!(ended.len(), 4);
    ended.sort_by_key(|(kind, ..)| *kind != Kind::of::<Ed25519>());
    for (at, (kind, end, kept)) in ended.into_iter().enumerate() {
        let (of, suite) = if at < 2 {
            (Kind::of::<Ed25519>(), SUITES[0])
        } else {
            (Kind::of::<Taproot>(), SUITES[1])
        };
        assert_eq!((kind, end), (of, EndKind::Done));
        assert_eq!(kept, Some(Kept { share: vec![1, 2], suite: suite.to_owned() }));
    }
    // A job that is delivered again gives the same.
    let again = nodes[0].start::<Taproot>(&job(2, 2, 50), 2, &mut Stuck::at(3));
    let Ok(StartOutcome::Ended(outcome)) = again else { panic!("{again:?}") };
    assert!(outcome.record::<Option<Kept>>().unwrap().is_some());
}

/// A record that is asked for by another type, or that was forgotten, is not taken for the end of a run without a result.
#[test]
fn a_record_of_another_type_is_an_error() {
    let stores = [Shared::default(), Shared::default()];
    let mut nodes = [both(1, &stores[0]), both(2, &stores[1])];
    nodes.iter_mut().for_each(|node| begin::<Ed25519>(node, &job(1, 2, 50)));
    let [one, two] = &mut nodes;
    assert_eq!(turn(&mut [one, two], 1).len(), 2);
    let outcome = |node: &mut Node| node.outcome(&job(1, 2, 50)).unwrap().unwrap();
    let left = outcome(&mut nodes[0]);
    assert!(left.record::<Option<Kept>>().unwrap().is_some());
    let refused = left.record::<()>().unwrap_err();
    assert_eq!((refused.expected, refused.length), ("()", left.record_bytes.len()));
    assert_eq!(nodes[0].forget_record(&job(1, 2, 50)), Ok(true));
    let refused = outcome(&mut nodes[0]).record::<Option<Kept>>().unwrap_err();
    assert_eq!(refused.length, 0);
}

/// Two runners of a party on one store, one for each suite: neither opens a run of the other, and the deadline of a run is
/// its own runner's.
#[test]
fn a_runner_leaves_the_runs_of_another_suite_alone() {
    let store = Shared::default();
    let mut ed25519 = one::<Ed25519>(1, &store);
    begin::<Ed25519>(&mut ed25519, &job(1, 2, 50));
    let mut taproot = one::<Taproot>(1, &store);
    for now in [1, 49, 50, 1_000] {
        assert_eq!(taproot.work(now), Ok(Vec::new()));
        assert_eq!(taproot.metrics().opened, 0);
    }
    // Once the run's messages are acknowledged its deadline is the next thing due, and not to this runner.
    let next = |kind| store.store.borrow_mut().next(&[kind]).unwrap();
    let sent = ed25519.outgoing(1, 100).unwrap();
    let ids: Vec<_> = sent.iter().map(|packet| quorate_runner::packet::id(&packet.bytes)).collect();
    assert_eq!(store.store.borrow_mut().acknowledge(id(2), &ids), Ok(1));
    assert_eq!(next(Kind::of::<Ed25519>()), Some(50));
    assert_eq!(next(Kind::of::<Taproot>()), None);
    // The other party answers in time, and the run ends with its share.
    let peer_store = Shared::default();
    let mut peer = one::<Ed25519>(2, &peer_store);
    begin::<Ed25519>(&mut peer, &job(1, 2, 50));
    peer.receive(id(1), &sent[0].bytes, 2).unwrap();
    let ended = turn(&mut [&mut ed25519, &mut peer], 2);
    assert_eq!(ended.len(), 2);
    assert!(ended.iter().all(|(_, end, kept)| *end == EndKind::Done && kept.is_some()));
}

/// A packet of one suite's run that the runner of the other takes from the transport reaches its run.
#[test]
fn a_packet_is_stored_for_its_run_whoever_takes_it() {
    let (store, peer_store) = (Shared::default(), Shared::default());
    let mut ed25519 = one::<Ed25519>(1, &store);
    let mut taproot = one::<Taproot>(1, &store);
    let mut peer = one::<Ed25519>(2, &peer_store);
    begin::<Ed25519>(&mut ed25519, &job(1, 2, 50));
    begin::<Ed25519>(&mut peer, &job(1, 2, 50));
    for packet in peer.outgoing(1, 100).unwrap() {
        taproot.receive(id(2), &packet.bytes, 1).unwrap();
    }
    assert_eq!(taproot.work(1), Ok(Vec::new()));
    ed25519.recover().unwrap();
    assert_eq!(ed25519.work(1).unwrap()[0].outcome.kind, EndKind::Done);
}

/// Nobody tells the run's own runner of that packet. It looks at the store before it gives the run up.
#[test]
fn a_packet_that_the_other_runner_took_is_found_at_the_deadline() {
    let (store, peer_store) = (Shared::default(), Shared::default());
    let mut ed25519 = one::<Ed25519>(1, &store);
    let mut taproot = one::<Taproot>(1, &store);
    let mut peer = one::<Ed25519>(2, &peer_store);
    begin::<Ed25519>(&mut ed25519, &job(1, 2, 50));
    begin::<Ed25519>(&mut peer, &job(1, 2, 50));
    assert_eq!(ed25519.work(1), Ok(Vec::new()));
    for packet in peer.outgoing(1, 100).unwrap() {
        taproot.receive(id(2), &packet.bytes, 1).unwrap();
    }
    let ended = ed25519.work(50).unwrap();
    assert_eq!(ended[0].outcome.kind, EndKind::Done);
}

/// The kind of a run stands in clear in its row.
#[test]
fn a_run_whose_kind_the_store_alters_is_not_recorded_as_another_protocols() {
    let (store, peer_store) = (Shared::default(), Shared::default());
    let mut node = both(1, &store);
    let mut peer = both(2, &peer_store);
    begin::<Ed25519>(&mut node, &job(1, 2, 50));
    begin::<Ed25519>(&mut peer, &job(1, 2, 50));
    let its = Session::<Ed25519>::context_of(job(1, 2, 50).sid, &job(1, 2, 50).parties, &vec![1]);
    let row = store.store.borrow_mut().run(&its).unwrap().unwrap();
    store.rows.borrow_mut().insert(its, RunRow { kind: Kind::of::<Taproot>(), ..row });
    let ended = turn(&mut [&mut node, &mut peer], 1);
    assert_eq!(ended.len(), 2);
    assert!(ended.iter().all(|(kind, _, _)| *kind == Kind::of::<Ed25519>()));
    // Nor does a session of one protocol open as one of the other.
    let (store, at) = (Shared::default(), 2);
    begin::<Ed25519>(&mut both(1, &store), &job(1, 2, at));
    let row = store.store.borrow_mut().run(&its).unwrap().unwrap();
    store.rows.borrow_mut().insert(its, RunRow { kind: Kind::of::<Taproot>(), ..row });
    let mut node = both(1, &store);
    assert!(matches!(node.work(1), Err(Error::Seal(_))));
    assert_eq!(node.work(at).unwrap()[0].outcome.kind, EndKind::Lost);
}

#[test]
fn a_job_of_a_protocol_that_the_runner_was_not_built_with_is_refused() {
    let mut node = one::<Ed25519>(1, &Shared::default());
    let started = node.start::<Taproot>(&job(1, 2, 50), 0, &mut Stuck::at(1));
    assert_eq!(started, Err(Error::Refused(Refusal::Unregistered)));
    assert_eq!(node.metrics().refused.unregistered, 1);
}

/// One session id for two suites is two jobs, and the second is refused.
#[test]
fn a_session_id_is_not_used_for_two_protocols() {
    let mut node = both(1, &Shared::default());
    begin::<Ed25519>(&mut node, &job(1, 2, 50));
    let started = node.start::<Taproot>(&job(1, 2, 50), 0, &mut Stuck::at(1));
    assert_eq!(started, Err(Error::Refused(Refusal::OtherJob)));
}

/// The compiler checks that a runner and its work may move to another thread.
#[test]
fn a_runner_and_its_work_are_send() {
    fn is_send<T: Send>() {}
    is_send::<quorate_runner::Work>();
    is_send::<quorate_runner::FinishedWork>();
    is_send::<Runner<quorate_runner::MemoryStore, Keys>>();
}
