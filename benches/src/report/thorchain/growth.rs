//! The growth with the nodes, without a network and across four regions.

use super::fit::Fit;
use super::net::{Network, finish};
use super::{OURS, traces};
use crate::ecdsa::{EcdsaStep, Trace};
use crate::report::figure::{Figure, Middle, Unit};
use crate::report::plot::{self, Label, Mark, Series};
use crate::report::published;
use crate::report::section::{Block, Found, Grid, Kind, Row};

/// A protocol that is followed from 3 to 30 nodes: its name in figures, and in words.
pub(super) const PROTOCOLS: [(&str, &str); 5] = [
    ("keygen", "key generation, primes given"),
    ("sign", "signature"),
    ("bulk", "presignatures in bulk"),
    ("frost-keygen", "FROST key generation"),
    ("frost-sign", "FROST signature"),
];

/// The three measures of a run: CPU of each node, and the time to the end without and with the network.
const MEASURES: [(&str, &str); 3] = [
    ("cpu", "CPU, each node"),
    ("local", "to the end, no network"),
    ("regions", "to the end, four regions"),
];

/// Every protocol at n nodes, `runs` times.
pub(super) fn measure(n: u16, k: u16, runs: usize) -> Vec<Figure> {
    let mut fixture = traces::ecdsa(n, k);
    let mut samples: Vec<[Vec<f64>; 3]> = vec![Default::default(); PROTOCOLS.len()];
    for run in 0..runs {
        let traces = [
            traces::of(&mut *fixture, &[EcdsaStep::Keygen, EcdsaStep::AuxInfoGivenPrimes]),
            traces::of(&mut *fixture, &[EcdsaStep::SignInteractive]),
            traces::of(&mut *fixture, &[EcdsaStep::PresignMany]),
            traces::frost_keygen(n),
            traces::frost_sign(n),
        ];
        for (trace, samples) in traces.iter().zip(&mut samples) {
            for (value, samples) in measures(trace, run).into_iter().zip(samples) {
                samples.push(value * 1e6);
            }
        }
    }
    let engine = quorate_bignum::Engine::detect().name();
    let mut figures = Vec::new();
    for ((protocol, _), samples) in PROTOCOLS.into_iter().zip(samples) {
        let ecdsa = !protocol.starts_with("frost");
        for ((measure, _), samples) in MEASURES.into_iter().zip(samples) {
            figures.push(Figure {
                name: name(n, protocol, measure),
                who: OURS.to_owned(),
                engine: if ecdsa { engine.to_owned() } else { String::new() },
                level: if ecdsa { "2048 bits".to_owned() } else { "Ed25519".to_owned() },
                unit: Unit::Micros,
                by: Middle::Median,
                samples,
            });
        }
    }
    figures
}

fn measures(trace: &Trace, run: usize) -> [f64; 3] {
    let network = Network::regions(run as u64);
    [trace.each(), finish(trace, None), finish(trace, Some(&network))]
}

fn name(n: u16, protocol: &str, measure: &str) -> String {
    format!("thorchain/{n}/{protocol}/{measure}")
}

fn ms(found: &Found<'_>, n: u16, protocol: &str, measure: &str) -> Option<f64> {
    Some(found.of(&name(n, protocol, measure), OURS)?.middle() / 1e3)
}

fn points(found: &Found<'_>, nodes: &[u16], protocol: &str, measure: &str) -> Vec<(f64, f64)> {
    let point = |n: &u16| Some((f64::from(*n), ms(found, *n, protocol, measure)?));
    nodes.iter().filter_map(point).collect()
}

/// Tables and plots.
pub(super) fn blocks(found: &Found<'_>, nodes: &[u16], k: u16) -> Vec<Block> {
    if nodes.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![
        Block::Table(table(found, nodes, k)),
        Block::Table(fits(found, nodes)),
        Block::Table(crossings(found, nodes, k)),
        Block::Table(matrix()),
    ];
    for (protocol, title) in PROTOCOLS.into_iter().take(2) {
        let id = format!("plot-thorchain-{protocol}");
        let title = format!("{title}: ours, with the fits");
        blocks.push(Block::Plot(id, title, fitted(found, nodes, protocol)));
    }
    for (at, (protocol, [a, b, c], r2)) in published::THORCHAIN_FITS.into_iter().enumerate() {
        let svg = theirs(at, [a / 1e3, b / 1e3, c / 1e3], r2);
        let title = format!("{protocol}: published ({})", published::THORCHAIN.hardware);
        blocks.push(Block::Plot(format!("plot-thorchain-published-{protocol}"), title, svg));
    }
    let title = "Network and computing, ours: where the lines cross";
    for (protocol, words) in PROTOCOLS.into_iter().skip(1) {
        if protocol != "frost-keygen" {
            let svg = shares(found, nodes, protocol);
            blocks.push(Block::Plot(
                format!("plot-thorchain-share-{protocol}"),
                format!("{title}: {words}"),
                svg,
            ));
        }
    }
    blocks
}

fn head(first: &str, nodes: &[u16]) -> Vec<String> {
    core::iter::once(first.to_owned()).chain(nodes.iter().map(|n| format!("{n} nodes"))).collect()
}

fn table(found: &Found<'_>, nodes: &[u16], k: u16) -> Grid {
    let mut rows = Vec::new();
    for (protocol, title) in PROTOCOLS {
        for (measure, words) in MEASURES {
            let cells =
                nodes.iter().map(|n| found.cell(&name(*n, protocol, measure), OURS)).collect();
            let label = found.conditions(&name(nodes[0], protocol, measure), OURS);
            rows.push(Row::new(Kind::Ours, format!("{title}: {words}: {label}"), cells));
        }
        let published = |pick: fn(&(f64, f64, f64)) -> f64| -> Vec<String> {
            let of = |n: &u16| {
                let row = published::THORCHAIN_NODES
                    .iter()
                    .find(|row| row.0.total_cmp(&f64::from(*n)).is_eq());
                row.map_or("–".to_owned(), |row| format!("{} s", pick(row)))
            };
            nodes.iter().map(of).collect()
        };
        let cells = match protocol {
            "keygen" => published(|row| row.1),
            "sign" => published(|row| row.2),
            _ => continue,
        };
        let hardware = published::THORCHAIN.hardware;
        rows.push(Row::new(
            Kind::Published,
            format!("{title}: published ({hardware}, four regions)"),
            cells,
        ));
    }
    Grid {
        id: "table-thorchain-growth".to_owned(),
        caption: format!(
            "Growth with the nodes, all of whom sign (of FROST two thirds); in bulk {k} presignatures in a run, \
             the whole run"
        ),
        head: head("protocol", nodes),
        rows,
    }
}

fn fits(found: &Found<'_>, nodes: &[u16]) -> Grid {
    let mut rows = Vec::new();
    for (protocol, title) in PROTOCOLS {
        for (measure, words) in MEASURES {
            let fit = Fit::through(&points(found, nodes, protocol, measure));
            let cell = fit.map_or("–".to_owned(), |fit| fit.formula());
            rows.push(Row::new(Kind::Ours, format!("{title}: {words}"), vec![cell]));
        }
    }
    for (protocol, [a, b, c], r2) in published::THORCHAIN_FITS {
        let fit = Fit { a, b, c, r2 }.formula();
        let hardware = published::THORCHAIN.hardware;
        rows.push(Row::new(
            Kind::Published,
            format!("published, {protocol} ({hardware})"),
            vec![fit],
        ));
    }
    Grid {
        id: "table-thorchain-fits".to_owned(),
        caption: match nodes.len() {
            0..=3 => {
                "Milliseconds as a function of x nodes: through three points any parabola fits"
            }
            _ => "Milliseconds as a function of x nodes: least squares",
        }
        .to_owned(),
        head: vec!["what".to_owned(), "fit".to_owned()],
        rows,
    }
}

/// Network and computing time to the end of a run, in milliseconds.
fn split(found: &Found<'_>, n: u16, protocol: &str) -> Option<(f64, f64)> {
    let (local, all) = (ms(found, n, protocol, "local")?, ms(found, n, protocol, "regions")?);
    Some((local, (all - local).max(0.0)))
}

fn crossings(found: &Found<'_>, nodes: &[u16], k: u16) -> Grid {
    let row = |(protocol, title): (&str, &str)| {
        let part = |n: &u16| {
            split(found, *n, protocol).map_or("–".to_owned(), |(computing, network)| {
                format!("{:.0} %", network / (network + computing) * 100.0)
            })
        };
        let mut cells: Vec<String> = nodes.iter().map(part).collect();
        let overtakes = |n: &&u16| split(found, **n, protocol).is_some_and(|(cpu, net)| net > cpu);
        let larger: Vec<&u16> = nodes.iter().filter(overtakes).collect();
        cells.push(match (larger.len(), larger.last()) {
            (0, _) => "computing at every size".to_owned(),
            (all, _) if all == nodes.len() => "network at every size".to_owned(),
            (_, Some(n)) => format!("network up to {n} nodes, then computing"),
            (_, None) => String::new(),
        });
        Row::new(Kind::Ours, title, cells)
    };
    let mut head = head("part of the network", nodes);
    head.push("more time goes to".to_owned());
    Grid {
        id: "table-thorchain-network".to_owned(),
        caption: format!(
            "The network's part of the time across four regions; in bulk {k} presignatures"
        ),
        head,
        rows: PROTOCOLS.into_iter().map(row).collect(),
    }
}

/// The latencies and bandwidths of the simulated network.
fn matrix() -> Grid {
    use super::net::{JITTER, LATENCY_MS, MBIT, REGIONS};
    let row = |(at, name): (usize, &&str)| {
        let cells =
            LATENCY_MS[at].iter().zip(MBIT[at]).map(|(ms, mbit)| format!("{ms} ms, {mbit} Mbit/s"));
        Row::new(Kind::Counted, *name, cells.collect())
    };
    Grid {
        id: "table-thorchain-regions".to_owned(),
        caption: format!(
            "The simulated network: one way between two machines, up to {:.0} % more at random; nodes are put into \
             the regions in turn. A model, not a measurement",
            JITTER * 100.0
        ),
        head: core::iter::once("region").chain(REGIONS).map(str::to_owned).collect(),
        rows: REGIONS.iter().enumerate().map(row).collect(),
    }
}

fn axes() -> (Label, Label) {
    let label = |text: &str, log| Label { text: text.to_owned(), log };
    (label("nodes", false), label("ms", false))
}

/// The fit between the smallest and the largest number of nodes.
fn curve(fit: &Fit, nodes: &[u16]) -> Vec<(f64, f64)> {
    let (first, last) = (nodes.first().copied().unwrap_or(3), nodes.last().copied().unwrap_or(30));
    (0..=40u16)
        .map(|part| f64::from(first) + f64::from(last - first) * f64::from(part) / 40.0)
        .map(|x| (x, fit.at(x)))
        .collect()
}

fn fitted(found: &Found<'_>, nodes: &[u16], protocol: &str) -> String {
    let mut series = Vec::new();
    for (measure, words) in MEASURES.into_iter().skip(1) {
        let points = points(found, nodes, protocol, measure);
        let fit = Fit::through(&points);
        let words = words.trim_start_matches("to the end, ");
        series.push(Series { label: words.to_owned(), mark: Mark::Points, points });
        if let Some(fit) = fit {
            let label = format!("fit, R² = {:.4}", fit.r2);
            series.push(Series { label, mark: Mark::Curve, points: curve(&fit, nodes) });
        }
    }
    let (x, y) = axes();
    plot::lines(&x, &y, &series)
}

fn theirs(at: usize, [a, b, c]: [f64; 3], r2: f64) -> String {
    let pick = |row: &(f64, f64, f64)| (row.0, if at == 0 { row.1 } else { row.2 });
    let points = published::THORCHAIN_NODES.iter().map(pick).collect();
    let fit = Fit { a, b, c, r2 };
    let series = [
        Series { label: "published".to_owned(), mark: Mark::Points, points },
        Series {
            label: format!("their fit, R² = {r2}"),
            mark: Mark::Curve,
            points: curve(&fit, &[3, 30]),
        },
    ];
    let (x, _) = axes();
    plot::lines(&x, &Label { text: "s".to_owned(), log: false }, &series)
}

fn shares(found: &Found<'_>, nodes: &[u16], protocol: &str) -> String {
    let of = |pick: fn((f64, f64)) -> f64| {
        let point = |n: &u16| Some((f64::from(*n), pick(split(found, *n, protocol)?)));
        nodes.iter().filter_map(point).collect()
    };
    let series = [
        Series { label: "computing".to_owned(), mark: Mark::Line, points: of(|both| both.0) },
        Series { label: "network".to_owned(), mark: Mark::Line, points: of(|both| both.1) },
    ];
    let (x, y) = axes();
    plot::lines(&x, &Label { log: true, ..y }, &series)
}
