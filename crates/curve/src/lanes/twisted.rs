//! Points of the curve of Ed25519 in lanes.

/// Defines `Points`, `Entries` and `Constants` over a field in lanes.
///
/// Fields carry what is added and subtracted, not what is multiplied. Their bounds allow what is done here before that:
/// two products are added, one is subtracted from another, and twice one from four times another.
macro_rules! twisted {
    ($features:literal) => {
        use crate::edwards::{D2, Edwards, INVERSE_D};

        /// Points x = X/Z, y = Y/Z: Y - X, Y + X, Z, and T = XY/Z.
        struct Points {
            ymx: Number,
            ypx: Number,
            z: Number,
            t: Number,
        }

        /// Points to be added: Y - X, Y + X, 2Z and 2dT.
        struct Entries([Number; 4]);

        /// The curve's 2d and 1/d in all lanes.
        struct Constants {
            d2: Number,
            inverse_d: Number,
        }

        impl Constants {
            #[target_feature(enable = $features)]
            fn new() -> Self {
                Self { d2: constant(&D2), inverse_d: constant(&INVERSE_D) }
            }
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
