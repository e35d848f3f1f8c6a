//! The products of the images of a fold, each to its weight.

use alloc::vec::Vec;
use core::ops::Range;

use quorate_bignum::{Integer, Natural};

use super::fold::{MAX_FOLD, Weights};
use super::group::Group;
use super::relation::{Map, Relation};
use crate::numbers::once;

/// Statements of a block: no more of them are at work at one time.
const BLOCK: usize = 64;
const _: () = assert!(BLOCK < MAX_FOLD);

/// Statements of a short fold, whose images are factors of the check's own product: they share its squarings, where jobs of
/// their own would leave most of an engine's lanes empty.
const SHORT: usize = 2;

/// Powers of images, and of weighted factors.
pub(super) type Powers<'s> = Vec<(&'s Natural, Integer)>;

/// The products of a fold's images, as far as they are made.
pub(crate) struct Images<C: Group> {
    pub(super) weights: Weights,
    /// The statements that are in the products.
    pub(super) done: usize,
    count: usize,
    /// For each map.
    pub(super) products: Vec<Combined<C>>,
}

/// The combined images of one map.
pub(super) enum Combined<C: Group> {
    /// Not folded.
    None,
    /// The images, and the weighted factors whose exponents are positive, and those whose are negative.
    Number([Natural; 3]),
    Point(Option<C::Point>),
}

impl<C: Group> Images<C> {
    pub(super) fn new(relation: &Relation<'_, C>, weights: Weights) -> Self {
        let products = relation.maps.iter().map(|map| match (relation.fold_of(map), map) {
            (None, _) => Combined::None,
            (Some(_), Map::Point { .. }) => Combined::Point(None),
            (Some(_), _) => Combined::Number([(); 3].map(|()| Natural::one())),
        });
        let count = relation.fold.map_or(0, |fold| fold.count);
        Self { weights, done: 0, count, products: products.collect() }
    }

    /// The range of all statements, if the fold is short.
    pub(super) fn short(&self) -> Option<Range<usize>> {
        (self.count <= SHORT).then_some(0..self.count)
    }

    /// The statements of the next block; nothing if all images are combined, or the fold is short.
    pub(super) fn block(&self) -> Option<Range<usize>> {
        let next = self.done..self.count.min(self.done.saturating_add(BLOCK));
        if next.is_empty() || self.short().is_some() { None } else { Some(next) }
    }

    /// The product of the images of a map.
    pub(super) fn number(&self, place: usize) -> Option<&Natural> {
        match self.products.get(place)? {
            Combined::Number([image, ..]) => Some(image),
            Combined::None | Combined::Point(_) => None,
        }
    }

    /// The sum of the images of a map to a point.
    pub(super) fn point(&self, place: usize) -> Option<&C::Point> {
        match self.products.get(place)? {
            Combined::Point(point) => point.as_ref(),
            Combined::None | Combined::Number(_) => None,
        }
    }

    /// The products of weighted factors, with the sign of their exponents.
    pub(super) fn factors(&self, place: usize) -> impl Iterator<Item = (&Natural, Integer)> {
        let products = match self.products.get(place) {
            Some(Combined::Number([_, above, below])) => {
                Some([(above, once()), (below, once().neg())])
            }
            _ => None,
        };
        let one = Natural::one();
        products.into_iter().flatten().filter(move |(value, _)| **value != one)
    }
}
