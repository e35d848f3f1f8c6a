//! The floor under each step of FROST: its multiplications, each at the time of the fastest way to make one.

use core::hint::black_box;

use quorate_curve::Curve;
use quorate_frost::KeySuite;

use super::{STEPS, name};
use crate::report::figure::{Figure, OURS, Unit, real};
use crate::report::floor;
use crate::report::run::in_turns;
use crate::{Operation, Routine, Size, Suite, median};

/// Multiplications of the generator and of other points in a step, of t signers of n. That the code makes as many is tested
/// beside the count of them.
fn operations(step: Operation, Size { t, n }: Size) -> Option<[f64; 2]> {
    let (t, n) = (f64::from(t), f64::from(n));
    match step {
        Operation::DealerKeygen => Some([1.0 + t + n, 0.0]),
        Operation::Round1 => Some([2.0, 0.0]),
        Operation::Round2 => Some([0.0, t]),
        Operation::Aggregate => Some([1.0, t + 1.0]),
        _ => None,
    }
}

/// Microseconds of a multiple of the generator, and of a term of a sum.
fn operations_of<S: KeySuite>(size: Size, runs: usize) -> [Vec<f64>; 2] {
    let terms = usize::from(size.t) + 1;
    let (scalars, points) = floor::terms::<S::Curve>(terms);
    let routines = [
        Routine::repeat(|| black_box(S::Curve::mul_base(&scalars[0]))),
        Routine::repeat(|| black_box(S::Curve::msm_vartime(&scalars, &points))),
    ];
    let timed = in_turns(routines.map(|routine| (Figure::time(""), routine)), runs);
    let [fixed, sum] = [&timed[0].samples, &timed[1].samples];
    [fixed.clone(), sum.iter().map(|us| us / real(terms)).collect()]
}

/// The fastest operations of a suite, for the sums of this size, and the floor of each step.
pub(super) fn measure(suite: Suite, size: Size, runs: usize) -> Vec<Figure> {
    macro_rules! of_suite {
        ($chosen:ident; $($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {
            match $chosen.name() {
                $($name => operations_of::<$suite>(size, runs),)*
                _ => return Vec::new(),
            }
        };
    }
    let samples = quorate::for_each_frost_suite!(of_suite, suite;);
    figures(suite.name(), size, samples)
}

fn figures(suite: &str, size: Size, samples: [Vec<f64>; 2]) -> Vec<Figure> {
    let [fixed, random] = samples.clone().map(median);
    let floors = STEPS.into_iter().filter_map(|(step, _)| {
        let [multiples, terms] = operations(step, size)?;
        let us = multiples * fixed + terms * random;
        Some(floor::figure(&name(suite, size, step), OURS, "", "", us))
    });
    // The two fastest multiplications: of the generator, and of one term of a sum over all signers.
    let operations = ["fixed", "random"].into_iter().zip(samples).map(|(operation, samples)| {
        let name = format!("frost/{suite}/{size}/floor_{operation}");
        Figure::new(name, Unit::Micros, samples)
    });
    operations.chain(floors).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::frost::counts;
    use crate::report::section::Found;

    /// The formulas are the counts of the code that runs.
    #[test]
    fn the_floor_counts_what_is_counted() {
        let size = Size { t: 7, n: 10 };
        let fixture = counts::fixture::<quorate::frost::ed25519::Ed25519Sha512>(size);
        for (step, _) in STEPS {
            let count = counts::count(&*fixture, step);
            let counted = [real(count.fixed), real(count.random)];
            assert_eq!(operations(step, size), Some(counted), "{}", step.name());
        }
        assert_eq!(operations(Operation::Verify, size), None);
    }

    #[test]
    fn the_distance_is_to_the_floor() {
        let size = Size { t: 2, n: 3 };
        let aggregate = name("ed25519", size, Operation::Aggregate);
        let mut figures = figures("ed25519", size, [vec![10.0], vec![20.0]]);
        figures.push(Figure::new(&aggregate, Unit::Micros, vec![140.0]));
        let found = Found(&figures);
        assert_eq!(found.floor(&aggregate, OURS), Some((70.0, 2.0)));
        let other = name("ed25519", Size { t: 7, n: 10 }, Operation::Aggregate);
        assert_eq!(found.floor(&other, OURS), None);
    }
}
