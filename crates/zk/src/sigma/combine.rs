//! Combining the images of a fold, block by block.

use alloc::vec::Vec;
use core::ops::Range;

use quorate_bignum::{Integer, Modulus, Natural, PublicProduct, SecretProduct};

use super::fold::terms_of_job;
use super::group::Group;
use super::images::{Combined, Images, Powers};
use super::relation::{Map, Relation};
use super::verifier::{Check, Owner};
use super::{PublicValues, SecretValues};
use crate::ProofFault;
use crate::numbers::once;

/// Powers to be multiplied under one modulus.
struct Job<'s, 'a> {
    /// The map, and which of its products.
    place: usize,
    which: usize,
    modulus: &'a Modulus,
    owner: Owner<'a>,
    powers: Powers<'s>,
}

impl<'a, C: Group> Check<'a, C> {
    /// The statements of the next block; nothing if all images are combined.
    fn block(&self) -> Option<Range<usize>> {
        self.images.as_ref().and_then(Images::block)
    }

    /// Returns whether images of a fold are still to be combined. [`Self::image_products`] and [`Self::combine`]
    /// take the next block.
    #[must_use]
    pub fn has_images(&self) -> bool {
        self.block().is_some()
    }

    /// The powers of a map's images and of its weighted factors in a block.
    pub(super) fn powers<'s>(
        &'s self,
        map: &'s Map<'a, C>,
        block: &Range<usize>,
    ) -> [Powers<'s>; 3] {
        let mut out = [(); 3].map(|()| Powers::new());
        let (Some(images), Some(answer)) = (&self.images, self.answers().next()) else {
            return out;
        };
        let [image, above, below] = &mut out;
        let statements = |count: usize| block.start..block.end.min(count);
        let mut add = |values: &mut dyn Iterator<Item = &'s Natural>| {
            image.extend(values.zip(images.weights.from(block.start).iter().cloned()));
        };
        match map {
            Map::Paillier { images, .. } => {
                let of = images.get(statements(images.len())).unwrap_or_default();
                add(&mut of.iter().map(|one| one.value()));
            }
            Map::Commitment(var) => {
                let of = self.carried(*var);
                add(&mut of.get(statements(of.len())).unwrap_or_default().iter());
            }
            _ => {}
        }
        let Map::Paillier { weighted, .. } = map else { return out };
        for factor in weighted.iter().filter(|factor| block.contains(&factor.first)) {
            let terms = factor.by.iter().zip(images.weights.from(factor.first));
            let e = terms.fold(Integer::zero(), |sum, (by, e)| sum.add(&answer.z[*by].mul(e)));
            let side = if e.is_negative() { &mut *below } else { &mut *above };
            side.push((factor.ciphertext.value(), Integer::from(e.magnitude().clone())));
        }
        out
    }

    /// The jobs of the next block, with their maps, and which of the three products each belongs to.
    fn jobs(&self) -> Vec<Job<'_, 'a>> {
        let mut out = Vec::new();
        let block = self.block().unwrap_or_default();
        let relation = &self.received.relation;
        for (place, map) in self.maps().iter().enumerate() {
            let Some(modulus) = relation.fold_of(map).and_then(|_| modulus(relation, map)) else {
                continue;
            };
            for (which, powers) in self.powers(map, &block).into_iter().enumerate() {
                let jobs = powers.chunks(terms_of_job(powers.len()));
                out.extend(jobs.map(|powers| Job {
                    place,
                    which,
                    modulus,
                    owner: self.owner(map),
                    powers: powers.to_vec(),
                }));
            }
        }
        out
    }

    /// The products of the next block: those under moduli of others, and those under one's own.
    #[must_use]
    pub fn image_products(&self) -> (Vec<PublicProduct<'_>>, Vec<SecretProduct<'_>>) {
        let (mut public, mut own) = (Vec::new(), Vec::new());
        for Job { modulus, owner, powers, .. } in self.jobs() {
            let factored = match owner {
                Owner::Key(key) => key.square(),
                Owner::Setup(trapdoor) => trapdoor.factored(),
                Owner::Other => {
                    let product = PublicProduct::new(modulus);
                    public.push(powers.into_iter().fold(product, |out, (b, e)| out.power(b, e)));
                    continue;
                }
            };
            let product = SecretProduct::factored(factored);
            own.push(powers.into_iter().fold(product, |out, (base, e)| out.power(base, e)));
        }
        (public, own)
    }

    /// Takes the values of [`Self::image_products`], in their order, off two lists.
    ///
    /// # Errors
    /// [`ProofFault::Values`] if a list is too short, or the engine refused one of the products.
    pub fn combine(
        &mut self,
        public: &mut PublicValues<'_>,
        own: &mut SecretValues<'_>,
    ) -> Result<(), ProofFault> {
        let Some(block) = self.block() else { return Ok(()) };
        let mut values = Vec::new();
        let mut complete = true;
        for Job { place, which, modulus, owner, .. } in self.jobs() {
            let value = match owner {
                Owner::Other => public.next().and_then(Result::ok),
                _ => own.next().and_then(Result::ok).map(|value| value.declassify()),
            };
            complete &= value.is_some();
            values.extend(value.map(|value| (place, which, modulus, value)));
        }
        if !complete {
            return Err(ProofFault::Values);
        }
        self.add_points(&block);
        let Some(images) = &mut self.images else { return Err(ProofFault::Values) };
        for (place, which, modulus, value) in values {
            if let Some(Combined::Number(products)) = images.products.get_mut(place)
                && let Some(product) = products.get_mut(which)
            {
                *product = modulus.mul(product, &value);
            }
        }
        images.done = block.end;
        Ok(())
    }

    /// Adds a block's points to the sums of points.
    pub(super) fn add_points(&mut self, block: &Range<usize>) {
        let points = self.points(block);
        let Some(images) = &mut self.images else { return };
        for (place, point) in points {
            if let Some(Combined::Point(sum)) = images.products.get_mut(place) {
                *sum = Some(point);
            }
        }
    }

    /// The sums of points with a block's.
    fn points(&self, block: &Range<usize>) -> Vec<(usize, C::Point)> {
        let Some(Images { weights, products, .. }) = &self.images else { return Vec::new() };
        let folded = self.maps().iter().zip(products).enumerate();
        let sums = folded.filter_map(|(place, (map, made))| match (map, made) {
            (Map::Point { images, .. }, Combined::Point(sum)) => {
                let mut points: Vec<C::Point> = images.get(block.clone())?.to_vec();
                let weights = weights.from(block.start).iter().take(points.len());
                let mut scalars: Vec<C::Scalar> = weights.map(C::scalar_vartime).collect();
                if let Some(sum) = sum {
                    points.push(*sum);
                    scalars.push(C::scalar_vartime(&once()));
                }
                Some((place, C::sum_vartime(&scalars, &points)))
            }
            _ => None,
        });
        sums.collect()
    }
}

/// The modulus of a map's images.
fn modulus<'a, C: Group>(relation: &Relation<'a, C>, map: &Map<'a, C>) -> Option<&'a Modulus> {
    Some(match map {
        Map::Paillier { key, .. } => key.square(),
        Map::Commitment(q) | Map::Product { q, .. } => relation.commitment(*q).setup.modulus(),
        Map::Opened { setup, .. } => setup.modulus(),
        Map::Root(x) => relation.kinds[*x].1.modulus(),
        Map::Point { .. } => return None,
    })
}
