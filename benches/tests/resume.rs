//! A run that is killed goes on where it was.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test stops at the first surprise")]

use core::time::Duration;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;

use quorate_benches::report::Stored;

fn report(folder: &Path, resume: bool) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_report"));
    command.args(["tiny", "--only", "frost", "--out"]).arg(folder);
    command.args(resume.then_some("--resume"));
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn a_run_that_is_killed_goes_on() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("killed");
    fs::remove_dir_all(&folder).ok();
    let parts = folder.join("report-tiny.parts");
    let lines = || fs::read_to_string(&parts).unwrap_or_default().lines().count();
    let mut killed = report(&folder, false);
    while lines() < 2 {
        assert!(killed.try_wait().unwrap().is_none(), "the run has ended");
        sleep(Duration::from_millis(5));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let before = fs::read_to_string(&parts).unwrap();
    let done = before.lines().count();
    assert!(done < 10, "all measurements had been made: {done}");
    assert!(!folder.join("report-tiny.json").exists());
    let resumed = report(&folder, true).wait_with_output().unwrap();
    assert!(resumed.status.success());
    let progress = String::from_utf8(resumed.stderr).unwrap();
    assert!(progress.matches("measured before: ").count() >= done - 1, "{progress}");
    // What had been measured stands in the report, sample for sample.
    let all = Stored::read(&fs::read_to_string(folder.join("report-tiny.json")).unwrap()).unwrap();
    let first: serde_json::Value = serde_json::from_str(before.lines().next().unwrap()).unwrap();
    for one in first["figures"].as_array().unwrap() {
        let [name, who] = ["name", "who"].map(|field| one[field].as_str().unwrap());
        let same = all.figures.iter().find(|known| known.name == name && known.who == who).unwrap();
        let samples: Vec<f64> =
            one["samples"].as_array().unwrap().iter().map(|us| us.as_f64().unwrap()).collect();
        assert_eq!(same.samples, samples, "{name}");
    }
    assert_eq!(lines(), 10, "a line for each measurement");
}
