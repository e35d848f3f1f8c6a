//! Πmod: `N = p q` for primes `p` and `q` that are 3 modulo 4, `gcd(N, φ(N)) = 1`.
//!
//! This proof has a shape of its own. 128 random numbers `y_i` come out of the hash. For each the prover shows
//! its `N`-th root `z_i` and a fourth root `x_i` of `±y_i` or `±w y_i`, whichever is a square.
//!
//! The proof is `w`, two bits for each `i` (the sign and the factor `w`), all `x_i`, all `z_i`.
//!
//! The prover evaluates its roots block by block, and writes them where they belong in the proof.
//!
//! The verifier looks at each fourth root. The equations `z_i^N = y_i` it verifies together, in eight combinations with
//! weights of 16 bits that are a hash of the whole proof, and that `N` has no prime factor below 2^16: `docs/spec/arguments-ecdsa.md` says
//! why that is as good.

mod form;
mod prover;

use alloc::vec::Vec;

use quorate_bignum::{Engine, Integer, Modulus, Natural, PublicProduct, has_factor_below};
use quorate_paillier::level::REPETITIONS;
use quorate_paillier::{DecryptionKey, EncryptionKey, are_units_vartime};
use rand_core::CryptoRng;

pub(crate) use self::form::challenges;
pub use self::form::proof_bytes;
use self::form::{FLAG_BYTES, transcript};
#[cfg(feature = "testing")]
pub(crate) use self::form::{bytes, no_flags, set_flags};
pub use self::prover::Prover;
use crate::combination::{COMBINATIONS, WEIGHT_BITS, Weights};
use crate::sigma::{Proof, PublicValues};
use crate::{Error, ProofContext, ProofFault};

/// A proof of which only the powers are left to check.
pub struct Check<'a> {
    key: &'a EncryptionKey,
    /// `Π y_i^(w_i)` for each combination.
    y: [Natural; COMBINATIONS],
    /// `Π z_i^(w_i)` for each.
    z: [Natural; COMBINATIONS],
    /// `N - 1`.
    exponent: Integer,
}

impl core::fmt::Debug for Check<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Check")
    }
}

impl<'a> Check<'a> {
    /// Reads a proof and checks all that is cheap: lengths, ranges, units, small factors, the Jacobi symbol of `w` and the
    /// fourth powers. That `N` is odd and of the exact length, its type says. The equations of `N`-th powers are combined.
    ///
    /// # Errors
    /// [`ProofFault::Length`], [`ProofFault::Unit`], [`ProofFault::Jacobi`], [`ProofFault::SmallFactor`], [`ProofFault::Equation`];
    /// [`ProofFault::Values`] if the engine refused a product.
    pub fn new(
        engine: &Engine,
        key: &'a EncryptionKey,
        proof: &[u8],
        context: ProofContext<'_>,
    ) -> Result<Self, ProofFault> {
        let len = key.level().modulus_bytes();
        if proof.len() != proof_bytes(key.level()) {
            return Err(ProofFault::Length);
        }
        let (w, rest) = proof.split_at_checked(len).ok_or(ProofFault::Length)?;
        let (flags, rest) = rest.split_at_checked(FLAG_BYTES).ok_or(ProofFault::Length)?;
        let (modulus, w) = (key.modulus(), Natural::from_be_bytes(w));
        if w.is_zero() || w >= *modulus.value() {
            return Err(ProofFault::Unit("w"));
        }
        // Not 0, so w is a unit.
        if modulus.jacobi(&w) != -1 {
            return Err(ProofFault::Jacobi);
        }
        let (roots, nth_roots) =
            rest.split_at_checked(len * REPETITIONS).ok_or(ProofFault::Length)?;
        let read = |numbers: &[u8]| {
            numbers.chunks(len).map(Natural::from_be_bytes).collect::<Vec<Natural>>()
        };
        // One of these lists is there at a time, beside the challenges.
        unit(modulus, &read(roots), "x or z")?;
        let y = challenges(key, &w, &context);
        unit(modulus, &y, "y")?;
        fourth_powers(modulus, (&w, flags), (roots.chunks(len), &y))?;
        unit(modulus, &read(nth_roots), "x or z")?;
        if has_factor_below(modulus.value(), 1 << WEIGHT_BITS) {
            return Err(ProofFault::SmallFactor);
        }
        let mut transcript = transcript(key, &w, &context);
        transcript.append("proof", proof);
        let weights = Weights::draw(&transcript, REPETITIONS);
        let combined = weights.combine(engine, modulus, &y)?;
        drop(y);
        let z = weights.combine(engine, modulus, &read(nth_roots))?;
        let exponent = key.exponent().sub(&Integer::from(Natural::one()));
        Ok(Self { key, y: combined, z, exponent })
    }

    /// The powers that are left, to be evaluated.
    #[must_use]
    pub fn products(&self) -> Vec<PublicProduct<'_>> {
        let product = |base, exponent| PublicProduct::new(self.key.modulus()).power(base, exponent);
        let mut out: Vec<_> =
            self.z.iter().map(|z| product(z.clone(), self.key.exponent())).collect();
        out.push(product(Natural::from(2), &self.exponent));
        out
    }

    /// Takes the values of [`Self::products`], in their order, off a list, and says whether the proof holds.
    ///
    /// # Errors
    /// [`ProofFault::Equation`]; [`ProofFault::Prime`] if `N` is prime or passes for it; [`ProofFault::Values`] if the list is too
    /// short, or the engine refused one of the products.
    pub fn verdict(self, values: &mut PublicValues<'_>) -> Result<(), ProofFault> {
        // All values are taken before any is checked, so that the next check finds its own.
        let powers: Vec<_> = values.take(COMBINATIONS).collect();
        let fermat = values.next();
        if powers.len() != COMBINATIONS {
            return Err(ProofFault::Values);
        }
        if fermat.and_then(Result::ok).ok_or(ProofFault::Values)? == Natural::one() {
            return Err(ProofFault::Prime);
        }
        for (power, y) in powers.into_iter().zip(&self.y) {
            if power.map_err(|_| ProofFault::Values)? != *y {
                return Err(ProofFault::Equation);
            }
        }
        Ok(())
    }
}

/// Checks that each `x_i` is the fourth root that its bits select.
fn fourth_powers(
    modulus: &Modulus,
    (w, flags): (&Natural, &[u8]),
    (roots, y): (core::slice::Chunks<'_, u8>, &[Natural]),
) -> Result<(), ProofFault> {
    for (index, (x, y)) in roots.map(Natural::from_be_bytes).zip(y).enumerate() {
        let square = modulus.mul(&x, &x);
        let flags = flags.get(index >> 2).map_or(0, |byte| byte >> (2 * (index & 3)));
        let y = if flags & 2 == 0 { y.clone() } else { modulus.mul(y, w) };
        let y = if flags & 1 == 0 { y } else { modulus.neg(&y) };
        if modulus.mul(&square, &square) != y {
            return Err(ProofFault::Equation);
        }
    }
    Ok(())
}

/// Checks that every one of these values is a unit.
fn unit(modulus: &Modulus, values: &[Natural], name: &'static str) -> Result<(), ProofFault> {
    if are_units_vartime(modulus, values).into_iter().all(|unit| unit) {
        Ok(())
    } else {
        Err(ProofFault::Unit(name))
    }
}

/// Proves it from beginning to end.
///
/// # Errors
/// The errors of [`Prover::new`] and [`Prover::take`].
pub fn prove(
    engine: &Engine,
    key: &DecryptionKey,
    context: ProofContext<'_>,
    rng: &mut impl CryptoRng,
) -> Result<Proof, Error> {
    let mut prover = Prover::new(key, context, rng)?;
    while prover.has_roots() {
        let products = prover.products();
        let mut values = engine.evaluate(&products).into_iter();
        drop(products);
        prover.take(&mut values)?;
    }
    prover.finish()
}

/// Verifies it.
///
/// # Errors
/// The [`ProofFault`] that was found.
pub fn verify(
    engine: &Engine,
    key: &EncryptionKey,
    proof: &[u8],
    context: ProofContext<'_>,
) -> Result<(), ProofFault> {
    let check = Check::new(engine, key, proof, context)?;
    let mut values = engine.evaluate_vartime(&check.products()).into_iter();
    check.verdict(&mut values)
}
