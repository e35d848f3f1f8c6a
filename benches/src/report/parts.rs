//! The measurements of a run as they end, so that a run that was stopped goes on where it was, and a long one can be made in
//! pieces: a line of JSON for each, in `report-SCALE.parts`.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::figure::Figure;
use super::machine::{Load, Machine};

/// The measurements that are there, and where more go.
pub(super) struct Parts {
    path: PathBuf,
    machine: String,
    done: BTreeMap<String, (Vec<Figure>, Load)>,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Part {
    job: String,
    machine: String,
    figures: Vec<Figure>,
    #[serde(flatten)]
    load: Load,
}

impl Parts {
    /// Reads the parts in a file that are of this machine and build, or begins a new file.
    pub(super) fn new(path: &Path, machine: &Machine, resume: bool) -> Self {
        let mut parts =
            Self { path: path.to_owned(), machine: machine.line(), done: BTreeMap::new() };
        if !resume {
            fs::write(path, "").expect("a folder that can be written to");
            return parts;
        }
        let text = fs::read_to_string(path).unwrap_or_default();
        let read = text.lines().filter_map(|line| serde_json::from_str::<Part>(line).ok());
        let read = read.filter(|part| part.machine == parts.machine);
        parts.done = read.map(|part| (part.job, (part.figures, part.load))).collect();
        // Otherwise the next line would be joined to one that was cut.
        if !text.is_empty() && !text.ends_with('\n') {
            parts.append("\n");
        }
        parts
    }

    fn append(&self, text: &str) {
        let file = OpenOptions::new().append(true).create(true).open(&self.path);
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        written.expect("a folder that can be written to");
    }

    /// A measurement that was made before.
    pub(super) fn get(&self, job: &str) -> Option<(Vec<Figure>, Load)> {
        self.done.get(job).cloned()
    }

    /// A measurement has been made.
    pub(super) fn add(&self, job: &str, figures: &[Figure], load: Load) {
        let (job, machine) = (job.to_owned(), self.machine.clone());
        let part = Part { job, machine, figures: figures.to_vec(), load };
        let line = serde_json::to_string(&part).expect("numbers and texts");
        self.append(&format!("{line}\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figure::Unit;

    #[test]
    fn a_run_goes_on_where_it_was() {
        let path = std::env::temp_dir().join(format!("quorate-parts-{}", std::process::id()));
        let machine = Machine::here();
        let figure = Figure::new("x", Unit::Micros, vec![1.5, 2.0]).of("y");
        let load = Load { seconds: 2.0, parts: Some([0.5, 0.0, 0.25]) };
        let parts = Parts::new(&path, &machine, false);
        parts.add("one", core::slice::from_ref(&figure), load);
        // A run that was stopped in the middle of a line.
        parts.append("{\"job\": \"two\", \"mach");
        let again = Parts::new(&path, &machine, true);
        assert_eq!(again.get("one"), Some((vec![figure], load)));
        assert_eq!(again.get("two"), None);
        // What comes after it is not lost.
        again.add("three", &[], load);
        assert!(Parts::new(&path, &machine, true).get("three").is_some());
        // Figures of another machine are not taken for this one's.
        let other = Machine { cpu: "another".into(), ..machine.clone() };
        assert_eq!(Parts::new(&path, &other, true).get("one"), None);
        assert_eq!(Parts::new(&path, &machine, false).get("one"), None);
        assert_eq!(Parts::new(&path, &machine, true).get("one"), None);
        fs::remove_file(path).unwrap();
    }
}
