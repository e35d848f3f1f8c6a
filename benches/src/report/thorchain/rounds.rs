//! The rounds of a key generation and of a signature of four nodes, and what a node has on its heap.

use crate::ecdsa::{EcdsaFixture, EcdsaStep, Ledger};
use crate::report::ecdsa_lanes::Lanes;
use crate::report::figure::{Figure, Middle, Unit};
use crate::report::published;
use crate::report::section::{Found, Grid, Kind, Row};
use crate::report::thorchain::{OURS, traces};
use crate::{HeapMeter, Meter as _};

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
            figures.extend(rounds.into_iter().enumerate().map(|(at, ms)| {
                let samples = ms.iter().map(|ms| ms * 1e3).collect();
                figure(format!("{phase}/{}/round{at}", step.name()), Unit::Micros, by, samples)
            }));
        }
    }
    figures
}

/// Bytes of one node: what stays when it is idle, at the peak of each protocol, and after many signatures.
pub(super) fn heap(signatures: usize) -> Vec<Figure> {
    let mut fixture = traces::ecdsa(4, 1);
    let mut meter = HeapMeter::default();
    meter.start();
    fixture.prepare(EcdsaStep::Presign);
    meter.stop();
    let idle = real(meter.left.max(0).unsigned_abs()) / 4.0;
    let peak = |fixture: &mut dyn EcdsaFixture, step| {
        let mut ledger = Ledger::counting();
        fixture.prepare(step);
        fixture.run(step, &mut ledger);
        real(ledger.peak())
    };
    let keygen = peak(&mut *fixture, EcdsaStep::Keygen)
        .max(peak(&mut *fixture, EcdsaStep::AuxInfoGivenPrimes));
    let sign = idle + peak(&mut *fixture, EcdsaStep::SignInteractive);
    let mut run = |times: usize| {
        for _ in 0..times {
            fixture.prepare(EcdsaStep::Sign);
            fixture.run(EcdsaStep::Sign, &mut Ledger::timing());
        }
    };
    // What is made once.
    run(3);
    let mut meter = HeapMeter::default();
    meter.start();
    run(signatures);
    meter.stop();
    #[allow(clippy::cast_precision_loss, reason = "a few bytes")]
    let after = idle + meter.left as f64 / 4.0;
    [("idle", idle), ("keygen", keygen), ("sign", sign), ("after", after)]
        .map(|(name, bytes)| {
            figure(format!("heap/{name}"), Unit::Bytes, Middle::Median, vec![bytes])
        })
        .into()
}

#[allow(clippy::cast_precision_loss, reason = "sizes in memory")]
fn real(bytes: usize) -> f64 {
    bytes as f64
}

/// The rounds of a phase, with percentages; the published ones below.
pub(super) fn table(figures: &[Figure], phase: &str, theirs: &[(&str, f64, f64)]) -> Grid {
    let prefix = format!("thorchain/of-4/{phase}/");
    let own: Vec<&Figure> = figures.iter().filter(|one| one.name.starts_with(&prefix)).collect();
    let all: f64 = own.iter().map(|one| one.middle()).sum();
    let mut rows: Vec<Row> = own
        .iter()
        .map(|one| {
            let label = one.name.trim_start_matches(&prefix).replace("/round", ", round ");
            let part = format!("{:.1} %", one.middle() / all * 100.0);
            Row::new(Kind::Ours, label, vec![one.cell(), part, one.samples.len().to_string()])
        })
        .collect();
    rows.push(Row::new(
        Kind::Ours,
        format!("all rounds ({})", own.first().map_or("", |one| one.engine.as_str())),
        vec![Unit::Micros.show(all), "100 %".to_owned(), String::new()],
    ));
    let hardware = published::THORCHAIN.hardware;
    rows.extend(theirs.iter().map(|(round, seconds, part)| {
        let label = format!("published, round {round} ({hardware}, with network)");
        Row::new(
            Kind::Published,
            label,
            vec![format!("{seconds} s"), format!("{part} %"), String::new()],
        )
    }));
    let title = if phase == "keygen" { "Key generation" } else { "Signature" };
    Grid {
        id: format!("table-thorchain-{phase}"),
        caption: format!("{title} of 4 nodes, round by round; round 0 is the start"),
        head: ["round", "per node", "part", "runs"].map(str::to_owned).into(),
        rows,
    }
}

/// A node's heap.
pub(super) fn heap_table(found: &Found<'_>, signatures: usize) -> Grid {
    let titles = [
        ("idle", "idle: keys, auxiliary information, tables".to_owned()),
        ("keygen", "key generation, peak".to_owned()),
        ("sign", "signature, peak, with what is kept".to_owned()),
        ("after", format!("idle after {signatures} signatures")),
    ];
    let mut rows: Vec<Row> = titles
        .into_iter()
        .map(|(name, title)| {
            let cell = found.cell(&format!("thorchain/of-4/heap/{name}"), OURS);
            Row::new(Kind::Ours, title, vec![cell])
        })
        .collect();
    let hardware = published::THORCHAIN.hardware;
    rows.extend(published::THORCHAIN_HEAP.iter().map(|(what, kb)| {
        Row::new(
            Kind::Published,
            format!("published, {what} ({hardware})"),
            vec![format!("{kb} KB")],
        )
    }));
    Grid {
        id: "table-thorchain-heap".to_owned(),
        caption: "Heap of one of 4 nodes, network not included in ours".to_owned(),
        head: vec!["when".to_owned(), "bytes".to_owned()],
        rows,
    }
}
