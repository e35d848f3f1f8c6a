//! A deployment on the real servers, which a test drives by the commands of its operators.
#![allow(
    dead_code,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "not every test uses all of it; a test fails by panicking"
)]

use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::thread;
use std::time::Instant;

use quorate_examples::files::fresh_name;
use serde_json::Value;

/// The longest time for keys, auxiliary information and the first presignatures: others may compile meanwhile.
pub(crate) const LONG: Duration = Duration::from_secs(180);

/// A deployment, stopped and removed in the end.
pub(crate) struct Place(pub(crate) PathBuf);

impl Place {
    /// A deployment that is not there yet.
    pub(crate) fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(fresh_name(&format!("quorate-{name}-"))))
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_custody-old"));
        command.args(arguments).arg("--dir").arg(&self.0);
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Whether a server that is missing keeps this command from being tested, which then says so.
    pub(crate) fn skips(output: &Output) -> bool {
        let said = String::from_utf8_lossy(&output.stderr);
        let skips = said.contains("is not installed");
        if skips {
            eprintln!("skipped: {said}");
        }
        skips
    }

    /// The report of a command that prints JSON and does not fail; nothing if a server is missing.
    pub(crate) fn report(&self, arguments: &[&str]) -> Option<Value> {
        let output = self.run(arguments);
        if Self::skips(&output) {
            return None;
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(!text.is_empty(), "{said}");
        let report: Value = serde_json::from_str(text.trim()).unwrap();
        assert!(output.status.success(), "{said}{report:#}");
        Some(report)
    }

    /// Starts everything; says whether the servers are there.
    pub(crate) fn up(&self) -> bool {
        let output = self.run(&["up"]);
        let said = String::from_utf8_lossy(&output.stderr);
        let skips = Self::skips(&output);
        assert!(skips || output.status.success(), "{said}{}", self.logs());
        !skips
    }

    /// The number of a process once it is ready, and another one than before.
    pub(crate) fn ready(&self, name: &str, before: u64) -> u64 {
        let start = Instant::now();
        loop {
            let output = self.run(&["status", "--json"]);
            let status: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
            let all = status["processes"].as_array().cloned().unwrap_or_default();
            let found = all.iter().find(|one| one["name"] == name && one["state"] == "ready");
            let pid = found.and_then(|one| one["pid"].as_u64()).filter(|pid| *pid != before);
            if let Some(pid) = pid {
                return pid;
            }
            assert!(start.elapsed() < LONG, "{name}: {status:#}{}", self.logs());
            thread::sleep(Duration::from_millis(200));
        }
    }

    /// The number in the file of a process.
    pub(crate) fn pid(&self, name: &str) -> u64 {
        fs::read_to_string(self.0.join(format!("run/{name}.pid"))).unwrap().trim().parse().unwrap()
    }

    /// What a command prints, which does not fail.
    pub(crate) fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "{arguments:?}: {}{}", text(&output.stderr), self.logs());
        text(&output.stdout)
    }

    pub(crate) fn status(&self) -> Value {
        serde_json::from_str(&self.text(&["status", "--json"])).unwrap()
    }

    /// What the status is once this holds.
    pub(crate) fn when(&self, holds: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let status = self.status();
            if holds(&status) {
                return status;
            }
            assert!(start.elapsed() < LONG, "{status:#}{}", self.logs());
            thread::sleep(Duration::from_millis(200));
        }
    }

    pub(crate) fn logs(&self) -> String {
        let mut logs = String::new();
        for entry in fs::read_dir(self.0.join("log")).into_iter().flatten().flatten() {
            let text = fs::read_to_string(entry.path()).unwrap_or_default();
            let lines: Vec<&str> = text.lines().rev().take(6).collect();
            logs += &format!("\n{}:\n{}", entry.path().display(), lines.join("\n"));
        }
        logs
    }

    pub(crate) fn sign(&self, message: &Path, more: &[&str]) -> Vec<String> {
        let arguments = [&["sign", message.to_str().unwrap()], more].concat();
        let text = self.text(&arguments);
        assert!(text.contains("Another implementation has verified the signature."), "{text}");
        let stated = text.contains("The key was verified by statements of nodes ");
        assert!(stated && !text.contains("Beware"), "{text}");
        text.lines().filter_map(|line| line.split_whitespace().last().map(str::to_owned)).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.run(&["down"]);
        fs::remove_dir_all(&self.0).ok();
    }
}

pub(crate) fn signal(name: &str, pid: u64) {
    assert!(Command::new("kill").args([name, &pid.to_string()]).status().unwrap().success());
}

/// What a process that ends has said.
pub(crate) fn ended(mut child: Child) -> Output {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < LONG, "it does not end");
        thread::sleep(Duration::from_millis(100));
    }
    child.wait_with_output().unwrap()
}

pub(crate) fn process<'a>(status: &'a Value, name: &str) -> &'a Value {
    let all = status["processes"].as_array().unwrap();
    all.iter().find(|process| process["name"] == name).unwrap()
}

pub(crate) fn ready(status: &Value) -> bool {
    status["gateway"]["ready"] == true && status["gateway"]["keys"].as_array().unwrap().len() == 2
}
