//! The sets of parameters: radii, slots, and how many attempts a share may make.

use crate::level::Level;
use crate::poly::N;
use crate::subset::Shape;

/// The parameters for a level, a threshold and a number of parties (ePrint 2026/013, Figures 9 to 11, with the errata of
/// the authors' code).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ParameterSet {
    pub(crate) level: Level,
    /// The radius r that responses are cut to.
    pub(crate) radius: u32,
    /// The radius r′ that masks are drawn from.
    pub(crate) mask_radius: u32,
    /// The number K of slots of an attempt.
    pub(crate) slots: u16,
    /// The attempts of one share, after which its key is used up.
    pub(crate) attempts: u64,
}

impl ParameterSet {
    /// The set for this level and shape, if it is offered: up to five parties, and six where an attempt takes a party at
    /// most a megabyte.
    pub(crate) fn of(level: Level, shape: Shape) -> Option<Self> {
        let (_, radius, mask_radius, slots, tenths) =
            *table(level).iter().find(|row| row.0 == (shape.threshold, shape.parties))?;
        let attempts = attempts(tenths, shape.parties);
        Some(Self { level, radius, mask_radius, slots, attempts })
    }

    /// ν, by which the part of a mask that belongs to s1 is stretched.
    pub(crate) const fn stretch(level: Level) -> i32 {
        match level {
            Level::MlDsa44 => 3,
            Level::MlDsa65 => 6,
            Level::MlDsa87 => 7,
        }
    }

    /// The dimension D of the ball.
    pub(crate) const fn dimension(level: Level) -> usize {
        (level.k() + level.l()) * N
    }
}

/// A row: threshold and parties, r, r′, K, and ten times the binary logarithm of the slots that all parties together may
/// spend, over K.
type Row = ((u8, u8), u32, u32, u16, u32);

/// The attempts of one of so many parties.
///
/// The bound on forgeries (Theorem 3.2) allows 1/(K·ε) attempts over all parties, with ε for the norm that bounds a
/// secret times a challenge. Each party counts its own share of them.
fn attempts(tenths: u32, parties: u8) -> u64 {
    /// 2^(i/10 + 16), rounded down.
    const ROOTS: [u64; 10] =
        [65_536, 70_239, 75_281, 80_684, 86_475, 92_681, 99_333, 106_463, 114_104, 122_294];
    let (whole, tenth) = (tenths.checked_div(10).unwrap_or(0), tenths.checked_rem(10).unwrap_or(0));
    let root = ROOTS.iter().zip(0..).find(|(_, i)| *i == tenth).map_or(0, |(root, _)| *root);
    ((root << whole) >> 16).checked_div(parties.into()).unwrap_or(0)
}

const fn table(level: Level) -> &'static [Row] {
    match level {
        Level::MlDsa44 => &[
            ((2, 2), 252_778, 252_833, 2, 328),
            ((2, 3), 310_060, 310_138, 3, 324),
            ((3, 3), 246_490, 246_546, 4, 330),
            ((2, 4), 305_919, 305_997, 3, 324),
            ((3, 4), 279_235, 279_314, 7, 319),
            ((4, 4), 243_463, 243_519, 8, 320),
            ((2, 5), 285_363, 285_459, 3, 326),
            ((3, 5), 282_800, 282_912, 14, 309),
            ((4, 5), 259_427, 259_526, 30, 312),
            ((5, 5), 239_924, 239_981, 16, 321),
            ((2, 6), 300_265, 300_362, 4, 328),
            ((3, 6), 277_014, 277_139, 19, 303),
            ((4, 6), 268_705, 268_831, 74, 288),
            ((5, 6), 250_590, 250_686, 100, 274),
            ((6, 6), 219_245, 219_301, 37, 297),
        ],
        Level::MlDsa65 => &[
            ((2, 2), 501_495, 501_613, 3, 349),
            ((2, 3), 540_212, 540_378, 5, 337),
            ((3, 3), 510_387, 510_504, 9, 328),
            ((2, 4), 540_212, 540_378, 6, 334),
            ((3, 4), 506_761, 506_928, 20, 320),
            ((4, 4), 433_594, 433_711, 26, 312),
            ((2, 5), 552_371, 552_575, 8, 331),
            ((3, 5), 552_909, 553_145, 62, 301),
            ((4, 5), 474_331, 474_535, 205, 283),
            ((5, 5), 425_914, 426_032, 78, 301),
            ((2, 6), 571_208, 571_412, 8, 331),
            ((3, 6), 536_793, 537_058, 95, 297),
        ],
        Level::MlDsa87 => &[
            ((2, 2), 503_119, 503_192, 3, 373),
            ((2, 3), 631_601, 631_703, 4, 360),
            ((3, 3), 483_107, 483_180, 6, 363),
            ((2, 4), 632_903, 633_006, 4, 367),
            ((3, 4), 551_752, 551_854, 11, 345),
            ((4, 4), 487_958, 488_031, 14, 351),
            ((2, 5), 607_694, 607_820, 5, 361),
            ((3, 5), 577_400, 577_546, 26, 339),
            ((4, 5), 518_384, 518_510, 70, 322),
            ((5, 5), 468_214, 468_287, 35, 337),
            ((2, 6), 665_106, 665_232, 5, 362),
            ((3, 6), 577_541, 577_704, 39, 331),
            ((6, 6), 424_124, 424_197, 87, 324),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = (Shape, ParameterSet, u32)> {
        Level::ALL.into_iter().flat_map(|level| {
            table(level).iter().map(move |row| {
                let shape = Shape { threshold: row.0.0, parties: row.0.1 };
                (shape, ParameterSet::of(level, shape).unwrap(), row.4)
            })
        })
    }

    /// The variance of a coefficient of a secret, uniform from −η to η.
    fn variance(level: Level) -> f64 {
        let values = f64::from(2 * level.eta() + 1);
        (values * values - 1.0) / 12.0
    }

    /// ε of Theorem 3.2: the chance that a coordinate of a point of the sphere is above 1/φ.
    fn epsilon(dimension: f64, phi: f64) -> f64 {
        // In steps of a power of 1 − t² that underflows far from 0.
        let steps = 40_000;
        let step = 1.0 / f64::from(steps);
        let (mut above, mut half) = (0.0, 0.0);
        for i in 0..steps {
            let t = (f64::from(i) + 0.5) * step;
            let density = ((dimension - 1.0) / 2.0 * (1.0 - t * t).ln()).exp();
            half += density;
            above += if t > 1.0 / phi { density } else { 0.0 };
        }
        above / (2.0 * half)
    }

    /// The binary logarithm of the attempts over all parties, by the formulae that the tables come from: B, φ by
    /// r′² = r² + B² + 2rB/φ, and ε. None where the radii do not hide a vector of norm B.
    fn queries(shape: Shape, set: &ParameterSet, nu: f64) -> Option<f64> {
        let level = set.level;
        let most = shape.subsets().count().div_ceil(shape.threshold.into()) as f64;
        let weight = level.k() as f64 + level.l() as f64 / (nu * nu);
        let bound = 1.3 * (level.tau() as f64 * 256.0 * weight * variance(level) * most).sqrt();
        let [r, wide] = [set.radius, set.mask_radius].map(f64::from);
        let phi = 2.0 * r * bound / (wide * wide - r * r - bound * bound);
        let epsilon = epsilon(ParameterSet::dimension(level) as f64, phi);
        (phi > 1.0).then(|| -(f64::from(set.slots) * epsilon).log2())
    }

    /// Whether a row's numbers fit the attempts that it allows.
    fn fits(shape: Shape, set: &ParameterSet, nu: f64, tenths: u32) -> bool {
        let found = queries(shape, set, nu);
        found.is_some_and(|bits| (bits - f64::from(tenths) / 10.0).abs() < 0.1)
    }

    /// An error in one digit of r, r′, K or ν shows here; radii swapped, and ν of another level, were in published code.
    #[test]
    fn attempts_follow_from_the_radii() {
        for (shape, set, tenths) in all() {
            let nu = f64::from(ParameterSet::stretch(set.level));
            assert!(fits(shape, &set, nu, tenths), "{} {shape:?}", set.level);
            let attempts = 2f64.powf(f64::from(tenths) / 10.0) / f64::from(shape.parties);
            assert!((set.attempts as f64 / attempts - 1.0).abs() < 1e-4);
            let swapped = ParameterSet { radius: set.mask_radius, mask_radius: set.radius, ..set };
            assert!(!fits(shape, &swapped, nu, tenths));
            let more = ParameterSet { slots: set.slots + set.slots.div_ceil(5), ..set };
            assert!(!fits(shape, &more, nu, tenths));
            for wrong in [2.0, 3.0, 6.0, 7.0].into_iter().filter(|wrong| *wrong != nu) {
                let near = set.level != Level::MlDsa44 && wrong > 3.0;
                assert!(
                    near || !fits(shape, &set, wrong, tenths),
                    "{} {shape:?} {wrong}",
                    set.level
                );
            }
        }
    }

    #[test]
    fn rows_are_those_up_to_five_parties_and_six_where_an_attempt_is_small() {
        for level in Level::ALL {
            for parties in 2..=6 {
                for threshold in 2..=parties {
                    let shape = Shape { threshold, parties };
                    let small = ParameterSet::of(level, shape).is_some();
                    let large = match level {
                        Level::MlDsa44 => false,
                        Level::MlDsa65 => parties == 6 && threshold >= 4,
                        Level::MlDsa87 => parties == 6 && (4..=5).contains(&threshold),
                    };
                    assert_eq!(small, !large, "{level} {shape:?}");
                }
            }
        }
        for (shape, set, _) in all().filter(|row| row.0.parties == 6) {
            let slot = set.level.k() * 736 + set.level.l() * set.level.response_len();
            assert!(usize::from(set.slots) * slot <= 1_000_000, "{shape:?}");
        }
    }

    #[test]
    fn other_shapes_have_none() {
        for (threshold, parties) in [(1, 2), (0, 3), (4, 3), (2, 7), (2, 1)] {
            assert_eq!(ParameterSet::of(Level::MlDsa44, Shape { threshold, parties }), None);
        }
    }
}
