//! Floors: the operations of a piece of work, each at the fastest time of one alone on this machine, in this run.
//!
//! A product is timed in a chain of its own kind, with nothing around it, in the engine's kernel for one number and in all
//! lanes of that for many; the least of all samples, for one number, is its price. A program that makes the same
//! operations with the same kernels cannot take less. The time above the floor goes to empty lanes, single numbers,
//! tables, divisions, inverses, hashes and encodings.

use core::hint::black_box;
use std::collections::BTreeMap;

use quorate_bignum::{Engine, Operation};
use quorate_curve::{Curve, Secp256k1, random_nonzero_scalar};

use super::figure::{Figure, OURS, Unit, real};
use super::section::{Found, Grid, Kind};
use crate::{Operations, Plan, Routine, generator};

/// Products in a row in one measurement.
const CHAIN: u32 = 64;
/// Terms of a sum of points, for the time of one.
const TERMS: usize = 64;
/// Scalars of a list of multiples of the generator.
const LIST: usize = 16;
/// How often a price that is too high is taken again.
const AGAIN: usize = 5;

/// The fastest times of an engine's products and of multiplications of points, in microseconds; each is measured when it is
/// first asked for.
pub(super) struct Prices {
    engine: Engine,
    /// Samples of each way to make an operation.
    samples: usize,
    products: BTreeMap<Operation, f64>,
    /// Of one multiplication on secp256k1: of the generator, of a term of a sum, of a point alone in constant time.
    points: Option<[f64; 3]>,
}

/// The least time of one operation, over some samples of a routine that makes `operations` of them.
fn least(routine: Routine<'_>, samples: usize, operations: f64) -> f64 {
    let mut plan = Plan::new(routine);
    (0..samples.max(1)).map(|_| plan.sample()).fold(f64::INFINITY, f64::min) / operations
}

impl Prices {
    /// Prices of this engine, from `samples` samples of each operation.
    pub(super) fn new(engine: Engine, samples: usize) -> Self {
        Self { engine, samples, products: BTreeMap::new(), points: None }
    }

    /// Microseconds of a product. The price of an operation that the engine does not have is infinite.
    pub(super) fn product(&mut self, operation: Operation) -> f64 {
        if let Some(&price) = self.products.get(&operation) {
            return price;
        }
        let price = self.product_now(operation);
        self.products.insert(operation, price);
        price
    }

    /// Times a product.
    fn product_now(&self, operation: Operation) -> f64 {
        let time = |many| {
            let mut chain = self.engine.repeated(operation, many)?;
            let numbers = f64::from(CHAIN) * real(chain.numbers());
            let routine = Routine::repeat(move || assert!(chain.run(CHAIN), "a defect"));
            Some(least(routine, self.samples, numbers))
        };
        [false, true].into_iter().filter_map(time).fold(f64::INFINITY, f64::min)
    }

    /// Takes the prices of these operations again. The lower ones are kept.
    fn again(&mut self, operations: &Operations) {
        for &operation in operations.products.keys() {
            let price = self.product(operation).min(self.product_now(operation));
            self.products.insert(operation, price);
        }
        let made = operations.points;
        if let Some(points) = self.points.as_mut().filter(|_| made.fixed + made.random > 0) {
            for (price, now) in points.iter_mut().zip(point_prices(self.samples)) {
                *price = price.min(now);
            }
        }
    }

    /// Every operation with its title, the number of them, and the microseconds of one at best.
    fn priced(&mut self, operations: &Operations) -> Vec<(String, f64, f64)> {
        let products = operations.products.iter();
        let mut all: Vec<_> = products
            .map(|(&operation, made)| {
                (title(operation), real(made.numbers), self.product(operation))
            })
            .collect();
        let made = operations.points;
        if made.fixed + made.random > 0 {
            let prices = *self.points.get_or_insert_with(|| point_prices(self.samples));
            let counts = [made.fixed, made.random - made.alone, made.alone];
            let points = POINTS.into_iter().zip(counts).zip(prices);
            all.extend(points.map(|((title, made), us)| (title.to_owned(), real(made), us)));
        }
        all
    }

    /// Microseconds that these operations take at best.
    fn sum(&mut self, operations: &Operations) -> f64 {
        self.priced(operations).into_iter().map(|(_, made, us)| made * us).sum()
    }

    /// Microseconds that these operations take at best, for one of `parts` parts, each of which took `measured`
    /// microseconds. If they cannot have taken so little, the machine was slow for all samples of a price: the prices are
    /// taken again.
    pub(super) fn floor(&mut self, operations: &Operations, parts: f64, measured: f64) -> f64 {
        for _ in 0..AGAIN {
            if self.sum(operations) / parts <= measured {
                break;
            }
            self.again(operations);
        }
        self.sum(operations) / parts
    }

    /// For one of the parts of the named work: the number of each operation, the time that it takes at best, and which
    /// part of the lanes is filled, as figures.
    pub(super) fn listed(&mut self, of: &str, operations: &Operations, parts: f64) -> Vec<Figure> {
        let all = self.priced(operations);
        let engine = self.engine.name();
        let figure = |prefix: &str, title: &str, unit, sample| {
            Figure::new(format!("{prefix}/{of}/{title}"), unit, vec![sample]).with(engine, "")
        };
        let listed = all.iter().flat_map(|(title, made, us)| {
            [
                figure("operations", title, Unit::Count, made / parts),
                figure("price", title, Unit::Micros, *us),
            ]
        });
        let filled = operations.filled();
        let filled = filled.map(|part| figure("operations", FILLED, Unit::Count, part));
        listed.chain(filled).collect()
    }
}

/// Random scalars, and the points of which they are the logarithms.
pub(super) fn terms<C: Curve>(count: usize) -> (Vec<C::Scalar>, Vec<C::Point>) {
    let mut rng = generator(11);
    let scalar = |_| random_nonzero_scalar::<C>(&mut rng).expect("a generator that works");
    let scalars: Vec<_> = (0..count).map(scalar).collect();
    let points = C::mul_base_many(&scalars).0;
    (scalars, points)
}

fn point_prices(samples: usize) -> [f64; 3] {
    type C = Secp256k1;
    let (scalars, points) = terms::<C>(TERMS);
    let one = Routine::repeat(|| black_box(C::mul_base(&scalars[0])));
    let list = Routine::repeat(|| black_box(C::mul_base_many(&scalars[..LIST])));
    let sum = Routine::repeat(|| black_box(C::msm_vartime(&scalars, &points)));
    let alone = Routine::repeat(|| black_box(C::mul(&points[0], &scalars[1])));
    let fixed = least(one, samples, 1.0).min(least(list, samples, real(LIST)));
    [fixed, least(sum, samples, real(TERMS)), least(alone, samples, 1.0)]
}

/// The name of the floor under a figure of ours.
pub(super) fn name(of: &str) -> String {
    format!("floor/{of}")
}

/// The floor under a figure.
pub(super) fn figure(of: &str, who: &str, engine: &str, level: &str, us: f64) -> Figure {
    Figure::new(name(of), Unit::Micros, vec![us]).of(who).with(engine, level)
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

/// The operations of some steps, with their titles and the names of their figures.
pub(super) fn table(found: Found<'_>, id: &str, caption: &str, steps: &[(&str, String)]) -> Grid {
    let made = |of: &str| format!("operations/{of}/");
    let mut titles: Vec<&str> = found
        .0
        .iter()
        .filter_map(|one| steps.iter().find_map(|step| one.name.strip_prefix(&made(&step.1))))
        .filter(|title| *title != FILLED)
        .collect();
    // Points come after products, and products in the order of their lengths.
    let place = |title: &&str| POINTS.iter().position(|point| point == title).map(|at| at + 1);
    let bits = |title: &str| title.split(' ').filter_map(|word| word.parse().ok()).next_back();
    titles.sort_by_key(|title| (place(title), bits(title).unwrap_or(0u32), title.len(), *title));
    titles.dedup();
    let head = core::iter::once("at best").chain(steps.iter().map(|step| step.0));
    let mut grid = Grid::new([id, caption, "operation"], head);
    for title in titles {
        let price = |step: &str| found.cell(&format!("price/{step}/{title}"), OURS);
        let cells = steps.iter().map(|(_, step)| {
            let made = found.middle(&(made(step) + title))?;
            Some(Unit::Count.show(if made >= 10.0 { made.round() } else { made }))
        });
        let price = steps.iter().find_map(|(_, step)| price(step));
        grid.row(Kind::Counted, title, core::iter::once(price).chain(cells));
    }
    let filled = steps.iter().map(|(_, step)| {
        let part = found.middle(&(made(step) + FILLED))?;
        Some(format!("{:.0} %", part * 100.0))
    });
    grid.row(Kind::Counted, FILLED, core::iter::once(Some(String::new())).chain(filled));
    grid
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
        prices.points = Some([100.0, 1000.0, 10_000.0]);
        prices
    }

    #[test]
    fn a_floor_is_the_sum_of_its_operations() {
        // Lanes without a number cost nothing, and neither do multiples by a few bits.
        let floor = prices().floor(&operations(), 2.0, 1e9);
        assert!((floor - (60.0 + 300.0 + 4000.0 + 10_000.0) / 2.0).abs() < 1e-9, "{floor}");
        assert!(prices().floor(&Operations::default(), 1.0, 0.0).abs() < 1e-9);
    }

    /// A price that was taken in a slow moment is taken again, and a right one stays.
    #[test]
    fn prices_above_what_was_measured_are_taken_again() {
        let mut prices = prices();
        let operation = *operations().products.keys().next().unwrap();
        let right = prices.product_now(operation);
        prices.products.insert(operation, right * 100.0);
        prices.points = Some([1e9, 1e9, 1e-3]);
        let floor = prices.floor(&operations(), 1.0, 1.0);
        assert!(prices.product(operation) < right * 50.0);
        let [fixed, random, alone] = prices.points.unwrap();
        assert!(fixed < 1e8 && random < 1e8 && (alone - 1e-3).abs() < 1e-12);
        // What was measured is less than any machine needs, and does not become the floor.
        assert!(floor > 1.0);
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
        let name = "x/presign";
        let mut figures = prices().listed(name, &operations(), 2.0);
        figures.push(figure(name, OURS, "", "", 200.0));
        figures.push(Figure::new(name, Unit::Micros, vec![300.0]));
        let found = Found(&figures);
        assert_eq!(found.floor(name, OURS), Some((200.0, 1.5)));
        let names = [name.to_owned(), "x/sign".to_owned()];
        let mut rows = Grid::new([""; 3], [""; 2]);
        rows.libraries(found, &names, ["", OURS, "products"]);
        assert_eq!(rows.rows[1].cells, ["200 µs (ours 1.50 ×)", "–"]);
        let table = table(found, "table-x", "", &[("presign", name.to_owned())]);
        let rows: Vec<_> = table.rows.iter().map(|row| (row.label.as_str(), &*row.cells)).collect();
        let expected = [
            ("square modulo 1024 bits", ["10 µs", "3"]),
            (POINTS[0], ["100 µs", "1.50"]),
            (POINTS[1], ["1 ms", "2"]),
            (POINTS[2], ["10 ms", "0.500"]),
            (FILLED, ["", "75 %"]),
        ];
        let expected = expected.map(|(title, cells)| (title, cells.map(str::to_owned)));
        assert_eq!(rows.len(), expected.len());
        for ((title, cells), row) in expected.iter().zip(rows) {
            assert_eq!(row, (*title, &cells[..]));
        }
    }
}
