//! The processes of the service: a worker of a node, a gateway, the keeper of the broker's streams.
//!
//! Each has its core in the main thread, its HTTP side in another, and the bus in a third. A core that fails is begun anew
//! after a pause, since nothing in it is worth keeping: a database that is gone for a while ends no process. TERM drains: a
//! process that is asked to end takes nothing new, ends what it has begun, or says after a time that it could not.

mod gateway;
mod keeper;
mod node;
mod watch;

use core::time::Duration;
use std::io;
use std::path::Path;
use std::sync::Arc;

use quorate_examples::failure::Failure;
use tokio::signal::unix::{SignalKind, signal};

pub(crate) use self::gateway::run as gateway;
pub(crate) use self::keeper::run as keeper;
pub(crate) use self::node::config_of as node_config;
pub(crate) use self::node::run as node;
use crate::bus::Peer;
use crate::bus::Sink;
use crate::bus::nats::{Bounds, NatsBus, Settings};
use crate::clock;
use crate::deployment::settings::{self, Broker, Common, beside};
use crate::directory::{Directory, Identity};
use crate::envelope::Versions;
use crate::http::probes::Probes;
use crate::logs::{self, Logs};
use crate::metrics::{Health, Metrics};

/// A process that was asked to end, and has not after its time and this, ends all the same.
const GRACE: Duration = Duration::from_secs(5);
/// The pauses before a core is begun anew: twice as long each time.
const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(2)];
/// A core that has worked, or waited for its database, for so long is begun anew after the shortest pause.
const LONG: Duration = Duration::from_secs(2);

/// What every process has.
struct Life {
    probes: Probes,
    drain: Duration,
    _logs: Logs,
}

impl Life {
    fn begin(process: &settings::Process) -> Result<Self, Failure> {
        let logs = logs::start(&process.log, io::stdout())?;
        if let Some(path) = process.chaos.as_ref().and_then(|chaos| chaos.clock.clone()) {
            clock::follow(path)?;
        }
        let probes = Probes { metrics: Arc::new(Metrics::new()), health: Arc::new(Health::new()) };
        Ok(Self { probes, drain: Duration::from_millis(process.drain_ms), _logs: logs })
    }

    /// Waits until the process is asked to end, and ends what `drain` ends.
    fn drained(
        &self,
        drain: impl Future<Output = ()> + Send + 'static,
    ) -> impl Future<Output = ()> + Send + 'static {
        let (health, most) = (Arc::clone(&self.probes.health), self.drain);
        async move {
            if let Err(error) = asked_to_end().await {
                tracing::error!(%error, "signals are not heard");
                return;
            }
            health.drain();
            tracing::info!("draining");
            if tokio::time::timeout(most, drain).await.is_err() {
                tracing::warn!(
                    "what was begun has not ended in time; it goes on when this is started again"
                );
            }
            tokio::time::sleep(GRACE).await;
            tracing::error!("the core does not end");
            std::process::exit(1);
        }
    }

    /// Lets a core work until it ends by itself; one that fails is begun anew.
    fn work(&self, mut core: impl FnMut() -> Result<(), Failure>) {
        let [first, most] = PAUSES;
        let mut pause = first;
        loop {
            let since = std::time::Instant::now();
            let Err(why) = core() else { return };
            let health = &self.probes.health;
            health.not_ready(why.to_string());
            tracing::error!(%why, "the core has failed and is begun anew");
            if health.is_draining() {
                return;
            }
            pause = if since.elapsed() > LONG { first } else { pause };
            std::thread::sleep(pause);
            health.beat();
            pause = pause.saturating_mul(2).min(most);
        }
    }
}

async fn asked_to_end() -> io::Result<()> {
    let (mut term, mut int) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let (term, int) = (core::pin::pin!(term.recv()), core::pin::pin!(int.recv()));
    futures_util::future::select(term, int).await;
    Ok(())
}

/// A worker's end of the bus.
fn bus(
    (me, worker): (Peer, u16),
    (file, identity): (&Path, &Path),
    (common, broker): (&Common, &Broker),
    sink: impl Sink,
) -> Result<NatsBus, Failure> {
    let identity = Identity::read(me, &beside(file, identity), None)?;
    let directory = Directory::read(&beside(file, &common.directory))?;
    let settings = Settings {
        access: broker.access(file),
        identity: Arc::new(identity),
        worker,
        directory: Arc::new(directory),
        versions: Versions::OURS,
        bounds: Bounds::default(),
    };
    NatsBus::start(settings, sink)
}
