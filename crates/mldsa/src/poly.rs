//! Polynomials of R = Z_q[X]/(X^256 + 1), and their number theoretic transform (FIPS 204, §7.5).

use alloc::vec::Vec;

use zeroize::{Zeroize, Zeroizing};

use crate::field::{canonical, centered, montgomery, reduced};
pub(crate) use crate::ntt::N;
use crate::ntt::{forward, inverse};
use crate::simd::{Work, widely};

/// A polynomial by its coefficients. Unless stated otherwise, they lie between −q and q.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Poly(pub(crate) [i32; N]);

/// A vector of polynomials that is wiped.
pub(crate) type SecretVector = Zeroizing<Vec<Poly>>;

/// The transform of a polynomial: its values at the odd powers of ζ.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Ntt([i32; N]);

impl Poly {
    pub(crate) const ZERO: Self = Self([0; N]);

    /// The coefficients.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = i32> + Clone + '_ {
        self.0.iter().copied()
    }

    /// The polynomial with these coefficients. Missing ones are zero.
    pub(crate) fn of(coefficients: impl IntoIterator<Item = i32>) -> Self {
        let mut poly = Self::ZERO;
        poly.0.iter_mut().zip(coefficients).for_each(|(to, from)| *to = from);
        poly
    }

    /// The transform (FIPS 204, Algorithm 41).
    pub(crate) fn ntt(&self) -> Ntt {
        let mut transform = Ntt::ZERO;
        transform.set(self);
        transform
    }

    /// Becomes the sum of the products of these pairs, at most eight, less the product of `less`.
    pub(crate) fn set_products(&mut self, pairs: &[Ntt], with: &[Ntt], less: Option<[&Ntt; 2]>) {
        self.set_products_and(pairs, with, less, &[(); N], |a, ()| a);
    }

    /// Becomes what [`Self::set_products`] gives, with a few operations on each coefficient and the value beside it.
    pub(crate) fn set_products_and<T>(
        &mut self,
        pairs: &[Ntt],
        with: &[Ntt],
        less: Option<[&Ntt; 2]>,
        beside: &[T],
        of: impl Fn(i32, &T) -> i32,
    ) {
        let sum = Sum { pairs, with, less, to: &mut self.0 };
        widely(Products { sum, beside, of });
    }

    /// Becomes the sum of these polynomials, at most six with coefficients from 0 to q − 1, in the same range.
    pub(crate) fn set_sum<'a>(&mut self, parts: impl Iterator<Item = &'a Self>) {
        widely(Total(self, parts));
    }

    /// Becomes the result of a few operations on each coefficient of another.
    pub(crate) fn set_each(&mut self, from: &Self, of: impl Fn(i32) -> i32) {
        widely(Both(self, from, |_, a| of(a)));
    }

    /// Adds a polynomial, and reduces.
    pub(crate) fn add(&mut self, other: &Self) {
        widely(Both(self, other, |a, b| reduced(a + b)));
    }

    /// Subtracts a polynomial, and reduces.
    #[cfg(test)]
    pub(crate) fn sub(&mut self, other: &Self) {
        widely(Both(self, other, |a, b| reduced(a - b)));
    }

    /// Reduces each coefficient to the range from 0 to q − 1.
    pub(crate) fn canonicalize(&mut self) {
        self.each(canonical);
    }

    /// Reduces each coefficient to the range between −q/2 and q/2.
    pub(crate) fn center(&mut self) {
        self.each(centered);
    }

    /// The sum of the squares of the coefficients, which lie between −2^23 and 2^23.
    pub(crate) fn square(&self) -> u64 {
        widely(Square(self))
    }

    /// Replaces each coefficient by a few operations.
    pub(crate) fn each(&mut self, of: impl Fn(i32) -> i32) {
        widely(Each(self, of));
    }
}

struct Forward<'a>(&'a mut [i32; N]);

impl Work for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        forward(self.0);
    }
}

#[cfg(test)]
struct Inverse<'a>(&'a mut [i32; N]);

#[cfg(test)]
impl Work for Inverse<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        inverse(self.0);
    }
}

/// A few operations on each coefficient.
struct Each<'a, F>(&'a mut Poly, F);

impl<F: Fn(i32) -> i32> Work for Each<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for a in &mut self.0.0 {
            *a = self.1(*a);
        }
    }
}

/// A few operations on each coefficient of a polynomial and that of another.
struct Both<'a, F>(&'a mut Poly, &'a Poly, F);

impl<F: Fn(i32, i32) -> i32> Work for Both<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (a, b) in self.0.0.iter_mut().zip(&self.1.0) {
            *a = self.2(*a, *b);
        }
    }
}

struct Products<'a, T, F> {
    sum: Sum<'a>,
    beside: &'a [T],
    of: F,
}

impl<T, F: Fn(i32, &T) -> i32> Work for Products<'_, T, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { sum: Sum { pairs, with, less, to }, beside, of } = self;
        Sum { pairs, with, less, to: &mut *to }.run();
        inverse(to);
        for (to, beside) in to.iter_mut().zip(beside) {
            *to = of(*to, beside);
        }
    }
}

struct Total<'a, I>(&'a mut Poly, I);

impl<'a, I: Iterator<Item = &'a Poly>> Work for Total<'_, I> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.0.fill(0);
        for part in self.1 {
            for (to, from) in self.0.0.iter_mut().zip(&part.0) {
                *to += from;
            }
        }
        for to in &mut self.0.0 {
            *to = canonical(*to);
        }
    }
}

struct Square<'a>(&'a Poly);

impl Work for Square<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let squares = self.0.0.iter().map(|a| i64::from(*a) * i64::from(*a));
        squares.sum::<i64>().cast_unsigned()
    }
}

impl Zeroize for Poly {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl Ntt {
    /// The transform with these values, from 0 to q − 1.
    pub(crate) const fn of(values: Poly) -> Self {
        Self(values.0)
    }

    pub(crate) const ZERO: Self = Self([0; N]);

    /// Becomes the transform of a polynomial (FIPS 204, Algorithm 41).
    pub(crate) fn set(&mut self, poly: &Poly) {
        self.0 = poly.0;
        widely(Forward(&mut self.0));
    }

    /// The polynomial, times 2^32. With the factor 2^-32 of a product, this gives the product of two polynomials
    /// (FIPS 204, Algorithm 42).
    #[cfg(test)]
    pub(crate) fn inverse(self) -> Poly {
        let mut poly = Poly(self.0);
        widely(Inverse(&mut poly.0));
        poly
    }
}

/// 2^-32 times the sum of the products of up to nine pairs of numbers below q. It is far below 2^31·q, and reduced once.
struct Sum<'a> {
    pairs: &'a [Ntt],
    with: &'a [Ntt],
    less: Option<[&'a Ntt; 2]>,
    to: &'a mut [i32; N],
}

impl Work for Sum<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut sums = [0_i64; N];
        if let Some([a, b]) = self.less {
            for (sum, (a, b)) in sums.iter_mut().zip(a.0.iter().zip(&b.0)) {
                *sum = -(i64::from(*a) * i64::from(*b));
            }
        }
        for (a, b) in self.pairs.iter().zip(self.with) {
            for (sum, (a, b)) in sums.iter_mut().zip(a.0.iter().zip(&b.0)) {
                *sum += i64::from(*a) * i64::from(*b);
            }
        }
        for (to, sum) in self.to.iter_mut().zip(&sums) {
            *to = montgomery(*sum);
        }
    }
}

impl Zeroize for Ntt {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

/// The transforms of a vector.
pub(crate) fn transforms(vector: &[Poly]) -> Vec<Ntt> {
    let mut transforms = untransformed(vector.len());
    transform_all(&mut transforms, vector);
    transforms
}

/// Puts the transforms of a vector in the place of others.
pub(crate) fn transform_all(to: &mut [Ntt], vector: &[Poly]) {
    to.iter_mut().zip(vector).for_each(|(to, poly)| to.set(poly));
}

/// The product of two polynomials that are transformed.
#[cfg(test)]
pub(crate) fn multiply(a: &Ntt, b: &Ntt) -> Poly {
    let mut product = Poly::ZERO;
    product.set_products(core::slice::from_ref(a), core::slice::from_ref(b), None);
    product
}

/// Adds a vector to another, polynomial by polynomial.
pub(crate) fn add_all(to: &mut [Poly], vector: &[Poly]) {
    to.iter_mut().zip(vector).for_each(|(to, from)| to.add(from));
}

/// A vector of `length` zero polynomials.
pub(crate) fn zeros(length: usize) -> Vec<Poly> {
    alloc::vec![Poly::ZERO; length]
}

/// A vector of `length` transforms of zero, to be replaced.
pub(crate) fn untransformed(length: usize) -> Vec<Ntt> {
    alloc::vec![Ntt::ZERO; length]
}

#[cfg(test)]
impl Ntt {
    /// The values in the order in memory.
    pub(crate) const fn values(&self) -> [i32; N] {
        self.0
    }
}

#[cfg(test)]
#[allow(clippy::integer_division_remainder_used, reason = "the definitions, by division")]
mod tests {
    use super::*;
    use crate::field::Q;
    use crate::simd::every_width;

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
            // The result is the same for every representative.
            a.center();
            let mut found = multiply(&b.ntt(), &a.ntt());
            found.canonicalize();
            assert!(found == expected);
        }
    }

    #[test]
    fn the_greatest_coefficients_do_not_overflow() {
        let edge = Poly([Q - 1; N]);
        let seven = [const { Ntt([Q - 1; N]) }; 7];
        let (edge, one) = (edge.ntt(), schoolbook(&edge, &edge));
        let times =
            |count: i64| {
                Poly::of(one.iter().map(|a| {
                    i32::try_from((i64::from(a) * count).rem_euclid(i64::from(Q))).unwrap()
                }))
            };
        let edges: [Ntt; 7] = core::array::from_fn(|_| edge.clone());
        let mut found = Poly::ZERO;
        found.set_products(&edges, &edges, None);
        found.canonicalize();
        assert!(found == times(7));
        found.set_products(&edges, &edges, Some([&edge, &edge]));
        found.canonicalize();
        assert!(found == times(6));
        // The greatest values: minus one everywhere, whose square is one.
        found.set_products(&seven, &seven, None);
        found.canonicalize();
        assert!(found == Poly::of([7]));
    }

    #[test]
    fn every_width_gives_the_same_numbers() {
        let edges = [Poly([Q - 1; N]), Poly([1 - Q; N]), spread(3), spread(4)];
        for a in &edges {
            every_width!(a.0, |to| Forward(to));
            every_width!(a.0, |to| Inverse(to));
            every_width!(a.clone(), |to| Each(to, centered));
            every_width!((), |_to| Square(a));
            for b in &edges {
                every_width!(a.clone(), |to| Both(to, b, |a, b| reduced(a - b)));
                let pairs = &[const { Ntt([Q - 1; N]) }; 7];
                let with = &[const { Ntt([1 - Q; N]) }; 7];
                let less = &[Ntt(a.0), Ntt(b.0)];
                let less = Some(less.each_ref());
                every_width!([0; N], |to| Sum { pairs, with, less, to });
                let of = |a: i32, beside: &i32| centered(beside - a);
                every_width!([0; N], |to| {
                    Products { sum: Sum { pairs, with, less, to }, beside: &b.0, of }
                });
                let parts = || edges.iter().map(|_| b);
                every_width!(a.clone(), |to| Total(to, parts()));
            }
        }
    }
}
