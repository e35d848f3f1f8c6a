//! Up and down: the servers, then the nodes' workers, then the gateway; and the other way round.

use core::time::Duration;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Instant;

use quorate_examples::failure::Failure;
use quorate_examples::out::Out;
use tokio::runtime::{Builder, Runtime};

use crate::deployment::unit::{DRAIN, Unit, units};
use crate::deployment::{Asked, Deployment, servers};
use crate::http::client::Client;
use crate::plan::Lock;

/// All processes answer after so long, or they do not start at all.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between two looks at whether a process answers.
const PAUSE: Duration = Duration::from_millis(50);
/// A process that ends before it answers is started again so often.
const AGAIN: u32 = 3;
/// How often a supervisor looks.
const LOOK: Duration = Duration::from_millis(250);
/// A process that ends within this is started again only after it: it will end again.
const SHORT: Duration = Duration::from_secs(1);

/// Starts everything that does not run, and waits until all of it answers.
pub(crate) fn run(
    dir: &Path,
    asked: impl Into<Asked>,
    supervise: bool,
    out: &mut Out,
) -> Result<(), Failure> {
    let program = std::env::current_exe()?;
    let (deployment, there) = Deployment::make(dir, asked)?;
    let lock = Lock::take(&deployment.path("run"))?;
    let what = if there { "Going on in" } else { "A new deployment in" };
    out.line(format!("{what} {}", deployment.dir().display()));
    servers::start(&deployment, out)?;
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let mut children = Children::default();
    for unit in units(&deployment) {
        runtime.block_on(drained(&unit));
        children.start(&unit, &program)?;
    }
    wait((&runtime, &deployment), (&mut children, &program), out)?;
    let page = deployment.gateway();
    out.line(format!("The gateway and its status page: http://{page}/"));
    if !supervise {
        return Ok(());
    }
    out.line("Whatever ends is started again, until this is interrupted.");
    let supervisor = Supervisor { deployment: &deployment, program, children };
    supervisor.watch(&runtime, out)?;
    drop(lock);
    down(dir, out)
}

/// Stops everything, the gateway first: it ends what it has taken.
pub(crate) fn down(dir: &Path, out: &mut Out) -> Result<(), Failure> {
    let deployment = Deployment::open(dir)?;
    let _lock = Lock::take(&deployment.path("run"))?;
    for unit in units(&deployment).iter().rev() {
        let ran = unit.pid().is_some();
        unit.stop()?;
        if ran {
            out.line(format!("{} has ended", unit.name));
        }
    }
    servers::stop(&deployment, out)
}

/// The processes that were started here: their names, and when.
#[derive(Default)]
struct Children(Vec<(String, Child, Instant)>);

impl Children {
    /// Starts a process, unless it runs.
    fn start(&mut self, unit: &Unit, program: &Path) -> Result<(), Failure> {
        if let Some(child) = unit.start(program)? {
            self.0.retain_mut(|(name, child, _)| *name != unit.name || is_there(child));
            self.0.push((unit.name.clone(), child, Instant::now()));
        }
        Ok(())
    }

    /// Whether the last one of this name that was started here has ended within a short time.
    fn ended_soon(&mut self, unit: &Unit) -> bool {
        let own = self.0.iter_mut().rfind(|(name, ..)| *name == unit.name);
        own.is_some_and(|(_, child, since)| !is_there(child) && since.elapsed() < SHORT)
    }
}

/// Whether a child has not ended. One that has is waited for, so that nothing is left of it.
fn is_there(child: &mut Child) -> bool {
    matches!(child.try_wait(), Ok(None))
}

/// Waits for the end of a process that was asked to end: what answers now would not for long.
async fn drained(unit: &Unit) {
    let most = DRAIN.saturating_add(Duration::from_secs(5));
    let drains = async {
        let mut client = Client::new(unit.probes, Duration::from_secs(2));
        let answer = client.get("/readyz").await;
        let said = answer.and_then(|answer| answer.json::<serde_json::Value>());
        said.is_ok_and(|said| said.get("state").is_some_and(|state| state == "draining"))
    };
    if unit.pid().is_some() && drains.await {
        let gone = async {
            while unit.pid().is_some() {
                tokio::time::sleep(PAUSE).await;
            }
        };
        tokio::time::timeout(most, gone).await.ok();
    }
}

/// Waits until all processes answer. One that ends before is started again a few times: it may have been about to end when it
/// was found, or have met what the one before it had not left yet.
fn wait(
    (runtime, deployment): (&Runtime, &Deployment),
    (children, program): (&mut Children, &Path),
    out: &mut Out,
) -> Result<(), Failure> {
    let start = Instant::now();
    for unit in units(deployment) {
        let mut again = 0_u32;
        while !runtime.block_on(answers(&unit)) {
            let ended = unit.pid().is_none();
            if ended && again >= AGAIN || start.elapsed() > PATIENCE {
                let text = format!("{} does not start:\n{}", unit.name, unit.last_words());
                return Err(Failure::new(text));
            }
            if ended {
                again = again.saturating_add(1);
                children.start(&unit, program)?;
            }
            std::thread::sleep(PAUSE);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    out.line(format!("All processes answer after {seconds:.1} s."));
    Ok(())
}

/// Whether a process is alive, by its own word.
pub(crate) async fn answers(unit: &Unit) -> bool {
    let answer = Client::new(unit.probes, Duration::from_secs(2)).get("/healthz").await;
    answer.is_ok_and(|answer| answer.status.is_success())
}

struct Supervisor<'a> {
    deployment: &'a Deployment,
    program: PathBuf,
    children: Children,
}

impl Supervisor<'_> {
    /// Starts again what has ended, until the process is interrupted or asked to end.
    fn watch(mut self, runtime: &Runtime, out: &mut Out) -> Result<(), Failure> {
        use tokio::signal::unix::{SignalKind, signal};
        let _guard = runtime.enter();
        let mut term = signal(SignalKind::terminate())?;
        let mut int = signal(SignalKind::interrupt())?;
        loop {
            let asked = runtime.block_on(async {
                let asked = async {
                    futures_util::future::select(
                        core::pin::pin!(term.recv()),
                        core::pin::pin!(int.recv()),
                    )
                    .await;
                };
                tokio::time::timeout(LOOK, asked).await.is_ok()
            });
            if asked {
                return Ok(());
            }
            self.look(out)?;
        }
    }

    fn look(&mut self, out: &mut Out) -> Result<(), Failure> {
        servers::again(self.deployment, out)?;
        for unit in units(self.deployment) {
            let young = self.children.ended_soon(&unit);
            if unit.pid().is_some() || young {
                continue;
            }
            out.line(format!("{} has ended and is started again", unit.name));
            self.children.start(&unit, &self.program)?;
        }
        Ok(())
    }
}
