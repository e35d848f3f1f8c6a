//! The growth with the nodes, without a network and across four regions.

use super::fit::{Fit, PUBLISHED};
use super::net::{JITTER, LATENCY_MS, MBIT, Network, REGIONS, finish};
use super::{figure, traces};
use crate::ecdsa::EcdsaStep;
use crate::report::figure::{Figure, OURS, Unit};
use crate::report::plot::{self, Mark, Series};
use crate::report::published;
use crate::report::section::{Drawing, Found, Grid, Kind};

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
    let figure = |protocol: &str, measure| {
        let figure = figure(name(n, protocol, measure), Unit::Micros, Vec::new());
        if protocol.starts_with("frost") { figure.with("", "Ed25519") } else { figure }
    };
    let of = |(protocol, _)| MEASURES.map(|(measure, _)| figure(protocol, measure));
    let mut figures = PROTOCOLS.map(of);
    for run in 0..runs {
        let network = Network::regions(run as u64);
        let traces = [
            traces::of(&mut *fixture, &[EcdsaStep::Keygen, EcdsaStep::AuxInfoGivenPrimes]),
            traces::of(&mut *fixture, &[EcdsaStep::SignInteractive]),
            traces::of(&mut *fixture, &[EcdsaStep::PresignMany]),
            traces::frost_keygen(n),
            traces::frost_sign(n),
        ];
        for (trace, figures) in traces.iter().zip(&mut figures) {
            let seconds = [trace.each(), finish(trace, None), finish(trace, Some(&network))];
            for (figure, seconds) in figures.iter_mut().zip(seconds) {
                figure.samples.push(seconds * 1e6);
            }
        }
    }
    figures.concat()
}

fn name(n: u16, protocol: &str, measure: &str) -> String {
    format!("thorchain/{n}/{protocol}/{measure}")
}

/// The sizes of the growth of which there are figures.
#[derive(Clone, Copy)]
struct Growth<'a> {
    found: Found<'a>,
    nodes: &'a [u16],
}

/// The tables and drawings; k presignatures are made in bulk.
pub(super) fn shown(found: Found<'_>, nodes: &[u16], k: u16) -> (Vec<Grid>, Vec<Drawing>) {
    let growth = Growth { found, nodes };
    if nodes.is_empty() {
        return Default::default();
    }
    let [keygen, sign, bulk, _, frost] = PROTOCOLS;
    let fitted = [keygen, sign].map(|protocol| growth.fitted(protocol)).into_iter();
    let shares = [sign, bulk, frost].map(|protocol| growth.shares(protocol));
    let plots = fitted.chain(PUBLISHED.map(theirs)).chain(shares).collect();
    (vec![growth.table(k), growth.fits(), growth.crossings(k), matrix()], plots)
}

impl Growth<'_> {
    fn ms(&self, n: u16, protocol: &str, measure: &str) -> Option<f64> {
        Some(self.found.middle(&name(n, protocol, measure))? / 1e3)
    }

    fn points(&self, value: impl Fn(u16) -> Option<f64>) -> Vec<(f64, f64)> {
        self.nodes.iter().filter_map(|&n| Some((f64::from(n), value(n)?))).collect()
    }

    fn head(&self) -> impl Iterator<Item = String> {
        self.nodes.iter().map(|n| format!("{n} nodes"))
    }

    fn table(&self, k: u16) -> Grid {
        let caption = format!(
            "Growth with the nodes, all of whom sign (of FROST two thirds); in bulk {k} presignatures in a run, \
             the whole run"
        );
        let mut grid = Grid::new(["table-thorchain-growth", &caption, "protocol"], self.head());
        for (protocol, title) in PROTOCOLS {
            for (measure, words) in MEASURES {
                let name = |n| name(n, protocol, measure);
                let names: Vec<String> = self.nodes.iter().map(|&n| name(n)).collect();
                let label = self.found.conditions(&names, OURS);
                let cells = names.iter().map(|name| self.found.cell(name, OURS));
                grid.row(Kind::Ours, format!("{title}: {words}: {label}"), cells);
            }
            grid.cite(protocol);
        }
        grid
    }

    fn fits(&self) -> Grid {
        let how = if self.nodes.len() <= 3 {
            "through three points any parabola fits"
        } else {
            "least squares"
        };
        let caption = format!("Milliseconds as a function of x nodes: {how}");
        let mut grid = Grid::new(["table-thorchain-fits", &caption, "what"], ["fit"]);
        for (protocol, title) in PROTOCOLS {
            for (measure, words) in MEASURES {
                let fit = Fit::through(&self.points(|n| self.ms(n, protocol, measure)));
                let cell = fit.map(|fit| fit.formula());
                grid.row(Kind::Ours, format!("{title}: {words}"), [cell]);
            }
        }
        for (protocol, fit) in PUBLISHED {
            let label = format!("published, {protocol} ({})", hardware());
            grid.row(Kind::Published, label, [fit.formula()]);
        }
        grid
    }

    /// Computing and network time to the end of a run, in milliseconds.
    fn split(&self, n: u16, protocol: &str) -> Option<[f64; 2]> {
        let [local, all] = ["local", "regions"].map(|measure| self.ms(n, protocol, measure));
        Some([local?, (all? - local?).max(0.0)])
    }

    fn crossings(&self, k: u16) -> Grid {
        let caption = format!(
            "The network's part of the time across four regions; in bulk {k} presignatures"
        );
        let head = self.head().chain(["more time goes to".to_owned()]);
        let first = "part of the network";
        let mut grid = Grid::new(["table-thorchain-network", &caption, first], head);
        for (protocol, title) in PROTOCOLS {
            let part = |n: &u16| {
                let [computing, network] = self.split(*n, protocol)?;
                Some(format!("{:.0} %", network / (network + computing) * 100.0))
            };
            let overtakes =
                |n: &&u16| self.split(**n, protocol).is_some_and(|[cpu, net]| net > cpu);
            let larger: Vec<&u16> = self.nodes.iter().filter(overtakes).collect();
            let more = match larger.last() {
                None => "computing at every size".to_owned(),
                Some(_) if larger.len() == self.nodes.len() => "network at every size".to_owned(),
                Some(n) => format!("network up to {n} nodes, then computing"),
            };
            grid.row(Kind::Ours, title, self.nodes.iter().map(part).chain([Some(more)]));
        }
        grid
    }

    fn fitted(&self, (protocol, title): (&str, &str)) -> Drawing {
        let mut series = Vec::new();
        for (measure, words) in MEASURES.into_iter().skip(1) {
            let points = self.points(|n| self.ms(n, protocol, measure));
            let fit = Fit::through(&points);
            let words = words.trim_start_matches("to the end, ");
            series.push(Series::new(words, Mark::Points, points));
            series.extend(fit.map(|fit| curve("fit", fit, self.nodes)));
        }
        let title = format!("{title}: ours, with the fits");
        plot::lines([&format!("plot-thorchain-{protocol}"), &title, "nodes", "ms"], false, &series)
    }

    fn shares(&self, (protocol, words): (&str, &str)) -> Drawing {
        let of = |at: usize| self.points(|n| Some(self.split(n, protocol)?[at]));
        let series = [
            Series::new("computing", Mark::Line, of(0)),
            Series::new("network", Mark::Line, of(1)),
        ];
        let title = format!("Network and computing, ours: where the lines cross: {words}");
        let id = format!("plot-thorchain-share-{protocol}");
        plot::lines([&id, &title, "nodes", "ms"], true, &series)
    }
}

/// The latencies and bandwidths of the simulated network.
fn matrix() -> Grid {
    let caption = format!(
        "The simulated network: one way between two machines, up to {:.0} % more at random; nodes are put into \
         the regions in turn. A model, not a measurement",
        JITTER * 100.0
    );
    let mut grid = Grid::new(["table-thorchain-regions", &caption, "region"], REGIONS);
    for (at, name) in REGIONS.into_iter().enumerate() {
        let links = LATENCY_MS[at].iter().zip(MBIT[at]);
        let cells = links.map(|(ms, mbit)| format!("{ms} ms, {mbit} Mbit/s"));
        grid.row(Kind::Counted, name, cells);
    }
    grid
}

/// A fit between the smallest and the largest number of nodes.
fn curve(name: &str, fit: Fit, nodes: &[u16]) -> Series {
    let (first, last) = (nodes.first().copied().unwrap_or(3), nodes.last().copied().unwrap_or(30));
    let points = (0..=40u16)
        .map(|part| f64::from(first) + f64::from(last - first) * f64::from(part) / 40.0)
        .map(|x| (x, fit.at(x)));
    Series::new(format!("{name}, R² = {:.4}", fit.r2), Mark::Curve, points.collect())
}

/// A published protocol with its fit, in seconds.
fn theirs((protocol, Fit { a, b, c, r2 }): (&str, Fit)) -> Drawing {
    let fit = Fit { a: a / 1e3, b: b / 1e3, c: c / 1e3, r2 };
    let series = [
        Series::new("published", Mark::Points, published_points(protocol)),
        curve("their fit", fit, &[3, 30]),
    ];
    let title = format!("{protocol}: published ({})", hardware());
    let id = format!("plot-thorchain-published-{protocol}");
    plot::lines([&id, &title, "nodes", "s"], false, &series)
}

fn hardware() -> &'static str {
    &published::report("thorchain").hardware
}

/// Nodes and seconds of a protocol, as published.
pub(super) fn published_points(protocol: &str) -> Vec<(f64, f64)> {
    let rows = published::rows("table-thorchain-growth", protocol);
    let number = |text: &str| text.split(' ').next()?.parse::<f64>().ok();
    let cells = rows.flat_map(|(_, row)| &row.cells);
    cells.filter_map(|(nodes, seconds)| Some((number(nodes)?, number(seconds)?))).collect()
}
