//! Many affine additions for one inversion: five multiplications, a squaring and a share of
//! Montgomery's trick each, against fourteen for one addition without inversion.

use alloc::vec::Vec;

use super::weierstrass::{Affine, Extended, Field, Weierstrass, thrice};

/// Replaces every value, none of them zero, by its inverse.
fn invert_all<F: Field>(values: &mut [F]) {
    let mut product = F::one();
    let mut before = Vec::with_capacity(values.len());
    for value in values.iter() {
        before.push(product);
        product = product * *value;
    }
    let mut inverse = product.invert();
    for (value, before) in values.iter_mut().zip(before).rev() {
        let next = inverse * *value;
        *value = inverse * before;
        inverse = next;
    }
}

/// Points, none of them the identity, in affine coordinates.
pub(crate) fn normalise<C: Weierstrass>(points: &[Extended<C>]) -> Vec<Affine<C>> {
    let mut denominators: Vec<C::Field> = points.iter().map(Extended::denominator).collect();
    invert_all(&mut denominators);
    points.iter().zip(denominators).map(|(point, inverse)| point.to_affine(inverse)).collect()
}

/// The way in which two points add up: the denominator of the slope, or `None` if they cancel.
fn denominator<C: Weierstrass>(p: &Affine<C>, q: &Affine<C>) -> Option<C::Field> {
    let dx = q.x - p.x;
    if !dx.is_zero() {
        Some(dx)
    } else if (q.y - p.y).is_zero() {
        // No point has order 2, so this is not zero.
        Some(p.y + p.y)
    } else {
        None
    }
}

/// The sum of two points that do not cancel, given the inverse of their [`denominator`].
fn sum<C: Weierstrass>(p: &Affine<C>, q: &Affine<C>, inverse: C::Field) -> Affine<C> {
    let dy = q.y - p.y;
    let numerator = if dy.is_zero() && (q.x - p.x).is_zero() {
        let squares = thrice(p.x.square());
        if C::A_IS_MINUS_3 { squares - thrice(C::Field::one()) } else { squares }
    } else {
        dy
    };
    let slope = numerator * inverse;
    let x = slope.square() - p.x - q.x;
    Affine { x, y: slope * (p.x - x) - p.y }
}

/// The sums of pairs of points, none of which cancel.
pub(crate) fn sums<C: Weierstrass>(left: &[Affine<C>], right: &[Affine<C>]) -> Vec<Affine<C>> {
    let pairs = || left.iter().zip(right);
    let one = C::Field::one();
    let mut inverses: Vec<C::Field> =
        pairs().map(|(p, q)| denominator(p, q).unwrap_or(one)).collect();
    invert_all(&mut inverses);
    pairs().zip(inverses).map(|((p, q), inverse)| sum(p, q, inverse)).collect()
}

/// Runs of points that follow each other in one list, to be summed run by run.
pub(crate) struct Runs<C: Weierstrass> {
    /// The points of all runs, in order.
    pub(crate) points: Vec<Affine<C>>,
    /// Length of each run.
    pub(crate) lengths: Vec<usize>,
}

impl<C: Weierstrass> Runs<C> {
    /// The sum of each run, with nothing for the identity.
    pub(crate) fn sums(mut self) -> Vec<Option<Affine<C>>> {
        while self.lengths.iter().any(|length| *length > 1) {
            self = self.halved();
        }
        let mut points = self.points.iter();
        self.lengths
            .iter()
            .map(|length| if *length == 0 { None } else { points.next().copied() })
            .collect()
    }

    /// The same sums with half as many points: neighbours are added.
    fn halved(&self) -> Self {
        let one = C::Field::one();
        let mut inverses: Vec<C::Field> = Vec::with_capacity(self.points.len() >> 1);
        for run in self.iter() {
            let (pairs, _) = run.as_chunks::<2>();
            inverses.extend(pairs.iter().map(|[p, q]| denominator(p, q).unwrap_or(one)));
        }
        invert_all(&mut inverses);
        let mut inverses = inverses.into_iter();
        let mut points = Vec::with_capacity((self.points.len() >> 1) + self.lengths.len());
        let mut lengths = Vec::with_capacity(self.lengths.len());
        for run in self.iter() {
            let before = points.len();
            let (pairs, odd) = run.as_chunks::<2>();
            for ([p, q], inverse) in pairs.iter().zip(inverses.by_ref()) {
                let cancel = (q.x - p.x).is_zero() && !(q.y - p.y).is_zero();
                if !cancel {
                    points.push(sum(p, q, inverse));
                }
            }
            points.extend(odd);
            lengths.push(points.len() - before);
        }
        Self { points, lengths }
    }

    fn iter(&self) -> impl Iterator<Item = &[Affine<C>]> {
        let mut rest = self.points.as_slice();
        self.lengths.iter().map_while(move |length| {
            let (run, others) = rest.split_at_checked(*length)?;
            rest = others;
            Some(run)
        })
    }
}
