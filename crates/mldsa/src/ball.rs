//! Points in a ball, from which masks are rounded.

use alloc::vec::Vec;

use shake::XofReader;
use zeroize::Zeroizing;

use crate::hash::{shake256, take};
use crate::real::{circle, ln, nearest, sqrt, unit};

/// A point of a ball. It is secret.
pub(crate) struct Point(Zeroizing<Vec<f64>>);

impl Point {
    /// The point uniform in the ball of this radius around 0 in `dimension` dimensions, an even number, that follows
    /// from a seed and a slot.
    ///
    /// Two more coordinates are drawn, all of them normal, scaled to the sphere of this radius; without those two the
    /// point is uniform in the ball (ePrint 2026/013; a theorem of Archimedes for the ball in one dimension).
    pub(crate) fn draw(seed: &[u8; 64], slot: u32, dimension: usize, radius: f64) -> Self {
        let mut stream = shake256(&[b"quorate-mldsa ball v1", seed, &slot.to_be_bytes()]);
        let mut point = Zeroizing::new(Vec::with_capacity(dimension.saturating_add(2)));
        let mut square = 0.0;
        while point.len() < dimension.saturating_add(2) {
            let (x, y) = normal(&mut stream);
            square += x * x + y * y;
            point.extend([x, y]);
        }
        let scale = radius / sqrt(square);
        point.iter_mut().for_each(|x| *x *= scale);
        // In their place zeros: they are as secret as the others.
        point.iter_mut().skip(dimension).for_each(|x| *x = 0.0);
        point.truncate(dimension);
        Self(point)
    }

    /// The coordinates.
    pub(crate) fn coordinates(&self) -> &[f64] {
        &self.0
    }
}

/// The integers nearest to a factor times these coordinates.
pub(crate) fn rounded(coordinates: &[f64], factor: f64) -> impl Iterator<Item = i32> + '_ {
    coordinates.iter().map(move |x| nearest(factor * x))
}

/// Two independent normal numbers (Box and Muller).
fn normal(stream: &mut impl XofReader) -> (f64, f64) {
    let bits = Zeroizing::new([u64::from_le_bytes(take(stream)), u64::from_le_bytes(take(stream))]);
    let [length, angle] = *bits;
    // 0 − 0 is 0, −0 is not.
    let length = sqrt(0.0 - 2.0 * ln(unit(length)));
    let (cosine, sine) = circle(angle);
    (length * cosine, length * sine)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // Frozen: another host, or another release, opens sessions with these.
        assert!(rounded(first.coordinates(), 3.0).eq(FROZEN));
    }

    const FROZEN: [i32; 8] =
        [15_132, -1_347_070, -659_356, -1_791_484, -122_869, -228_492, -72_744, 221_433];
}
