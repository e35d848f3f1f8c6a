//! The tables of tss-ecdsa: primes and powers by engine, protocols by number of parties.

mod bignum;

use bignum::{best, power_plot, powers, prime_bits, primes, sizes};

use super::ecdsa_lanes::Lanes;
use super::figure::Figure;
use super::floor;
use super::plot::{self, Label, Mark, Series};
use super::progress::Job;
use super::published;
use super::run::{Chapter, Peers, Run, Scale};
use super::section::{Block, Found, Grid, Headline, Kind, Row, Section};
use crate::ecdsa::{EcdsaCurve, EcdsaStep, Level, Setup};

/// The answer to the tables.
pub struct Tss;

const OURS: &str = "quorate";

/// Steps in the order of the table, with their names there.
const STEPS: [(EcdsaStep, &str); 6] = [
    (EcdsaStep::Keygen, "keygen"),
    (EcdsaStep::AuxInfo, "aux-info"),
    (EcdsaStep::AuxInfoGivenPrimes, "aux-info, primes given"),
    (EcdsaStep::Presign, "presign"),
    (EcdsaStep::PresignMany, "presign in bulk, each"),
    (EcdsaStep::Sign, "sign"),
];

/// A measurement of this chapter.
enum Work {
    Power(u32),
    Primes(u32, usize),
    Parties(u16),
}

struct Piece {
    work: Work,
    job: Job,
}

fn parties(scale: Scale) -> &'static [u16] {
    scale.pick(&[3], &[3, 6, 9], &[3, 6, 9])
}

/// Presignatures of a run in bulk.
fn bulk(scale: Scale) -> u16 {
    scale.pick(2, 4, 32)
}

fn plan(scale: Scale, peers: &Peers) -> Vec<Piece> {
    let piece = |work, label: String, cost| Piece { work, job: Job { label, cost } };
    let samples = f64::from(scale.pick(3u16, 5, 21));
    let mut pieces = Vec::new();
    for &bits in sizes(scale) {
        let cost = samples * ((f64::from(bits) / 4096.0).powi(3) * 0.8 + 0.1);
        pieces.push(piece(Work::Power(bits), format!("powers of {bits} bits"), cost));
    }
    let (bits, primes) = (prime_bits(scale), scale.pick(1, 2, 20));
    let cost = f64::from(scale.pick(1u16, 2, 20)) * (f64::from(bits) / 1024.0).powi(5) * 5.5;
    pieces.push(piece(Work::Primes(bits, primes), format!("safe primes of {bits} bits"), cost));
    for &n in parties(scale) {
        let cost = seconds(scale, n, beside(scale, n) && !peers.ecdsa.is_empty());
        pieces.push(piece(Work::Parties(n), format!("threshold ECDSA, {n} parties"), cost));
    }
    pieces
}

/// Runs of a step among n parties.
fn runs(scale: Scale, step: EcdsaStep, n: u16) -> usize {
    match step {
        EcdsaStep::Keygen | EcdsaStep::Sign => scale.pick(3, 11, 21),
        // As many searches for each size: the more parties, the fewer runs.
        EcdsaStep::AuxInfo => scale.pick(
            1,
            1,
            if n > 6 {
                7
            } else if n > 3 {
                10
            } else {
                20
            },
        ),
        // Each run is the mean of many parties, and of many results.
        EcdsaStep::AuxInfoGivenPrimes | EcdsaStep::PresignMany => {
            scale.pick(1, 1, if n > 3 { 1 } else { 3 })
        }
        _ => scale.pick(
            1,
            if n > 6 { 2 } else { 3 },
            if n > 6 {
                3
            } else if n > 3 {
                5
            } else {
                11
            },
        ),
    }
}

/// Seconds for n parties: for each of them the work for each other one, and of auxiliary information the primes.
fn seconds(scale: Scale, n: u16, beside: bool) -> f64 {
    let runs = |step| f64::from(u16::try_from(runs(scale, step, n)).unwrap_or(u16::MAX));
    let (parties, k) = (f64::from(n), f64::from(bulk(scale)));
    let [searched, given, single, many] = [
        EcdsaStep::AuxInfo,
        EcdsaStep::AuxInfoGivenPrimes,
        EcdsaStep::Presign,
        EcdsaStep::PresignMany,
    ]
    .map(runs);
    // Searches are counted as often as they are timed, everything else once.
    let ours = 2.0 * searched * (0.2 + 0.067 * parties) + (given + 1.0) * 0.075 * parties;
    let ours = ours + (single + 1.0) * 0.019 * parties + (many + 1.0) * k * 0.011 * parties;
    let peer = if beside { given * 1.5 + (single + many) * 0.3 } else { 0.0 };
    parties * (ours + peer * parties)
}

/// Whether the peers take part: with many parties they take minutes.
fn beside(scale: Scale, n: u16) -> bool {
    n == 3 || scale == Scale::Full
}

fn protocols(scale: Scale, peers: &Peers, n: u16) -> Vec<Figure> {
    let (level, curve, k) = (Level::Bits112, EcdsaCurve::Secp256k1, bulk(scale));
    let setup = Setup { curve, level, t: n, n, k };
    let peers = beside(scale, n).then_some(peers);
    let mut lanes = Lanes::new(setup, peers);
    let mut figures = Vec::new();
    for (step, _) in STEPS {
        let runs = runs(scale, step, n);
        figures.extend(lanes.run("tss", step, runs));
        figures.extend(lanes.floor("tss", step, runs));
    }
    figures
}

impl Chapter for Tss {
    fn id(&self) -> &'static str {
        "tss-ecdsa"
    }

    fn jobs(&self, scale: Scale, peers: &Peers) -> Vec<Job> {
        plan(scale, peers).into_iter().map(|piece| piece.job).collect()
    }

    fn run(&self, run: &mut Run<'_>) -> Section {
        let mut figures = Vec::new();
        let (scale, peers) = (run.scale, run.peers);
        for Piece { work, job } in plan(scale, peers) {
            figures.extend(run.figures(&job, || match work {
                Work::Power(bits) => powers(bits, scale.pick(3, 5, 21)),
                Work::Primes(bits, count) => primes(bits, count),
                Work::Parties(n) => protocols(scale, peers, n),
            }));
        }
        let found = Found(&figures);
        let headlines = headlines(&found, run.scale);
        let blocks = blocks(&found, run.scale);
        Section {
            id: self.id(),
            title: "Threshold ECDSA and its big numbers".to_owned(),
            source: published::TSS_ECDSA,
            headlines,
            blocks,
            figures,
            load: run.load(),
        }
    }
}

fn headlines(found: &Found<'_>, scale: Scale) -> Vec<Headline> {
    let bits = sizes(scale).last().copied().unwrap_or(0);
    let (power, ours) = (format!("tss/modexp/{bits}"), best());
    let presign = step_name(3, EcdsaStep::Presign);
    let peer = |name: &str, ours: &str, wanted: &[&str]| {
        let all = found.libraries();
        let who =
            wanted.iter().find_map(|wanted| all.iter().find(|who| who.starts_with(wanted)))?;
        Some(((*who).to_owned(), found.ratio(name, ours, who)?))
    };
    vec![
        Headline {
            what: format!("one power of {bits} bits"),
            ours: found.cell(&power, &ours),
            published: published::TSS_BIGNUM
                .map(|(who, _, ms)| format!("{who} {ms} ms"))
                .join(", "),
            ratio: peer(&power, &ours, &["gmp", "num-bigint"]),
        },
        Headline {
            what: "presign per party, 3 parties, 2048 bits".to_owned(),
            ours: found.cell(&presign, OURS),
            published: format!("{} ms", published::TSS_STEPS[2].1[0]),
            ratio: peer(&presign, OURS, &["cggmp24", "cggmp21"]),
        },
    ]
}

fn step_name(n: u16, step: EcdsaStep) -> String {
    format!("tss/{n}-of-{n}/{}", step.name())
}

fn blocks(found: &Found<'_>, scale: Scale) -> Vec<Block> {
    vec![
        Block::Table(bignum::table(found, scale)),
        Block::Text(
            "A safe prime is found by each engine of ours, GMP and OpenSSL with its own best search (GMP with ours); \
             by num-bigint and crypto-bigint with a plain one: a sieve by the primes below 65 536, then Fermat tests."
                .to_owned(),
        ),
        Block::Table(protocol_table(found, scale)),
        Block::Text(
            "All parties in one process, one after the other in a random order, messages in memory: the time of all \
             divided by their number. aux-info contains the search for the primes of each party; in bulk, a run makes \
             several presignatures and each is counted."
                .to_owned(),
        ),
        Block::Table(operation_table(found, scale)),
        Block::Text(
            "The floor of a step is what it computes: each Montgomery product and each multiple of a point, counted by an \
             engine and a curve that count, at the least time that one took on this machine in this run, in a chain with \
             nothing around it and with all lanes full. It has no hash, no encoding, no inverse and no division, no \
             product that a lane makes for nobody, and none made on its own that costs more than in lanes: these are in \
             the distance. Of moduli of 2048 bits, 1024 bits are the primes of N and N̂, which their owner knows, 2048 \
             bits N and N̂ themselves, a square of 2048 bits that of such a prime, and one of 4096 bits N²."
                .to_owned(),
        ),
        Block::Plot("plot-tss-powers".to_owned(), "One power, by engine".to_owned(), power_plot(found, scale)),
        Block::Plot("plot-tss-parties".to_owned(), "Per party, ours".to_owned(), party_plot(found, scale)),
    ]
}

fn protocol_table(found: &Found<'_>, scale: Scale) -> Grid {
    let parties = parties(scale);
    let mut rows = Vec::new();
    let protocols = |who: &&str| found.of(&step_name(3, EcdsaStep::Presign), who).is_some();
    for (step, title) in STEPS {
        for who in found.libraries().into_iter().filter(protocols) {
            if found.of(&step_name(3, step), who).is_none() {
                continue;
            }
            let kind = if who == OURS { Kind::Ours } else { Kind::Peer };
            let cells = parties.iter().map(|&n| found.cell(&step_name(n, step), who)).collect();
            let label = found.conditions(&step_name(3, step), who);
            rows.push(Row::new(kind, format!("{title}: {label}"), cells));
            if kind == Kind::Ours {
                let names: Vec<String> = parties.iter().map(|&n| step_name(n, step)).collect();
                let label = format!("{title}: floor, products and points alone");
                rows.push(floor::row(found, label, who, &names));
            }
            if kind == Kind::Peer {
                let ratio = |n: &u16| found.ratio(&step_name(*n, step), OURS, who);
                let cell = |n| ratio(n).map_or("–".to_owned(), |ratio| format!("{ratio:.2} ×"));
                let cells = parties.iter().map(cell).collect();
                rows.push(Row::new(Kind::Ratio, format!("{title}: {who} takes"), cells));
            }
        }
        let published = published::TSS_STEPS.iter().find(|row| row.0 == title);
        let cells = match published {
            Some((_, row)) => row.iter().take(parties.len()).map(|ms| format!("{ms} ms")).collect(),
            None if step == EcdsaStep::Sign => vec!["not evaluated".to_owned(); parties.len()],
            None => continue,
        };
        let hardware = published::TSS_ECDSA.hardware;
        rows.push(Row::new(Kind::Published, format!("{title}: published ({hardware})"), cells));
    }
    let head = core::iter::once("per party".to_owned())
        .chain(parties.iter().map(|n| format!("{n} parties")))
        .collect();
    let caption = "Protocols, per party, moduli of 2048 bits".to_owned();
    Grid { id: "table-tss-protocols".to_owned(), caption, head, rows }
}

/// The operations of each step with the fewest parties.
fn operation_table(found: &Found<'_>, scale: Scale) -> Grid {
    let n = parties(scale)[0];
    let steps = STEPS.map(|(step, title)| (title, step_name(n, step)));
    let caption =
        format!("Operations of one of {n} parties, for one result, and the time of one at best");
    floor::table(found, "table-tss-operations", &caption, &steps)
}

fn party_plot(found: &Found<'_>, scale: Scale) -> String {
    let series: Vec<Series> = STEPS
        .into_iter()
        .map(|(step, title)| {
            let point = |n: &u16| {
                let figure = found.of(&step_name(*n, step), OURS)?;
                Some((f64::from(*n), figure.middle() / 1e3))
            };
            let points = parties(scale).iter().filter_map(point).collect();
            Series { label: title.to_owned(), mark: Mark::Line, points }
        })
        .collect();
    let x = Label { text: "parties".to_owned(), log: false };
    plot::lines(&x, &Label { text: "ms".to_owned(), log: true }, &series)
}
