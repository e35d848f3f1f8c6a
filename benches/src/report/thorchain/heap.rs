//! The heap of one of four nodes, by crate: idle, at the peak of its protocols, and after many signatures.

use std::collections::BTreeMap;

use super::{figure, traces};
use crate::ecdsa::{EcdsaFixture, EcdsaStep, Ledger};
use crate::report::figure::{Figure, OURS, Unit, real};
use crate::report::section::{Found, Grid, Kind};
use crate::{Division, HeapMeter, Meter as _, OTHERS, Parts};

/// Nodes, all of whom sign.
const NODES: u16 = 4;

/// The moments, and their names in a table.
const MOMENTS: [(&str, &str); 4] = [
    ("idle", "idle"),
    ("keygen", "key generation, peak"),
    ("sign", "signature, peak"),
    ("after", "idle after the signatures"),
];

/// Bytes of a node at one moment, by crate: a slash and its name. The total has an empty one.
type Bytes = BTreeMap<String, f64>;

/// The part of one node in bytes that belong to `nodes` nodes.
fn each(all: isize, parts: &Parts, nodes: u16) -> Bytes {
    let parts = parts.iter().map(|(part, bytes)| (format!("/{part}"), *bytes));
    let each = |(part, bytes): (String, isize)| (part, real(bytes) / f64::from(nodes));
    parts.chain([(String::new(), all)]).map(each).collect()
}

/// Adds the bytes that the node has when it is idle.
fn above(mut bytes: Bytes, idle: &Bytes) -> Bytes {
    for (part, more) in idle {
        *bytes.entry(part.clone()).or_default() += more;
    }
    bytes
}

fn name(moment: &str, part: &str) -> String {
    format!("thorchain/of-4/heap/{moment}{part}")
}

/// The peak of the node that has most, in one run.
fn peak(fixture: &mut dyn EcdsaFixture, step: EcdsaStep) -> (isize, Parts) {
    let mut ledger = Ledger::counting();
    fixture.prepare(step);
    fixture.run(step, &mut ledger);
    (ledger.peak().cast_signed(), ledger.peak_parts())
}

/// Bytes of one node: idle, at the peak of each protocol, and after `signatures` signatures.
pub(super) fn measure(signatures: usize) -> Vec<Figure> {
    let _division = Division::begin();
    let mut fixture = traces::ecdsa(NODES, 1);
    let mut meter = HeapMeter::default();
    meter.measure(|| fixture.prepare(EcdsaStep::Presign));
    let idle = each(meter.left, &meter.left_parts, NODES);
    let steps = [EcdsaStep::Keygen, EcdsaStep::AuxInfoGivenPrimes].into_iter();
    let larger = steps.map(|step| peak(&mut *fixture, step)).max_by_key(|peak| peak.0);
    let keygen = larger.map(|(all, parts)| each(all, &parts, 1)).expect("two steps");
    let (all, parts) = peak(&mut *fixture, EcdsaStep::SignInteractive);
    let sign = above(each(all, &parts, 1), &idle);
    let mut run = |times: usize| {
        for _ in 0..times {
            fixture.prepare(EcdsaStep::Sign);
            fixture.run(EcdsaStep::Sign, &mut Ledger::timing());
        }
    };
    // What is made once.
    run(3);
    let mut meter = HeapMeter::default();
    meter.measure(|| run(signatures));
    let after = above(each(meter.left, &meter.left_parts, NODES), &idle);
    let moments = MOMENTS.into_iter().zip([idle, keygen, sign, after]);
    let figures = moments.flat_map(|((moment, _), bytes)| {
        let figure =
            |(part, one): (&String, &f64)| figure(name(moment, part), Unit::Bytes, vec![*one]);
        bytes.iter().map(figure).collect::<Vec<_>>()
    });
    figures.collect()
}

/// The crates of the figures, those with most when idle first, what belongs to none at the end.
fn crates(found: Found<'_>) -> Vec<&str> {
    let mut all: BTreeMap<&str, f64> = BTreeMap::new();
    for figure in found.0.iter().filter(|one| one.name.starts_with(&name("", ""))) {
        if let Some(part) = figure.name.split('/').nth(4) {
            *all.entry(part).or_default() += figure.middle();
        }
    }
    let mut all: Vec<(&str, f64)> = all.into_iter().collect();
    all.sort_by(|a, b| (a.0 == OTHERS).cmp(&(b.0 == OTHERS)).then(b.1.total_cmp(&a.1)));
    all.into_iter().map(|one| one.0).collect()
}

/// Bytes of a node in each moment, by crate.
pub(super) fn table(found: Found<'_>, signatures: usize) -> Grid {
    let head = MOMENTS.map(|(name, words)| match name {
        "after" => format!("idle after {signatures} signatures"),
        _ => words.to_owned(),
    });
    let caption = "Heap of one of 4 nodes, by crate; the network is not in it";
    let mut grid = Grid::new(["table-thorchain-heap", caption, "of which crate"], head);
    let cell = |moment: &str, part: &str| found.cell(&name(moment, part), OURS);
    grid.row(Kind::Ours, "all of a node", MOMENTS.map(|(moment, _)| cell(moment, "")));
    for label in crates(found) {
        let cells = MOMENTS.map(|(moment, _)| {
            let part = format!("/{label}");
            let share = found.middle(&name(moment, &part))? / found.middle(&name(moment, ""))?;
            Some(format!("{} ({:.0} %)", cell(moment, &part)?, share * 100.0))
        });
        grid.row(Kind::Ours, label, cells);
    }
    grid.cite("");
    grid
}
