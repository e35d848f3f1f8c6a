//! The floor under each step of FROST: its multiplications, each at the time of the fastest way to make one.

use core::hint::black_box;

use quorate_curve::{Curve, random_nonzero_scalar};
use quorate_frost::KeySuite;

use super::{OURS, name};
use crate::report::figure::{Figure, Middle, Unit};
use crate::report::run::in_turns;
use crate::report::section::{Found, Kind, Row};
use crate::{Routine, Size, Step, Suite, generator};

/// The names of the two fastest multiplications: of the generator, and of one term of a sum over all signers.
const OPERATIONS: [&str; 2] = ["fixed", "random"];

/// Multiplications of the generator and of other points in a step, of t signers of n. That the code makes as many is tested
/// beside the count of them.
fn operations(step: Step, Size { t, n }: Size) -> Option<[f64; 2]> {
    let (t, n) = (f64::from(t), f64::from(n));
    match step {
        Step::DealerKeygen => Some([1.0 + t + n, 0.0]),
        Step::Round1 => Some([2.0, 0.0]),
        Step::Round2 => Some([0.0, t]),
        Step::Aggregate => Some([1.0, t + 1.0]),
        _ => None,
    }
}

fn figure_name(suite: &str, size: Size, operation: &str) -> String {
    format!("frost/{suite}/{}-of-{}/floor_{operation}", size.t, size.n)
}

#[allow(clippy::cast_precision_loss, reason = "small counts")]
fn each(samples: Vec<f64>, of: usize) -> Vec<f64> {
    samples.into_iter().map(|us| us / of as f64).collect()
}

/// Microseconds of a multiple of the generator, and of a term of a sum.
fn operations_of<S: KeySuite>(size: Size, runs: usize) -> [Vec<f64>; 2] {
    type Scalars<S> = Vec<<<S as KeySuite>::Curve as Curve>::Scalar>;
    let terms = usize::from(size.t) + 1;
    let mut rng = generator(11);
    let scalars: Scalars<S> = (0..terms)
        .map(|_| random_nonzero_scalar::<S::Curve>(&mut rng).expect("a generator that works"))
        .collect();
    let points = S::Curve::mul_base_many(&scalars).0;
    let routines = vec![
        Routine::repeat(|| black_box(S::Curve::mul_base(&scalars[0]))),
        Routine::repeat(|| black_box(S::Curve::msm_vartime(&scalars, &points))),
    ];
    let mut samples = in_turns(routines, runs).into_iter();
    let mut next = |of| each(samples.next().unwrap_or_default(), of);
    [next(1), next(terms)]
}

/// The fastest operations of a suite, for sums of so many terms.
pub(super) fn measure(suite: Suite, size: Size, runs: usize) -> Vec<Figure> {
    macro_rules! of_suite {
        ($chosen:ident; $($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {
            match $chosen.name() {
                $($name => operations_of::<$suite>(size, runs),)*
                _ => return Vec::new(),
            }
        };
    }
    let operations = quorate::for_each_frost_suite!(of_suite, suite;);
    OPERATIONS
        .into_iter()
        .zip(operations)
        .map(|(operation, samples)| Figure {
            name: figure_name(suite.name(), size, operation),
            who: OURS.to_owned(),
            engine: String::new(),
            level: String::new(),
            unit: Unit::Micros,
            by: Middle::Median,
            samples,
        })
        .collect()
}

/// The floor of a step in microseconds.
fn floor(found: &Found<'_>, suite: &str, step: Step, size: Size) -> Option<f64> {
    let counts = operations(step, size)?;
    let cost = |operation| Some(found.of(&figure_name(suite, size, operation), OURS)?.middle());
    let costs = OPERATIONS.map(cost);
    counts.into_iter().zip(costs).map(|(count, cost)| Some(count * cost?)).sum()
}

/// The row under ours: the floor, and how many times as long our step takes.
pub(super) fn row(found: &Found<'_>, suite: &str, step: Step, sizes: &[Size]) -> Row {
    let cell = |size: &Size| {
        let floor = floor(found, suite, step, *size)?;
        let ours = found.of(&name(suite, *size, step), OURS)?.middle();
        Some(format!("{} (ours {:.2} ×)", Unit::Micros.show(floor), ours / floor))
    };
    let cells = sizes.iter().map(|size| cell(size).unwrap_or_else(|| "–".to_owned())).collect();
    Row::new(Kind::Counted, format!("{suite}: floor, multiplications alone"), cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::frost::counts;

    /// The formulas are the counts of the code that runs.
    #[test]
    fn the_floor_counts_what_is_counted() {
        let size = Size { t: 7, n: 10 };
        let counts = counts::<quorate::frost::ed25519::Ed25519Sha512>(size);
        for (step, count) in [
            (Step::DealerKeygen, counts.dealing),
            (Step::Round1, counts.round1),
            (Step::Round2, counts.round2),
            (Step::Aggregate, counts.aggregate),
        ] {
            #[allow(clippy::cast_precision_loss, reason = "small counts")]
            let counted = [count.fixed as f64, count.random as f64];
            assert_eq!(operations(step, size), Some(counted), "{}", step.name());
        }
        assert_eq!(operations(Step::Verify, size), None);
    }

    #[test]
    fn the_distance_is_to_the_floor() {
        let size = Size { t: 2, n: 3 };
        let figure = |name: String, us| Figure {
            name,
            who: OURS.to_owned(),
            engine: String::new(),
            level: String::new(),
            unit: Unit::Micros,
            by: Middle::Median,
            samples: vec![us],
        };
        let figures = [
            figure(figure_name("ed25519", size, "fixed"), 10.0),
            figure(figure_name("ed25519", size, "random"), 20.0),
            figure(name("ed25519", size, Step::Aggregate), 140.0),
        ];
        let row = row(&Found(&figures), "ed25519", Step::Aggregate, &[size, Size { t: 7, n: 10 }]);
        assert_eq!(row.cells, ["70 µs (ours 2.00 ×)", "–"]);
    }
}
