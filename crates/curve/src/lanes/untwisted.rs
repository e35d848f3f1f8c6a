//! Points of the curve of Ed448 in lanes.

/// Defines `Points`, `Entries` and `Constants` over a field in lanes.
///
/// Fields carry what is added and subtracted, not what is multiplied. Their bounds allow what is done here before that:
/// two carried numbers or two products are added, and such a sum is subtracted from a product.
macro_rules! untwisted {
    ($features:literal) => {
        use super::points448::{D, INVERSE_D, Projective};

        /// Points x = X/Z, y = Y/Z, and T = XY/Z.
        struct Points {
            x: Number,
            y: Number,
            z: Number,
            t: Number,
        }

        /// Points to be added: X, Y, Z and dT.
        struct Entries([Number; 4]);

        /// The curve's d and 1/d in all lanes.
        struct Constants {
            d: Number,
            inverse_d: Number,
        }

        impl Constants {
            #[target_feature(enable = $features)]
            fn new() -> Self {
                Self { d: constant(&D), inverse_d: constant(&INVERSE_D) }
            }
        }

        impl Points {
            #[target_feature(enable = $features)]
            fn new(points: &[Projective; LANES]) -> Self {
                let x = from_bytes(&points.map(|point| point.x.encode()));
                let y = from_bytes(&points.map(|point| point.y.encode()));
                let z = from_bytes(&points.map(|point| point.z.encode()));
                Self {
                    x: carried(&product(&x, &z)),
                    y: carried(&product(&y, &z)),
                    z: carried(&square(&z)),
                    t: carried(&product(&x, &y)),
                }
            }

            #[target_feature(enable = $features)]
            fn points(&self) -> [Projective; LANES] {
                let (x, y, z) = (numbers(&self.x), numbers(&self.y), numbers(&self.z));
                let mut points = [Projective::IDENTITY; LANES];
                for (((point, x), y), z) in points.iter_mut().zip(x).zip(y).zip(z) {
                    *point = Projective { x, y, z };
                }
                points
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn entries(&self, constants: &Constants) -> Entries {
                Entries([self.x, self.y, self.z, carried(&product(&self.t, &constants.d))])
            }

            /// "add-2008-hwcd" for a = 1, complete.
            #[inline]
            #[target_feature(enable = $features)]
            fn add(&mut self, Entries([x, y, z, td]): &Entries) {
                let (a, b) = (product(&self.x, x), product(&self.y, y));
                let (c, d) = (product(&self.t, td), product(&self.z, z));
                let both = product(&factor(&self.x, &self.y), &total(x, y));
                let e = carried(&difference(&both, &total(&a, &b)));
                let (f, g) = (carried(&difference(&d, &c)), carried(&total(&d, &c)));
                let h = carried(&difference(&b, &a));
                self.join(&e, &f, &g, &h);
            }

            /// "dbl-2008-hwcd" for a = 1, complete.
            #[inline]
            #[target_feature(enable = $features)]
            fn double(&mut self) {
                let (a, b, zz) = (square(&self.x), square(&self.y), square(&self.z));
                let g = total(&a, &b);
                let e = carried(&difference(&square(&factor(&self.x, &self.y)), &g));
                let f = carried(&difference(&g, &total(&zz, &zz)));
                self.join(&e, &f, &carried(&g), &carried(&difference(&a, &b)));
            }

            /// The last steps of both.
            #[inline]
            #[target_feature(enable = $features)]
            fn join(&mut self, e: &Number, f: &Number, g: &Number, h: &Number) {
                self.x = carried(&product(e, f));
                self.y = carried(&product(g, h));
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

            /// The points themselves.
            #[inline]
            #[target_feature(enable = $features)]
            fn points(&self, constants: &Constants) -> Points {
                let Self([x, y, z, td]) = self;
                let t = carried(&product(&constants.inverse_d, td));
                // That of a point to be subtracted is not carried.
                Points { x: carried(x), y: *y, z: *z, t }
            }
        }
    };
}
