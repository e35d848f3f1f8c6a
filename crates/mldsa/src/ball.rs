//! Points in a ball, from which masks are rounded.

use alloc::vec::Vec;
use core::hint::black_box;

use chacha20::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use zeroize::Zeroizing;

use crate::field::reduced;
use crate::float::{circle, ln, nearest, sqrt, swap, unit};
use crate::hash::h;
use crate::poly::{N, Poly};
use crate::simd::{Work, widely};

/// The number of normal numbers that are drawn together. The last group may be smaller, but is a multiple of
/// [`LANES`].
const TOGETHER: usize = 256;
/// The number of partial sums in which the square of a norm is accumulated, side by side.
const LANES: usize = 16;

/// A point of a ball. It is secret.
pub(crate) struct Point(Zeroizing<Vec<f64>>);

impl Point {
    /// The point that follows from a seed and a slot. It is uniform in the ball of this radius around 0 in
    /// `dimension` dimensions.
    ///
    /// Two more coordinates are drawn. All of them are normal and are scaled to the sphere of this radius. Without
    /// the two, the point is uniform in the ball (ePrint 2026/013; a theorem of Archimedes for the ball in one
    /// dimension).
    pub(crate) fn draw(seed: &[u8; 64], slot: u32, dimension: usize, radius: f64) -> Self {
        let parts: [&[u8]; 3] = [b"quorate-mldsa ball v1", seed, &slot.to_be_bytes()];
        let mut stream = ChaCha20Rng::from_seed(*Zeroizing::new(h(&parts)));
        let drawn = dimension.saturating_add(2);
        let mut point = Zeroizing::new(alloc::vec![0.0; drawn.next_multiple_of(LANES)]);
        let mut bits = Zeroizing::new([0; 8 * TOGETHER]);
        for numbers in point.chunks_mut(TOGETHER) {
            let Some(bits) = bits.get_mut(..8 * numbers.len()) else { break };
            stream.fill_bytes(bits);
            widely(Normal { bits, numbers });
        }
        // Zeros replace the coordinates that are not used, since they are as secret as the rest.
        let (used, unused) = point.split_at_mut(drawn);
        unused.fill(0.0);
        widely(Scale { numbers: used, radius });
        used.iter_mut().skip(dimension).for_each(|x| *x = 0.0);
        point.truncate(dimension);
        Self(point)
    }

    /// The point of these coordinates.
    #[cfg(test)]
    pub(crate) fn of(coordinates: Vec<f64>) -> Self {
        Self(Zeroizing::new(coordinates))
    }

    /// The coordinates.
    pub(crate) fn coordinates(&self) -> &[f64] {
        &self.0
    }
}

/// Sets a polynomial to the integers nearest to a factor times these coordinates.
pub(crate) fn round(to: &mut Poly, coordinates: &[f64], factor: f64) {
    widely(Round { coordinates, factor, to });
}

/// Sets a polynomial to the integers nearest to a factor times these coordinates, plus u. Returns a number below 0 if one
/// of the sums is further than `last` from zero, and else another.
pub(crate) fn round_and_move(
    to: &mut Poly,
    (coordinates, factor): (&[f64], f64),
    u: &Poly,
    last: i32,
) -> i32 {
    widely(Move { round: Round { coordinates, factor, to }, u, last })
}

/// The square of the norm of x + factor·u, of a polynomial for every 256 coordinates.
pub(crate) fn square(coordinates: &[f64], u: &[Poly], factor: f64) -> f64 {
    widely(Square { coordinates, u, factor })
}

/// Independent normal numbers (Box and Muller). The bits are read 8 bytes at a time, the lowest first. Their first
/// half gives lengths, the second half angles. The first half of the numbers are cosines, the second half sines.
struct Normal<'a> {
    bits: &'a [u8],
    numbers: &'a mut [f64],
}

impl Work for Normal<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let half = self.numbers.len() >> 1;
        let (first, second) = self.numbers.split_at_mut(half);
        let (lengths, angles) = self.bits.as_chunks().0.split_at(half);
        let mut swaps = [0; TOGETHER >> 1];
        for (swapped, angle) in swaps.iter_mut().zip(angles) {
            *swapped = swap(u64::from_le_bytes(*angle));
        }
        let swaps = black_box(&mut swaps);
        let bits = lengths.iter().zip(angles).zip(swaps.iter());
        for ((first, second), ((length, angle), swapped)) in first.iter_mut().zip(second).zip(bits)
        {
            // 0 − 0 is 0, −0 is not.
            let [length, angle] = [length, angle].map(|bits| u64::from_le_bytes(*bits));
            let length = sqrt(0.0 - 2.0 * ln(unit(length, angle)));
            let (cosine, sine) = circle(angle, *swapped);
            *first = length * cosine;
            *second = length * sine;
        }
    }
}

/// The sum of the lanes, added one after the other.
#[inline(always)]
fn total(sums: &[f64; LANES]) -> f64 {
    let mut total = 0.0;
    for sum in sums {
        total += sum;
    }
    total
}

/// Scales numbers to a norm. The square of each is added to the sum of its lane.
struct Scale<'a> {
    numbers: &'a mut [f64],
    radius: f64,
}

impl Work for Scale<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut sums = [0.0; LANES];
        let (whole, rest) = self.numbers.as_chunks::<LANES>();
        for numbers in whole {
            for (sum, x) in sums.iter_mut().zip(numbers) {
                *sum += x * x;
            }
        }
        for (sum, x) in sums.iter_mut().zip(rest) {
            *sum += x * x;
        }
        let scale = self.radius / sqrt(total(&sums));
        for x in self.numbers {
            *x *= scale;
        }
    }
}

struct Round<'a> {
    coordinates: &'a [f64],
    factor: f64,
    to: &'a mut Poly,
}

impl Work for Round<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (to, x) in self.to.0.iter_mut().zip(self.coordinates) {
            *to = nearest(self.factor * x);
        }
    }
}

struct Move<'a> {
    round: Round<'a>,
    u: &'a Poly,
    last: i32,
}

impl Work for Move<'_> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Round { coordinates, factor, to } = self.round;
        let mut signs = 0;
        for (to, (x, u)) in to.0.iter_mut().zip(coordinates.iter().zip(&self.u.0)) {
            *to = reduced(nearest(factor * x) + u);
            signs |= self.last - to.abs();
        }
        signs
    }
}

struct Square<'a> {
    coordinates: &'a [f64],
    u: &'a [Poly],
    factor: f64,
}

impl Work for Square<'_> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let mut sums = [0.0; LANES];
        for (coordinates, u) in self.coordinates.chunks_exact(N).zip(self.u) {
            let lanes = coordinates.as_chunks::<LANES>().0.iter().zip(u.0.as_chunks::<LANES>().0);
            for (coordinates, u) in lanes {
                for (sum, (x, u)) in sums.iter_mut().zip(coordinates.iter().zip(u)) {
                    let moved = x + self.factor * f64::from(*u);
                    *sum += moved * moved;
                }
            }
        }
        total(&sums)
    }
}

#[cfg(test)]
mod tests {
    use shake::XofReader;

    use super::*;
    use crate::hash::shake256;
    use crate::simd::every_width;

    const DIMENSION: usize = 64;

    /// Points of the ball of radius 1.
    fn points(count: u32) -> impl Iterator<Item = Point> {
        (0..count).map(|slot| Point::draw(&[3; 64], slot, DIMENSION, 1.0))
    }

    fn norm(point: &Point) -> f64 {
        point.coordinates().iter().map(|x| x * x).sum::<f64>().sqrt()
    }

    #[test]
    fn points_fill_the_ball_evenly() {
        // P[‖x‖ ≤ ρ] = ρ^D at its quartiles, each within 5 deviations.
        let count = 20_000;
        for quartile in [0.25, 0.5, 0.75] {
            let rho = f64::powf(quartile, 1.0 / DIMENSION as f64);
            let inside = points(count).filter(|point| norm(point) <= rho).count() as f64;
            let deviation = (f64::from(count) * quartile * (1.0 - quartile)).sqrt();
            let expected = f64::from(count) * quartile;
            assert!((inside - expected).abs() < 5.0 * deviation, "{quartile}: {inside}");
        }
        assert!(points(1000).all(|point| norm(&point) < 1.0));
    }

    #[test]
    fn coordinates_have_mean_zero_and_the_variance_of_a_ball() {
        let count = 20_000_u32;
        let mut sums = [[0.0; 2]; DIMENSION];
        for point in points(count) {
            for (sum, x) in sums.iter_mut().zip(point.coordinates()) {
                *sum = [sum[0] + x, sum[1] + x * x];
            }
        }
        let variance = 1.0 / (DIMENSION as f64 + 2.0);
        for [mean, square] in sums.map(|sum| sum.map(|sum| sum / f64::from(count))) {
            assert!(mean.abs() < 5.0 * (variance / f64::from(count)).sqrt(), "{mean}");
            // The fourth moment of a coordinate is nearly that of a normal number: 3 variances squared.
            assert!((square / variance - 1.0).abs() < 5.0 * (2.0 / f64::from(count)).sqrt());
        }
    }

    #[test]
    fn coordinates_are_not_correlated() {
        let count = 20_000_u32;
        let mut products = [0.0; 3];
        for point in points(count) {
            let x = point.coordinates();
            let of = [x[0] * x[1], x[0] * x[2], x[1] * x[DIMENSION - 1]];
            products.iter_mut().zip(of).for_each(|(sum, product)| *sum += product);
        }
        for product in products {
            let correlation = product / f64::from(count) * (DIMENSION as f64 + 2.0);
            assert!(correlation.abs() < 5.0 / f64::from(count).sqrt(), "{correlation}");
        }
    }

    #[test]
    fn slots_and_seeds_give_other_points() {
        let first = Point::draw(&[3; 64], 0, 8, 1e6);
        for (seed, slot) in [(3, 1), (4, 0), (3, 1 << 16)] {
            assert_ne!(Point::draw(&[seed; 64], slot, 8, 1e6).coordinates(), first.coordinates());
        }
        assert_eq!(Point::draw(&[3; 64], 0, 8, 1e6).coordinates(), first.coordinates());
        // Frozen: another host or another release opens sessions with these numbers.
        let mut found = Poly::ZERO;
        round(&mut found, first.coordinates(), 3.0);
        assert_eq!(found.0[..8], FROZEN);
    }

    /// A host with other vectors, or none, draws the same numbers.
    #[test]
    fn every_width_gives_the_same_bits() {
        let mut bits = [0; 8 * TOGETHER];
        shake256(&[b"bits"]).read(&mut bits);
        let bits = &bits;
        for count in [TOGETHER, 80, LANES] {
            let normal = every_width!([0.0; TOGETHER], |to| {
                let numbers = &mut to[..count];
                Normal { bits, numbers }
            });
            assert!(normal[..count].iter().all(|x| *x != 0.0 && x.abs() < 9.0));
            let scaled = every_width!(normal, |to| {
                let numbers = &mut to[..count - 3];
                Scale { numbers, radius: 1e5 }
            });
            let coordinates = &scaled;
            let u = &[every_width!(Poly::ZERO, |to| Round { coordinates, factor: 3.0, to }).0];
            let u = &u.map(Poly);
            every_width!((), |_to| Square { coordinates, u, factor: 1.0 / 3.0 });
            let u = &u[0];
            every_width!(Poly::ZERO, |to| {
                Move { round: Round { coordinates, factor: 3.0, to }, u, last: 1 << 17 }
            });
        }
    }

    /// Whole runs of numbers, and the short one at the end.
    #[test]
    fn all_coordinates_of_a_point_are_frozen() {
        let point = Point::draw(&[3; 64], 1, 2048, 246_546.0);
        let digest = point.coordinates().iter().fold(0_u64, |sum, x| {
            sum.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ x.to_bits()
        });
        assert_eq!(digest, 16_488_690_171_864_684_492);
    }

    /// These numbers and the digest above came from a second program, in another language.
    const FROZEN: [i32; 8] =
        [-127_699, -1_255_280, 1_175_876, -1_322_241, -1_030_808, -749_764, 409_364, 1_354_867];
}
