//! Big numbers: powers and safe primes by engine.

use quorate_bignum::Engine;

use crate::Operations;
use crate::bignum::{Contender, Inputs, Op, measure, search_once};
use crate::report::figure::{Figure, OURS, Unit, real};
use crate::report::floor::{self, Prices};
use crate::report::plot;
use crate::report::run::Scale;
use crate::report::section::{Drawing, Found, Grid};

/// Bits of the moduli of the powers.
pub(super) const SIZES: [&[u32]; 3] = [&[1024], &[2048, 4096], &[1024, 2048, 3072, 4096]];

pub(super) const PRIME_BITS: [u32; 3] = [512, 1024, 1024];

/// The library and the engine of a contender.
fn names(contender: Contender) -> (String, String) {
    let name = contender.name().to_owned();
    match contender {
        Contender::Engine(engine) if !matches!(engine.name(), "gmp" | "openssl") => {
            (format!("{OURS} {name}"), name)
        }
        _ => (name, String::new()),
    }
}

fn big(contender: Contender, name: &str, bits: u32, samples: Vec<f64>) -> Figure {
    let (who, engine) = names(contender);
    Figure::new(name, Unit::Micros, samples).of(who).with(engine, format!("{bits} bits"))
}

/// The floor under a figure of one of our engines.
fn big_floor(figure: &Figure, us: f64) -> Figure {
    floor::figure(&figure.name, &figure.who, &figure.engine, &figure.level, us)
}

/// The figure of an engine.
fn figure_of(figures: &[Figure], engine: Engine) -> &Figure {
    let name = engine.name();
    figures.iter().find(|one| one.engine == name).expect("the engine was timed")
}

pub(super) fn powers(bits: u32, runs: usize) -> Vec<Figure> {
    let contenders = Contender::all();
    let inputs = Inputs::new(bits);
    // The least of few samples is high if the machine was slow for all of them.
    let price = |engine| (engine, Prices::new(engine, runs.max(9)));
    let mut prices: Vec<_> = Engine::own().into_iter().map(price).collect();
    let (mut figures, mut floors) = (Vec::new(), Vec::new());
    for op in [Op::Modexp, Op::ModexpBatch8] {
        let name = format!("tss/{}/{bits}", op.name());
        let lines = measure(op, bits, &contenders, runs).into_iter().filter_map(|line| {
            let who = contenders.iter().find(|one| one.name() == line.engine)?;
            Some(big(*who, &name, bits, line.samples))
        });
        let timed: Vec<Figure> = lines.collect();
        for (engine, prices) in &mut prices {
            let work = op.work(Contender::Engine(engine.counting()), &inputs);
            floors.extend(work.map(|mut work| {
                let ((), made) = Operations::of(|| (work.run)());
                let figure = figure_of(&timed, *engine);
                let us = prices.floor(&made, f64::from(work.products), figure.middle());
                big_floor(figure, us)
            }));
        }
        figures.extend(timed);
    }
    figures.extend(floors);
    figures
}

pub(super) fn primes(bits: u32, count: usize) -> Vec<Figure> {
    let contenders = Contender::all();
    let seeds = 0..count as u64;
    let mut samples = vec![Vec::new(); contenders.len()];
    for seed in seeds.clone() {
        for (contender, samples) in contenders.iter().zip(&mut samples) {
            samples.push(search_once(*contender, bits, seed) * 1e6);
        }
    }
    let name = format!("tss/safe_prime/{bits}");
    let timed = contenders.into_iter().zip(samples);
    let mut figures: Vec<Figure> =
        timed.map(|(one, samples)| big(one, &name, bits, samples).mean_if(true)).collect();
    for engine in Engine::own() {
        let counting = Contender::Engine(engine.counting());
        // The same searches.
        let search = |seed| search_once(counting, bits, seed);
        let made = Operations::of(|| seeds.clone().map(search).sum::<f64>()).1;
        let figure = figure_of(&figures, engine);
        let us = Prices::new(engine, 5).floor(&made, real(count), figure.middle());
        figures.push(big_floor(figure, us));
    }
    figures
}

/// Our engine on this machine, as a library of the table of big numbers.
pub(super) fn best() -> String {
    format!("{OURS} {}", Engine::detect().name())
}

/// Prime generation and powers, published ones below.
pub(super) fn table(found: Found<'_>, scale: Scale) -> Grid {
    let bits = scale.pick(PRIME_BITS);
    let prime = (format!("safe prime, {bits} bits"), format!("tss/safe_prime/{bits}"));
    let powers = scale.pick(SIZES).iter().flat_map(|bits| {
        [
            (format!("power, {bits} bits"), format!("tss/modexp/{bits}")),
            (format!("each of 8, {bits} bits"), format!("tss/modexp_batch8/{bits}")),
        ]
    });
    let (head, names): (Vec<_>, Vec<_>) = core::iter::once(prime).chain(powers).unzip();
    let caption = "Prime generation and powers, by engine";
    let mut grid = Grid::new(["table-tss-bignum", caption, "engine"], head);
    grid.libraries(found, &names, ["", &best(), "products"]);
    grid.cite("");
    grid
}

/// One power by engine.
pub(super) fn power_plot(found: Found<'_>, scale: Scale) -> Drawing {
    let of = |who: &str| {
        let ms = |bits: &u32| Some(found.of(&format!("tss/modexp/{bits}"), who)?.middle() / 1e3);
        Some((who.to_owned(), scale.pick(SIZES).iter().map(ms).collect::<Option<Vec<f64>>>()?))
    };
    let series: Vec<_> = found.libraries().into_iter().filter_map(of).collect();
    let groups: Vec<String> = scale.pick(SIZES).iter().map(|bits| format!("{bits} bits")).collect();
    plot::bars(["plot-tss-powers", "One power, by engine", "ms"], &groups, &series)
}
