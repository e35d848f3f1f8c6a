//! Polynomials of R = Z_q[X]/(X^256 + 1), and their number theoretic transform (FIPS 204, §7.5).

use alloc::vec::Vec;

use zeroize::{Zeroize, Zeroizing};

use crate::field::{Q, canonical, centered, product, reduced};

/// The degree of X^256 + 1.
pub(crate) const N: usize = 256;
/// A primitive 512th root of unity modulo q.
const ZETA: i64 = 1753;
/// 2^64/256 modulo q: what the inverse transform is multiplied with, so that the product of two transforms loses its 2^-32.
const SCALE: i32 = 41_978;
/// 2^32 times the powers of ζ modulo q, by the reversed bits of their exponent.
const ZETAS: [i32; N] = zetas();

#[allow(clippy::indexing_slicing, clippy::cast_possible_truncation, reason = "at compile time")]
#[allow(clippy::integer_division_remainder_used, reason = "at compile time")]
const fn zetas() -> [i32; N] {
    let q = Q as i64;
    let mut powers = [0; N];
    let mut power = (1_i64 << 32) % q;
    let mut exponent = 0_u8;
    loop {
        powers[exponent.reverse_bits() as usize] = power as i32;
        power = power * ZETA % q;
        match exponent.checked_add(1) {
            Some(next) => exponent = next,
            None => return powers,
        }
    }
}

/// A polynomial by its coefficients. Unless something else is said they lie between −q and q.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Poly(pub(crate) [i32; N]);

/// A vector of polynomials that is wiped.
pub(crate) type SecretVector = Zeroizing<Vec<Poly>>;

/// The transform of a polynomial: its values at the odd powers of ζ.
#[derive(Clone)]
pub(crate) struct Ntt([i32; N]);

impl Poly {
    pub(crate) const ZERO: Self = Self([0; N]);

    /// The coefficients.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = i32> + Clone + '_ {
        self.0.iter().copied()
    }

    /// The polynomial of these coefficients; zeros where there are too few.
    pub(crate) fn of(coefficients: impl IntoIterator<Item = i32>) -> Self {
        let mut poly = Self::ZERO;
        poly.0.iter_mut().zip(coefficients).for_each(|(to, from)| *to = from);
        poly
    }

    /// The transform (FIPS 204, Algorithm 41).
    pub(crate) fn ntt(&self) -> Ntt {
        let mut a = self.0;
        for layer in 0..8 {
            let blocks = 1_usize << layer;
            let twiddles = ZETAS.iter().skip(blocks);
            for (block, zeta) in a.chunks_exact_mut(N >> layer).zip(twiddles) {
                let (low, high) = block.split_at_mut(N >> (layer + 1));
                for (low, high) in low.iter_mut().zip(high) {
                    let turned = product(*zeta, *high);
                    *high = *low - turned;
                    *low += turned;
                }
            }
        }
        a.iter_mut().for_each(|a| *a = reduced(*a));
        Ntt(a)
    }

    /// Adds, and reduces.
    pub(crate) fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a = reduced(*a + *b));
    }

    /// Subtracts, and reduces.
    pub(crate) fn sub(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a = reduced(*a - *b));
    }

    /// Takes each coefficient from 0 to q − 1.
    pub(crate) fn canonicalize(&mut self) {
        self.0.iter_mut().for_each(|a| *a = canonical(*a));
    }

    /// Takes each coefficient between −q/2 and q/2.
    pub(crate) fn center(&mut self) {
        self.0.iter_mut().for_each(|a| *a = centered(*a));
    }
}

impl Zeroize for Poly {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl Ntt {
    pub(crate) const ZERO: Self = Self([0; N]);

    /// The transform with these values, from 0 to q − 1.
    pub(crate) fn of(values: impl IntoIterator<Item = i32>) -> Self {
        Self(Poly::of(values).0)
    }

    /// Adds 2^-32 times the product of two transforms.
    pub(crate) fn add_product(&mut self, a: &Self, b: &Self) {
        let products = a.0.iter().zip(&b.0).map(|(a, b)| product(*a, *b));
        self.0.iter_mut().zip(products).for_each(|(sum, product)| *sum = reduced(*sum + product));
    }

    /// The polynomial, times 2^32: with the 2^-32 of a product, the product of two polynomials (FIPS 204, Algorithm 42).
    pub(crate) fn inverse(mut self) -> Poly {
        let a = &mut self.0;
        for layer in (0..8).rev() {
            let blocks = 1_usize << layer;
            let twiddles = ZETAS.iter().take(blocks << 1).rev();
            for (block, zeta) in a.chunks_exact_mut(N >> layer).zip(twiddles) {
                let (low, high) = block.split_at_mut(N >> (layer + 1));
                for (low, high) in low.iter_mut().zip(high) {
                    let difference = *high - *low;
                    *low += *high;
                    *high = product(*zeta, difference);
                }
            }
        }
        let poly = Poly(a.map(|a| product(SCALE, a)));
        self.zeroize();
        poly
    }
}

impl Zeroize for Ntt {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

/// The transforms of a vector.
pub(crate) fn transforms(vector: &[Poly]) -> Vec<Ntt> {
    vector.iter().map(Poly::ntt).collect()
}

/// The product of two polynomials that are transformed.
pub(crate) fn multiply(a: &Ntt, b: &Ntt) -> Poly {
    let mut sum = Ntt::ZERO;
    sum.add_product(a, b);
    sum.inverse()
}

/// Adds a vector to another, one by one.
pub(crate) fn add_all(to: &mut [Poly], vector: &[Poly]) {
    to.iter_mut().zip(vector).for_each(|(to, from)| to.add(from));
}

/// Zeros, so many of them.
pub(crate) fn zeros(length: usize) -> Vec<Poly> {
    (0..length).map(|_| Poly::ZERO).collect()
}

#[cfg(test)]
#[allow(clippy::integer_division_remainder_used, reason = "the definitions, by division")]
mod tests {
    use super::*;

    /// A polynomial with coefficients all over the range.
    fn spread(seed: i64) -> Poly {
        Poly::of((0..256).map(|i: i64| {
            i32::try_from((i * i * 7_654_321 + seed * 1_234_567).rem_euclid(i64::from(Q))).unwrap()
        }))
    }

    /// The product by its definition.
    fn schoolbook(a: &Poly, b: &Poly) -> Poly {
        let mut sums = [0_i128; N];
        for (i, a) in a.iter().enumerate() {
            for (j, b) in b.iter().enumerate() {
                let term = i128::from(a) * i128::from(b);
                sums[(i + j) % N] += if i + j < N { term } else { -term };
            }
        }
        Poly(sums.map(|sum| i32::try_from(sum.rem_euclid(Q.into())).unwrap()))
    }

    #[test]
    fn products_are_those_of_the_ring() {
        for (a, b) in [(1, 2), (3, 4), (5, 5)] {
            let (mut a, b) = (spread(a), spread(b));
            let expected = schoolbook(&a, &b);
            let mut found = multiply(&a.ntt(), &b.ntt());
            found.canonicalize();
            assert!(found == expected);
            // Whatever representative is taken.
            a.center();
            let mut found = multiply(&b.ntt(), &a.ntt());
            found.canonicalize();
            assert!(found == expected);
        }
    }

    #[test]
    fn the_greatest_coefficients_do_not_overflow() {
        let edge = Poly([Q - 1; N]);
        let mut sum = Ntt::ZERO;
        (0..7).for_each(|_| sum.add_product(&edge.ntt(), &edge.ntt()));
        let mut found = sum.inverse();
        found.canonicalize();
        let one = schoolbook(&edge, &edge);
        let expected = one.iter().map(|a| i32::try_from(i64::from(a) * 7 % i64::from(Q)).unwrap());
        assert!(found == Poly::of(expected));
    }
}
