//! The operations of a piece of work, as an engine and a curve count them that were asked to.

use quorate_bignum::{Made, Products};
use quorate_testkit::counting::{self, Multiplications};

/// Products of big numbers, and multiplications of points.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// Montgomery products, by kind.
    pub products: Products,
    /// Multiplications of points.
    pub points: Multiplications,
}

impl Operations {
    /// The result of `work`, and what it does with a counting engine and over a counting curve.
    pub fn of<T>(work: impl FnOnce() -> T) -> (T, Self) {
        let ((done, points), products) = quorate_bignum::counted(|| counting::counted(work));
        (done, Self { products, points })
    }

    /// Adds others.
    pub fn add(&mut self, more: &Self) {
        self.points += more.points;
        for (&operation, &Made { numbers, lanes }) in &more.products {
            let one = self.products.entry(operation).or_default();
            one.numbers += numbers;
            one.lanes += lanes;
        }
    }

    /// The sum of all.
    #[must_use]
    pub fn sum<'a>(all: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut sum = Self::default();
        all.into_iter().for_each(|one| sum.add(one));
        sum
    }

    /// The part of the lanes that held a wanted number, or none where there were no lanes.
    #[must_use]
    pub fn filled(&self) -> Option<f64> {
        let sum = |of: fn(&Made) -> u64| self.products.values().map(of).sum::<u64>();
        let (numbers, lanes) = (sum(|one| one.numbers), sum(|one| one.lanes));
        #[allow(clippy::cast_precision_loss, reason = "counts of a run")]
        (lanes > 0).then(|| numbers as f64 / lanes as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quorate_bignum::Operation;

    #[test]
    fn sums_and_lanes() {
        let operation = Operation { bits: 1024, rooted: false, square: true };
        let made = |numbers, lanes| Operations {
            products: [(operation, Made { numbers, lanes })].into(),
            points: Multiplications { fixed: 1, ..Multiplications::default() },
        };
        let sum = Operations::sum(&[made(5, 8), made(1, 8)]);
        assert_eq!(
            (sum.products[&operation], sum.points.fixed),
            (Made { numbers: 6, lanes: 16 }, 2)
        );
        assert_eq!((sum.filled(), Operations::default().filled()), (Some(0.375), None));
    }

    #[test]
    fn nobody_counts_who_was_not_asked() {
        use crate::bignum::{Contender, Inputs, Op};
        use quorate_bignum::Engine;
        let inputs = Inputs::new(1024);
        for engine in [Engine::portable(), Engine::detect()] {
            let count = |engine| {
                let mut work = Op::Modexp.work(Contender::Engine(engine), &inputs).unwrap();
                Operations::of(|| (work.run)()).1.products.len()
            };
            assert_eq!((count(engine), count(engine.counting())), (0, 2), "{engine}");
        }
    }
}
