//! Πenc-elg: `C = enc(x; ρ)`, `B = bG`, `X = bA + xG`, `x` in `±2^ℓ`.
//!
//! A Paillier ciphertext and an ElGamal commitment hide the same scalar, and it is short.

use quorate_bignum::SecretInteger;
use quorate_curve::Curve;
use quorate_paillier::level::ELL;
use quorate_paillier::{Ciphertext, EncryptionKey, Pedersen, Randomizer};

use crate::sigma::{self, Builder, ChallengeSet, IntegerVar, Relation};

/// `C = enc(x; ρ)` under the prover's key, `B = bG`, `X = bA + xG`, `x` in `±2^ℓ`.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a, C: Curve> {
    /// The verifier's setup.
    pub setup: &'a Pedersen,
    /// The ciphertext, under the prover's key, `C`.
    pub ciphertext: &'a Ciphertext,
    /// The base of the commitment, `A`.
    pub a: C::Point,
    /// The first half of the commitment, `B`.
    pub b: C::Point,
    /// The second half, `X`.
    pub x: C::Point,
}

/// The witness.
#[derive(Clone, Copy)]
pub struct Witness<'a, C: Curve> {
    /// The plaintext: the scalar's [centred](crate::centred) representative, `x`.
    pub x: &'a SecretInteger,
    /// The ciphertext's randomizer, `ρ`.
    pub rho: &'a Randomizer,
    /// The commitment's randomness, `b`.
    pub b: &'a C::Scalar,
}

/// The images of one statement, or of one among several that are folded.
#[derive(Clone, Copy)]
pub(super) struct Images<'a, C: Curve> {
    pub(super) ciphertext: &'a Ciphertext,
    pub(super) b: C::Point,
    pub(super) x: C::Point,
}

/// The components and equations that a statement and a fold of several have in common; gives `z1`.
pub(super) fn describe<'a, C: Curve>(
    b: &mut Builder<'a, C>,
    (key, a): (&'a EncryptionKey, C::Point),
    images: impl Iterator<Item = Images<'a, C>> + Clone,
    witnesses: impl Iterator<Item = Witness<'a, C>> + Clone,
) -> IntegerVar {
    let g = C::generator();
    let z1 = b.integer("z1", ELL, witnesses.clone().map(|w| w.x));
    let z2 = b.unit("z2", key, witnesses.clone().map(|w| w.rho));
    let w = b.scalar("w", witnesses.map(|w| w.b));
    b.paillier(images.clone().map(|one| one.ciphertext), z1, z2);
    b.point(images.clone().map(|one| one.x), [(a, w.into()), (g, z1.into())]);
    b.point(images.map(|one| one.b), [(g, w.into())]);
    z1
}

impl<'a, C: Curve> sigma::Statement<'a, C> for Statement<'a, C> {
    type Witness = Witness<'a, C>;

    fn relation(&self, witness: Option<Witness<'a, C>>) -> Relation<'a, C> {
        let key = self.ciphertext.key();
        let mut b = Relation::build("enc-elg", key.level(), ChallengeSet::Scalars);
        let &Self { ciphertext, b: left, x, .. } = self;
        let images = core::iter::once(Images { ciphertext, b: left, x });
        let z1 = describe(&mut b, (key, self.a), images, witness.into_iter());
        b.commitment(self.setup, z1, "z3");
        b.finish()
    }
}
