//! Allocations and bytes of each message that is encoded, as the Evmos work counted them: before and after the reuse of a
//! buffer.

mod messages;

pub use messages::{Message, messages};

use super::figure::{Figure, Middle, Unit};
use super::progress::Job;
use super::published;
use super::run::{Chapter, Peers, Run, Scale, in_turns};
use super::section::{Block, Found, Grid, Headline, Kind, Row, Section};
use crate::{HeapMeter, Library, Meter as _, Quorate, Routine, Size, Step, Suite};

/// The answer to the work on allocations.
pub struct Encoding;

const OURS: &str = "quorate";

/// The two ways: a vector for each message, and one buffer for all.
const WAYS: [(&str, &str); 2] = [("before", "a new buffer"), ("after", "buffer reused")];
/// The time of the largest message, of every library.
const RACE: &str = "encoding/package/time";

/// Signers of the messages.
fn signers(scale: Scale) -> u16 {
    scale.pick(3, 67, 67)
}

fn figure(name: String, unit: Unit, samples: Vec<f64>) -> Figure {
    Figure {
        name,
        who: OURS.to_owned(),
        engine: String::new(),
        level: String::new(),
        unit,
        by: Middle::Median,
        samples,
    }
}

fn name(message: &str, way: &str, part: &str) -> String {
    format!("encoding/{message}/{way}/{part}")
}

type Encoded<'a> = Box<dyn FnMut() + 'a>;

/// A message encoded in one of the ways.
fn encoded<'a>(message: &'a Message, way: &str) -> Encoded<'a> {
    if way == "before" {
        return Box::new(|| drop(core::hint::black_box((message.fresh)())));
    }
    let mut buffer = Vec::new();
    Box::new(move || {
        buffer.clear();
        (message.into)(&mut buffer);
        core::hint::black_box(&buffer);
    })
}

fn figures_of(scale: Scale) -> Vec<Figure> {
    let messages = messages(signers(scale));
    let both = messages.iter().flat_map(|one| WAYS.map(|(way, _)| (one, way)));
    let mut figures = Vec::new();
    let (mut names, mut routines) = (Vec::new(), Vec::new());
    for (message, way) in both {
        let mut run = encoded(message, way);
        // The first run makes a buffer that is reused.
        run();
        let mut heap = HeapMeter::default();
        heap.start();
        run();
        heap.stop();
        let counts =
            [("bytes", Unit::Bytes, heap.bytes), ("allocations", Unit::Count, heap.allocations)];
        figures.extend(counts.map(|(part, unit, count)| {
            figure(name(message.name, way, part), unit, vec![real(count)])
        }));
        names.push(name(message.name, way, "time"));
        routines.push(Routine::repeat(run));
    }
    for (name, samples) in names.into_iter().zip(in_turns(routines, scale.pick(3, 11, 31))) {
        figures.push(figure(name, Unit::Micros, samples));
    }
    figures
}

/// Every library of the run encodes the package, in turns.
fn race(scale: Scale, peers: &Peers) -> Vec<Figure> {
    let t = signers(scale);
    let suite = Suite::from_name("ed25519").expect("a suite of the registry");
    let libraries =
        core::iter::once(&Quorate as &dyn Library).chain(peers.frost.iter().map(|peer| &**peer));
    let (names, fixtures): (Vec<_>, Vec<_>) = libraries
        .filter_map(|library| Some((library.name(), library.fixture(suite, Size { t, n: t })?)))
        .unzip();
    let routines = fixtures.iter().map(|fixture| fixture.routine(Step::EncodePackage)).collect();
    let samples = in_turns(routines, scale.pick(3, 11, 31));
    let of = |(who, samples): (&str, _)| Figure {
        who: who.to_owned(),
        ..figure(RACE.to_owned(), Unit::Micros, samples)
    };
    names.into_iter().zip(samples).map(of).collect()
}

#[allow(clippy::cast_precision_loss, reason = "sizes in memory")]
fn real(count: usize) -> f64 {
    count as f64
}

impl Chapter for Encoding {
    fn id(&self) -> &'static str {
        "encoding"
    }

    fn jobs(&self, scale: Scale, _peers: &Peers) -> Vec<Job> {
        vec![Job { label: "encoding of messages".to_owned(), cost: scale.pick(0.3, 1.0, 2.0) }]
    }

    fn run(&self, run: &mut Run<'_>) -> Section {
        let (scale, peers) = (run.scale, run.peers);
        let mut figures = Vec::new();
        for job in self.jobs(scale, peers) {
            figures.extend(run.figures(&job, || {
                let mut all = figures_of(scale);
                all.extend(race(scale, peers));
                all
            }));
        }
        let found = Found(&figures);
        let blocks = vec![
            Block::Table(table(&found, scale)),
            Block::Text(
                "A new buffer is what to_bytes makes, of the right size at once; encode_into writes behind what is in a \
                 buffer of the caller, who clears it and keeps it. Two runs are compared by report compare A.json B.json: \
                 old, new, delta, p and n, as benchstat prints them, with the test of Mann and Whitney. Signatures a second \
                 in the Prometheus text format are at /metrics of the custody service's gateway: \
                 custody_signatures_total by scheme, and custody_signatures_per_second."
                    .to_owned(),
            ),
        ];
        let headlines = vec![headline(&found)];
        Section {
            id: self.id(),
            title: "Encoding".to_owned(),
            source: published::EVMOS,
            headlines,
            blocks,
            figures,
            load: run.load(),
        }
    }
}

fn headline(found: &Found<'_>) -> Headline {
    let (theirs, [old, new], [before, after]) = published::EVMOS_ENCODING[0];
    let of = |way: &str| {
        let part = |part: &str| found.cell(&name(messages::SHARE, way, part), OURS);
        format!("{} in {}", part("bytes"), part("allocations"))
    };
    let peer = found.libraries().into_iter().find(|who| *who != OURS);
    Headline {
        what: format!(
            "a message encoded, bytes in allocations: ours a {}, theirs {theirs}; the peer encodes a {}",
            messages::SHARE,
            messages::PACKAGE
        ),
        ours: format!("{}, then {}", of("before"), of("after")),
        published: format!("{old} B in {before}, then {new} B in {after}"),
        ratio: peer.and_then(|peer| Some((peer.to_owned(), found.ratio(RACE, OURS, peer)?))),
    }
}

fn names_of<'a>(found: &Found<'a>) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for figure in found.0.iter().filter(|one| one.name.ends_with("/before/bytes")) {
        names.extend(figure.name.split('/').nth(1));
    }
    names
}

/// The change as benchstat writes it; nothing from nothing is no change.
fn delta([old, new]: [f64; 2]) -> String {
    if old.total_cmp(&new).is_eq() {
        "~".to_owned()
    } else {
        format!("{:+.0} %", (new / old - 1.0) * 100.0)
    }
}

fn table(found: &Found<'_>, scale: Scale) -> Grid {
    const PARTS: [&str; 3] = ["allocations", "bytes", "time"];
    let mut rows = Vec::new();
    for message in names_of(found) {
        for (way, words) in WAYS {
            let cells = PARTS.map(|part| found.cell(&name(message, way, part), OURS));
            rows.push(Row::new(Kind::Ours, format!("{message}, {words}"), cells.into()));
        }
        let change = PARTS.map(|part| {
            let of = |way| found.of(&name(message, way, part), OURS).map(Figure::middle);
            of("before").zip(of("after")).map_or("–".to_owned(), |(old, new)| delta([old, new]))
        });
        rows.push(Row::new(Kind::Ratio, format!("{message}, change"), change.into()));
    }
    for who in found.libraries() {
        let kind = if who == OURS { Kind::Ours } else { Kind::Peer };
        let cells = vec!["–".to_owned(), "–".to_owned(), found.cell(RACE, who)];
        let label = format!("{}, in turns: {}", messages::PACKAGE, found.conditions(RACE, who));
        rows.push(Row::new(kind, label, cells));
        if let Some(ratio) = found.ratio(RACE, OURS, who).filter(|_| who != OURS) {
            let cells = vec!["–".to_owned(), "–".to_owned(), format!("{ratio:.2} ×")];
            rows.push(Row::new(Kind::Ratio, format!("{}: {who} takes", messages::PACKAGE), cells));
        }
    }
    for (theirs, bytes, counts) in published::EVMOS_ENCODING {
        for (at, when) in ["before", "after"].into_iter().enumerate() {
            let label = format!("published, {theirs}, {when}");
            let cells = vec![counts[at].to_string(), format!("{} B", bytes[at]), "–".to_owned()];
            rows.push(Row::new(Kind::Published, label, cells));
        }
    }
    let head = ["message", "allocations", "bytes allocated", "time"].map(str::to_owned).into();
    let caption =
        format!("Each message encoded, FROST over Ed25519 with {} signers", signers(scale));
    Grid { id: "table-encoding".to_owned(), caption, head, rows }
}
