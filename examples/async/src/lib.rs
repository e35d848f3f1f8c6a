//! Many runs at once in an async program: a [`RunnerStream`] over tokio, with the rounds on tokio's threads for blocking
//! work.
//!
//! The part to copy is [`Tokio`]. [`node`] is a party, and [`network`] stands for connections: a `Framed` of tokio-util over
//! TLS, say, of which each item gets its peer's name, and a sink that looks at [`OutgoingPacket::to`].

use core::convert::Infallible;
use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_channel::mpsc::{self, Receiver, Sender, UnboundedSender};
use futures_util::{SinkExt as _, StreamExt as _};
use getrandom::SysRng;
use quorate::frost::ed25519::{Dkg, DkgOutput, DkgParams};
use quorate::runner::{
    Bounds, EndedRun, Error, FinishedWork, Job, MemoryStore, Metrics, OutgoingPacket, RunEnd,
    Runner, RunnerStream, Runtime, Time, Work, app_fn,
};
use quorate::session::Protocol;
use quorate::session::rand_core::{Rng as _, UnwrapErr};
use quorate::session::zeroize::Zeroizing;
use quorate::{Parties, PartyId, SealKey};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, Sleep, sleep_until};

/// The threads and the clock of tokio. Time is in milliseconds since it was made; a service takes those since 1970.
#[derive(Clone, Copy, Debug)]
pub struct Tokio {
    start: Instant,
}

impl Tokio {
    /// A clock that starts now.
    #[must_use]
    pub fn new() -> Self {
        Self { start: Instant::now() }
    }
}

impl Default for Tokio {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Protocol> Runtime<P> for Tokio
where
    Work<P>: Send + 'static,
    FinishedWork<P>: Send + 'static,
{
    type Running = Pin<Box<dyn Future<Output = FinishedWork<P>> + Send>>;
    type Sleep = Sleep;

    fn run(&mut self, work: Work<P>) -> Self::Running {
        let finished = spawn_blocking(|| work.run());
        // It panics only if the round has, or if the runtime is shut down.
        Box::pin(async { finished.await.expect("the threads are there") })
    }

    fn now(&mut self) -> Time {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(Time::MAX)
    }

    fn sleep_until(&mut self, time: Time) -> Sleep {
        sleep_until(self.start + Duration::from_millis(time))
    }
}

/// A packet with its sender, as it arrives.
pub type Arriving = (PartyId, Vec<u8>);

/// The two ends of the network at a party.
pub type Ends = (Receiver<Arriving>, Sender<OutgoingPacket>);

/// A party that makes a key of which any two can sign in each of these jobs, all at once, and tells how each run ends. It goes
/// on for as long as packets may come.
///
/// # Errors
/// Those of the runner.
pub async fn node(
    me: PartyId,
    jobs: &[Job],
    (packets, sink): Ends,
    runtime: impl Runtime<Dkg>,
    tell: UnboundedSender<EndedRun>,
) -> Result<Metrics, Error<Infallible>> {
    let app = app_fn::<Dkg>(|_| Some(DkgParams::new(2)), |_, end| record(&end));
    let mut rng = UnwrapErr(SysRng);
    // In life it lasts longer than the process.
    let mut key = [0; 32];
    rng.fill_bytes(&mut key);
    let on = (MemoryStore::new(), app);
    let runner = Runner::new(me, Arc::new(SealKey::new(key)), on, Bounds::new(1_000))?;
    let mut runs = RunnerStream::new(runner, runtime, (packets, sink), 4);
    for job in jobs {
        runs.runner().start(job, 0, &mut rng)?;
    }
    while let Some(run) = runs.next().await {
        // Nobody may be interested any more.
        tell.unbounded_send(run?).ok();
    }
    Ok(*runs.runner().metrics())
}

/// The public key of a run; the share would be stored here, too.
fn record(end: &RunEnd<DkgOutput>) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(match end {
        RunEnd::Done(key) => key.public.verifying_key().as_bytes().to_vec(),
        _ => Vec::new(),
    })
}

/// The ends of a network of these parties, and what carries its packets: each as many times as `times` says of it and its
/// number. When that is dropped, the network is closed.
pub fn network<F: FnMut(&OutgoingPacket, usize) -> usize>(
    parties: &Parties,
    mut times: F,
) -> (BTreeMap<PartyId, Ends>, impl Future<Output = ()> + use<F>) {
    let (mut ends, mut inboxes, mut outboxes) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    for party in parties.iter() {
        let (inbox, arriving) = mpsc::channel(16);
        // One place for each sender: a sink that is often full.
        let (sink, outbox) = mpsc::channel(0);
        ends.insert(party, (arriving, sink));
        inboxes.insert(party, inbox);
        outboxes.push(outbox.map(move |packet| (party, packet)));
    }
    let mut sent = futures_util::stream::select_all(outboxes);
    let carry = async move {
        let mut number = 0;
        while let Some((from, packet)) = sent.next().await {
            number += 1;
            for _ in 0..times(&packet, number) {
                if let Some(inbox) = inboxes.get_mut(&packet.to) {
                    // Who is gone takes nothing any more.
                    inbox.send((from, packet.bytes.to_vec())).await.ok();
                }
            }
        }
    };
    (ends, carry)
}
