//! Powers of other ciphertexts in a map to a ciphertext.

use alloc::vec::Vec;

use quorate_paillier::Ciphertext;

use super::fold::Stages;
use super::group::Group;
use super::handle::IntegerVar;
use super::relation::{Map, Relation, Scaled, Weighted};

/// A map to a ciphertext, which may have a power of another ciphertext as a factor.
pub struct PaillierMap<'b, 'a, C: Group>(pub(super) &'b mut Relation<'a, C>);

impl<C: Group> core::fmt::Debug for PaillierMap<'_, '_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("PaillierMap")
    }
}

impl<'a, C: Group> PaillierMap<'_, 'a, C> {
    /// With the factor `C^x`.
    pub fn scaled(self, ciphertext: &'a Ciphertext, by: IntegerVar) {
        self.with(Scaled { ciphertext, by, negated: false });
    }

    /// With the factor `C^-x`.
    pub fn scaled_negative(self, ciphertext: &'a Ciphertext, by: IntegerVar) {
        self.with(Scaled { ciphertext, by, negated: true });
    }

    /// With the factors `C^(e x + e' x' + …)`: each ciphertext to the sum of the multipliers of the next statements, times
    /// their weights, which are those of a fold in two stages. The multipliers are not folded, and there is one for each
    /// statement.
    pub fn weighted<const N: usize>(
        self,
        factors: impl IntoIterator<Item = (&'a Ciphertext, [IntegerVar; N])>,
    ) {
        let Self(relation) = self;
        let mut first = 0;
        let mut list = Vec::new();
        for (ciphertext, by) in factors {
            for var in by {
                relation.uses(var);
                relation.alone(var);
            }
            list.push(Weighted { ciphertext, first, by: by.into() });
            first += N;
        }
        let fits =
            relation.fold.is_some_and(|fold| (fold.stages, fold.count) == (Stages::Two, first));
        if let Some(Map::Paillier { key, weighted, .. }) = relation.maps.last_mut() {
            let alike = list.iter().all(|factor| factor.ciphertext.key() == *key);
            relation.consistent &= fits && alike;
            *weighted = list;
        }
    }

    fn with(self, factor: Scaled<'a>) {
        let Self(relation) = self;
        relation.uses(factor.by);
        relation.alone(factor.by);
        let folded = relation.folded_map();
        if let Some(Map::Paillier { key, scaled, .. }) = relation.maps.last_mut() {
            relation.consistent &= factor.ciphertext.key() == *key && !folded;
            *scaled = Some(factor);
        }
    }
}
