//! The rounds of a key generation and of a signature of four nodes.

use super::figure;
use crate::ecdsa::EcdsaStep;
use crate::report::ecdsa_lanes::Lanes;
use crate::report::figure::{Figure, OURS, Unit};
use crate::report::floor;
use crate::report::section::{Found, Grid, Kind, times};

/// The phases: the steps of a key generation, whose rounds follow one another, and of a signature with nothing prepared.
const STEPS: [(&str, EcdsaStep); 3] = [
    ("keygen", EcdsaStep::Keygen),
    ("keygen", EcdsaStep::AuxInfo),
    ("sign", EcdsaStep::SignInteractive),
];

/// Times of every round, per party.
pub(super) fn measure(lanes: &mut Lanes, runs: usize) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (phase, step) in STEPS {
        let round = |(at, ms): (usize, Vec<f64>)| {
            let samples = ms.iter().map(|ms| ms * 1e3).collect();
            let name = format!("thorchain/of-4/{phase}/{}/round{at}", step.name());
            figure(name, Unit::Micros, samples).mean_if(step.searches())
        };
        let timed: Vec<Figure> =
            lanes.rounds(step, runs).into_iter().enumerate().map(round).collect();
        let took: Vec<f64> = timed.iter().map(Figure::middle).collect();
        for (one, floor) in timed.into_iter().zip(lanes.floors(step, runs, &took)) {
            let floor = floor::figure(&one.name, OURS, &one.engine, &one.level, floor);
            figures.extend([one, floor]);
        }
    }
    figures
}

/// The rounds of a phase, each with its part of all and with its floor, if anything is computed in it; the published ones below.
pub(super) fn table(found: Found<'_>, phase: &str) -> Grid {
    let prefix = format!("thorchain/of-4/{phase}/");
    let own: Vec<&Figure> = found.0.iter().filter(|one| one.name.starts_with(&prefix)).collect();
    let all: f64 = own.iter().map(|one| one.middle()).sum();
    let floors = own.iter().filter_map(|one| found.floor(&one.name, OURS));
    let floor: f64 = floors.map(|(floor, _)| floor).sum();
    let title = if phase == "keygen" { "Key generation" } else { "Signature" };
    let caption = format!("{title} of 4 nodes, round by round; round 0 is the start");
    let head = ["per node", "part", "floor", "ours takes", "runs"];
    let mut grid = Grid::new([&format!("table-thorchain-{phase}"), &caption, "round"], head);
    let show = |us| Some(Unit::Micros.show(us));
    for one in &own {
        let label = one.name.trim_start_matches(&prefix).replace("/round", ", round ");
        let part = format!("{:.1} %", one.middle() / all * 100.0);
        let least = found.floor(&one.name, OURS).filter(|least| least.0 > 0.0);
        let (floor, distance) = (least.and_then(|one| show(one.0)), least.map(|one| times(one.1)));
        let runs = one.samples.len().to_string();
        grid.row(Kind::Ours, label, [Some(one.cell()), Some(part), floor, distance, Some(runs)]);
    }
    let label = format!("all rounds ({})", own.first().map_or("", |one| one.engine.as_str()));
    let (part, none) = (Some("100 %".to_owned()), Some(String::new()));
    grid.row(Kind::Ours, label, [show(all), part, show(floor), Some(times(all / floor)), none]);
    grid.cite("");
    grid
}
