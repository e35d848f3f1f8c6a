//! Secret moduli: the factors of a key. The time of everything here depends on the bounds of lengths alone.

use alloc::sync::Arc;
use core::fmt;

use quorate_declassify::declassify;
use subtle::{Choice, ConstantTimeEq};

use super::parameters::{Parameters, remainder};
use crate::error::Error;
use crate::number::inverse;
use crate::number::secret_integer::SecretInteger;
use crate::number::secret_natural::{SecretNatural, select};

/// A secret odd modulus of at least 3 and of a public length: one of the factors of a key. The time of every operation
/// shows that length and those of its operands.
pub struct SecretModulus {
    parameters: Arc<Parameters>,
}

impl fmt::Debug for SecretModulus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretModulus")
    }
}

impl SecretModulus {
    /// Computes the values that exponentiation under `value` needs. The bound of `value` becomes the public
    /// length.
    ///
    /// # Errors
    /// [`Error::EvenModulus`], [`Error::SmallModulus`], [`Error::LargeModulus`].
    pub fn new(value: &SecretNatural) -> Result<Self, Error> {
        let parameters = Parameters::new(value.as_uint().clone(), value.bits(), false)?;
        // One is refused.
        if declassify(bool::from(parameters.value.is_one())) {
            return Err(Error::SmallModulus);
        }
        Ok(Self { parameters: Arc::new(parameters) })
    }

    /// The modulus `root^2`, of twice the public length; see [`Modulus::square_of`](crate::Modulus::square_of).
    ///
    /// # Errors
    /// [`Error::LargeModulus`]
    pub fn square_of(root: &Self) -> Result<Self, Error> {
        let parameters = Parameters::square_of(&root.parameters, 2 * root.bits(), false)?;
        Ok(Self { parameters: Arc::new(parameters) })
    }

    /// A public modulus, for numbers that are secret.
    pub(super) fn from_parameters(parameters: &Arc<Parameters>) -> Self {
        Self { parameters: Arc::clone(parameters) }
    }

    pub(crate) fn parameters(&self) -> &Arc<Parameters> {
        &self.parameters
    }

    /// The public bound of its length in bits.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.parameters.bits
    }

    /// The modulus as a number.
    #[must_use]
    pub fn value(&self) -> SecretNatural {
        SecretNatural::from_words(self.parameters.words(), self.parameters.bits)
    }

    /// The residue of a secret.
    #[must_use]
    pub fn reduce(&self, value: &SecretNatural) -> SecretNatural {
        match self.parameters.residue(value.as_uint()) {
            Some(residue) => SecretNatural::from_words(&residue, self.bits()),
            None => {
                SecretNatural::new(remainder(value.as_uint(), &self.parameters.value), self.bits())
            }
        }
    }

    /// The product of two secrets, reduced.
    #[must_use]
    pub fn mul(&self, a: &SecretNatural, b: &SecretNatural) -> SecretNatural {
        self.reduce(&a.mul(b))
    }

    /// `a - b` reduced, for two residues.
    #[must_use]
    pub fn sub(&self, a: &SecretNatural, b: &SecretNatural) -> SecretNatural {
        let (difference, below) = a.abs_diff(b);
        self.negate_if(&difference, below)
    }

    /// The residue `a`, or `n - a` where `negate`; 0 stays 0.
    pub(crate) fn negate_if(&self, a: &SecretNatural, negate: Choice) -> SecretNatural {
        let value = self.value();
        let (negated, _) = value.abs_diff(a);
        let chosen = select(a.as_uint(), negated.as_uint(), negate & !a.is_zero());
        SecretNatural::new(chosen, self.bits())
    }

    /// The inverse of a unit, in constant time.
    ///
    /// # Errors
    /// [`Error::NotInvertible`]
    pub fn inverse(&self, a: &SecretNatural) -> Result<SecretNatural, Error> {
        let n = self.parameters.words();
        let reduced = self.reduce(a).to_words(n.len());
        let inverse = inverse::inverse(&reduced, n, self.bits()).ok_or(Error::NotInvertible)?;
        Ok(SecretNatural::from_words(&inverse, self.bits()))
    }
}

impl ConstantTimeEq for SecretModulus {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.parameters.words().ct_eq(other.parameters.words())
    }
}

impl SecretNatural {
    /// The residue under a secret modulus.
    #[must_use]
    pub fn reduce(&self, modulus: &SecretModulus) -> Self {
        modulus.reduce(self)
    }
}

impl SecretInteger {
    /// The residue in `[0, m)` under a secret modulus.
    #[must_use]
    pub fn reduce(&self, modulus: &SecretModulus) -> SecretNatural {
        let residue = modulus.reduce(self.magnitude());
        modulus.negate_if(&residue, self.is_negative())
    }
}
