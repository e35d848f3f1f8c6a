//! The rounds of a key generation and of a signature of four nodes.

use crate::ecdsa::EcdsaStep;
use crate::report::ecdsa_lanes::Lanes;
use crate::report::figure::{Figure, Middle, Unit};
use crate::report::floor;
use crate::report::published;
use crate::report::section::{Found, Grid, Kind, Row};
use crate::report::thorchain::OURS;

/// The steps of a key generation, whose rounds follow one another.
const KEYGEN: [EcdsaStep; 2] = [EcdsaStep::Keygen, EcdsaStep::AuxInfo];
/// That of a signature with nothing prepared.
const SIGN: [EcdsaStep; 1] = [EcdsaStep::SignInteractive];

fn figure(name: String, unit: Unit, by: Middle, samples: Vec<f64>) -> Figure {
    let engine = quorate_bignum::Engine::detect().name().to_owned();
    let (who, level) = (OURS.to_owned(), "2048 bits".to_owned());
    Figure { name: format!("thorchain/of-4/{name}"), who, engine, level, unit, by, samples }
}

/// Times of every round, per party.
pub(super) fn measure(lanes: &mut Lanes, runs: usize) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (phase, steps) in [("keygen", &KEYGEN[..]), ("sign", &SIGN[..])] {
        for &step in steps {
            let by = if step.searches() { Middle::Mean } else { Middle::Median };
            let rounds = lanes.rounds(step, runs);
            let counted = lanes.counted(step, runs);
            for (at, (ms, floor)) in rounds.into_iter().zip(lanes.floors(&counted)).enumerate() {
                let samples = ms.iter().map(|ms| ms * 1e3).collect();
                let name = format!("{phase}/{}/round{at}", step.name());
                let one = figure(name, Unit::Micros, by, samples);
                let floor = floor::figure(&one.name, OURS, &one.engine, &one.level, floor);
                figures.extend([one, floor]);
            }
        }
    }
    figures
}

/// A round: its time, its part of all, and its floor, if anything is computed in it.
fn row(found: &Found<'_>, one: &Figure, prefix: &str, all: f64) -> Row {
    let label = one.name.trim_start_matches(prefix).replace("/round", ", round ");
    let part = format!("{:.1} %", one.middle() / all * 100.0);
    let [floor, distance] = match floor::of(found, &one.name, OURS) {
        Some((floor, distance)) if floor > 0.0 => {
            [Unit::Micros.show(floor), format!("{distance:.2} ×")]
        }
        _ => ["–", "–"].map(str::to_owned),
    };
    let runs = one.samples.len().to_string();
    Row::new(Kind::Ours, label, vec![one.cell(), part, floor, distance, runs])
}

/// The rounds of a phase, with percentages; the published ones below.
pub(super) fn table(figures: &[Figure], phase: &str, theirs: &[(&str, f64, f64)]) -> Grid {
    let (prefix, found) = (format!("thorchain/of-4/{phase}/"), Found(figures));
    let own: Vec<&Figure> = figures.iter().filter(|one| one.name.starts_with(&prefix)).collect();
    let all: f64 = own.iter().map(|one| one.middle()).sum();
    let mut rows: Vec<Row> = own.iter().map(|one| row(&found, one, &prefix, all)).collect();
    let floors = own.iter().filter_map(|one| floor::of(&found, &one.name, OURS));
    let floor: f64 = floors.map(|(floor, _)| floor).sum();
    rows.push(Row::new(
        Kind::Ours,
        format!("all rounds ({})", own.first().map_or("", |one| one.engine.as_str())),
        vec![
            Unit::Micros.show(all),
            "100 %".to_owned(),
            Unit::Micros.show(floor),
            format!("{:.2} ×", all / floor),
            String::new(),
        ],
    ));
    let hardware = published::THORCHAIN.hardware;
    rows.extend(theirs.iter().map(|(round, seconds, part)| {
        let label = format!("published, round {round} ({hardware}, with network)");
        Row::new(
            Kind::Published,
            label,
            vec![
                format!("{seconds} s"),
                format!("{part} %"),
                "–".to_owned(),
                "–".to_owned(),
                String::new(),
            ],
        )
    }));
    let title = if phase == "keygen" { "Key generation" } else { "Signature" };
    Grid {
        id: format!("table-thorchain-{phase}"),
        caption: format!("{title} of 4 nodes, round by round; round 0 is the start"),
        head: ["round", "per node", "part", "floor", "ours takes", "runs"]
            .map(str::to_owned)
            .into(),
        rows,
    }
}
