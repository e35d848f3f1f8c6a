//! Big numbers: powers and safe primes by engine.

use quorate_bignum::Engine;

use super::OURS;
use crate::Operations;
use crate::bignum::{Contender, Inputs, Op, measure, search_once};
use crate::report::figure::{Figure, Middle, Unit, mean};
use crate::report::floor::{self, Prices};
use crate::report::plot::{self, Label};
use crate::report::published;
use crate::report::run::Scale;
use crate::report::section::{Found, Grid, Kind, Row};

/// Bits of the moduli of the powers.
pub(super) fn sizes(scale: Scale) -> &'static [u32] {
    scale.pick(&[1024], &[2048, 4096], &[1024, 2048, 3072, 4096])
}

pub(super) fn prime_bits(scale: Scale) -> u32 {
    scale.pick(512, 1024, 1024)
}

/// The library and the engine of a contender.
fn names(contender: Contender) -> (String, String) {
    match contender {
        Contender::Engine(engine) if matches!(engine.name(), "gmp" | "openssl") => {
            (engine.name().to_owned(), String::new())
        }
        Contender::Engine(engine) => {
            (format!("{OURS} {}", engine.name()), engine.name().to_owned())
        }
        other => (other.name().to_owned(), String::new()),
    }
}

fn big(contender: Contender, name: String, bits: u32, by: Middle, samples: Vec<f64>) -> Figure {
    let (who, engine) = names(contender);
    Figure { name, who, engine, level: format!("{bits} bits"), unit: Unit::Micros, by, samples }
}

pub(super) fn powers(bits: u32, runs: usize) -> Vec<Figure> {
    let contenders = Contender::all();
    let mut figures = Vec::new();
    for op in [Op::Modexp, Op::ModexpBatch8] {
        for line in measure(op, bits, &contenders, runs) {
            let who = contenders.iter().find(|one| one.name() == line.engine);
            let name = format!("tss/{}/{bits}", op.name());
            figures.extend(who.map(|&who| big(who, name, bits, Middle::Median, line.samples)));
        }
    }
    let inputs = Inputs::new(bits);
    for engine in ours() {
        let mut prices = Prices::new(engine, runs);
        for op in [Op::Modexp, Op::ModexpBatch8] {
            let Some(mut work) = op.work(Contender::Engine(engine.counting()), &inputs) else {
                continue;
            };
            let ((), made) = Operations::of(|| (work.run)());
            let us = prices.floor(&made) / f64::from(work.products);
            figures.push(big_floor(engine, &format!("tss/{}/{bits}", op.name()), bits, us));
        }
    }
    figures
}

/// The engines of ours that this machine runs.
fn ours() -> impl Iterator<Item = Engine> {
    let all = [Some(Engine::portable()), Engine::x86_64(), Engine::ifma()];
    all.into_iter().flatten()
}

/// The floor under a figure of one of our engines.
fn big_floor(engine: Engine, of: &str, bits: u32, us: f64) -> Figure {
    let (who, name) = names(Contender::Engine(engine));
    floor::figure(of, &who, &name, &format!("{bits} bits"), us)
}

/// The floor of a search from this seed, in microseconds.
fn search_floor(prices: &mut Prices, engine: Engine, bits: u32, seed: u64) -> f64 {
    let counting = Contender::Engine(engine.counting());
    prices.floor(&Operations::of(|| search_once(counting, bits, seed)).1)
}

pub(super) fn primes(bits: u32, count: usize) -> Vec<Figure> {
    let contenders = Contender::all();
    let mut samples = vec![Vec::new(); contenders.len()];
    for seed in 0..count as u64 {
        for (contender, samples) in contenders.iter().zip(&mut samples) {
            samples.push(search_once(*contender, bits, seed) * 1e6);
        }
    }
    let name = format!("tss/safe_prime/{bits}");
    let mut figures: Vec<Figure> = contenders
        .into_iter()
        .zip(samples)
        .map(|(one, samples)| big(one, name.clone(), bits, Middle::Mean, samples))
        .collect();
    for engine in ours() {
        let mut prices = Prices::new(engine, 5);
        // The same searches.
        let each = (0..count as u64).map(|seed| search_floor(&mut prices, engine, bits, seed));
        figures.push(big_floor(engine, &name, bits, mean(&each.collect::<Vec<_>>())));
    }
    figures
}

/// Our engine on this machine, as a library of the table of big numbers.
pub(super) fn best() -> String {
    format!("{OURS} {}", Engine::detect().name())
}

/// Prime generation and powers, published ones below.
pub(super) fn table(found: &Found<'_>, scale: Scale) -> Grid {
    let bits = prime_bits(scale);
    let mut columns = vec![(format!("safe prime, {bits} bits"), format!("tss/safe_prime/{bits}"))];
    for bits in sizes(scale) {
        columns.push((format!("power, {bits} bits"), format!("tss/modexp/{bits}")));
        columns.push((format!("each of 8, {bits} bits"), format!("tss/modexp_batch8/{bits}")));
    }
    let ours = best();
    let mut rows = Vec::new();
    let libraries = found.libraries();
    for who in libraries.into_iter().filter(|who| found.of(&columns[1].1, who).is_some()) {
        let kind = if who.starts_with(OURS) { Kind::Ours } else { Kind::Peer };
        let cells = columns.iter().map(|(_, name)| found.cell(name, who)).collect();
        rows.push(Row::new(kind, found.conditions("tss/modexp/", who), cells));
        let names: Vec<String> = columns.iter().map(|(_, name)| name.clone()).collect();
        if found.of(&floor::name(&names[1]), who).is_some() {
            rows.push(floor::row(found, format!("{who}: floor, products alone"), who, &names));
        }
        if kind == Kind::Peer {
            let cell = |name: &String| {
                found
                    .ratio(name, &ours, who)
                    .map_or("–".to_owned(), |ratio| format!("{ratio:.2} ×"))
            };
            let cells = columns.iter().map(|(_, name)| cell(name)).collect();
            rows.push(Row::new(Kind::Ratio, format!("{who} takes, beside {ours}"), cells));
        }
    }
    for (who, prime, power) in published::TSS_BIGNUM {
        let mut cells = vec!["–".to_owned(); columns.len()];
        cells[0] = format!("{prime} s");
        let last = cells.len().saturating_sub(2).max(1);
        cells[last] = format!("{power} ms (size not stated)");
        let hardware = published::TSS_ECDSA.hardware;
        rows.push(Row::new(Kind::Published, format!("published, {who} ({hardware})"), cells));
    }
    let head = core::iter::once("engine".to_owned()).chain(columns.into_iter().map(|c| c.0));
    let caption = "Prime generation and powers, by engine".to_owned();
    Grid { id: "table-tss-bignum".to_owned(), caption, head: head.collect(), rows }
}

/// One power by engine.
pub(super) fn power_plot(found: &Found<'_>, scale: Scale) -> String {
    let series: Vec<(String, Vec<f64>)> = found
        .libraries()
        .into_iter()
        .filter_map(|who| {
            let ms = |bits: &u32| {
                let figure = found.of(&format!("tss/modexp/{bits}"), who)?;
                Some(figure.middle() / 1e3)
            };
            let values: Option<Vec<f64>> = sizes(scale).iter().map(ms).collect();
            Some((who.to_owned(), values?))
        })
        .collect();
    let groups: Vec<String> = sizes(scale).iter().map(|bits| format!("{bits} bits")).collect();
    plot::bars(&groups, &Label { text: "ms".to_owned(), log: true }, &series)
}
