//! The figures of a run as CSV and JSON, and a run read back from its JSON.

use std::path::Path;
use std::{fs, io};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::figure::{Figure, written};
use super::machine::{Load, Machine};
use super::published;
use super::section::{Drawing, Grid, Headline, Section};

/// The form of the JSON. Another number is another form.
const FORMAT: u64 = 1;

/// Makes something of a file's text. An error names the file.
pub(super) fn from_file<T>(
    path: &Path,
    read: impl FnOnce(&str) -> Result<T, String>,
) -> io::Result<T> {
    let text = fs::read_to_string(path).map_err(|why| why.to_string());
    let made = text.and_then(|text| read(&text));
    made.map_err(|why| io::Error::other(format!("{}: {why}", path.display())))
}

/// Reads JSON. An error is a sentence.
pub(super) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|why| why.to_string())
}

/// A run as it is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stored {
    format: u64,
    /// `tiny`, `quick` or `full`.
    pub(super) scale: String,
    pub(super) command: String,
    pub(super) machine: Machine,
    /// Set if others used the machine meanwhile.
    pub(super) busy: bool,
    /// The other load of the machine, in a sentence.
    pub(super) load: String,
    /// A line for each published table.
    pub(super) summary: Vec<Line>,
    pub(super) tables: Vec<Grid>,
    pub(super) plots: Vec<Drawing>,
    /// The figures of the run.
    #[serde(serialize_with = "written")]
    pub figures: Vec<Figure>,
}

/// A line of the summary.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Line {
    pub(super) section: String,
    /// The title of the section.
    #[serde(default)]
    pub(super) chapter: String,
    /// The title of the published report.
    title: String,
    pub(super) hardware: String,
    #[serde(flatten)]
    pub(super) headline: Headline,
}

impl Line {
    /// The line on a terminal.
    pub(super) fn sentence(&self) -> String {
        let Self { chapter, hardware, headline, .. } = self;
        let (ratio, Headline { what, ours, published, .. }) = (headline.peer(), headline);
        format!("{chapter}: {what}: ours {ours}; published {published} on {hardware}; {ratio}\n")
    }
}

fn lines(Section { id, title, shown, .. }: &Section) -> impl Iterator<Item = Line> {
    let report = published::report(id);
    shown.headlines.iter().map(|headline| Line {
        section: (*id).to_owned(),
        chapter: (*title).to_owned(),
        title: report.title.clone(),
        hardware: report.hardware.clone(),
        headline: headline.clone(),
    })
}

impl Stored {
    /// The run that these sections are of.
    pub(super) fn new(
        machine: &Machine,
        [scale, command]: [&str; 2],
        load: &Load,
        sections: &[Section],
    ) -> Self {
        Self {
            format: FORMAT,
            scale: scale.to_owned(),
            command: command.to_owned(),
            machine: machine.clone(),
            busy: load.is_busy(),
            load: load.sentence(),
            summary: sections.iter().flat_map(lines).collect(),
            tables: sections.iter().flat_map(|section| section.shown.tables.clone()).collect(),
            plots: sections.iter().flat_map(|section| section.shown.plots.clone()).collect(),
            figures: sections.iter().flat_map(|section| section.figures.clone()).collect(),
        }
    }

    /// The run as JSON.
    ///
    /// # Errors
    /// None is known: all of it is numbers and texts.
    pub fn json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Reads what [`Stored::json`] wrote.
    ///
    /// # Errors
    /// A sentence on what is wrong.
    pub fn read(text: &str) -> Result<Self, String> {
        let value: Value = from_json(text)?;
        if value["format"] != FORMAT {
            return Err(format!("not a run of format {FORMAT}"));
        }
        serde_json::from_value(value).map_err(|why| why.to_string())
    }
}

/// The figures, one a line.
pub(super) fn csv(machine: &Machine, sections: &[Section]) -> csv::Result<String> {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(
        "section,name,library,engine,level,unit,runs,statistic,value,spread,machine,build"
            .split(','),
    )?;
    for section in sections {
        for one in &section.figures {
            let value = format!("{:.4}", one.middle());
            let spread = one.spread().map(|part| format!("{part:.4}"));
            let who = (section.id, &one.name, &one.who, &one.engine, &one.level, one.unit);
            out.serialize((
                who,
                (one.samples.len(), one.by, value, spread),
                (&machine.cpu, &machine.build),
            ))?;
        }
    }
    let bytes = out.into_inner().map_err(|why| why.into_error())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figure::Unit;
    use crate::report::section::Shown;

    fn section() -> Section {
        let figure = Figure::new("frost/ed25519/2-of-3/round1", Unit::Micros, vec![1.5, 2.5, 3.5]);
        let both = ["2.5 µs", "80 µs"].map(|cell| Some(cell.to_owned()));
        let headline = Headline::new("round 1", both, Some(("peer".to_owned(), 3.0)));
        Section {
            id: "frost",
            title: "FROST",
            figures: vec![figure.of("a, \"b\"").with("ifma", "")],
            shown: Shown { headlines: vec![headline], ..Shown::default() },
            load: Load { seconds: 1.0, parts: None },
        }
    }

    #[test]
    fn a_run_is_read_back_as_it_was_written() {
        let (machine, section) = (Machine::here(), section());
        let sections = core::slice::from_ref(&section);
        let run = Stored::new(&machine, ["tiny", "x"], &section.load, sections);
        let back = Stored::read(&run.json().unwrap()).unwrap();
        assert_eq!((&back.machine, &back.figures), (&machine, &section.figures));
        assert_eq!(back.summary[0].headline.peer(), "peer 3.0 ×");
    }

    #[test]
    fn what_is_no_run_is_refused() {
        for wrong in ["", "{}", "[]", r#"{"format":2}"#, r#"{"format":1}"#] {
            assert!(Stored::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn csv_has_a_line_for_each_figure() {
        let text = csv(&Machine::here(), &[section()]).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next().unwrap().split(',').count(), 12);
        let line = lines.next().unwrap();
        assert!(line.starts_with(
            "frost,frost/ed25519/2-of-3/round1,\"a, \"\"b\"\"\",ifma,,us,3,median,2.5000,"
        ));
        assert_eq!(lines.next(), None);
    }
}
