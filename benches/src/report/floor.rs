//! Floors: the operations of a piece of work, each at the fastest time of one alone on this machine, in this run.
//!
//! A product is timed in a chain of its own kind, with nothing around it, in the engine's kernel for one number and in all
//! lanes of that for many; the least of all samples, for one number, is its price. So nobody who makes the same operations
//! with the same kernels takes less, and what a step takes above its floor goes to lanes without a number, numbers on their
//! own, tables, divisions, inverses, hashes and encodings.

use core::hint::black_box;
use std::collections::BTreeMap;

use quorate_bignum::{Engine, Operation};
use quorate_curve::{Curve, Secp256k1, random_nonzero_scalar};

use super::figure::{Figure, Middle, Unit};
use super::section::{Found, Grid, Kind, Row};
use crate::{Operations, Plan, Routine, generator};

/// The library of these figures.
const OURS: &str = "quorate";
/// Products in a row in one measurement.
const CHAIN: u32 = 64;
/// Terms of a sum of points, for the time of one.
const TERMS: usize = 64;
/// Scalars of a list of multiples of the generator.
const LIST: usize = 16;

/// Times of one multiplication on secp256k1, in microseconds: of the generator, of a term of a sum, of a point alone in constant time.
#[derive(Clone, Copy, Debug)]
struct PointPrices {
    fixed: f64,
    term: f64,
    alone: f64,
}

/// The fastest times of an engine's products and of multiplications of points, in microseconds; each is measured when it is
/// first asked for.
pub struct Prices {
    engine: Engine,
    /// Samples of each way to make an operation.
    samples: usize,
    products: BTreeMap<Operation, f64>,
    points: Option<PointPrices>,
}

fn count(of: u64) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "operations of a run")]
    {
        of as f64
    }
}

fn size(of: usize) -> f64 {
    count(u64::try_from(of).unwrap_or(u64::MAX))
}

/// The least of some samples of a routine that makes so many operations.
fn least(routine: Routine<'_>, samples: usize, operations: f64) -> f64 {
    let mut plan = Plan::new(routine);
    (0..samples.max(1)).map(|_| plan.sample()).fold(f64::INFINITY, f64::min) / operations
}

impl Prices {
    /// Prices of this engine, from so many samples of each operation.
    #[must_use]
    pub fn new(engine: Engine, samples: usize) -> Self {
        Self { engine, samples, products: BTreeMap::new(), points: None }
    }

    /// Microseconds of a product. None are free: an operation that the engine does not have takes for ever.
    pub fn product(&mut self, operation: Operation) -> f64 {
        let Self { engine, samples, products, .. } = self;
        *products.entry(operation).or_insert_with(|| {
            let time = |many| {
                let mut chain = engine.repeated(operation, many)?;
                let numbers = f64::from(CHAIN) * size(chain.numbers());
                let routine = Routine::repeat(move || assert!(chain.run(CHAIN), "a defect"));
                Some(least(routine, *samples, numbers))
            };
            [false, true].into_iter().filter_map(time).fold(f64::INFINITY, f64::min)
        })
    }

    fn points(&mut self) -> PointPrices {
        *self.points.get_or_insert_with(|| point_prices(self.samples))
    }

    /// Microseconds that these operations take at best.
    pub fn floor(&mut self, operations: &Operations) -> f64 {
        let products: f64 = operations
            .products
            .iter()
            .map(|(operation, made)| count(made.numbers) * self.product(*operation))
            .sum();
        let made = operations.points;
        if made.fixed + made.random == 0 {
            return products;
        }
        let PointPrices { fixed, term, alone } = self.points();
        let terms = made.random - made.alone;
        products + size(made.fixed) * fixed + size(terms) * term + size(made.alone) * alone
    }
}

/// On secp256k1.
fn point_prices(samples: usize) -> PointPrices {
    type C = Secp256k1;
    let mut rng = generator(11);
    let scalars: Vec<<C as Curve>::Scalar> = (0..TERMS)
        .map(|_| random_nonzero_scalar::<C>(&mut rng).expect("a generator that works"))
        .collect();
    let points = C::mul_base_many(&scalars).0;
    let one = Routine::repeat(|| black_box(C::mul_base(&scalars[0])));
    let list = Routine::repeat(|| black_box(C::mul_base_many(&scalars[..LIST])));
    let sum = Routine::repeat(|| black_box(C::msm_vartime(&scalars, &points)));
    let alone = Routine::repeat(|| black_box(C::mul(&points[0], &scalars[1])));
    PointPrices {
        fixed: least(one, samples, 1.0).min(least(list, samples, size(LIST))),
        term: least(sum, samples, size(TERMS)),
        alone: least(alone, samples, 1.0),
    }
}

/// The name of the floor under a figure of ours.
#[must_use]
pub fn name(of: &str) -> String {
    format!("floor/{of}")
}

/// The floor under a figure.
#[must_use]
pub fn figure(of: &str, who: &str, engine: &str, level: &str, us: f64) -> Figure {
    Figure {
        name: name(of),
        who: who.to_owned(),
        engine: engine.to_owned(),
        level: level.to_owned(),
        unit: Unit::Micros,
        by: Middle::Median,
        samples: vec![us],
    }
}

/// The floor under a figure of a library, and how many times as long the figure is.
#[must_use]
pub(super) fn of(found: &Found<'_>, name: &str, who: &str) -> Option<(f64, f64)> {
    let floor = found.of(&self::name(name), who)?.middle();
    Some((floor, found.of(name, who)?.middle() / floor))
}

/// The row under ours: the floor of each figure, and how many times as long ours takes.
#[must_use]
pub(super) fn row(found: &Found<'_>, label: String, who: &str, names: &[String]) -> Row {
    let cell = |name: &String| {
        let (floor, distance) = of(found, name, who)?;
        Some(format!("{} (ours {distance:.2} ×)", Unit::Micros.show(floor)))
    };
    let cells = names.iter().map(|name| cell(name).unwrap_or_else(|| "–".to_owned())).collect();
    Row::new(Kind::Counted, label, cells)
}

/// Multiplications of points, as they are read.
const POINTS: [&str; 3] =
    ["multiple of the generator", "term of a sum of points", "other multiple of a point"];
/// The part of the lanes that is filled.
const FILLED: &str = "lanes filled";

/// A kind of product as it is read.
fn title(Operation { bits, rooted, square }: Operation) -> String {
    let kind = if square { "square" } else { "product" };
    let of = if rooted { "the square of a known number, " } else { "" };
    format!("{kind} modulo {of}{bits} bits")
}

impl Prices {
    /// How often each operation is made in one of so many parts of the work of this name, what it takes at best, and which
    /// part of the lanes is filled, as figures.
    #[must_use]
    pub fn listed(&mut self, of: &str, operations: &Operations, parts: f64) -> Vec<Figure> {
        let products = operations.products.iter();
        let mut all: Vec<(String, u64, f64)> = products
            .map(|(&operation, made)| (title(operation), made.numbers, self.product(operation)))
            .collect();
        let made = operations.points;
        if made.fixed + made.random > 0 {
            let PointPrices { fixed, term, alone } = self.points();
            let counts = [made.fixed, made.random - made.alone, made.alone];
            let points = POINTS.into_iter().zip(counts).zip([fixed, term, alone]);
            let points =
                points.map(|((title, made), price)| (title.to_owned(), made as u64, price));
            all.extend(points);
        }
        let engine = self.engine.name();
        let figure = |prefix: &str, title: &str, unit, sample: f64| Figure {
            name: format!("{prefix}/{of}/{title}"),
            unit,
            samples: vec![sample],
            ..figure(of, OURS, engine, "", 0.0)
        };
        let filled =
            operations.filled().map(|part| figure("operations", FILLED, Unit::Count, part));
        let listed = all.iter().flat_map(|(title, made, price)| {
            [
                figure("operations", title, Unit::Count, count(*made) / parts),
                figure("price", title, Unit::Micros, *price),
            ]
        });
        listed.chain(filled).collect()
    }
}

/// The operations of some steps, with their titles and the names of their figures.
#[must_use]
pub(super) fn table(found: &Found<'_>, id: &str, caption: &str, steps: &[(&str, String)]) -> Grid {
    let mut titles: Vec<&str> = Vec::new();
    for (_, of) in steps {
        let prefix = format!("operations/{of}/");
        let made = found.0.iter().filter_map(|figure| figure.name.strip_prefix(&prefix));
        titles.extend(made.filter(|title| *title != FILLED));
    }
    // Points come after products, and products in the order of their lengths.
    let place = |title: &&str| POINTS.iter().position(|point| point == title).map(|at| at + 1);
    let bits = |title: &str| title.split(' ').filter_map(|word| word.parse().ok()).next_back();
    titles.sort_by_key(|title| (place(title), bits(title).unwrap_or(0u32), title.len(), *title));
    titles.dedup();
    let of =
        |prefix: &str, of: &str, title: &str| found.of(&format!("{prefix}/{of}/{title}"), OURS);
    let row = |title: &&str| {
        let price = steps.iter().find_map(|(_, step)| of("price", step, title));
        let price = price.map_or("–".to_owned(), Figure::cell);
        let made = |(_, step): &(&str, String)| {
            of("operations", step, title).map_or("–".to_owned(), |made| {
                let made = made.middle();
                Unit::Count.show(if made >= 10.0 { made.round() } else { made })
            })
        };
        let cells = core::iter::once(price).chain(steps.iter().map(made)).collect();
        Row::new(Kind::Counted, *title, cells)
    };
    let mut rows: Vec<Row> = titles.iter().map(row).collect();
    let filled = |(_, step): &(&str, String)| {
        of("operations", step, FILLED)
            .map_or("–".to_owned(), |part| format!("{:.0} %", part.middle() * 100.0))
    };
    let cells = core::iter::once(String::new()).chain(steps.iter().map(filled)).collect();
    rows.push(Row::new(Kind::Counted, FILLED, cells));
    let head = ["operation", "at best"].into_iter().chain(steps.iter().map(|step| step.0));
    Grid {
        id: id.to_owned(),
        caption: caption.to_owned(),
        head: head.map(str::to_owned).collect(),
        rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quorate_bignum::Made;
    use quorate_testkit::counting::Multiplications;

    fn operations() -> Operations {
        let operation = Operation { bits: 1024, rooted: false, square: true };
        let points = Multiplications { fixed: 3, random: 5, alone: 1, small: 7 };
        Operations { products: [(operation, Made { numbers: 6, lanes: 8 })].into(), points }
    }

    fn prices() -> Prices {
        let mut prices = Prices::new(Engine::portable(), 1);
        prices.products.insert(Operation { bits: 1024, rooted: false, square: true }, 10.0);
        prices.points = Some(PointPrices { fixed: 100.0, term: 1000.0, alone: 10_000.0 });
        prices
    }

    #[test]
    fn a_floor_is_the_sum_of_its_operations() {
        // Lanes without a number cost nothing, and neither do multiples by a few bits.
        let floor = prices().floor(&operations());
        assert!((floor - (60.0 + 300.0 + 4000.0 + 10_000.0)).abs() < 1e-9, "{floor}");
        assert!(prices().floor(&Operations::default()).abs() < 1e-9);
    }

    /// Every kernel of every engine is timed, and one in lanes is worth it where there are lanes.
    #[test]
    fn every_operation_has_a_price() {
        for engine in [Engine::portable(), Engine::detect()] {
            for square in [false, true] {
                let mut prices = Prices::new(engine, 1);
                let mut price = |bits, rooted| prices.product(Operation { bits, rooted, square });
                let [short, long] = [price(512, false), price(2048, false)];
                assert!(short > 0.0 && short < long && long.is_finite(), "{engine}");
                let pair = price(2048, true);
                assert!(if engine.name() == "ifma" { pair < long } else { pair.is_infinite() });
            }
        }
    }

    #[test]
    fn operations_are_listed() {
        let mut figures = prices().listed("x/presign", &operations(), 2.0);
        figures.push(figure("x/presign", OURS, "", "", 200.0));
        figures.push(Figure { name: "x/presign".into(), ..figure("", OURS, "", "", 300.0) });
        let found = Found(&figures);
        assert_eq!(of(&found, "x/presign", OURS), Some((200.0, 1.5)));
        let cells = row(&found, String::new(), OURS, &["x/presign".into(), "x/sign".into()]).cells;
        assert_eq!(cells, ["200 µs (ours 1.50 ×)", "–"]);
        let table = table(&found, "table-x", "", &[("presign", "x/presign".to_owned())]);
        let rows: Vec<(&str, [&str; 2])> = table
            .rows
            .iter()
            .map(|row| (row.label.as_str(), [row.cells[0].as_str(), row.cells[1].as_str()]))
            .collect();
        let expected = [
            ("square modulo 1024 bits", ["10 µs", "3"]),
            (POINTS[0], ["100 µs", "1.50"]),
            (POINTS[1], ["1 ms", "2"]),
            (POINTS[2], ["10 ms", "0.500"]),
            (FILLED, ["", "75 %"]),
        ];
        assert_eq!(rows, expected);
    }
}
