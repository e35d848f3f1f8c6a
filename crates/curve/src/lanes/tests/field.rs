//! Tests of a field in lanes.

/// Defines `check_field`: every operation against the field's own, for limbs up to the bounds of its documentation.
macro_rules! field_tests {
    ($features:literal, $field:ident, $base:ident) => {
        use crrl::field::$base;

        use super::tests::field::{Bounds, Powers, patterns};
        use super::$field::{lanes, splat};

        /// The values of the lanes.
        #[allow(clippy::indexing_slicing, reason = "as the field itself")]
        #[target_feature(enable = $features)]
        fn values(number: &Number) -> [$base; LANES] {
            let limbs = number.map(|limb| lanes(limb));
            core::array::from_fn(|lane| {
                $base::value(&Bounds::$field().places, &limbs.map(|limb| limb[lane]))
            })
        }

        /// Fails if a limb is not below its bound, or if the lanes' values are not this one.
        #[target_feature(enable = $features)]
        fn check(number: &Number, bounds: &[u64], expected: $base) {
            for (limb, bound) in number.iter().zip(bounds) {
                assert!(lanes(*limb).iter().all(|limb| limb < bound), "bound");
            }
            assert!(values(number).iter().all(|value| value.equals(expected) != 0), "value");
        }

        #[allow(clippy::indexing_slicing, reason = "as the field itself")]
        #[target_feature(enable = $features)]
        pub(super) fn check_field() {
            let bounds = Bounds::$field();
            let all = |bounds: &[u64]| patterns(bounds).into_iter();
            let number = |limbs: &[u64]| -> Number { core::array::from_fn(|k| splat(limbs[k])) };
            for a in all(&bounds.wide) {
                check(&carried(&number(&a)), &bounds.carried, $base::value(&bounds.places, &a));
            }
            for a in all(&bounds.carried) {
                let of_a = $base::value(&bounds.places, &a);
                let all = numbers(&number(&a));
                assert!(all.iter().all(|value| value.equals(of_a) != 0), "numbers");
            }
            for a in all(&bounds.first) {
                let (of_a, a) = ($base::value(&bounds.places, &a), number(&a));
                check(&square(&a), &bounds.products, of_a.square());
                for b in all(&bounds.second) {
                    let (of_b, b) = ($base::value(&bounds.places, &b), number(&b));
                    check(&product(&a, &b), &bounds.products, of_a * of_b);
                    check(&total(&a, &b), &bounds.wide, of_a + of_b);
                }
            }
            for a in all(&bounds.minuend) {
                for b in all(&bounds.subtrahend) {
                    let expected =
                        $base::value(&bounds.places, &a) - $base::value(&bounds.places, &b);
                    check(&difference(&number(&a), &number(&b)), &bounds.wide, expected);
                }
            }
            check_rows(&bounds);
        }

        /// Rows and back, with each sign in each lane.
        #[allow(clippy::indexing_slicing, reason = "as the field itself")]
        #[target_feature(enable = $features)]
        fn check_rows(bounds: &Bounds) {
            let lane = |k: usize, at: u64| {
                let limbs: Vec<_> = bounds.carried.iter().map(|bound| bound - at).collect();
                let mut bytes = $base::value(&bounds.places, &limbs).encode();
                bytes[k] ^= 1;
                bytes
            };
            let number = |at| from_bytes(&core::array::from_fn(|k| lane(k, at)));
            let full: Number = core::array::from_fn(|k| splat(bounds.carried[k] - 1));
            for four in [[number(1), number(2), number(3), number(4)], [full, full, full, full]] {
                let rows = to_rows(&four);
                let before: Vec<_> = four.iter().map(|one| values(one)).collect();
                for signs in 0..1u32 << LANES {
                    let negative = core::array::from_fn(|k| (signs >> k) & 1 == 1);
                    let [p, q, r, s] = from_rows(&core::array::from_fn(|k| &rows[k]), &negative);
                    for (limb, bound) in s.iter().zip(&bounds.second) {
                        assert!(lanes(*limb).iter().all(|limb| limb < bound), "bound");
                    }
                    let (p, q, r, s) = (values(&p), values(&q), values(&r), values(&s));
                    for k in 0..LANES {
                        let [a, b, c, d] = [0, 1, 2, 3].map(|which| before[which][k]);
                        let [a, b, d] = match (negative[k], bounds.swap) {
                            (false, _) => [a, b, d],
                            (true, true) => [b, a, -d],
                            (true, false) => [-a, b, -d],
                        };
                        let equal =
                            p[k].equals(a) & q[k].equals(b) & r[k].equals(c) & s[k].equals(d);
                        assert!(equal != 0, "{signs:x} {k}");
                    }
                }
            }
        }
    };
}

use crrl::field::{GF448, GF25519};

/// The bounds of a field's limbs: all are below them.
pub(in crate::lanes) struct Bounds {
    /// The powers of two that the limbs count.
    pub(in crate::lanes) places: Vec<u32>,
    pub(in crate::lanes) carried: Vec<u64>,
    /// Of the first factor of a product, and of what is squared.
    pub(in crate::lanes) first: Vec<u64>,
    /// Of the second factor of a product.
    pub(in crate::lanes) second: Vec<u64>,
    pub(in crate::lanes) products: Vec<u64>,
    pub(in crate::lanes) minuend: Vec<u64>,
    pub(in crate::lanes) subtrahend: Vec<u64>,
    /// Of what can be carried.
    pub(in crate::lanes) wide: Vec<u64>,
    /// Whether the opposite of a row has its first two numbers swapped; otherwise it has the opposite of the first.
    pub(in crate::lanes) swap: bool,
}

impl Bounds {
    pub(in crate::lanes) fn eight() -> Self {
        let all = |bound: u64| vec![bound; 5];
        Self {
            places: (0..5).map(|k| 51 * k).collect(),
            carried: all((1 << 51) + (1 << 18)),
            first: all(1 << 52),
            second: all(1 << 52),
            // 267 times 2^52
            products: all(267 << 52),
            minuend: all(1 << 63),
            subtrahend: all((1 << 63) - (1 << 59)),
            wide: all(u64::MAX),
            swap: true,
        }
    }

    pub(in crate::lanes) fn eight448() -> Self {
        let twice = |low: u64, last: u64| [low, low, low, low, last].repeat(2);
        Self {
            places: (0..5).map(|k| 45 * k).chain((0..5).map(|k| 224 + 45 * k)).collect(),
            carried: twice((1 << 45) + (1 << 22), (1 << 44) + (1 << 20)),
            first: twice(1 << 47, 1 << 47),
            second: twice(1 << 47, 1 << 47),
            products: twice(1 << 60, 1 << 59),
            minuend: twice(1 << 63, 1 << 63),
            subtrahend: twice(1 << 61, 1 << 60),
            wide: twice(u64::MAX, u64::MAX),
            swap: false,
        }
    }

    pub(in crate::lanes) fn four448() -> Self {
        let all = |bound: u64| vec![bound; 16];
        Self {
            places: (0..16).map(|k| 28 * k).collect(),
            carried: all((1 << 28) + (1 << 10)),
            first: all((1 << 28) + (1 << 10)),
            second: all((3 << 28) + (1 << 10)),
            products: all(1 << 63),
            minuend: all((1 << 63) - (1 << 59)),
            subtrahend: all((1 << 63) - (1 << 37)),
            wide: all(u64::MAX - (1 << 37)),
            swap: false,
        }
    }

    pub(in crate::lanes) fn four() -> Self {
        let turns = |even: u64, odd: u64| [even, odd].repeat(5);
        Self {
            places: vec![0, 26, 51, 77, 102, 128, 153, 179, 204, 230],
            carried: turns((1 << 26) + (1 << 13), (1 << 25) + (1 << 17)),
            first: turns((1 << 26) + (1 << 13), (1 << 25) + (1 << 17)),
            second: turns(1 << 27, 1 << 26),
            products: turns(1 << 60, 1 << 60),
            minuend: turns(1 << 62, 1 << 62),
            subtrahend: turns(1 << 61, 1 << 60),
            wide: turns(1 << 63, 1 << 63),
            swap: true,
        }
    }
}

/// A field, to add up limbs.
pub(in crate::lanes) trait Powers: Sized {
    /// The number of these limbs.
    fn value(places: &[u32], limbs: &[u64]) -> Self;
}

/// Implements it for a field with a constructor from limbs of 64 bits.
macro_rules! powers {
    ($base:ident, $limb:expr) => {
        impl Powers for $base {
            fn value(places: &[u32], limbs: &[u64]) -> Self {
                let limb = $limb;
                limbs.iter().zip(places).fold(Self::ZERO, |sum, (one, place)| {
                    sum + limb(*one) * (0..*place).fold(Self::ONE, |power, _| power.mul2())
                })
            }
        }
    };
}

powers!(GF25519, |limb| GF25519::w64le(limb, 0, 0, 0));
powers!(GF448, |limb| GF448::w64le([limb, 0, 0, 0, 0, 0, 0]));

/// Limbs at their bounds: all, each, all but each, every other, and numbers below them.
pub(in crate::lanes) fn patterns(bounds: &[u64]) -> Vec<Vec<u64>> {
    let of = |choose: &dyn Fn(usize) -> bool| -> Vec<u64> {
        bounds.iter().enumerate().map(|(k, bound)| if choose(k) { bound - 1 } else { 0 }).collect()
    };
    let mut all = vec![of(&|_| true), of(&|_| false), of(&|k| k & 1 == 0), of(&|k| k & 1 == 1)];
    for at in 0..bounds.len() {
        all.extend([of(&|k| k == at), of(&|k| k != at)]);
    }
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..20 {
        let mut next = |bound: &u64| {
            random = random.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
            u64::try_from((u128::from(random) * u128::from(*bound)) >> 64).unwrap()
        };
        all.push(bounds.iter().map(&mut next).collect());
    }
    all
}
