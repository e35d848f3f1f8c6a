//! Sums of multiples on the curve of Ed25519 in lanes, in variable time.

/// Defines the function `sum` over a field in lanes.
///
/// A macro and not a trait, since a processor's extension is enabled for a function by its name, which a trait's methods
/// cannot have. The surrounding module brings the field's names.
///
/// Fields carry what is added and subtracted, not what is multiplied. Their bounds allow what is done here before that:
/// two products are added, one is subtracted from another, and twice one from four times another.
macro_rules! sums {
    ($features:literal) => {
        use alloc::vec::Vec;

        use super::schedule::{Schedule, Step};
        use crate::edwards::{D2, Edwards, INVERSE_D};
        use crate::msm::Term;

        /// Points x = X/Z, y = Y/Z: Y - X, Y + X, Z, and T = XY/Z.
        struct Points {
            ymx: Number,
            ypx: Number,
            z: Number,
            t: Number,
        }

        /// Points to be added: Y - X, Y + X, 2Z and 2dT.
        struct Entries([Number; 4]);

        /// Multiples of each point in the table: 1, 3, ... 15 times.
        const MULTIPLES: usize = 8;
        /// Room for the sums of all positions of 256 bits.
        const SUMS: usize = 257 + LANES;

        /// Multiples of points.
        struct Table {
            /// The neutral point, which has the place zero.
            neutral: Row,
            /// 1, 3, ... 15 times each point, then sums of some of these: the places from one on.
            rows: Vec<Row>,
        }

        /// The sum of all terms.
        #[target_feature(enable = $features)]
        pub(super) fn sum(terms: &[Term<Edwards>]) -> Edwards {
            let constants = Constants { d2: constant(&D2), inverse_d: constant(&INVERSE_D) };
            let mut table = Table::new(terms, &constants);
            let schedule = Schedule::<LANES>::new(terms, table.rows.len() + 1);
            for mut steps in schedule.rounds() {
                let first = table.read(&steps.next().unwrap_or([0; LANES]));
                let mut sums = first.points(&constants);
                for step in steps {
                    sums.add(&table.read(&step));
                }
                table.rows.extend(sums.entries(&constants).rows());
            }
            let mut sums = Points::new(&[Edwards::IDENTITY; LANES]);
            for step in schedule.slices.iter().rev() {
                sums.double();
                sums.add(&table.read(step));
            }
            let join = |sum: Edwards, lane: &Edwards| sum.doubled(schedule.slice()).plus(lane);
            sums.points().iter().rev().fold(Edwards::IDENTITY, join)
        }

        impl Table {
            #[target_feature(enable = $features)]
            fn new(terms: &[Term<Edwards>], constants: &Constants) -> Self {
                let [neutral, ..] =
                    Points::new(&[Edwards::IDENTITY; LANES]).entries(constants).rows();
                let end = terms.len() * MULTIPLES;
                // The sums come after the multiples.
                let mut rows = Vec::with_capacity(end + SUMS);
                rows.resize(end, neutral);
                for (some, rows) in terms.chunks(LANES).zip(rows.chunks_mut(LANES * MULTIPLES)) {
                    let mut points = [Edwards::IDENTITY; LANES];
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
                Entries(from_rows(step.map(row), &step.map(|entry| entry & 1 == 1)))
            }
        }

        /// The curve's 2d and 1/d in all lanes.
        struct Constants {
            d2: Number,
            inverse_d: Number,
        }

        impl Points {
            #[target_feature(enable = $features)]
            fn new(points: &[Edwards; LANES]) -> Self {
                let z = from_bytes(&points.map(|point| point.z.encode()));
                let t = from_bytes(&points.map(|point| point.t.encode()));
                let ymx = from_bytes(&points.map(|point| (point.y - point.x).encode()));
                let ypx = from_bytes(&points.map(|point| (point.y + point.x).encode()));
                Self { ymx, ypx, z, t }
            }

            /// The points, with all coordinates twice what they are here.
            #[target_feature(enable = $features)]
            fn points(&self) -> [Edwards; LANES] {
                let (ymx, ypx) = (numbers(&self.ymx), numbers(&self.ypx));
                let (z, t) = (numbers(&self.z), numbers(&self.t));
                let mut points = [Edwards::IDENTITY; LANES];
                for ((((point, ymx), ypx), z), t) in
                    points.iter_mut().zip(ymx).zip(ypx).zip(z).zip(t)
                {
                    *point = Edwards { x: ypx - ymx, y: ypx + ymx, z: z.mul2(), t: t.mul2() };
                }
                points
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn entries(&self, constants: &Constants) -> Entries {
                let z2 = carried(&total(&self.z, &self.z));
                let t2d = carried(&product(&self.t, &constants.d2));
                Entries([self.ymx, self.ypx, z2, t2d])
            }

            /// "add-2008-hwcd-3", complete.
            #[inline]
            #[target_feature(enable = $features)]
            fn add(&mut self, Entries([ymx, ypx, z2, t2d]): &Entries) {
                let a = product(&self.ymx, ymx);
                let b = product(&self.ypx, ypx);
                let c = product(&self.t, t2d);
                let d = product(&self.z, z2);
                let (e, f) = (carried(&difference(&b, &a)), carried(&difference(&d, &c)));
                let (g, h) = (carried(&total(&d, &c)), carried(&total(&b, &a)));
                self.join(&e, &f, &g, &h);
            }

            /// "dbl-2008-hwcd" for a = -1, with E, F, G and H doubled, and the opposites of F and H. It is complete.
            #[inline]
            #[target_feature(enable = $features)]
            fn double(&mut self) {
                let (a, b) = (square(&self.ymx), square(&self.ypx));
                let zz = square(&self.z);
                let c = total(&zz, &zz);
                let g = product(&self.ymx, &self.ypx);
                let g = total(&g, &g);
                let (e, f) =
                    (carried(&difference(&b, &a)), carried(&difference(&total(&c, &c), &g)));
                self.join(&e, &f, &carried(&g), &carried(&total(&b, &a)));
            }

            /// The last steps of both.
            #[inline]
            #[target_feature(enable = $features)]
            fn join(&mut self, e: &Number, f: &Number, g: &Number, h: &Number) {
                let (x, y) = (product(e, f), product(g, h));
                self.ymx = carried(&difference(&y, &x));
                self.ypx = carried(&total(&y, &x));
                self.z = carried(&product(f, g));
                self.t = carried(&product(e, h));
            }
        }

        impl Entries {
            /// A row for each lane.
            #[inline]
            #[target_feature(enable = $features)]
            fn rows(&self) -> [Row; LANES] {
                to_rows(&self.0)
            }

            /// The points themselves, with all coordinates doubled.
            #[inline]
            #[target_feature(enable = $features)]
            fn points(&self, constants: &Constants) -> Points {
                let Self([ymx, ypx, z2, t2d]) = self;
                let t = carried(&product(&constants.inverse_d, t2d));
                Points { ymx: carried(&total(ymx, ymx)), ypx: carried(&total(ypx, ypx)), z: *z2, t }
            }
        }
    };
}
