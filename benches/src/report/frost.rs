//! The performance post of the frost-* crates: five suites, four sizes, four steps, three ways of aggregating.

mod counts;
mod floor;

pub use counts::{Counts, counts};

use super::figure::{Figure, Middle, Unit};
use super::plot::{self, Label};
use super::progress::Job;
use super::published;
use super::run::{Chapter, Peers, Run, Scale, in_turns};
use super::section::{Block, Found, Grid, Headline, Kind, Row, Section};
use crate::{Library, Quorate, Size, Step, Suite};

/// The answer to the post.
pub struct Frost;

const OURS: &str = "quorate";

/// The steps of the published tables, and the name of each there.
const STEPS: [(Step, &str); 4] = [
    (Step::DealerKeygen, "key generation with dealer"),
    (Step::Round1, "round 1"),
    (Step::Round2, "round 2"),
    (Step::Aggregate, "aggregate"),
];

/// The ways of aggregating.
const WAYS: [(Step, &str); 4] = [
    (Step::AggregateEachShare, "every share checked"),
    (Step::AggregateSession, "the sum checked"),
    (Step::AggregateOneBad, "one cheater searched in batches"),
    (Step::AggregateHalfBad, "half of them searched in batches"),
];

/// A suite at a size.
struct Piece {
    suite: Suite,
    size: Size,
    job: Job,
}

fn suites() -> impl Iterator<Item = Suite> {
    published::FROST_STEPS.iter().filter_map(|(name, _)| Suite::from_name(name))
}

fn sizes(scale: Scale) -> Vec<Size> {
    let count = scale.pick(2, 4, 4);
    published::FROST_SIZES.iter().take(count).map(|&(t, n)| Size { t, n }).collect()
}

/// Seconds for a suite at a size: its setup signs for all signers, each of whom reads all commitments.
fn cost(suite: Suite, size: Size, scale: Scale, peers: &Peers) -> f64 {
    let each = match suite.name() {
        "ed448" => 33e-6,
        "p256" | "secp256k1" => 8e-6,
        _ => 5.5e-6,
    };
    let t = f64::from(size.t);
    #[allow(clippy::cast_precision_loss, reason = "a small count")]
    let libraries = 1.0 + 2.0 * peers.frost.len() as f64;
    let runs = scale.pick(0.3, 1.0, if size.n > 100 { 1.6 } else { 2.0 });
    2.0 * each * t * t + libraries * runs * (0.5 + each * 1400.0 * t)
}

fn plan(scale: Scale, peers: &Peers) -> Vec<Piece> {
    let piece = |size: Size| {
        // Its setup alone takes as long as all the rest.
        let slow =
            move |suite: &Suite| suite.name() == "ed448" && size.n > 100 && scale != Scale::Full;
        suites().filter(move |suite| !slow(suite)).map(move |suite| {
            let label = format!("FROST {} {}-of-{}", suite.name(), size.t, size.n);
            Piece { suite, size, job: Job { label, cost: cost(suite, size, scale, peers) } }
        })
    };
    sizes(scale).into_iter().flat_map(piece).collect()
}

fn name(suite: &str, size: Size, step: Step) -> String {
    format!("frost/{suite}/{}-of-{}/{}", size.t, size.n, step.name())
}

/// The backend of our curves, as far as it is chosen at run time.
fn engine(suite: Suite, ifma: bool) -> &'static str {
    match suite.name() {
        "ed25519" | "ristretto255" if ifma => "AVX-512 IFMA for points",
        _ => "portable",
    }
}

impl Piece {
    fn measure(&self, scale: Scale, peers: &Peers, ifma: bool) -> Vec<Figure> {
        let many = self.size.n > 100;
        let runs = scale.pick(3, if many { 5 } else { 11 }, if many { 9 } else { 21 });
        let libraries = core::iter::once(&Quorate as &dyn Library)
            .chain(peers.frost.iter().map(|peer| &**peer));
        let fixtures: Vec<_> = libraries
            .filter_map(|library| Some((library.name(), library.fixture(self.suite, self.size)?)))
            .collect();
        let mut figures = Vec::new();
        for (step, _) in STEPS.into_iter().chain(WAYS) {
            let routines = fixtures.iter().map(|(_, fixture)| fixture.routine(step)).collect();
            let samples = in_turns(routines, runs);
            for ((who, _), samples) in fixtures.iter().zip(samples) {
                // A peer has one way of aggregating valid shares.
                let repeats = matches!(step, Step::AggregateEachShare | Step::AggregateSession);
                if repeats && *who != OURS {
                    continue;
                }
                let engine = if *who == OURS { engine(self.suite, ifma) } else { "" };
                figures.push(Figure {
                    name: name(self.suite.name(), self.size, step),
                    who: (*who).to_owned(),
                    engine: engine.to_owned(),
                    level: String::new(),
                    unit: Unit::Micros,
                    by: Middle::Median,
                    samples,
                });
            }
        }
        figures.extend(floor::measure(self.suite, self.size, runs));
        figures
    }
}

impl Chapter for Frost {
    fn id(&self) -> &'static str {
        "frost"
    }

    fn jobs(&self, scale: Scale, peers: &Peers) -> Vec<Job> {
        plan(scale, peers).into_iter().map(|piece| piece.job).collect()
    }

    fn run(&self, run: &mut Run<'_>) -> Section {
        let mut figures = Vec::new();
        let (scale, peers, ifma) = (run.scale, run.peers, run.machine.ifma);
        for piece in plan(scale, peers) {
            figures.extend(run.figures(&piece.job, || piece.measure(scale, peers, ifma)));
        }
        let sizes = sizes(run.scale);
        let found = Found(&figures);
        let blocks = blocks(found, &sizes);
        let headline = headline(&Found(&figures), sizes.last().copied());
        Section {
            id: self.id(),
            title: "FROST".to_owned(),
            source: published::FROST,
            blocks,
            headlines: vec![headline],
            figures,
            load: run.load(),
        }
    }
}

/// The size of the summary's line: the third of the published ones if it was measured.
fn headline(found: &Found<'_>, last: Option<Size>) -> Headline {
    let size = [Size { t: 67, n: 100 }]
        .into_iter()
        .find(|&size| found.of(&name("ed25519", size, Step::Aggregate), OURS).is_some())
        .or(last)
        .unwrap_or(Size { t: 2, n: 3 });
    let key = name("ed25519", size, Step::Aggregate);
    let at = published::FROST_SIZES.iter().position(|&(t, n)| (t, n) == (size.t, size.n));
    let published = at.and_then(|at| published::FROST_STEPS[0].1.get(at)).map_or(0.0, |row| row[3]);
    let peer = found.libraries().into_iter().find(|who| *who != OURS);
    Headline {
        what: format!("Ed25519, {}-of-{}, aggregate", size.t, size.n),
        ours: found.cell(&key, OURS),
        published: format!("{published} ms"),
        ratio: peer.and_then(|peer| Some((peer.to_owned(), found.ratio(&key, OURS, peer)?))),
    }
}

fn blocks(found: Found<'_>, sizes: &[Size]) -> Vec<Block> {
    let mut blocks: Vec<Block> = STEPS
        .iter()
        .enumerate()
        .map(|(at, &(step, title))| Block::Table(steps(&found, sizes, at, step, title)))
        .collect();
    blocks.push(Block::Table(ways(&found, sizes)));
    blocks.push(Block::Text(
        "Checking the sum costs one verification whatever the number of signers: the coordinator keeps what it computed \
         when it made the package. Only if the sum is wrong are shares looked at, a random combination of their \
         equations in one sum of products, halved where it fails."
            .to_owned(),
    ));
    blocks.push(Block::Table(multiplications(sizes)));
    blocks.extend(plots(&found, sizes));
    blocks
}

fn columns(sizes: &[Size]) -> Vec<String> {
    sizes.iter().map(|size| format!("{}-of-{}", size.t, size.n)).collect()
}

/// One step: for each suite our row, the published one, and that of each peer with its ratio.
fn steps(found: &Found<'_>, sizes: &[Size], at: usize, step: Step, title: &str) -> Grid {
    let mut rows = Vec::new();
    for (suite, table) in published::FROST_STEPS {
        let key = |size: &Size| name(suite, *size, step);
        let prefix = format!("frost/{suite}/");
        for who in found.libraries() {
            let kind = if who == OURS { Kind::Ours } else { Kind::Peer };
            let cells = sizes.iter().map(|size| found.cell(&key(size), who)).collect();
            rows.push(Row::new(
                kind,
                format!("{suite}: {}", found.conditions(&prefix, who)),
                cells,
            ));
            if who == OURS {
                rows.push(floor::row(found, suite, step, sizes));
            } else {
                let ratio = |size| found.ratio(&key(size), OURS, who);
                let cell =
                    |size| ratio(size).map_or("–".to_owned(), |ratio| format!("{ratio:.2} ×"));
                rows.push(Row::new(
                    Kind::Ratio,
                    format!("{suite}: {who} takes"),
                    sizes.iter().map(cell).collect(),
                ));
            }
        }
        let cells = table.iter().take(sizes.len()).map(|row| format!("{} ms", row[at])).collect();
        rows.push(Row::new(
            Kind::Published,
            format!("{suite}: published ({})", published::FROST.hardware),
            cells,
        ));
    }
    let head = core::iter::once(title.to_owned()).chain(columns(sizes)).collect();
    let id = format!("table-frost-{}", step.name().replace('_', "-"));
    Grid { id, caption: title.to_owned(), head, rows }
}

fn ways(found: &Found<'_>, sizes: &[Size]) -> Grid {
    let mut rows = Vec::new();
    for suite in suites().map(Suite::name) {
        for (step, title) in WAYS {
            let cells =
                sizes.iter().map(|size| found.cell(&name(suite, *size, step), OURS)).collect();
            rows.push(Row::new(Kind::Ours, format!("{suite}: {title}"), cells));
        }
        let before =
            published::FROST_EVERY_SHARE.iter().find(|row| row.0 == suite).map(|row| row.1);
        let cells = sizes.iter().map(|size| match (size.n, before) {
            (100, Some(ms)) => format!("{} ms", ms[0]),
            (1000, Some(ms)) => format!("{} ms", ms[1]),
            _ => "–".to_owned(),
        });
        let label =
            format!("{suite}: published, every share checked ({})", published::FROST.hardware);
        rows.push(Row::new(Kind::Published, label, cells.collect()));
    }
    let head = core::iter::once("suite and way".to_owned()).chain(columns(sizes)).collect();
    let caption =
        "Ways of aggregating, with a session that was kept where nothing is wrong".to_owned();
    Grid { id: "table-frost-ways".to_owned(), caption, head, rows }
}

/// The published counts, for `t` signers of `n`.
fn published_counts(size: Size) -> [String; 5] {
    let Size { t, n } = size;
    let named = |t: u16| format!("≤ {} / {}", 1 + t, 3 * t + 1);
    [
        format!("{} / –", 1 + t + n),
        "2 / –".to_owned(),
        format!("– / {t}"),
        format!("1 / {}", t + 1),
        named(t),
    ]
}

/// Counted, not measured: the curve is Ed25519's, and the counts are those of every suite.
fn multiplications(sizes: &[Size]) -> Grid {
    let sizes: Vec<Size> = sizes.iter().copied().filter(|size| size.n <= 100).collect();
    let all: Vec<Counts> =
        sizes.iter().map(|&size| counts::<quorate::frost::ed25519::Ed25519Sha512>(size)).collect();
    type Cell = fn(&Counts) -> String;
    let ours: [(&str, Cell); 7] = [
        ("key generation with dealer", |c| c.dealing.cell()),
        ("round 1", |c| c.round1.cell()),
        ("round 2", |c| c.round2.cell()),
        ("aggregate", |c| c.aggregate.cell()),
        ("aggregate, one cheater named", |c| c.one_bad.cell()),
        ("aggregate, half of them named", |c| c.half_bad.cell()),
        ("aggregate, every share checked", |c| c.every_share.cell()),
    ];
    let mut rows = Vec::new();
    for (at, (title, cell)) in ours.into_iter().enumerate() {
        rows.push(Row::new(Kind::Counted, title, all.iter().map(cell).collect()));
        let theirs: Option<Vec<String>> =
            sizes.iter().map(|&size| published_counts(size).get(at).cloned()).collect();
        if let Some(cells) = theirs {
            rows.push(Row::new(Kind::Published, format!("{title}: published"), cells));
        }
    }
    let head = core::iter::once("step".to_owned()).chain(columns(&sizes)).collect();
    let caption =
        "Multiplications of the generator / of other points, terms of sums included".to_owned();
    Grid { id: "table-frost-multiplications".to_owned(), caption, head, rows }
}

fn plots(found: &Found<'_>, sizes: &[Size]) -> Vec<Block> {
    let ms = |suite: &str, size: Size, step| {
        found.of(&name(suite, size, step), OURS).map_or(f64::NAN, |figure| figure.middle() / 1e3)
    };
    let y = Label { text: "ms".to_owned(), log: true };
    let titles: Vec<String> = STEPS.iter().map(|(_, title)| (*title).to_owned()).collect();
    let mut blocks = Vec::new();
    for &size in sizes {
        let series: Vec<(String, Vec<f64>)> = suites()
            .map(|suite| {
                let values = STEPS.iter().map(|(step, _)| ms(suite.name(), size, *step));
                (suite.name().to_owned(), values.collect())
            })
            .collect();
        let short =
            titles.iter().map(|title| title.replace("key generation with dealer", "dealer"));
        let svg = plot::bars(&short.collect::<Vec<_>>(), &y, &series);
        let (id, title) =
            (format!("plot-frost-{}", size.n), format!("{}-of-{}, ours", size.t, size.n));
        blocks.push(Block::Plot(id, title, svg));
    }
    for suite in suites().map(Suite::name) {
        let series: Vec<(String, Vec<f64>)> = STEPS
            .iter()
            .map(|(step, title)| {
                ((*title).to_owned(), sizes.iter().map(|&size| ms(suite, size, *step)).collect())
            })
            .collect();
        let svg = plot::bars(&columns(sizes), &y, &series);
        blocks.push(Block::Plot(format!("plot-frost-{suite}"), format!("{suite}, ours"), svg));
    }
    blocks
}
