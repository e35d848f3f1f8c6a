//! A protocol of one round.
#![allow(dead_code, reason = "not every test uses all of it")]

use std::sync::Arc;

use getrandom::SysRng;
use quorate::runner::store::NewRun;
use quorate::runner::{App, Bounds, Continuity, Job, Kind, RunEnd, Runner};
use quorate::session::rand_core::UnwrapErr;
use quorate::session::zeroize::Zeroizing;
use quorate::session::{
    Abort, Binding, Inbox, Limits, Next, Outbox, ParamError, Protocol, Round, Run, Sealed,
};
use quorate::{Parties, PartyId, SealKey, Session, SessionId};
use quorate_custody::store::Runs;

pub(crate) struct Toy;

pub(crate) struct ToyApp;

impl Protocol for Toy {
    const NAME: &'static str = "custody toy";
    const CODE: u8 = 250;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 1;
    type Params = ();
    type State = ();
    type Output = ();

    fn bind((): &(), _: &mut Binding) {}

    fn limits((): &(), _: usize, _: Round) -> Limits {
        Limits { broadcast: 1, direct: 0 }
    }

    fn start((): (), _: &Run) -> Result<((), Outbox), ParamError> {
        Ok(((), Outbox::broadcast(Vec::new())))
    }

    fn next((): (), _: &Run, _: Inbox<'_>) -> Result<Next<Self>, Abort> {
        Ok(Next::Done(()))
    }
}

impl App<Toy> for ToyApp {
    type Record = Zeroizing<Vec<u8>>;

    fn params(&mut self, _: &Job) -> Option<()> {
        Some(())
    }

    fn record(&mut self, _: &Job, _: RunEnd<()>) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(vec![1])
    }
}

/// A runner over a store in a database.
pub(crate) type ToyRunner = Runner<Runs, ToyApp>;

pub(crate) fn party(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

pub(crate) fn session(number: u8) -> Session<Toy> {
    let (sid, parties) = (SessionId::new([number; 32]), Parties::numbered(2).unwrap());
    Session::start(sid, party(1), &parties, (), &mut UnwrapErr(SysRng)).unwrap().session
}

pub(crate) fn sealed(number: u8) -> Sealed {
    session(number).seal(&SealKey::new([1; 32]))
}

pub(crate) fn job(number: u8, deadline: u64) -> Job {
    let (sid, parties) = (SessionId::new([number; 32]), Parties::numbered(2).unwrap());
    Job { sid, parties, body: vec![1], deadline }
}

pub(crate) fn runner(me: u16, store: Runs) -> ToyRunner {
    let key = Arc::new(SealKey::new([1; 32]));
    let runner = Runner::builder(party(me), key, Continuity::StayedUp).protocol::<Toy>();
    runner.bounds(Bounds::new(10)).open(store, ToyApp).unwrap()
}

pub(crate) fn new_run(number: u8, sealed: &Sealed) -> NewRun<'_> {
    NewRun {
        kind: Kind::of::<Toy>(),
        sid: SessionId::new([number; 32]),
        tag: [number; 4],
        digest: [0; 32],
        job: b"job",
        sealed,
        deadline: 50,
        longest: 100,
        messages: &[],
    }
}
