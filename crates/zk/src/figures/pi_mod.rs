//! Πmod: `N = p q` for primes `p` and `q` that are 3 modulo 4, `gcd(N, φ(N)) = 1`.
//!
//! It has a shape of its own: 128 random numbers `y_i` come out of the hash, and for each the prover shows its
//! `N`-th root `z_i` and a fourth root `x_i` of `±y_i` or `±w y_i`, whichever is a square.
//!
//! The proof is `w`, two bits for each `i` (the sign and the factor `w`), all `x_i`, all `z_i`.
//!
//! The verifier looks at each fourth root. The equations `z_i^N = y_i` it verifies together, in eight combinations with
//! weights of 16 bits that are a hash of the whole proof, and that `N` has no prime factor below 2^16: `docs/paper.md` says
//! why that is as good.

use alloc::vec;
use alloc::vec::Vec;

use quorate_bignum::{
    Engine, Integer, Modulus, Natural, PublicProduct, SecretNatural, SecretProduct,
    has_factor_below,
};
use quorate_paillier::level::REPETITIONS;
use quorate_paillier::{DecryptionKey, EncryptionKey, Level, are_units_vartime};
use quorate_session::Transcript;
use rand_core::CryptoRng;
use subtle::ConstantTimeEq;

use crate::combination::{COMBINATIONS, WEIGHT_BITS, Weights};
use crate::sigma::{Proof, PublicValues, SecretValues};
use crate::{Context, Error, Fault};

/// Bytes drawn beyond the modulus, so that a residue is uniform but for `2^-128`.
const EXTRA_BYTES: usize = 16;
/// Two bits for each repetition.
const FLAG_BYTES: usize = REPETITIONS >> 2;

/// Bytes of a proof.
#[must_use]
pub const fn proof_bytes(level: Level) -> usize {
    level.modulus_bytes() * (1 + 2 * REPETITIONS) + FLAG_BYTES
}

pub(crate) fn bytes(value: &Natural, key: &EncryptionKey) -> Vec<u8> {
    value.to_be_bytes(key.level().modulus_bytes()).unwrap_or_default()
}

/// The bits of a proof, none of them set.
pub(crate) fn no_flags() -> Vec<u8> {
    vec![0; FLAG_BYTES]
}

/// The numbers `y_i` that belong to `w`.
pub(crate) fn challenges(key: &EncryptionKey, w: &Natural, context: &Context<'_>) -> Vec<Natural> {
    let transcript = transcript(key, w, context);
    (0u64..).take(REPETITIONS).map(|index| challenge(key, &transcript, index)).collect()
}

fn transcript(key: &EncryptionKey, w: &Natural, context: &Context<'_>) -> Transcript {
    let mut transcript = context.transcript("mod");
    transcript.append_u64("level", key.level().modulus_bits().into());
    transcript.append("N", &key.to_bytes());
    transcript.append("w", &bytes(w, key));
    transcript
}

fn challenge(key: &EncryptionKey, transcript: &Transcript, index: u64) -> Natural {
    let len = key.level().modulus_bytes() + EXTRA_BYTES;
    let mut wide = Vec::with_capacity(len + 64);
    for block in 0u64.. {
        if wide.len() >= len {
            break;
        }
        let mut transcript = transcript.clone();
        transcript.append_u64("index", index);
        transcript.append_u64("block", block);
        wide.extend(transcript.finish());
    }
    wide.truncate(len);
    key.modulus().reduce(&Natural::from_be_bytes(&wide))
}

/// Draws before a generator counts as broken: a good one fails with probability `2^-256`, half of all units having the
/// symbol.
const TRIES: u32 = 256;

/// A number whose Jacobi symbol is -1.
fn non_residue(modulus: &Modulus, rng: &mut impl CryptoRng) -> Result<Natural, Error> {
    for _ in 0..TRIES {
        let w = Natural::random_below(rng, modulus.value())?;
        if modulus.jacobi(&w) == -1 {
            return Ok(w);
        }
    }
    Err(quorate_bignum::Error::Randomness.into())
}

/// A proof begun.
pub struct Prover<'a> {
    key: &'a DecryptionKey,
    w: Natural,
    y: Vec<Natural>,
    /// `1/4` modulo the order of the squares, and even: of `±u` for a square `u` it gives the fourth root of `u`
    /// that is a square, under each prime by itself.
    quarter: SecretNatural,
}

impl core::fmt::Debug for Prover<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Prover")
    }
}

impl<'a> Prover<'a> {
    /// Begins a proof.
    ///
    /// # Errors
    /// [`Error::Number`] if the generator is broken.
    pub fn new(
        key: &'a DecryptionKey,
        context: Context<'_>,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, Error> {
        let public = key.encryption_key();
        let w = non_residue(public.modulus(), rng)?;
        let y = challenges(public, &w, &context);
        // Twice 1/8 is even whatever 1/8 is.
        let eighth =
            key.order_of_squares()?.inverse(&SecretNatural::classify(&Natural::from(8), 4)?)?;
        Ok(Self { key, w, y, quarter: eighth.add(&eighth) })
    }

    /// The powers of `w` and of the challenges, through the factors, to be evaluated.
    #[must_use]
    pub fn products(&self) -> Vec<SecretProduct<'_>> {
        let product =
            |base, exponent| SecretProduct::factored(self.key.factored()).power(base, exponent);
        let mut out = vec![product(&self.w, &self.quarter)];
        for y in &self.y {
            out.push(product(y, &self.quarter));
            out.push(product(y, self.key.root()));
        }
        out
    }

    /// Takes the values of [`Self::products`], in their order, off a list: the proof is done.
    ///
    /// # Errors
    /// [`Error::Values`] if the list is too short, [`Error::Number`] if the engine refused a product.
    pub fn finish(self, values: &mut SecretValues<'_>) -> Result<Proof, Error> {
        let public = self.key.encryption_key();
        let mut next = || Ok::<_, Error>(values.next().ok_or(Error::Values)??);
        let root_of_w = next()?;
        let [w_left, _] = self.squares(&self.w, &root_of_w);
        let (mut flags, mut roots, mut nth_roots) = (no_flags(), Vec::new(), Vec::new());
        for (index, y) in self.y.iter().enumerate() {
            let root = next()?;
            let [left, right] = self.squares(y, &root);
            // Which bits are published anyway; -1 is a square under neither prime.
            let with_w = left != right;
            let negated = if with_w { left != w_left } else { !left };
            let x = if with_w { public.residues().mul(&root, &root_of_w) } else { root };
            set_flags(&mut flags, index, negated, with_w);
            roots.extend(bytes(&x.declassify(), public));
            nth_roots.extend(bytes(&next()?.declassify(), public));
        }
        Ok(Proof([bytes(&self.w, public), flags, roots, nth_roots].concat()))
    }

    /// Whether a number is a square under each prime: then it is the fourth power of the root found, otherwise minus
    /// that.
    fn squares(&self, value: &Natural, root: &SecretNatural) -> [bool; 2] {
        let residues = self.key.encryption_key().residues();
        let square = residues.mul(root, root);
        let fourth = residues.mul(&square, &square);
        let value = SecretNatural::classify(value, residues.bits())
            .unwrap_or_else(|_| SecretNatural::from_be_bytes(&[]));
        self.key
            .factored()
            .parts()
            .map(|prime| prime.reduce(&fourth).ct_eq(&prime.reduce(&value)).into())
    }
}

pub(crate) fn set_flags(flags: &mut [u8], index: usize, negated: bool, with_w: bool) {
    if let Some(byte) = flags.get_mut(index >> 2) {
        *byte |= (u8::from(negated) | u8::from(with_w) << 1) << (2 * (index & 3));
    }
}

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
    /// [`Fault::Length`], [`Fault::Unit`], [`Fault::Jacobi`], [`Fault::SmallFactor`], [`Fault::Equation`];
    /// [`Fault::Values`] if the engine refused a product.
    pub fn new(
        engine: &Engine,
        key: &'a EncryptionKey,
        proof: &[u8],
        context: Context<'_>,
    ) -> Result<Self, Fault> {
        let len = key.level().modulus_bytes();
        if proof.len() != proof_bytes(key.level()) {
            return Err(Fault::Length);
        }
        let (w, rest) = proof.split_at_checked(len).ok_or(Fault::Length)?;
        let (flags, rest) = rest.split_at_checked(FLAG_BYTES).ok_or(Fault::Length)?;
        let (modulus, w) = (key.modulus(), Natural::from_be_bytes(w));
        if w.is_zero() || w >= *modulus.value() {
            return Err(Fault::Unit("w"));
        }
        // Not 0, so w is a unit.
        if modulus.jacobi(&w) != -1 {
            return Err(Fault::Jacobi);
        }
        let y = challenges(key, &w, &context);
        let (roots, nth_roots) = rest.split_at_checked(len * REPETITIONS).ok_or(Fault::Length)?;
        let read = |numbers: &[u8]| numbers.chunks(len).map(Natural::from_be_bytes).collect();
        let roots: Vec<Natural> = read(roots);
        unit(modulus, &roots, "x or z")?;
        unit(modulus, &y, "y")?;
        fourth_powers(modulus, (&w, flags), (&roots, &y))?;
        drop(roots);
        let nth_roots: Vec<Natural> = read(nth_roots);
        unit(modulus, &nth_roots, "x or z")?;
        if has_factor_below(modulus.value(), 1 << WEIGHT_BITS) {
            return Err(Fault::SmallFactor);
        }
        let mut transcript = transcript(key, &w, &context);
        transcript.append("proof", proof);
        let weights = Weights::draw(&transcript, REPETITIONS);
        let [y, z] = [&y, &nth_roots].map(|numbers| weights.combine(engine, modulus, numbers));
        let exponent = key.exponent().sub(&Integer::from(Natural::one()));
        Ok(Self { key, y: y?, z: z?, exponent })
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
    /// [`Fault::Equation`]; [`Fault::Prime`] if `N` is prime or passes for it; [`Fault::Values`] if the list is too
    /// short, or the engine refused one of the products.
    pub fn verdict(self, values: &mut PublicValues<'_>) -> Result<(), Fault> {
        // All values are taken before any is looked at, so that the next check finds its own.
        let powers: Vec<_> = values.take(COMBINATIONS).collect();
        let fermat = values.next();
        if powers.len() != COMBINATIONS {
            return Err(Fault::Values);
        }
        if fermat.and_then(Result::ok).ok_or(Fault::Values)? == Natural::one() {
            return Err(Fault::Prime);
        }
        for (power, y) in powers.into_iter().zip(&self.y) {
            if power.map_err(|_| Fault::Values)? != *y {
                return Err(Fault::Equation);
            }
        }
        Ok(())
    }
}

/// That each `x_i` is the fourth root that its bits say.
fn fourth_powers(
    modulus: &Modulus,
    (w, flags): (&Natural, &[u8]),
    (roots, y): (&[Natural], &[Natural]),
) -> Result<(), Fault> {
    for (index, (x, y)) in roots.iter().zip(y).enumerate() {
        let square = modulus.mul(x, x);
        let flags = flags.get(index >> 2).map_or(0, |byte| byte >> (2 * (index & 3)));
        let y = if flags & 2 == 0 { y.clone() } else { modulus.mul(y, w) };
        let y = if flags & 1 == 0 { y } else { modulus.neg(&y) };
        if modulus.mul(&square, &square) != y {
            return Err(Fault::Equation);
        }
    }
    Ok(())
}

/// That all of these are units.
fn unit(modulus: &Modulus, values: &[Natural], name: &'static str) -> Result<(), Fault> {
    if are_units_vartime(modulus, values).into_iter().all(|unit| unit) {
        Ok(())
    } else {
        Err(Fault::Unit(name))
    }
}

/// Proves it from beginning to end.
///
/// # Errors
/// Those of [`Prover::new`] and [`Prover::finish`].
pub fn prove(
    engine: &Engine,
    key: &DecryptionKey,
    context: Context<'_>,
    rng: &mut impl CryptoRng,
) -> Result<Proof, Error> {
    let prover = Prover::new(key, context, rng)?;
    let mut values = engine.evaluate(&prover.products()).into_iter();
    prover.finish(&mut values)
}

/// Verifies it.
///
/// # Errors
/// The [`Fault`] that was found.
pub fn verify(
    engine: &Engine,
    key: &EncryptionKey,
    proof: &[u8],
    context: Context<'_>,
) -> Result<(), Fault> {
    let check = Check::new(engine, key, proof, context)?;
    let mut values = engine.evaluate_vartime(&check.products()).into_iter();
    check.verdict(&mut values)
}
