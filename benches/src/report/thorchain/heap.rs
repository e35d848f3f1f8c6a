//! What one of four nodes has on its heap, by crate: idle, at the peak of its protocols, and after many signatures.

use super::{OURS, traces};
use crate::ecdsa::{EcdsaFixture, EcdsaStep, Ledger};
use crate::report::figure::{Figure, Middle, Unit};
use crate::report::published;
use crate::report::section::{Block, Found, Grid, Kind, Row};
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

/// Bytes of a node in one moment, by crate.
struct Moment {
    name: &'static str,
    all: f64,
    parts: Vec<(String, f64)>,
}

#[allow(clippy::cast_precision_loss, reason = "sizes in memory")]
fn real(bytes: isize) -> f64 {
    bytes as f64
}

impl Moment {
    /// Of bytes that belong to so many nodes.
    fn new(name: &'static str, all: isize, parts: &Parts, nodes: u16) -> Self {
        let each = |bytes| real(bytes) / f64::from(nodes);
        let parts = parts.iter().map(|(name, bytes)| (name.clone(), each(*bytes))).collect();
        Self { name, all: each(all), parts }
    }

    /// What is there besides, as when idle.
    fn above(mut self, idle: &Self) -> Self {
        self.all += idle.all;
        for (name, bytes) in &idle.parts {
            match self.parts.iter_mut().find(|part| part.0 == *name) {
                Some(part) => part.1 += bytes,
                None => self.parts.push((name.clone(), *bytes)),
            }
        }
        self
    }

    fn figures(self) -> Vec<Figure> {
        let name = self.name;
        let parts = self.parts.into_iter().map(|(part, bytes)| (format!("{name}/{part}"), bytes));
        let all = core::iter::once((name.to_owned(), self.all)).chain(parts);
        all.map(|(name, bytes)| Figure {
            name: format!("thorchain/of-4/heap/{name}"),
            who: OURS.to_owned(),
            engine: quorate_bignum::Engine::detect().name().to_owned(),
            level: "2048 bits".to_owned(),
            unit: Unit::Bytes,
            by: Middle::Median,
            samples: vec![bytes],
        })
        .collect()
    }
}

/// The peak of the node that has most, in one run.
fn peak(fixture: &mut dyn EcdsaFixture, step: EcdsaStep) -> (isize, Parts) {
    let mut ledger = Ledger::counting();
    fixture.prepare(step);
    fixture.run(step, &mut ledger);
    (ledger.peak().cast_signed(), ledger.peak_parts())
}

/// Bytes of one node: what stays when it is idle, at the peak of each protocol, and after so many signatures.
pub(super) fn measure(signatures: usize) -> Vec<Figure> {
    let _division = Division::begin();
    let mut fixture = traces::ecdsa(NODES, 1);
    let mut meter = HeapMeter::default();
    meter.start();
    fixture.prepare(EcdsaStep::Presign);
    meter.stop();
    let idle = Moment::new("idle", meter.left, &meter.left_parts, NODES);
    let [keygen, aux_info] =
        [EcdsaStep::Keygen, EcdsaStep::AuxInfoGivenPrimes].map(|step| peak(&mut *fixture, step));
    let larger = if keygen.0 > aux_info.0 { keygen } else { aux_info };
    let keygen = Moment::new("keygen", larger.0, &larger.1, 1);
    let (all, parts) = peak(&mut *fixture, EcdsaStep::SignInteractive);
    let sign = Moment::new("sign", all, &parts, 1).above(&idle);
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
    let after = Moment::new("after", meter.left, &meter.left_parts, NODES).above(&idle);
    [idle, keygen, sign, after].into_iter().flat_map(Moment::figures).collect()
}

/// The crates of the figures, those with most when idle first, what belongs to none at the end.
fn crates(found: &Found<'_>) -> Vec<String> {
    let mut all: Vec<(bool, f64, String)> = Vec::new();
    for figure in found.0.iter().filter(|one| one.name.starts_with("thorchain/of-4/heap/")) {
        let Some(name) = figure.name.split('/').nth(4) else { continue };
        match all.iter_mut().find(|one| one.2 == name) {
            Some(one) => one.1 += figure.middle(),
            None => all.push((name == OTHERS, figure.middle(), name.to_owned())),
        }
    }
    all.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    all.into_iter().map(|one| one.2).collect()
}

/// The table, and how it was made.
pub(super) fn blocks(found: &Found<'_>, signatures: usize) -> [Block; 2] {
    let row = |label: &str, suffix: &str| {
        let cell = |(moment, _)| {
            let name = |suffix: &str| format!("thorchain/of-4/heap/{moment}{suffix}");
            let all = found.of(&name(""), OURS).map(Figure::middle);
            match found.of(&name(suffix), OURS).zip(all) {
                Some((part, all)) if !suffix.is_empty() => {
                    format!("{} ({:.0} %)", part.cell(), part.middle() / all * 100.0)
                }
                Some((part, _)) => part.cell(),
                None => "–".to_owned(),
            }
        };
        Row::new(Kind::Ours, label, MOMENTS.map(cell).into())
    };
    let mut rows = vec![row("all of a node", "")];
    rows.extend(crates(found).iter().map(|name| row(name, &format!("/{name}"))));
    rows.push(theirs());
    let mut head = vec!["of which crate".to_owned()];
    head.extend(MOMENTS.map(|(name, words)| match name {
        "after" => format!("idle after {signatures} signatures"),
        _ => words.to_owned(),
    }));
    let table = Grid {
        id: "table-thorchain-heap".to_owned(),
        caption: "Heap of one of 4 nodes, by crate; the network is not in it".to_owned(),
        head,
        rows,
    };
    let text = format!(
        "Counted by the allocator, each block and not a sample: it belongs to the innermost of our crates on the stack when \
         it was asked for, by the source file of the frame; {OTHERS} is what none of them asked for, and blocks that are older \
         than the measurement, when they go. The parts are those of the moment in which all together were most, and their sum is \
         the first row. A frame that was sent no longer counts. Idle is a node with its key, auxiliary information and tables; \
         key generation begins with nothing, a signature with what an idle node has. Published: 48 % of the standby is \
         cryptographic data and 52 % the network, and of the peak of a key generation 46 % are intermediate results, 16 % shares \
         on their way and 12 % receive buffers."
    );
    [Block::Table(table), Block::Text(text)]
}

/// The published row: standby, key generation, signing, and standby again, which was after 800 runs.
fn theirs() -> Row {
    let [(_, standby), (_, keygen), (_, sign)] = published::THORCHAIN_HEAP;
    let hardware = published::THORCHAIN.hardware;
    let cells = [None, Some(keygen), Some(sign), Some(standby)];
    let cell = |kb: Option<f64>| kb.map_or("–".to_owned(), |kb| format!("{kb} KB"));
    let label = format!("published, after 800 runs ({hardware})");
    Row::new(Kind::Published, label, cells.map(cell).into())
}
