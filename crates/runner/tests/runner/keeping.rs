//! An application that keeps the outputs of its runs.

use std::sync::Arc;

use quorate_runner::{
    Continuity, EndKind, Job, MemoryStore, MemoryTransport, Runner, keep_outputs,
};
use quorate_session::zeroize::Zeroizing;
use quorate_session::{
    Abort, Binding, Inbox, Limits, Next, Outbox, ParamError, Parties, Protocol, Round, Run,
    SealKey, SessionId,
};
use quorate_testkit::Stuck;

/// A protocol of one round, which gives the bytes of its job.
struct Said;

impl Protocol for Said {
    const NAME: &'static str = "runner said";
    const CODE: u8 = 213;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 1;
    type Params = Vec<u8>;
    type State = Vec<u8>;
    type Output = Zeroizing<Vec<u8>>;

    fn bind(_: &Vec<u8>, _: &mut Binding) {}

    fn limits(_: &Vec<u8>, _: usize, _: Round) -> Limits {
        Limits { broadcast: 8, direct: 0 }
    }

    fn start(said: Vec<u8>, _: &Run) -> Result<(Vec<u8>, Outbox), ParamError> {
        Ok((said, Outbox::broadcast(vec![1])))
    }

    fn next(said: Vec<u8>, _: &Run, _: Inbox<'_>) -> Result<Next<Self>, Abort> {
        Ok(Next::Done(Zeroizing::new(said)))
    }
}

struct Keeper(&'static [u8]);

keep_outputs!(Keeper {
    Said => |keeper, job| (!job.body.is_empty()).then(|| keeper.0.to_vec()),
});

#[test]
fn output_is_the_record_of_a_run_and_a_run_without_one_has_none() {
    let parties = Parties::numbered(2).unwrap();
    let mut ends = MemoryTransport::network(&parties);
    let mut nodes = parties.iter().map(|me| {
        let key = Arc::new(SealKey::new([7; 32]));
        let builder = Runner::builder(me, key, Continuity::NewStore).protocol::<Said>();
        builder.open(MemoryStore::new(), Keeper(b"key share")).unwrap()
    });
    let mut nodes = [nodes.next().unwrap(), nodes.next().unwrap()];
    let job = |number, body: &[u8]| {
        let sid = SessionId::new([number; 32]);
        Job { sid, parties: parties.clone(), body: body.to_vec(), deadline: 1_000 }
    };
    let (both, alone) = (job(1, b"both"), job(2, b"alone"));
    for (node, seed) in nodes.iter_mut().zip(1..) {
        node.start::<Said>(&both, 0, &mut Stuck::at(seed)).unwrap();
    }
    nodes[0].start::<Said>(&alone, 0, &mut Stuck::at(3)).unwrap();
    assert!(nodes[1].start::<Said>(&job(3, b""), 0, &mut Stuck::at(4)).is_err(), "no parameters");
    for now in [1, 2, 3, 1_000] {
        for (node, end) in nodes.iter_mut().zip(&mut ends) {
            node.turn(end, now).unwrap();
        }
    }
    let mut record = |job| {
        let outcome = nodes[0].outcome(job).unwrap().unwrap();
        (outcome.kind, outcome.record::<Option<Zeroizing<Vec<u8>>>>().unwrap())
    };
    assert_eq!(record(&both), (EndKind::Done, Some(Zeroizing::new(b"key share".to_vec()))));
    assert_eq!(record(&alone), (EndKind::Stopped, None));
}
