//! Sums of multiples in lanes, in variable time.

/// Defines the function `sum` for a curve and a field in lanes.
///
/// A macro and not a trait, since a processor's extension is enabled for a function by its name, which a trait's methods
/// cannot have. The surrounding module brings the field's names, and the formulas, by another macro.
macro_rules! sums {
    ($features:literal, $point:ty) => {
        use alloc::vec::Vec;

        use super::schedule::{Schedule, Step};
        use crate::msm::Term;

        /// Multiples of each point in the table: 1, 3, ... 15 times.
        const MULTIPLES: usize = 8;

        /// Multiples of points.
        struct Table {
            /// The neutral point, which has the place zero.
            neutral: Row,
            /// 1, 3, ... 15 times each point, then sums of some of these: the places from one on.
            rows: Vec<Row>,
        }

        /// The sum of all terms.
        #[target_feature(enable = $features)]
        pub(super) fn sum(terms: &[Term<$point>]) -> $point {
            let constants = Constants::new();
            let schedule = Schedule::<LANES>::new(terms, terms.len() * MULTIPLES + 1);
            let mut table = Table::new(terms, &constants, schedule.rounds().count() * LANES);
            for mut steps in schedule.rounds() {
                let first = table.read(&steps.next().unwrap_or([0; LANES]));
                let mut sums = first.points(&constants);
                for step in steps {
                    sums.add(&table.read(&step));
                }
                table.rows.extend(sums.entries(&constants).rows());
            }
            let mut sums = Points::new(&[<$point>::IDENTITY; LANES]);
            for step in schedule.slices.iter().rev() {
                sums.double();
                sums.add(&table.read(step));
            }
            let join = |sum: $point, lane: &$point| sum.doubled(schedule.slice()).plus(lane);
            sums.points().iter().rev().fold(<$point>::IDENTITY, join)
        }

        impl Table {
            /// The multiples of all points, and room for as many sums.
            #[target_feature(enable = $features)]
            fn new(terms: &[Term<$point>], constants: &Constants, sums: usize) -> Self {
                let [neutral, ..] =
                    Points::new(&[<$point>::IDENTITY; LANES]).entries(constants).rows();
                let end = terms.len() * MULTIPLES;
                let mut rows = Vec::with_capacity(end + sums);
                rows.resize(end, neutral);
                for (some, rows) in terms.chunks(LANES).zip(rows.chunks_mut(LANES * MULTIPLES)) {
                    let mut points = [<$point>::IDENTITY; LANES];
                    for (point, term) in points.iter_mut().zip(some) {
                        *point = term.point;
                    }
                    let mut last = Points::new(&points);
                    let mut twice = Points { ..last };
                    twice.double();
                    let twice = twice.entries(constants);
                    for multiple in 0..MULTIPLES {
                        if multiple > 0 {
                            last.add(&twice);
                        }
                        let of_points = rows.iter_mut().skip(multiple).step_by(MULTIPLES);
                        for (place, row) in of_points.zip(last.entries(constants).rows()) {
                            *place = row;
                        }
                    }
                }
                Self { neutral, rows }
            }

            /// The entries of a step.
            #[inline]
            #[target_feature(enable = $features)]
            fn read(&self, step: &Step<LANES>) -> Entries {
                let row = |entry: u32| {
                    let place =
                        usize::try_from(entry >> 1).ok().and_then(|place| place.checked_sub(1));
                    place.and_then(|at| self.rows.get(at)).unwrap_or(&self.neutral)
                };
                let (mut rows, mut negative) = ([&self.neutral; LANES], [false; LANES]);
                for ((at, sign), &entry) in rows.iter_mut().zip(&mut negative).zip(step) {
                    (*at, *sign) = (row(entry), entry & 1 == 1);
                }
                Entries(from_rows(&rows, &negative))
            }
        }
    };
}
