//! Πfac: a Paillier modulus has no small factor.

use alloc::vec::Vec;

use quorate_bignum::SecretInteger;
use quorate_curve::Curve;
use quorate_paillier::level::{ELL, EPSILON};
use quorate_paillier::{DecryptionKey, EncryptionKey, Level, Pedersen};

use crate::sigma::{self, ChallengeSet, Kind, Map, Part, Relation, component};

// N is a product of two numbers of at most about 2^(bits / 2 + ℓ + ε), so neither is much smaller than
// 2^(bits / 2 - ℓ - ε); `docs/paper.md` counts exactly.
const _: () = assert!(Level::Bits112.prime_bits() >= ELL + EPSILON + 256);

/// Bytes of a proof whose key and setup are of this level: e, P, Q, z₁, z₂, w₁, w₂, v.
#[must_use]
pub const fn proof_bytes(level: Level) -> usize {
    let (half, whole) = (level.prime_bits(), level.modulus_bits());
    let (factor, hiding) = (level.response_bytes(half + ELL), level.response_bytes(whole + ELL));
    let product = level.response_bytes(2 * whole + ELL);
    (ELL >> 3) as usize + 2 * (level.modulus_bytes() + factor + hiding) + product
}

/// `N = p q` with both factors in `±√N 2^(ℓ+ε)`.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a> {
    /// The verifier's setup.
    pub setup: &'a Pedersen,
    /// The prover's key, `N`.
    pub key: &'a EncryptionKey,
}

/// The factors.
pub struct Witness<'a> {
    /// The prover's key.
    pub key: &'a DecryptionKey,
}

impl<'a, C: Curve> sigma::Statement<'a, C> for Statement<'a> {
    type Witness = Witness<'a>;

    fn relation(&self) -> Relation<'a, C> {
        let (setup, level) = (self.setup, self.key.level());
        // √N is taken as 2^(bits / 2).
        let factor = Kind::ranged(level, level.prime_bits() + ELL);
        // r hides -νp: ±2^(ℓ+ε) N N̂.
        let product =
            Kind::ranged(level, level.modulus_bits() + setup.level().modulus_bits() + ELL);
        Relation {
            figure: "fac",
            level,
            challenge: ChallengeSet::Integers,
            components: [
                component("z1", factor),
                component("z2", factor),
                component("w1", Kind::hiding(setup)),
                component("w2", Kind::hiding(setup)),
                component("v", product),
            ]
            .into(),
            maps: [
                Map::Commitment { setup, x: 0, mu: 2 },
                Map::Commitment { setup, x: 1, mu: 3 },
                Map::Product { setup, commitment: 1, x: 0, mu: 4, value: self.key.exponent() },
            ]
            .into(),
        }
    }

    fn parts(&self, witness: Witness<'a>) -> Vec<Part<'a, C>> {
        let [p, q] = witness
            .key
            .factored()
            .parts()
            .map(|part| Part::Made(SecretInteger::from(part.value())));
        [p, q, Part::Fresh, Part::Fresh, Part::MinusProduct(3, 0)].into()
    }
}
