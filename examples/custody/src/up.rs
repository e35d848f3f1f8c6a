//! Up and down: the servers, then the nodes' workers, then the gateway; and the other way round.

use core::time::Duration;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Instant;

use quorate_examples::failure::Failure;
use quorate_examples::out::Out;
use tokio::runtime::{Builder, Runtime};

use crate::deployment::unit::{Unit, units};
use crate::deployment::{Asked, Deployment, servers};
use crate::http::client::Client;
use crate::plan::Lock;

/// All processes answer after so long, or they do not start at all.
const PATIENCE: Duration = Duration::from_secs(60);
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
    let mut children = Vec::new();
    for unit in units(&deployment) {
        if let Some(child) = unit.start(&program)? {
            children.push((unit.name.clone(), child, Instant::now()));
        }
    }
    let runtime = Builder::new_current_thread().enable_all().build()?;
    wait(&runtime, &deployment, out)?;
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

/// Waits until all processes answer.
fn wait(runtime: &Runtime, deployment: &Deployment, out: &mut Out) -> Result<(), Failure> {
    let start = Instant::now();
    for unit in units(deployment) {
        while !runtime.block_on(answers(&unit)) {
            if unit.pid().is_none() || start.elapsed() > PATIENCE {
                let text = format!("{} does not start:\n{}", unit.name, unit.last_words());
                return Err(Failure::new(text));
            }
            std::thread::sleep(Duration::from_millis(50));
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
    /// Those that were started here, and when.
    children: Vec<(String, Child, Instant)>,
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
            let own = self.children.iter_mut().find(|(name, _, _)| *name == unit.name);
            let young = own.is_some_and(|(_, child, since)| {
                // One that has ended is waited for, so that nothing is left of it.
                let ended = !matches!(child.try_wait(), Ok(None));
                ended && since.elapsed() < SHORT
            });
            if unit.pid().is_some() || young {
                continue;
            }
            out.line(format!("{} has ended and is started again", unit.name));
            if let Some(child) = unit.start(&self.program)? {
                self.children.retain(|(name, _, _)| *name != unit.name);
                self.children.push((unit.name.clone(), child, Instant::now()));
            }
        }
        Ok(())
    }
}
