//! Πdec: `enc(y; ρ) = x·K ⊕ D`, `X = xG`, `S = yH`, `x` in `±2^ℓ`.
//!
//! The plaintext of a sum of ciphertexts is the logarithm of a point.

use quorate_bignum::SecretInteger;
use quorate_curve::Curve;
use quorate_paillier::level::{ELL, REPETITIONS};
use quorate_paillier::{Ciphertext, Level, Randomizer};

use crate::sigma::{self, ChallengeSet, Relation};

/// The number b of bits for which `±2^b` holds `y`. It is a sum of one masked product for each of at most `2^16`
/// parties, each within `±2^(ℓ'+ε+1)`.
#[must_use]
pub const fn sum_bits(level: Level) -> u32 {
    level.ell_prime() + level.epsilon() + 1 + 16 + 7
}

/// The extra length of the mask of `y`, in bits. With one-bit challenges and 128 repetitions, `y` is hidden up to
/// `2^-154`. The paper's `ε` would exceed the plaintexts of the smaller level.
pub const SUM_SLACK: u32 = 160;

// The response and its witness are integers and not residues.
const _: () = assert!(sum_bits(Level::Bits112) + SUM_SLACK + 2 < Level::Bits112.modulus_bits());
// A response moves by 2^(sum_bits - 1) among 2^(sum_bits + SUM_SLACK) integers, in each repetition.
const _: () = assert!(SUM_SLACK + 1 - REPETITIONS.ilog2() == 154);
// Whole bytes.
const _: () = assert!(sum_bits(Level::Bits112) & 7 == 0 && SUM_SLACK & 7 == 0);

/// `enc(y; ρ) = x·K ⊕ D` under the prover's key, `X = xG`, `S = yH`, `x` in `±2^ℓ`.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a, C: Curve> {
    /// The ciphertext multiplied, `K`.
    pub k: &'a Ciphertext,
    /// The ciphertext added, `D`.
    pub d: &'a Ciphertext,
    /// The multiplier in the exponent, `X`.
    pub x: C::Point,
    /// The sum in the exponent, `S`.
    pub s: C::Point,
    /// The base of `S`, `H`.
    pub h: C::Point,
}

/// The witness.
#[derive(Clone, Copy)]
pub struct Witness<'a> {
    /// The multiplier: the scalar's [centred](crate::centred) representative, `x`.
    pub x: &'a SecretInteger,
    /// The plaintext of the sum as an integer, `y`.
    pub y: &'a SecretInteger,
    /// The randomizer of the sum, `ρ`.
    pub rho: &'a Randomizer,
}

impl<'a, C: Curve> sigma::Statement<'a, C> for Statement<'a, C> {
    type Witness = Witness<'a>;

    fn relation(&self, witness: Option<Witness<'a>>) -> Relation<'a, C> {
        let key = self.d.key();
        let mut b = Relation::build("dec", key.level(), ChallengeSet::Bits);
        let z = b.integer("z", ELL, witness.map(|w| w.x));
        let sum = (sum_bits(key.level()), SUM_SLACK);
        let y = b.integer_with_slack("w", sum, witness.map(|w| w.y));
        let nu = b.unit("nu", key, witness.map(|w| w.rho));
        b.paillier([self.d], y, nu).scaled_negative(self.k, z);
        b.point([self.x], [(C::generator(), z.into())]);
        b.point([self.s], [(self.h, y.into())]);
        b.finish()
    }
}
