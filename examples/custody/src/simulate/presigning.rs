//! Runs of presigning in a simulation: real runners, over a protocol that has presigning's rounds and computes nothing.

use core::cell::Cell;
use core::convert::Infallible;
use std::sync::Arc;

use quorate::runner::{
    App, Bounds, Continuity, EndedRun, FinishedWork, Job, MemoryStore, RunEnd, Runner, Work,
};
use quorate::session::rand_core::{TryCryptoRng, TryRng};
use quorate::session::{
    Abort, Binding, Inbox, Limits, Next, Outbox, ParamError, Protocol, Round, Run,
};
use quorate::{PartyId, SealKey};

/// The rounds of presigning.
pub(super) const ROUNDS: usize = 4;

thread_local! {
    /// The round that was computed last, from 1.
    static COMPUTED: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The protocol: a byte from each to all in each round.
pub(super) struct Rounds;

impl Protocol for Rounds {
    const NAME: &'static str = "custody simulation";
    const CODE: u8 = 251;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 4;
    type Params = ();
    type State = ();
    type Output = ();

    fn bind((): &(), _: &mut Binding) {}

    fn limits((): &(), _: usize, _: Round) -> Limits {
        Limits { broadcast: 1, direct: 0 }
    }

    fn start((): (), _: &Run) -> Result<((), Outbox), ParamError> {
        Ok(((), Outbox::broadcast(vec![0])))
    }

    fn next((): (), run: &Run, _: Inbox<'_>) -> Result<Next<Self>, Abort> {
        let round = run.round().get();
        COMPUTED.set(Some(round.into()));
        if usize::from(round) == ROUNDS {
            return Ok(Next::Done(()));
        }
        Ok(Next::Round((), Outbox::broadcast(vec![round])))
    }
}

/// What is kept of a run: nothing.
pub(super) struct Nothing;

impl App<Rounds> for Nothing {
    type Record = ();

    fn params(&mut self, _: &Job) -> Option<()> {
        Some(())
    }

    fn record(&mut self, _: &Job, _: RunEnd<()>) {}
}

/// A node's runner.
pub(super) type Presigner = Runner<MemoryStore, Nothing>;

/// The runner of a node, whose times are microseconds.
pub(super) fn presigner(me: PartyId) -> Option<Presigner> {
    let key = Arc::new(SealKey::new([1; 32]));
    // Again after a second: the links of a region are slower than the demonstration's.
    let bounds = Bounds::new(1_000_000);
    let runner = Runner::builder(me, key, Continuity::NewStore).protocol::<Rounds>();
    runner.bounds(bounds).open(MemoryStore::new(), Nothing).ok()
}

/// Does a piece of work; gives the round that was computed, if any, with it.
pub(super) fn run(work: Work) -> (FinishedWork, Option<usize>) {
    COMPUTED.set(None);
    let finished = work.run();
    (finished, COMPUTED.take())
}

/// The end of a run, by the number in its session id.
pub(super) fn number(event: &EndedRun) -> Option<u64> {
    event.sid.as_bytes().first_chunk().map(|bytes| u64::from_be_bytes(*bytes))
}

/// A generator that is none: nothing here is secret.
pub(super) struct Zeros;

impl TryRng for Zeros {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(0)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(0)
    }

    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Infallible> {
        to.fill(0);
        Ok(())
    }
}

impl TryCryptoRng for Zeros {}
