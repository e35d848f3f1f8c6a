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
use super::report::Struck;
use super::{LOOK, RECOVERY};
use crate::deployment::unit::{Unit, units};
use crate::deployment::{Deployment, servers};
use crate::engines::process;
use crate::up;

/// What an event has struck.
pub(super) struct Target {
    /// Its name.
    pub(super) name: String,
    /// The process, unless it is a server.
    unit: Option<Unit>,
}

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
        match kind {
            Kind::KillWorker => self.kill(|name| name.starts_with('n'), random),
            Kind::KillGateway => self.kill(|name| name == "g1", random),
            Kind::KillKeeper => self.kill(|name| name == "keeper", random),
            Kind::KillBroker => self.kill_server("nats"),
            Kind::WipeBroker => {
                let target = self.kill_server("nats")?;
                let store = servers::broker_store(self.deployment)?;
                if store.exists() {
                    fs::remove_dir_all(&store).map_err(Failure::file("remove", &store))?;
                }
                Ok(target)
            }
            Kind::KillDatabase => self.kill_server("postgres"),
            Kind::KillLedger => self.kill_server("ledger"),
            Kind::Stall => self.stall(random),
            Kind::Clock => self.jump(random),
        }
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

    fn kill(&self, is: impl Fn(&str) -> bool, random: &mut Random) -> Result<Target, Failure> {
        let unit = self.pick(is, random)?;
        if let Some(pid) = unit.pid() {
            end(pid)?;
        }
        Ok(Target { name: unit.name.clone(), unit: Some(unit) })
    }

    fn kill_server(&self, name: &str) -> Result<Target, Failure> {
        let pids = servers::pids(self.deployment);
        if let Some((_, Some(pid))) = pids.into_iter().find(|(other, _)| other == name) {
            end(pid)?;
        }
        Ok(Target { name: name.to_owned(), unit: None })
    }

    /// Up to three seconds, within which everything else goes on.
    fn stall(&mut self, random: &mut Random) -> Result<Target, Failure> {
        let unit = self.pick(|name| name != "keeper", random)?;
        let Some(pid) = unit.pid() else {
            return Ok(Target { name: unit.name.clone(), unit: Some(unit) });
        };
        signal(pid, "STOP")?;
        let length = Duration::from_millis(random.below(2500).saturating_add(500));
        let supervised = self.supervise_for(length);
        // Whatever has happened meanwhile, it goes on.
        signal(pid, "CONT")?;
        supervised?;
        Ok(Target { name: unit.name.clone(), unit: Some(unit) })
    }

    /// Up to ten seconds to either side, for up to three.
    fn jump(&mut self, random: &mut Random) -> Result<Target, Failure> {
        let unit = self.pick(|name| name != "keeper", random)?;
        let name = format!("clock/{}", unit.name);
        let ahead = i64::try_from(random.below(20_000))?.saturating_sub(10_000);
        self.deployment.write(&name, &ahead.to_string())?;
        let length = Duration::from_millis(random.below(2500).saturating_add(500));
        let supervised = self.supervise_for(length);
        self.deployment.write(&name, "0")?;
        supervised?;
        Ok(Target { name: unit.name.clone(), unit: Some(unit) })
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

    /// How long it takes from a moment until each of what was struck answers again.
    pub(super) fn until_back(
        &mut self,
        runtime: &Runtime,
        mut targets: Vec<(Kind, Target)>,
        since: Instant,
    ) -> Result<Vec<Struck>, Failure> {
        let mut struck = Vec::new();
        loop {
            self.supervise()?;
            targets.retain(|(kind, target)| {
                // A server answers when its start has returned.
                let back =
                    target.unit.as_ref().is_none_or(|unit| runtime.block_on(up::answers(unit)));
                if back {
                    let (kind, target) = (*kind, target.name.clone());
                    struck.push(Struck { kind, target, back: since.elapsed() });
                }
                !back
            });
            let Some((_, target)) = targets.first() else { return Ok(struck) };
            if since.elapsed() > RECOVERY {
                return Err(Failure::new(format!("{} does not come back", target.name)));
            }
            std::thread::sleep(LOOK);
        }
    }
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
