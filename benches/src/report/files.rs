//! The figures of a run as CSV and JSON, and a run read back from its JSON.

use serde_json::{Value, json};

use super::figure::{Figure, Middle, Unit};
use super::machine::{Load, Machine};
use super::section::{Block, Grid, Section};

/// The form of the JSON. Another number is another form.
const FORMAT: u64 = 1;

/// A run as it is stored.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The processor.
    pub cpu: String,
    /// How the program was compiled.
    pub build: String,
    /// All figures.
    pub figures: Vec<Figure>,
}

/// All figures of all sections as one JSON object.
#[must_use]
pub(super) fn json(
    machine: &Machine,
    [scale, command]: [&str; 2],
    load: &Load,
    sections: &[Section],
) -> String {
    let figures: Vec<Value> =
        sections.iter().flat_map(|section| &section.figures).map(figure).collect();
    let published: Vec<Value> = sections
        .iter()
        .flat_map(|section| section.headlines.iter().map(move |line| (section, line)))
        .map(|(section, line)| {
            let source = section.source;
            json!({
                "section": section.id, "title": source.title, "hardware": source.hardware,
                "what": line.what, "ours": line.ours, "published": line.published,
                "peer": line.ratio.as_ref().map(|ratio| &ratio.0),
                "ratio": line.ratio.as_ref().map(|ratio| ratio.1),
            })
        })
        .collect();
    let (tables, plots): (Vec<_>, Vec<_>) = sections.iter().map(drawn).unzip();
    let all = json!({
        "format": FORMAT,
        "scale": scale,
        "command": command,
        "machine": {
            "cpu": machine.cpu, "cores": machine.cores, "ifma": machine.ifma,
            "engine": machine.engine, "system": machine.system, "build": machine.build,
        },
        "busy": load.is_busy(),
        "load": load.sentence(),
        "summary": published,
        "tables": tables.concat(),
        "plots": plots.concat(),
        "figures": figures,
    });
    format!("{all:#}\n")
}

/// A figure as JSON.
pub(super) fn figure(one: &Figure) -> Value {
    json!({
        "name": one.name, "who": one.who, "engine": one.engine, "level": one.level,
        "unit": one.unit.name(), "by": one.by.name(), "runs": one.samples.len(),
        "middle": one.middle(), "spread": one.spread(), "samples": one.samples,
    })
}

/// The JSON of a run of this form.
pub(super) fn value(text: &str) -> Result<Value, String> {
    let value: Value = serde_json::from_str(text).map_err(|why| why.to_string())?;
    if value["format"] == FORMAT { Ok(value) } else { Err(format!("not a run of format {FORMAT}")) }
}

/// The tables of a section, and its drawings.
fn drawn(section: &Section) -> (Vec<Value>, Vec<Value>) {
    let (mut tables, mut plots) = (Vec::new(), Vec::new());
    for block in &section.blocks {
        match block {
            Block::Text(_) => {}
            Block::Table(grid) => tables.push(table(grid)),
            Block::Plot(id, title, svg) => {
                plots.push(json!({ "id": id, "title": title, "svg": svg }));
            }
        }
    }
    (tables, plots)
}

/// A table as JSON.
fn table(grid: &Grid) -> Value {
    let rows = grid
        .rows
        .iter()
        .map(|row| json!({ "kind": row.kind.name(), "label": row.label, "cells": row.cells }));
    json!({
        "id": grid.id, "caption": grid.caption, "head": grid.head, "rows": rows.collect::<Vec<_>>(),
    })
}

/// Reads what [`json`] wrote.
///
/// # Errors
/// A sentence on what is wrong.
pub fn read(text: &str) -> Result<Stored, String> {
    let value = value(text)?;
    let text = self::text;
    let figures = value["figures"].as_array().ok_or("no figures")?;
    Ok(Stored {
        cpu: text(&value["machine"], "cpu")?,
        build: text(&value["machine"], "build")?,
        figures: figures.iter().map(figure_of).collect::<Result<_, _>>()?,
    })
}

fn text(value: &Value, field: &str) -> Result<String, String> {
    value[field].as_str().map(str::to_owned).ok_or_else(|| format!("no {field}"))
}

/// A figure from its JSON.
pub(super) fn figure_of(one: &Value) -> Result<Figure, String> {
    let (unit, by) = (text(one, "unit")?, text(one, "by")?);
    let samples = one["samples"].as_array().ok_or("no samples")?;
    Ok(Figure {
        name: text(one, "name")?,
        who: text(one, "who")?,
        engine: text(one, "engine")?,
        level: text(one, "level")?,
        unit: Unit::ALL
            .into_iter()
            .find(|known| known.name() == unit)
            .ok_or_else(|| format!("no unit is called {unit}"))?,
        by: if by == Middle::Mean.name() { Middle::Mean } else { Middle::Median },
        samples: samples.iter().filter_map(Value::as_f64).collect(),
    })
}

/// All figures, one a line.
#[must_use]
pub(super) fn csv(machine: &Machine, sections: &[Section]) -> String {
    let head = "section,name,library,engine,level,unit,runs,statistic,value,spread,machine,build";
    let mut out = format!("{head}\n");
    for section in sections {
        for one in &section.figures {
            let spread = one.spread().map_or_else(String::new, |part| format!("{part:.4}"));
            let fields = [
                section.id.to_owned(),
                one.name.clone(),
                one.who.clone(),
                one.engine.clone(),
                one.level.clone(),
                one.unit.name().to_owned(),
                one.samples.len().to_string(),
                one.by.name().to_owned(),
                format!("{:.4}", one.middle()),
                spread,
                machine.cpu.clone(),
                machine.build.clone(),
            ];
            out += &fields.map(|field| quoted(&field)).join(",");
            out.push('\n');
        }
    }
    out
}

fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::published;
    use crate::report::section::Headline;

    fn section() -> Section {
        let figure = Figure {
            name: "frost/ed25519/2-of-3/round1".into(),
            who: "a, \"b\"".into(),
            engine: "ifma".into(),
            level: String::new(),
            unit: Unit::Micros,
            by: Middle::Median,
            samples: vec![1.5, 2.5, 3.5],
        };
        let headline = Headline {
            what: "round 1".into(),
            ours: "2.5 µs".into(),
            published: "80 µs".into(),
            ratio: Some(("peer".into(), 3.0)),
        };
        Section {
            id: "frost",
            title: "FROST".into(),
            source: published::FROST,
            figures: vec![figure],
            blocks: Vec::new(),
            headlines: vec![headline],
            load: Load { seconds: 1.0, parts: None },
        }
    }

    #[test]
    fn a_run_is_read_back_as_it_was_written() {
        let (machine, section) = (Machine::here(), section());
        let text =
            json(&machine, ["tiny", "x"], &section.load.clone(), core::slice::from_ref(&section));
        let back = read(&text).unwrap();
        assert_eq!((back.cpu, back.build), (machine.cpu, machine.build));
        assert_eq!(back.figures, section.figures);
    }

    #[test]
    fn what_is_no_run_is_refused() {
        for wrong in ["", "{}", "[]", r#"{"format":2}"#, r#"{"format":1}"#] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn csv_has_a_line_for_each_figure() {
        let text = csv(&Machine::here(), &[section()]);
        let mut lines = text.lines();
        assert_eq!(lines.next().unwrap().split(',').count(), 12);
        let line = lines.next().unwrap();
        assert!(line.starts_with(
            "frost,frost/ed25519/2-of-3/round1,\"a, \"\"b\"\"\",ifma,,us,3,median,2.5000,"
        ));
        assert_eq!(lines.next(), None);
    }
}
