//! Exponents as a sign and a magnitude.

use subtle::Choice;

use crate::error::Error;
use crate::exponent::comb::shifted;
use crate::exponent::product::Exponent;
use crate::number::integer::Integer;
use crate::number::limbs::{Words, words_for};

/// A sign and a magnitude below `2^bits`.
pub(super) struct Signed {
    pub(super) negative: Choice,
    pub(super) magnitude: Words,
    pub(super) bits: u32,
}

impl Signed {
    /// A public exponent; `bits` is its length.
    pub(super) fn from_public(exponent: &Integer) -> Self {
        let bits = exponent.magnitude().bits();
        Self {
            negative: Choice::from(u8::from(exponent.is_negative())),
            magnitude: Words::new(exponent.magnitude().to_words(words_for(bits))),
            bits,
        }
    }

    /// An exponent, public or secret; of a secret one `bits` is the public bound.
    pub(super) fn from_exponent(exponent: &Exponent<'_>) -> Self {
        let (negative, magnitude) = match exponent {
            Exponent::Public(e) => return Self::from_public(e),
            Exponent::Secret(e) => (e.is_negative(), e.magnitude()),
            Exponent::SecretNatural(e) => (Choice::from(0), *e),
        };
        let bits = magnitude.bits();
        Self { negative, magnitude: magnitude.to_words(words_for(bits)), bits }
    }

    /// Refuses an exponent longer than `bound` bits.
    pub(super) fn fits(&self, bound: u32) -> Result<(), Error> {
        if self.bits > bound { Err(Error::ExponentTooLong) } else { Ok(()) }
    }

    /// The exponent plus `2^bound`, which has no sign: as combs take it.
    pub(super) fn for_comb(&self, bound: u32) -> Result<Words, Error> {
        self.fits(bound)?;
        Ok(shifted(&self.magnitude, self.negative, bound))
    }
}
