//! Random combinations of numbers under one modulus, for equations that are verified together.

use alloc::vec::Vec;

use quorate_bignum::{Engine, Integer, Modulus, Natural, PublicProduct};
use quorate_session::Transcript;

use crate::ProofFault;

/// The number of combinations of one set of equations. It is at most the number of lanes of an engine.
pub(crate) const COMBINATIONS: usize = 8;
/// Bits of a weight. An error whose order has no prime factor below `2^WEIGHT_BITS` stays in one combination with a chance
/// of at most `2^-WEIGHT_BITS`, and in all with one of `2^-128`.
pub(crate) const WEIGHT_BITS: u32 = 16;
const _: () = assert!(COMBINATIONS * WEIGHT_BITS as usize == 128);

/// Numbers that are raised and multiplied at a time: their tables take an eighth of a megabyte.
const BLOCK: usize = 8;

/// The weights of each number, one for each combination.
pub(crate) struct Weights(Vec<[u16; COMBINATIONS]>);

/// A weight as an exponent.
fn exponent(weight: u16) -> Integer {
    Integer::from(Natural::from(u64::from(weight)))
}

impl Weights {
    /// The weights that follow from a transcript, for `count` numbers.
    pub(crate) fn draw(transcript: &Transcript, count: usize) -> Self {
        let of_one = |index: u64| {
            let mut transcript = transcript.clone();
            transcript.append_u64("weights", index);
            let digest = transcript.finish();
            let (pairs, _) = digest.as_chunks();
            let mut weights = pairs.iter().map(|pair| u16::from_be_bytes(*pair));
            [(); COMBINATIONS].map(|()| weights.next().unwrap_or_default())
        };
        Self((0u64..).take(count).map(of_one).collect())
    }

    /// `Π b_i^(w_i)` for each combination.
    ///
    /// # Errors
    /// [`ProofFault::Values`] if the engine refused a product.
    pub(crate) fn combine(
        &self,
        engine: &Engine,
        modulus: &Modulus,
        bases: &[Natural],
    ) -> Result<[Natural; COMBINATIONS], ProofFault> {
        let mut out = [(); COMBINATIONS].map(|()| Natural::one());
        for (bases, weights) in bases.chunks(BLOCK).zip(self.0.chunks(BLOCK)) {
            let combination = |at: usize| {
                let powers = bases.iter().zip(weights).filter_map(|(b, w)| Some((b, *w.get(at)?)));
                powers.fold(PublicProduct::new(modulus), |out, (b, w)| out.power(b, exponent(w)))
            };
            let products: Vec<_> = (0..COMBINATIONS).map(combination).collect();
            for (out, value) in out.iter_mut().zip(engine.evaluate_vartime(&products)) {
                *out = modulus.mul(out, &value.map_err(|_| ProofFault::Values)?);
            }
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transcript(text: &str) -> Transcript {
        let mut transcript = Transcript::new("combination");
        transcript.append("text", text.as_bytes());
        transcript
    }

    /// Checks that all 16 bits of the weights vary in each combination, and that no two combinations or numbers
    /// share their weights.
    #[test]
    fn weights_are_whole_and_different() {
        let Weights(weights) = Weights::draw(&transcript("one"), 128);
        let column = |at: usize| -> Vec<u16> { weights.iter().map(|row| row[at]).collect() };
        for at in 0..COMBINATIONS {
            let bits = column(at);
            let any = bits.iter().fold(0, |any, bits| any | bits);
            let all = bits.iter().fold(u16::MAX, |all, bits| all & bits);
            assert_eq!((any, all), (u16::MAX, 0), "{at}");
            assert!((0..at).all(|other| column(other) != column(at)), "{at}");
        }
        for (index, row) in weights.iter().enumerate() {
            assert!(weights[..index].iter().all(|other| other != row), "{index}");
        }
        let Weights(others) = Weights::draw(&transcript("two"), 128);
        assert!(weights.iter().zip(&others).all(|(one, other)| one != other));
    }

    /// Each combination is the product of all powers by its own weights, over more than one block.
    #[test]
    fn combinations_are_the_products_of_powers() {
        let modulus = Modulus::new(&Natural::from((1 << 61) - 1)).unwrap();
        let bases: Vec<_> = (2u64..).take(2 * BLOCK + 3).map(Natural::from).collect();
        let (engine, weights) = (Engine::detect(), Weights::draw(&transcript("one"), bases.len()));
        let combined = weights.combine(&engine, &modulus, &bases).unwrap();
        for (at, combination) in combined.iter().enumerate() {
            let mut product = Natural::one();
            for (base, row) in bases.iter().zip(&weights.0) {
                let power = PublicProduct::new(&modulus).power(base, exponent(row[at]));
                let power = engine.evaluate_vartime(&[power]).remove(0).unwrap();
                product = modulus.mul(&product, &power);
            }
            assert_eq!(*combination, product, "{at}");
        }
    }
}
