//! The way in which a figure states its components and its equations.

use alloc::vec::Vec;

use quorate_bignum::{Integer, Natural, SecretInteger};
use quorate_paillier::{Ciphertext, EncryptionKey, Level, Pedersen, PedersenTrapdoor, Randomizer};

use super::factor::PaillierMap;
use super::fold::{Fold, Stages};
use super::group::Group;
use super::handle::{CommitmentVar, ExponentVar, IntegerVar, PointVar, ScalarVar, UnitVar};
use super::relation::{ChallengeSet, Commitment, Component, IntegerPart, Interval, Map, Relation};
use super::row::Row;
use crate::hiding::{Hiding, hiding_bits};

/// A relation in the making. A handle belongs to the builder that gave it: a relation made with another's is refused, by
/// prover and verifier alike.
///
/// In a fold a component takes a value for each statement, in their order, and a map of it an image for each. Lists of
/// values are empty for a verifier.
pub struct Builder<'a, C: Group> {
    pub(super) relation: Relation<'a, C>,
    /// `true` while the components that are stated are folded.
    folding: bool,
}

impl<C: Group> core::fmt::Debug for Builder<'_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Builder").field(&self.relation).finish()
    }
}

impl<'a, C: Group> Relation<'a, C> {
    /// Begins the description of a figure; `level` is the one that the lengths come from.
    #[must_use]
    pub fn build(figure: &'static str, level: Level, challenge: ChallengeSet) -> Builder<'a, C> {
        let relation = Self {
            figure,
            level,
            challenge,
            fold: None,
            order: Vec::new(),
            folded: Vec::new(),
            kinds: Row::default(),
            parts: Row::default(),
            commitments: Vec::new(),
            maps: Vec::new(),
            bound: Vec::new(),
            consistent: true,
        };
        Builder { relation, folding: false }
    }

    /// Begins the description of `count` statements of a figure, to be proved at once. In one stage all of it is
    /// folded. In two stages only the components that [`Builder::folded`] states are.
    #[must_use]
    pub fn fold(
        figure: &'static str,
        level: Level,
        (stages, count): (Stages, usize),
    ) -> Builder<'a, C> {
        let mut b = Self::build(figure, level, ChallengeSet::Weights);
        let fold = Fold { stages, count };
        b.relation.fold = Some(fold);
        b.relation.consistent = fold.is_valid();
        b.folding = stages == Stages::One;
        b
    }
}

impl<'a, C: Group> Builder<'a, C> {
    /// States components that are folded.
    pub fn folded<T>(&mut self, state: impl FnOnce(&mut Self) -> T) -> T {
        let before = core::mem::replace(&mut self.folding, true);
        self.relation.consistent &= self.relation.fold.is_some();
        let out = state(self);
        self.folding = before;
        out
    }

    /// An integer of `±2^bits` with the paper's slack `ε`; `name` is that of its response in the paper.
    pub fn integer(
        &mut self,
        name: &'static str,
        bits: u32,
        values: impl IntoIterator<Item = &'a SecretInteger>,
    ) -> IntegerVar {
        let slack = self.relation.level.epsilon();
        self.integer_with_slack(name, (bits, slack), values)
    }

    /// An integer of `±2^bits` whose mask is longer by another slack than `ε`.
    pub fn integer_with_slack(
        &mut self,
        name: &'static str,
        (bits, slack): (u32, u32),
        values: impl IntoIterator<Item = &'a SecretInteger>,
    ) -> IntegerVar {
        let part = IntegerPart::Given(values.into_iter().collect());
        self.interval(Interval { name, bits, slack }, part)
    }

    /// An integer of `±2^bits` that is made for this proof.
    pub fn made(
        &mut self,
        name: &'static str,
        bits: u32,
        value: Option<SecretInteger>,
    ) -> IntegerVar {
        let slack = self.relation.level.epsilon();
        self.interval(Interval { name, bits, slack }, IntegerPart::Made(value))
    }

    /// The integer `-x y`, of `±2^bits`.
    pub fn minus_product(
        &mut self,
        name: &'static str,
        bits: u32,
        [x, y]: [IntegerVar; 2],
    ) -> IntegerVar {
        for one in [x, y] {
            self.relation.uses(one);
            self.relation.alone(one);
        }
        self.relation.consistent &= !self.folding;
        let slack = self.relation.level.epsilon();
        self.interval(Interval { name, bits, slack }, IntegerPart::MinusProduct(x, y))
    }

    fn push(&mut self, component: Component) {
        self.relation.order.push(component);
        self.relation.folded.push(self.folding);
    }

    fn interval(&mut self, interval: Interval, part: IntegerPart<'a>) -> IntegerVar {
        let var = IntegerVar {
            at: self.relation.kinds.integers.len(),
            component: self.relation.order.len(),
        };
        self.push(var.into());
        self.relation.kinds.integers.push(interval);
        self.relation.parts.integers.push(part);
        var
    }

    /// A unit under a key.
    pub fn unit(
        &mut self,
        name: &'static str,
        key: &'a EncryptionKey,
        values: impl IntoIterator<Item = &'a Randomizer>,
    ) -> UnitVar {
        let var =
            UnitVar { at: self.relation.kinds.units.len(), component: self.relation.order.len() };
        self.push(var.into());
        self.relation.kinds.units.push((name, key));
        self.relation.parts.units.push(values.into_iter().collect());
        var
    }

    /// A scalar of the curve.
    pub fn scalar(
        &mut self,
        name: &'static str,
        values: impl IntoIterator<Item = &'a C::Scalar>,
    ) -> ScalarVar {
        let var = ScalarVar {
            at: self.relation.kinds.scalars.len(),
            component: self.relation.order.len(),
        };
        self.push(var.into());
        self.relation.kinds.scalars.push(name);
        self.relation.parts.scalars.push(values.into_iter().collect());
        var
    }

    /// The exponent `λ` of the prover's own setup.
    pub fn exponent(
        &mut self,
        name: &'static str,
        setup: &'a Pedersen,
        value: Option<&'a PedersenTrapdoor>,
    ) -> ExponentVar {
        let var = ExponentVar {
            at: self.relation.kinds.exponents.len(),
            component: self.relation.order.len(),
        };
        self.push(var.into());
        self.relation.alone(var);
        self.relation.kinds.exponents.push((name, setup));
        self.relation.parts.exponents.push(value);
        var
    }

    /// `(1 + N)^y ρ^N = image mod N²`, under the key `N` of the unit.
    pub fn paillier(
        &mut self,
        images: impl IntoIterator<Item = &'a Ciphertext>,
        y: IntegerVar,
        rho: UnitVar,
    ) -> PaillierMap<'_, 'a, C> {
        self.relation.uses(y);
        self.relation.uses(rho);
        self.relation.together(y, rho);
        let images: Vec<_> = images.into_iter().collect();
        self.relation.consistent &= images.len() == self.relation.count(y);
        // The handle of another relation has no key here: that relation is refused.
        if let Some((_, key)) = self.relation.kinds.units.get(rho.at).copied() {
            self.relation.consistent &= images.iter().all(|image| image.key() == key);
            let (scaled, weighted) = (None, Vec::new());
            self.relation.maps.push(Map::Paillier { key, images, y, rho, scaled, weighted });
        }
        PaillierMap(&mut self.relation)
    }

    /// `s^x t^μ mod N̂` under the verifier's setup, for a `μ` that the prover draws from `±2^ℓ N̂`. The paper gives the
    /// response of `μ` no range; here it is held to the interval of its mask like any other.
    pub fn commitment(
        &mut self,
        setup: &'a Pedersen,
        x: IntegerVar,
        name: &'static str,
    ) -> CommitmentVar {
        self.commit(setup, x, (name, IntegerPart::Fresh))
    }

    /// A commitment whose `μ` are given, since they are needed again. The list is empty for a verifier.
    pub fn commitment_with(
        &mut self,
        setup: &'a Pedersen,
        x: IntegerVar,
        name: &'static str,
        mu: impl IntoIterator<Item = &'a Hiding>,
    ) -> CommitmentVar {
        let part = IntegerPart::Given(mu.into_iter().map(Hiding::exponent).collect());
        self.commit(setup, x, (name, part))
    }

    fn commit(
        &mut self,
        setup: &'a Pedersen,
        x: IntegerVar,
        hiding: (&'static str, IntegerPart<'a>),
    ) -> CommitmentVar {
        let mu = self.hiding(setup, x, hiding);
        let var = CommitmentVar {
            mu,
            at: self.relation.commitments.len(),
            map: self.relation.maps.len(),
        };
        self.relation.commitments.push(Commitment { setup, x, mu });
        self.relation.maps.push(Map::Commitment(var));
        var
    }

    /// The component that hides `x`, folded if that is.
    fn hiding(
        &mut self,
        setup: &'a Pedersen,
        x: IntegerVar,
        (name, part): (&'static str, IntegerPart<'a>),
    ) -> IntegerVar {
        self.relation.uses(x);
        let interval =
            Interval { name, bits: hiding_bits(setup.level()), slack: setup.level().epsilon() };
        let folded = self.relation.is_folded(x);
        let before = core::mem::replace(&mut self.folding, folded);
        let mu = self.interval(interval, part);
        self.folding = before;
        mu
    }

    /// `s^x t^μ = image mod N̂` for a commitment of an earlier proof, whose `μ` was kept.
    pub fn opened(
        &mut self,
        (setup, image): (&'a Pedersen, &'a Natural),
        x: IntegerVar,
        name: &'static str,
        mu: Option<&'a Hiding>,
    ) {
        let part = IntegerPart::Given(mu.into_iter().map(Hiding::exponent).collect());
        let mu = self.hiding(setup, x, (name, part));
        self.relation.alone(x);
        self.relation.maps.push(Map::Opened { setup, image, x, mu });
    }

    /// Points that are hashed with the relation and stand in no equation of it.
    pub fn binds(&mut self, points: impl IntoIterator<Item = C::Point>) {
        self.relation.bound.extend(points);
    }

    /// `Q^x t^μ = s^value mod N̂` for a commitment `Q`.
    pub fn product(&mut self, q: CommitmentVar, x: IntegerVar, mu: IntegerVar, value: &'a Integer) {
        self.relation.uses_commitment(q);
        for one in [x, mu] {
            self.relation.uses(one);
            self.relation.alone(one);
        }
        self.relation.maps.push(Map::Product { q, x, mu, value });
    }

    /// `t^x = s mod N̂`, under the setup of the exponent.
    pub fn root(&mut self, x: ExponentVar) {
        self.relation.uses(x);
        self.relation.maps.push(Map::Root(x));
    }

    /// The sum of component times point is the image.
    pub fn point<const N: usize>(
        &mut self,
        images: impl IntoIterator<Item = C::Point>,
        terms: [(C::Point, PointVar); N],
    ) {
        let images: Vec<_> = images.into_iter().collect();
        for (_, var) in terms {
            self.relation.uses(var);
            self.relation.consistent &= images.len() == self.relation.count(var);
        }
        self.relation.maps.push(Map::Point { terms: terms.into(), images });
    }

    /// The relation.
    #[must_use]
    pub fn finish(self) -> Relation<'a, C> {
        self.relation
    }
}
