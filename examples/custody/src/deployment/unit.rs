//! A process of a deployment: started apart from whoever starts it, found by its number, stopped.

use core::net::SocketAddr;
use core::time::Duration;
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use quorate_examples::failure::Failure;

use super::Deployment;
use crate::engines::process;

/// A process has so long to end what it has begun.
pub const DRAIN: Duration = Duration::from_secs(20);

/// A process.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Its name: `n1-2` for the second worker of the first node, `g1` for the gateway.
    pub name: String,
    /// Where it shows its probes.
    pub probes: SocketAddr,
    role: &'static str,
    settings: PathBuf,
    pid_file: PathBuf,
    log: PathBuf,
}

/// The processes of a deployment, in the order in which they are started.
#[must_use]
pub fn units(deployment: &Deployment) -> Vec<Unit> {
    let unit = |name: String, role, settings: &str, probes| Unit {
        probes,
        role,
        settings: deployment.path(settings),
        pid_file: deployment.path(&format!("run/{name}.pid")),
        log: deployment.path(&format!("log/{name}.log")),
        name,
    };
    let workers = deployment.workers().map(|(node, worker)| {
        let probes = deployment.worker(node, worker);
        unit(format!("n{node}-{worker}"), "node", &format!("n{node}/{worker}.json"), probes)
    });
    let gateway = unit("g1".to_owned(), "gateway", "g1/gateway.json", deployment.gateway());
    let keeper = unit("keeper".to_owned(), "keeper", "keeper/keeper.json", deployment.keeper());
    [keeper].into_iter().chain(workers).chain([gateway]).collect()
}

impl Unit {
    /// The number of the process, if it runs.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        let pid = process::running(&self.pid_file)?;
        // Another process may have got the number since.
        let settings = self.settings.as_os_str().as_encoded_bytes();
        process::words(pid).iter().any(|word| word == settings).then_some(pid)
    }

    /// Starts it with this program, unless it runs.
    ///
    /// # Errors
    /// A [`Failure`] if it cannot be started.
    pub fn start(&self, program: &Path) -> Result<Option<Child>, Failure> {
        if self.pid().is_some() {
            return Ok(None);
        }
        for folder in [self.pid_file.parent(), self.log.parent()].into_iter().flatten() {
            fs::create_dir_all(folder).map_err(Failure::file("create", folder))?;
        }
        let log = OpenOptions::new().create(true).append(true).open(&self.log);
        let log = log.map_err(Failure::file("write", &self.log))?;
        let mut command = Command::new(program);
        command.args([OsString::from(self.role), "--config".into(), self.settings.clone().into()]);
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        // What is typed at the terminal of whoever starts it does not reach it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = command.spawn().map_err(Failure::file("start", program))?;
        fs::write(&self.pid_file, format!("{}\n", child.id()))
            .map_err(Failure::file("write", &self.pid_file))?;
        Ok(Some(child))
    }

    /// Asks it to end, and kills it if it does not in time.
    ///
    /// # Errors
    /// A [`Failure`] if it still runs.
    pub fn stop(&self) -> Result<(), Failure> {
        if let Some(pid) = self.pid() {
            process::stop(pid, DRAIN.saturating_add(Duration::from_secs(5)))?;
        }
        fs::remove_file(&self.pid_file).ok();
        Ok(())
    }

    /// What it has said last.
    #[must_use]
    pub fn last_words(&self) -> String {
        process::last_words(&self.log)
    }
}

#[cfg(test)]
mod tests {
    use quorate_examples::files::fresh_name;

    use super::*;

    /// A process that stands for one of ours: it sleeps.
    #[test]
    fn a_process_is_found_by_its_number_and_stopped() {
        let dir = std::env::temp_dir().join(fresh_name("quorate-unit-"));
        fs::create_dir_all(&dir).unwrap();
        let program = dir.join("program");
        fs::write(&program, "#!/bin/sh\necho ready\nsleep 60\n").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
        }
        let unit = Unit {
            name: "n1-1".to_owned(),
            probes: "127.0.0.1:1".parse().unwrap(),
            role: "node",
            settings: dir.join("1.json"),
            pid_file: dir.join("run/n1-1.pid"),
            log: dir.join("log/n1-1.log"),
        };
        assert_eq!(unit.pid(), None);
        let mut child = unit.start(&program).unwrap().unwrap();
        assert_eq!(unit.pid(), Some(child.id()));
        assert!(unit.start(&program).unwrap().is_none(), "it runs");
        process::wait_until(Duration::from_secs(5), || Ok(unit.last_words() == "ready")).unwrap();
        assert_eq!(unit.last_words(), "ready");
        // A number that is another process's now is not taken for it.
        fs::write(&unit.pid_file, std::process::id().to_string()).unwrap();
        assert_eq!(unit.pid(), None);
        fs::write(&unit.pid_file, child.id().to_string()).unwrap();
        unit.stop().unwrap();
        child.wait().unwrap();
        assert_eq!(unit.pid(), None);
        fs::remove_dir_all(dir).unwrap();
    }
}
