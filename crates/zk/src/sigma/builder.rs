//! How a figure states its components and its equations.

use alloc::vec::Vec;

use quorate_bignum::{Integer, SecretInteger};
use quorate_paillier::level::ELL;
use quorate_paillier::{Ciphertext, EncryptionKey, Level, Pedersen, PedersenTrapdoor, Randomizer};

use super::group::Group;
use super::handle::{CommitmentVar, ExponentVar, IntegerVar, PointVar, ScalarVar, UnitVar};
use super::relation::{
    ChallengeSet, Commitment, Component, IntegerPart, Interval, Map, Relation, Scaled,
};
use super::row::Row;

/// A relation in the making. A handle belongs to the builder that gave it: a relation made with another's is refused, by
/// prover and verifier alike.
pub struct Builder<'a, C: Group>(Relation<'a, C>);

impl<C: Group> core::fmt::Debug for Builder<'_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Builder").field(&self.0).finish()
    }
}

impl<'a, C: Group> Relation<'a, C> {
    /// Begins the description of a figure; `level` is the one that the lengths come from.
    #[must_use]
    pub fn build(figure: &'static str, level: Level, challenge: ChallengeSet) -> Builder<'a, C> {
        Builder(Self {
            figure,
            level,
            challenge,
            order: Vec::new(),
            kinds: Row::default(),
            parts: Row::default(),
            commitments: Vec::new(),
            maps: Vec::new(),
            consistent: true,
        })
    }
}

impl<'a, C: Group> Builder<'a, C> {
    /// An integer of `±2^bits` with the paper's slack `ε`; `name` is that of its response in the paper.
    pub fn integer(
        &mut self,
        name: &'static str,
        bits: u32,
        value: Option<&'a SecretInteger>,
    ) -> IntegerVar {
        let slack = self.0.level.epsilon();
        self.integer_with_slack(name, (bits, slack), value)
    }

    /// An integer of `±2^bits` whose mask is longer by another slack than `ε`.
    pub fn integer_with_slack(
        &mut self,
        name: &'static str,
        (bits, slack): (u32, u32),
        value: Option<&'a SecretInteger>,
    ) -> IntegerVar {
        self.interval(Interval { name, bits, slack }, value.map(IntegerPart::Given))
    }

    /// An integer of `±2^bits` that is made for this proof.
    pub fn made(
        &mut self,
        name: &'static str,
        bits: u32,
        value: Option<SecretInteger>,
    ) -> IntegerVar {
        let slack = self.0.level.epsilon();
        self.interval(Interval { name, bits, slack }, value.map(IntegerPart::Made))
    }

    /// The integer `-x y`, of `±2^bits`.
    pub fn minus_product(
        &mut self,
        name: &'static str,
        bits: u32,
        [x, y]: [IntegerVar; 2],
    ) -> IntegerVar {
        self.uses(x);
        self.uses(y);
        let slack = self.0.level.epsilon();
        self.interval(Interval { name, bits, slack }, Some(IntegerPart::MinusProduct(x, y)))
    }

    /// Notes whether a component is this relation's own.
    fn uses(&mut self, component: impl Into<Component>) {
        let component = component.into();
        self.0.consistent &= self.0.order.get(component.place()) == Some(&component);
    }

    /// Notes whether a commitment is this relation's own.
    fn uses_commitment(&mut self, var: CommitmentVar) {
        let own = self.0.commitments.get(var.at).is_some_and(|one| one.mu == var.mu);
        self.0.consistent &=
            own && matches!(self.0.maps.get(var.map), Some(Map::Commitment(one)) if *one == var);
    }

    fn interval(&mut self, interval: Interval, part: Option<IntegerPart<'a>>) -> IntegerVar {
        let var = IntegerVar { at: self.0.kinds.integers.len(), component: self.0.order.len() };
        self.0.order.push(Component::Integer(var));
        self.0.kinds.integers.push(interval);
        self.0.parts.integers.push(part);
        var
    }

    /// A unit under a key.
    pub fn unit(
        &mut self,
        name: &'static str,
        key: &'a EncryptionKey,
        value: Option<&'a Randomizer>,
    ) -> UnitVar {
        let var = UnitVar { at: self.0.kinds.units.len(), component: self.0.order.len() };
        self.0.order.push(Component::Unit(var));
        self.0.kinds.units.push((name, key));
        self.0.parts.units.push(value);
        var
    }

    /// A scalar of the curve.
    pub fn scalar(&mut self, name: &'static str, value: Option<&'a C::Scalar>) -> ScalarVar {
        let var = ScalarVar { at: self.0.kinds.scalars.len(), component: self.0.order.len() };
        self.0.order.push(Component::Scalar(var));
        self.0.kinds.scalars.push(name);
        self.0.parts.scalars.push(value);
        var
    }

    /// The exponent `λ` of the prover's own setup.
    pub fn exponent(
        &mut self,
        name: &'static str,
        setup: &'a Pedersen,
        value: Option<&'a PedersenTrapdoor>,
    ) -> ExponentVar {
        let var = ExponentVar { at: self.0.kinds.exponents.len(), component: self.0.order.len() };
        self.0.order.push(Component::Exponent(var));
        self.0.kinds.exponents.push((name, setup));
        self.0.parts.exponents.push(value);
        var
    }

    /// `(1 + N)^y ρ^N = image mod N²`, under the key `N` of the image.
    pub fn paillier(
        &mut self,
        image: &'a Ciphertext,
        y: IntegerVar,
        rho: UnitVar,
    ) -> PaillierMap<'_, 'a, C> {
        self.uses(y);
        self.uses(rho);
        let key = self.0.kinds.units.get(rho.at).map(|(_, key)| *key);
        self.0.consistent &= key == Some(image.key());
        self.0.maps.push(Map::Paillier { image, y, rho, scaled: None });
        PaillierMap(self)
    }

    /// `s^x t^μ mod N̂` under the verifier's setup, for a `μ` that the prover draws from `±2^ℓ N̂`. The paper gives the
    /// response of `μ` no range; here it is held to the interval of its mask like any other.
    pub fn commitment(
        &mut self,
        setup: &'a Pedersen,
        x: IntegerVar,
        name: &'static str,
    ) -> CommitmentVar {
        self.uses(x);
        let bits = setup.level().modulus_bits() + ELL;
        let interval = Interval { name, bits, slack: setup.level().epsilon() };
        let mu = self.interval(interval, Some(IntegerPart::Fresh));
        let var = CommitmentVar { mu, at: self.0.commitments.len(), map: self.0.maps.len() };
        self.0.commitments.push(Commitment { setup, x, mu });
        self.0.maps.push(Map::Commitment(var));
        var
    }

    /// `Q^x t^μ = s^value mod N̂` for a commitment `Q`.
    pub fn product(&mut self, q: CommitmentVar, x: IntegerVar, mu: IntegerVar, value: &'a Integer) {
        self.uses_commitment(q);
        self.uses(x);
        self.uses(mu);
        self.0.maps.push(Map::Product { q, x, mu, value });
    }

    /// `t^x = s mod N̂`, under the setup of the exponent.
    pub fn root(&mut self, x: ExponentVar) {
        self.uses(x);
        self.0.maps.push(Map::Root(x));
    }

    /// The sum of component times point is the image.
    pub fn point<const N: usize>(&mut self, image: C::Point, terms: [(C::Point, PointVar); N]) {
        for (_, var) in terms {
            self.uses(var);
        }
        self.0.maps.push(Map::Point { terms: terms.into(), image });
    }

    /// The relation.
    #[must_use]
    pub fn finish(self) -> Relation<'a, C> {
        self.0
    }
}

/// A map to a ciphertext, which may have a power of another ciphertext as a factor.
pub struct PaillierMap<'b, 'a, C: Group>(&'b mut Builder<'a, C>);

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

    fn with(self, factor: Scaled<'a>) {
        let Self(builder) = self;
        builder.uses(factor.by);
        if let Some(Map::Paillier { image, scaled, .. }) = builder.0.maps.last_mut() {
            builder.0.consistent &= factor.ciphertext.key() == image.key();
            *scaled = Some(factor);
        }
    }
}
