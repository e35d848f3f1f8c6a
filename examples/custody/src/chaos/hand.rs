//! The hand that kills, stalls and wipes, and starts again what has ended.

use core::time::Duration;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use quorate_examples::failure::Failure;
use quorate_examples::out::Out;
use tokio::runtime::Runtime;

use super::events::{Kind, Random};
use super::report;
use super::{LOOK, RECOVERY};
use crate::deployment::unit::{Unit, units};
use crate::deployment::{Deployment, servers};
use crate::engines::process;
use crate::up;

/// What an event has struck.
pub(super) struct Target {
    /// What the event was.
    kind: Kind,
    /// Its name.
    name: String,
    /// When.
    since: Instant,
    /// The process, unless it is a server.
    unit: Option<Unit>,
    /// What ends the event, and when, if it lasts.
    end: Option<(Instant, End)>,
}

/// The end of an event that lasts: it comes when this is dropped, whatever has happened meanwhile.
enum End {
    /// The process with this number goes on.
    GoesOn(u32),
    /// The clock that this file sets is right again.
    IsRight(PathBuf),
}

impl Drop for End {
    fn drop(&mut self) {
        match self {
            Self::GoesOn(pid) => drop(signal(*pid, "CONT")),
            Self::IsRight(path) => drop(fs::write(path, "0")),
        }
    }
}

/// What was struck: its name, the process, and what ends it.
type Struck = (String, Option<Unit>, Option<(Instant, End)>);

pub(super) struct Hand<'a> {
    deployment: &'a Deployment,
    program: PathBuf,
    units: Vec<Unit>,
    /// Those that were started here, to be waited for.
    children: Vec<Child>,
}

impl<'a> Hand<'a> {
    pub(super) fn new(deployment: &'a Deployment) -> Result<Self, Failure> {
        let (program, units) = (std::env::current_exe()?, units(deployment));
        Ok(Self { deployment, program, units, children: Vec::new() })
    }

    /// Does what an event is.
    pub(super) fn strike(&mut self, kind: Kind, random: &mut Random) -> Result<Target, Failure> {
        let since = Instant::now();
        let (name, unit, end) = match kind {
            Kind::KillWorker => self.kill(|name| name.starts_with('n'), random)?,
            Kind::KillGateway => self.kill(|name| name == "g1", random)?,
            Kind::KillKeeper => self.kill(|name| name == "keeper", random)?,
            Kind::KillBroker => self.kill_server("nats")?,
            Kind::WipeBroker => {
                let struck = self.kill_server("nats")?;
                let store = servers::broker_store(self.deployment)?;
                if store.exists() {
                    fs::remove_dir_all(&store).map_err(Failure::file("remove", &store))?;
                }
                struck
            }
            Kind::KillDatabase => self.kill_server("postgres")?,
            Kind::KillLedger => self.kill_server("ledger")?,
            Kind::Stall => self.stall(random)?,
            Kind::Clock => self.jump(random)?,
        };
        Ok(Target { kind, name, since, unit, end })
    }

    /// Kills all workers of a node.
    pub(super) fn kill_all(&self, node: &str) -> Result<(), Failure> {
        let of = |unit: &&Unit| unit.name.split_once('-').is_some_and(|(name, _)| name == node);
        self.units.iter().filter(of).filter_map(Unit::pid).try_for_each(end)
    }

    /// Stops all workers of a node for a while.
    pub(super) fn away(&mut self, node: &str, length: Duration) -> Result<(), Failure> {
        let of = |unit: &&Unit| unit.name.split_once('-').is_some_and(|(name, _)| name == node);
        let pids: Vec<u32> = self.units.iter().filter(of).filter_map(Unit::pid).collect();
        pids.iter().try_for_each(|pid| signal(*pid, "STOP"))?;
        let supervised = self.supervise_for(length);
        pids.iter().try_for_each(|pid| signal(*pid, "CONT"))?;
        supervised
    }

    fn supervise_for(&mut self, length: Duration) -> Result<(), Failure> {
        let until = Instant::now() + length;
        let mut supervised = Ok(());
        while Instant::now() < until && supervised.is_ok() {
            supervised = self.supervise();
            std::thread::sleep(LOOK);
        }
        supervised
    }

    fn pick(&self, is: impl Fn(&str) -> bool, random: &mut Random) -> Result<Unit, Failure> {
        let some: Vec<&Unit> = self.units.iter().filter(|unit| is(&unit.name)).collect();
        let picked = random.pick(&some).copied().cloned();
        picked.ok_or_else(|| Failure::new("there is no such process"))
    }

    fn kill(&self, is: impl Fn(&str) -> bool, random: &mut Random) -> Result<Struck, Failure> {
        let unit = self.pick(is, random)?;
        if let Some(pid) = unit.pid() {
            end(pid)?;
        }
        Ok((unit.name.clone(), Some(unit), None))
    }

    fn kill_server(&self, name: &str) -> Result<Struck, Failure> {
        let pids = servers::pids(self.deployment);
        if let Some((_, Some(pid))) = pids.into_iter().find(|(other, _)| other == name) {
            end(pid)?;
        }
        Ok((name.to_owned(), None, None))
    }

    /// Up to three seconds, within which everything else goes on.
    fn stall(&self, random: &mut Random) -> Result<Struck, Failure> {
        let unit = self.pick(|name| name != "keeper", random)?;
        let until = Instant::now() + lasting(random);
        let Some(pid) = unit.pid() else { return Ok((unit.name.clone(), Some(unit), None)) };
        signal(pid, "STOP")?;
        Ok((unit.name.clone(), Some(unit), Some((until, End::GoesOn(pid)))))
    }

    /// Up to ten seconds to either side, for up to three.
    fn jump(&self, random: &mut Random) -> Result<Struck, Failure> {
        let unit = self.pick(|name| name != "keeper", random)?;
        let name = format!("clock/{}", unit.name);
        let ahead = i64::try_from(random.below(20_000))?.saturating_sub(10_000);
        self.deployment.write(&name, &ahead.to_string())?;
        let until = Instant::now() + lasting(random);
        Ok((
            unit.name.clone(),
            Some(unit),
            Some((until, End::IsRight(self.deployment.path(&name)))),
        ))
    }

    /// Starts again what has ended: processes first, since they wait for servers, and nobody for them.
    pub(super) fn supervise(&mut self) -> Result<(), Failure> {
        self.children.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
        for unit in &self.units {
            if unit.pid().is_none() {
                self.children.extend(unit.start(&self.program)?);
            }
        }
        servers::again(self.deployment, &mut Out::captured())
    }

    /// How long each of what was struck takes until it answers again.
    pub(super) fn until_back(
        &mut self,
        runtime: &Runtime,
        mut targets: Vec<Target>,
    ) -> Result<Vec<report::Struck>, Failure> {
        let mut struck = Vec::new();
        loop {
            let now = Instant::now();
            targets.iter_mut().for_each(|target| {
                target.end.take_if(|(until, _)| *until <= now);
            });
            self.supervise()?;
            targets.retain(|target| {
                let back = is_back(runtime, target);
                if back {
                    let (kind, target, back) =
                        (target.kind, target.name.clone(), target.since.elapsed());
                    struck.push(report::Struck { kind, target, back });
                }
                !back
            });
            let Some(target) = targets.first() else { return Ok(struck) };
            if target.since.elapsed() > RECOVERY {
                return Err(Failure::new(format!("{} does not come back", target.name)));
            }
            std::thread::sleep(LOOK);
        }
    }
}

/// Whether what was struck answers, and the event is over. A server answers when its start has returned.
fn is_back(runtime: &Runtime, target: &Target) -> bool {
    target.end.is_none()
        && target.unit.as_ref().is_none_or(|unit| runtime.block_on(up::answers(unit)))
}

/// How long an event lasts.
fn lasting(random: &mut Random) -> Duration {
    Duration::from_millis(random.below(2500).saturating_add(500))
}

/// Kills a process, and waits until it is gone.
fn end(pid: u32) -> Result<(), Failure> {
    signal(pid, "KILL")?;
    let gone = process::wait_until(Duration::from_secs(5), || Ok(!process::alive(pid)))?;
    if gone { Ok(()) } else { Err(Failure::new(format!("process {pid} does not end"))) }
}

fn signal(pid: u32, name: &str) -> Result<(), Failure> {
    // One that has just ended is no failure.
    Command::new("kill").args(["-s", name, &pid.to_string()]).stderr(Stdio::null()).status()?;
    Ok(())
}
