//! The measurements of a run as they end, so that a run that was stopped goes on where it was, and a long one can be made in
//! pieces: a line of JSON for each, in `report-SCALE.parts`.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::figure::Figure;
use super::files::{figure, figure_of};
use super::machine::{Load, Machine};

/// The measurements that are there, and where more go.
pub struct Parts {
    path: PathBuf,
    machine: String,
    done: BTreeMap<String, (Vec<Figure>, Load)>,
}

impl Parts {
    /// Those of a file, of this machine and build; or none, and a new file.
    ///
    /// # Panics
    /// If the file cannot be written.
    #[must_use]
    pub fn new(path: &Path, machine: &Machine, resume: bool) -> Self {
        let mut parts =
            Self { path: path.to_owned(), machine: machine.line(), done: BTreeMap::new() };
        if resume {
            let text = fs::read_to_string(path).unwrap_or_default();
            parts.done = text.lines().filter_map(|line| parts.read(line)).collect();
            // A line that was cut would take the next one with it.
            if !text.is_empty() && !text.ends_with('\n') {
                parts.append("\n");
            }
        } else {
            fs::write(path, "").expect("a folder that can be written to");
        }
        parts
    }

    fn append(&self, text: &str) {
        let file = OpenOptions::new().append(true).create(true).open(&self.path);
        let mut file = file.expect("a folder that can be written to");
        file.write_all(text.as_bytes()).expect("a folder that can be written to");
    }

    fn read(&self, line: &str) -> Option<(String, (Vec<Figure>, Load))> {
        let value: Value = serde_json::from_str(line).ok()?;
        if value["machine"] != self.machine.as_str() {
            return None;
        }
        let figures: Result<Vec<Figure>, String> =
            value["figures"].as_array()?.iter().map(figure_of).collect();
        let parts: Vec<f64> =
            value["load"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        let load = Load { seconds: value["seconds"].as_f64()?, parts: parts.try_into().ok() };
        Some((value["job"].as_str()?.to_owned(), (figures.ok()?, load)))
    }

    /// A measurement that was made before.
    #[must_use]
    pub fn get(&self, job: &str) -> Option<(Vec<Figure>, Load)> {
        self.done.get(job).cloned()
    }

    /// A measurement has been made.
    ///
    /// # Panics
    /// If the file cannot be written.
    pub fn add(&self, job: &str, figures: &[Figure], load: &Load) {
        let figures: Vec<Value> = figures.iter().map(figure).collect();
        let line = json!({
            "job": job, "machine": self.machine, "figures": figures,
            "seconds": load.seconds, "load": load.parts,
        });
        self.append(&format!("{line}\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figure::{Middle, Unit};

    #[test]
    fn a_run_goes_on_where_it_was() {
        let path = std::env::temp_dir().join(format!("quorate-parts-{}", std::process::id()));
        let machine = Machine::here();
        let figure = Figure {
            name: "x".into(),
            who: "y".into(),
            engine: String::new(),
            level: String::new(),
            unit: Unit::Micros,
            by: Middle::Median,
            samples: vec![1.5, 2.0],
        };
        let load = Load { seconds: 2.0, parts: Some([0.5, 0.0, 0.25]) };
        let parts = Parts::new(&path, &machine, false);
        parts.add("one", core::slice::from_ref(&figure), &load);
        // A run that was stopped in the middle of a line.
        let mut text = fs::read_to_string(&path).unwrap();
        text.push_str("{\"job\": \"two\", \"mach");
        fs::write(&path, text).unwrap();
        let again = Parts::new(&path, &machine, true);
        assert_eq!(again.get("one"), Some((vec![figure], load)));
        assert_eq!(again.get("two"), None);
        // What comes after it is not lost.
        again.add("three", &[], &load);
        assert!(Parts::new(&path, &machine, true).get("three").is_some());
        // Figures of another machine are not taken for this one's.
        let other = Machine { cpu: "another".into(), ..machine.clone() };
        assert_eq!(Parts::new(&path, &other, true).get("one"), None);
        assert_eq!(Parts::new(&path, &machine, false).get("one"), None);
        assert_eq!(Parts::new(&path, &machine, true).get("one"), None);
        fs::remove_file(path).unwrap();
    }
}
