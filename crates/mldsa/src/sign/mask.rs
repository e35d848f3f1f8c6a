//! A signer's secrets of an attempt: its masks and responses.

#[cfg(test)]
mod tests;

use alloc::vec::Vec;

use quorate_declassify::{declassify, declassify_slice};
use zeroize::Zeroizing;

use crate::ball::{Point, round, round_and_move, square};
use crate::field::{canonical, centered};
use crate::float::nearest;
use crate::matrix::Matrix;
use crate::packing::put_full;
#[cfg(test)]
use crate::poly::SecretVector;
use crate::poly::{N, Ntt, Poly, add_all, transform_all, transforms, untransformed, zeros};
use crate::secret::{Seed, expand};
use crate::set::ParameterSet;
use crate::share::KeyShare;
use crate::sign::terms::Terms;
use crate::sign::view::{Response, Slot};

/// The numbers that rejection sampling depends on.
#[derive(Clone, Copy)]
pub(crate) struct Cut {
    set: ParameterSet,
    /// ν, for the masks.
    stretch: f64,
    /// 1/ν, for the norm.
    unstretch: f64,
    /// r²
    square: f64,
    /// r′
    mask_radius: f64,
}

impl Cut {
    pub(crate) fn new(set: &ParameterSet) -> Self {
        let stretch = set.stretch();
        let radius = f64::from(set.radius);
        Self {
            set: *set,
            stretch,
            unstretch: 1.0 / stretch,
            square: radius * radius,
            mask_radius: set.mask_radius.into(),
        }
    }

    /// The point of a slot. The first 256ℓ coordinates are those of y/ν, the others those of e.
    fn point(&self, seed: &[u8; 64], slot: u32) -> Point {
        Point::draw(seed, slot, ParameterSet::dimension(self.set.level), self.mask_radius)
    }

    /// y = round(ν·x1) and e = round(x2).
    #[cfg(test)]
    fn mask(&self, point: &Point) -> (SecretVector, SecretVector) {
        let (first, second) = self.halves(point);
        let polys = |coordinates: &[f64], factor| {
            let mut polys = Zeroizing::new(zeros(coordinates.len().div_ceil(N)));
            round_all(&mut polys, coordinates, factor);
            polys
        };
        (polys(first, self.stretch), polys(second, 1.0))
    }

    fn halves<'p>(&self, point: &'p Point) -> (&'p [f64], &'p [f64]) {
        let coordinates = point.coordinates();
        // What is written over the numbers of the slot before has to be as long as they are.
        debug_assert_eq!(coordinates.len(), (self.set.level.k() + self.set.level.l()) * N);
        coordinates.split_at_checked(self.set.level.l() * N).unwrap_or_default()
    }

    /// z1 = u1 + y, and whether it is to be sent.
    #[cfg(test)]
    fn cut(&self, point: &Point, u1: &[Poly], u2: &[Poly]) -> (SecretVector, bool) {
        let mut z1 = Zeroizing::new(zeros(self.set.level.l()));
        let accepted = self.cut_into(&mut z1, point, u1, u2);
        (z1, accepted)
    }

    /// Sets z1 to u1 + y, and returns whether it is to be sent. It is if ‖(u1 + ν·x1)/ν‖² + ‖u2 + x2‖² ≤ r², for the
    /// numbers before they are rounded, and z1 fits in its encoding. Takes the same time in both cases.
    fn cut_into(&self, z1: &mut [Poly], point: &Point, u1: &[Poly], u2: &[Poly]) -> bool {
        let (first, second) = self.halves(point);
        let square = square(first, u1, self.unstretch) + square(second, u2, 1.0);
        // The sign of γ1 − 1 − |z| over all coefficients.
        let last = self.set.level.gamma1() - 1;
        let moved = z1.iter_mut().zip(first.chunks(N)).zip(u1);
        let beyond = moved
            .fold(0, |signs, ((z1, x), u)| signs | round_and_move(z1, (x, self.stretch), u, last));
        let within = u8::from(square <= self.square) & u8::from(beyond >= 0);
        within == 1
    }
}

/// Sets polynomials to the integers nearest to a factor times these coordinates.
fn round_all(to: &mut [Poly], coordinates: &[f64], factor: f64) {
    to.iter_mut().zip(coordinates.chunks(N)).for_each(|(to, x)| round(to, x, factor));
}

/// The number of bytes of points that a signer holds from round to round. Points of further slots are drawn again.
/// Only the largest sets have such slots.
const HELD: usize = 4 << 20;

/// The masks of an attempt.
pub(crate) struct Masks {
    cut: Cut,
    seed: Seed,
    /// The points of the first slots.
    points: Vec<Point>,
}

impl Masks {
    /// The masks that follow from a seed.
    pub(crate) fn new(set: &ParameterSet, seed: Seed) -> Self {
        let cut = Cut::new(set);
        let held = HELD.checked_div(8 * ParameterSet::dimension(set.level)).unwrap_or(0);
        let points = (0..set.slots.into()).take(held).map(|slot| cut.point(seed.expose(), slot));
        Self { cut, points: points.collect(), seed }
    }

    /// The masks of these points.
    #[cfg(test)]
    pub(crate) fn of(set: &ParameterSet, points: Vec<Point>) -> Self {
        Self { cut: Cut::new(set), seed: Seed::filled(|_| {}), points }
    }

    /// Applies `make` to the point of a slot.
    fn with<R>(&self, slot: u16, make: impl FnOnce(&Point) -> R) -> R {
        match self.points.get(usize::from(slot)) {
            Some(point) => make(point),
            None => make(&self.cut.point(self.seed.expose(), slot.into())),
        }
    }

    /// The packed w = A·y + e of all slots.
    pub(crate) fn commitments(&self, a: &Matrix) -> Vec<u8> {
        let set = &self.cut.set;
        let mut bytes = Vec::with_capacity(super::terms::opening_len(set));
        let (k, l) = (set.level.k(), set.level.l());
        let mut y = Zeroizing::new(zeros(l));
        let mut transformed = Zeroizing::new(untransformed(l));
        let mut w = zeros(k);
        for slot in 0..set.slots {
            self.with(slot, |point| {
                let (first, second) = self.cut.halves(point);
                round_all(&mut y, first, self.cut.stretch);
                transform_all(&mut transformed, &y);
                for ((w, row), x) in w.iter_mut().zip(a.rows()).zip(second.chunks(N)) {
                    let plus_e = |ay, x: &f64| canonical(ay + nearest(*x));
                    w.set_products_and(row, &transformed, None, x, plus_e);
                }
            });
            // An instance of MLWE. Its hash is sent now, and w itself in the next round.
            w.iter_mut().for_each(|w| declassify_slice(&mut w.0));
            w.iter().for_each(|w| put_full(&mut bytes, w));
        }
        bytes
    }

    /// The responses of a signer: for each accepted slot z1, and for a rejected slot nothing.
    pub(crate) fn respond(&self, share: &KeyShare, terms: &Terms, slots: &[Slot]) -> Response {
        let part = Part::new(share, terms);
        let (k, l) = (self.cut.set.level.k(), self.cut.set.level.l());
        let (mut u1, mut u2) = (Zeroizing::new(zeros(l)), Zeroizing::new(zeros(k)));
        let mut z1 = Zeroizing::new(zeros(l * slots.len()));
        let tried = (0..).zip(slots).zip(z1.chunks_mut(l)).map(|((index, slot), z1)| {
            times_into(&mut u1, &slot.c, &part.s1);
            times_into(&mut u2, &slot.c, &part.s2);
            self.with(index, |point| self.cut.cut_into(z1, point, &u1, &u2))
        });
        let tried: Vec<bool> = tried.collect();
        // The set of accepted slots is independent of the secret, and is sent. So are the responses of those slots.
        // No decision is taken before all slots are done.
        let release = |(z1, accepted): (&mut [Poly], bool)| {
            declassify(accepted).then(|| {
                z1.iter_mut().for_each(|z| declassify_slice(&mut z.0));
                z1.to_vec()
            })
        };
        Response(z1.chunks_mut(l).zip(tried).map(release).collect())
    }
}

/// A signer's part of the secret: the transforms of Σ s1 and of Σ s2 over its subsets.
struct Part {
    s1: Zeroizing<Vec<Ntt>>,
    s2: Zeroizing<Vec<Ntt>>,
}

impl Part {
    fn new(share: &KeyShare, terms: &Terms) -> Self {
        let level = share.public().level();
        let (mut first, mut second) =
            (Zeroizing::new(zeros(level.l())), Zeroizing::new(zeros(level.k())));
        let part = terms.part(share.id());
        for (_, seed) in share.seeds().filter(|(subset, _)| part.contains(subset)) {
            let (s1, s2) = expand(level, seed);
            add_all(&mut first, &s1);
            add_all(&mut second, &s2);
        }
        Self { s1: Zeroizing::new(transforms(&first)), s2: Zeroizing::new(transforms(&second)) }
    }
}

/// c times a vector, over the integers: the coefficients are far below q/2.
#[cfg(test)]
fn times(c: &Ntt, vector: &[Ntt]) -> SecretVector {
    let mut products = Zeroizing::new(zeros(vector.len()));
    times_into(&mut products, c, vector);
    products
}

/// Sets polynomials to c times a vector, over the integers: the coefficients are far below q/2.
fn times_into(products: &mut [Poly], c: &Ntt, vector: &[Ntt]) {
    let c = core::slice::from_ref(c);
    for (product, s) in products.iter_mut().zip(vector) {
        let s = core::slice::from_ref(s);
        product.set_products_and(c, s, None, &[(); N], |product, ()| centered(product));
    }
}
