//! The prover of Πmod.

use alloc::vec;
use alloc::vec::Vec;

use quorate_bignum::{Modulus, Natural, SecretNatural, SecretProduct};
use quorate_paillier::DecryptionKey;
use quorate_paillier::level::REPETITIONS;
use quorate_session::Transcript;
use rand_core::CryptoRng;
use subtle::ConstantTimeEq;

use super::form::{FLAG_BYTES, bytes, challenge, proof_bytes, set_flags, transcript};
use crate::sigma::{Proof, SecretValues};
use crate::{Error, ProofContext};

/// Draws before a generator counts as broken: a good one fails with probability `2^-256`, half of all units having the
/// symbol.
const TRIES: u32 = 256;

/// Repetitions whose roots are evaluated at a time: two powers each, under two primes, which fill the lanes of an engine.
const BLOCK: usize = 16;

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

/// A proof begun. Its roots are made block by block.
pub struct Prover<'a> {
    key: &'a DecryptionKey,
    w: Natural,
    /// The hash that the challenges are drawn from.
    transcript: Transcript,
    /// `1/4` modulo the order of the squares, and even: of `±u` for a square `u` it gives the fourth root of `u`
    /// that is a square, under each prime by itself.
    quarter: SecretNatural,
    /// The fourth root of `±w`, and whether `w` is a square under the first prime, when they are known.
    of_w: Option<(SecretNatural, bool)>,
    /// The repetitions whose roots are in the proof.
    done: usize,
    /// The challenges of the next block.
    y: Vec<Natural>,
    /// The proof, as far as it is made.
    proof: Vec<u8>,
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
        context: ProofContext<'_>,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, Error> {
        let public = key.encryption_key();
        let w = non_residue(public.modulus(), rng)?;
        let transcript = transcript(public, &w, &context);
        // Twice 1/8 is even whatever 1/8 is.
        let eighth =
            key.order_of_squares()?.inverse(&SecretNatural::classify(&Natural::from(8), 4)?)?;
        let quarter = eighth.add(&eighth);
        let (of_w, done, y) = (None, 0, Vec::new());
        let proof = vec![0; proof_bytes(public.level())];
        let mut prover = Self { key, w, transcript, quarter, of_w, done, y, proof };
        prover.draw();
        Ok(prover)
    }

    /// Draws the challenges of the next block.
    fn draw(&mut self) {
        let key = self.key.encryption_key();
        let block = (self.done..REPETITIONS).take(BLOCK);
        self.y = block.map(|index| challenge(key, &self.transcript, index as u64)).collect();
    }

    /// Returns whether roots are still to be made. [`Self::products`] and [`Self::take`] take the next block.
    #[must_use]
    pub const fn has_roots(&self) -> bool {
        self.done < REPETITIONS
    }

    /// The powers of the next challenges, and first that of `w`, through the factors, to be evaluated.
    #[must_use]
    pub fn products(&self) -> Vec<SecretProduct<'_>> {
        let product =
            |base, exponent| SecretProduct::factored(self.key.factored()).power(base, exponent);
        let mut out = Vec::with_capacity(2 * BLOCK + 1);
        if self.of_w.is_none() {
            out.push(product(&self.w, &self.quarter));
        }
        for y in &self.y {
            out.push(product(y, &self.quarter));
            out.push(product(y, self.key.root()));
        }
        out
    }

    /// Takes the values of [`Self::products`], in their order, off a list.
    ///
    /// # Errors
    /// [`Error::Values`] if the list is too short, [`Error::Number`] if the engine refused a product.
    pub fn take(&mut self, values: &mut SecretValues<'_>) -> Result<(), Error> {
        let public = self.key.encryption_key();
        let mut next = || Ok::<_, Error>(values.next().ok_or(Error::Values)??);
        let (root_of_w, w_left) = match self.of_w.take() {
            Some(of_w) => of_w,
            None => {
                let root = next()?;
                let [left, _] = self.squares(&self.w, &root);
                (root, left)
            }
        };
        for y in core::mem::take(&mut self.y) {
            let root = next()?;
            let [left, right] = self.squares(&y, &root);
            // Which bits are published anyway; -1 is a square under neither prime.
            let with_w = left != right;
            let negated = if with_w { left != w_left } else { !left };
            let x = if with_w { public.residues().mul(&root, &root_of_w) } else { root };
            let x = x.declassify();
            self.write([&x, &next()?.declassify()], [negated, with_w]).ok_or(Error::Values)?;
            self.done += 1;
        }
        self.of_w = Some((root_of_w, w_left));
        self.draw();
        Ok(())
    }

    /// Writes the roots of the next repetition, and its bits.
    fn write(&mut self, roots: [&Natural; 2], [negated, with_w]: [bool; 2]) -> Option<()> {
        let key = self.key.encryption_key();
        let len = key.level().modulus_bytes();
        let (flags, numbers) = self.proof.get_mut(len..)?.split_at_mut_checked(FLAG_BYTES)?;
        set_flags(flags, self.done, negated, with_w);
        for (root, place) in roots.into_iter().zip([self.done, REPETITIONS + self.done]) {
            let (from, to) = (bytes(root, key), numbers.chunks_mut(len).nth(place)?);
            to.get_mut(..from.len())?.copy_from_slice(&from);
        }
        Some(())
    }

    /// The proof, when all roots are made.
    ///
    /// # Errors
    /// [`Error::Values`] if they are not.
    pub fn finish(mut self) -> Result<Proof, Error> {
        if self.has_roots() {
            return Err(Error::Values);
        }
        let w = bytes(&self.w, self.key.encryption_key());
        self.proof.get_mut(..w.len()).ok_or(Error::Values)?.copy_from_slice(&w);
        Ok(Proof(self.proof))
    }

    /// For each prime, whether the number is a square under it. If so, it is the fourth power of the root found,
    /// otherwise minus that.
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
