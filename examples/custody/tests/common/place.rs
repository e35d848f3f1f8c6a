//! A deployment on the real servers, which a test drives by the commands of its operators.

use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
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

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_custody"));
        command.args(arguments).arg("--dir").arg(&self.0).output().unwrap()
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
        assert!(text.contains("Another implementation has verified it."), "{text}");
        text.lines().filter_map(|line| line.split_whitespace().last().map(str::to_owned)).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.run(&["down"]);
        fs::remove_dir_all(&self.0).ok();
    }
}

pub(crate) fn process<'a>(status: &'a Value, name: &str) -> &'a Value {
    let all = status["processes"].as_array().unwrap();
    all.iter().find(|process| process["name"] == name).unwrap()
}

pub(crate) fn ready(status: &Value) -> bool {
    status["gateway"]["ready"] == true && status["gateway"]["keys"].as_array().unwrap().len() == 2
}
