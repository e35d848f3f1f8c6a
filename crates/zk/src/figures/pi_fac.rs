//! Πfac: `N = p q` with `p` and `q` in `±√N 2^ℓ`, shown for `±√N 2^(ℓ+ε)`.
//!
//! A Paillier modulus has no small factor.

use quorate_bignum::SecretInteger;
use quorate_paillier::level::{ELL, EPSILON};
use quorate_paillier::{DecryptionKey, EncryptionKey, Level, Pedersen};

use crate::sigma::{self, ChallengeSet, NoPoints, Relation};

// N is a product of two numbers of at most about 2^(bits / 2 + ℓ + ε), so neither is much smaller than
// 2^(bits / 2 - ℓ - ε); `docs/spec/arguments-ecdsa.md` counts exactly.
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
#[derive(Clone, Copy)]
pub struct Witness<'a> {
    /// The prover's key.
    pub key: &'a DecryptionKey,
}

impl<'a> sigma::Statement<'a, NoPoints> for Statement<'a> {
    type Witness = Witness<'a>;

    fn relation(&self, witness: Option<Witness<'a>>) -> Relation<'a, NoPoints> {
        let (setup, level) = (self.setup, self.key.level());
        let [p, q] = match witness {
            Some(w) => w.key.factored().parts().map(|p| Some(SecretInteger::from(p.value()))),
            None => [None, None],
        };
        // √N is taken as 2^(bits / 2).
        let factor = level.prime_bits() + ELL;
        // r hides -νp: ±2^(ℓ+ε) N N̂.
        let product = level.modulus_bits() + setup.level().modulus_bits() + ELL;
        let mut b = Relation::build("fac", level, ChallengeSet::Integers);
        let z1 = b.made("z1", factor, p);
        let z2 = b.made("z2", factor, q);
        b.commitment(setup, z1, "w1");
        let q = b.commitment(setup, z2, "w2");
        let v = b.minus_product("v", product, [q.mu, z1]);
        b.product(q, z1, v, self.key.exponent());
        b.finish()
    }
}
