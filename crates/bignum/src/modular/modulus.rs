//! Public moduli.

use alloc::sync::Arc;
use core::fmt;

use super::parameters::Parameters;
use super::secret_modulus::SecretModulus;
use crate::error::Error;
use crate::number::euclid;
use crate::number::integer::Integer;
use crate::number::natural::Natural;

/// A public odd modulus of at least 3. Copies share the values computed from it.
#[derive(Clone)]
pub struct Modulus {
    parameters: Arc<Parameters>,
    value: Arc<Natural>,
}

impl fmt::Debug for Modulus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Modulus").field(&self.value).finish()
    }
}

impl PartialEq for Modulus {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for Modulus {}

impl Modulus {
    /// Computes the values that exponentiation under `value` needs.
    ///
    /// # Errors
    /// [`Error::EvenModulus`], [`Error::SmallModulus`], [`Error::LargeModulus`].
    pub fn new(value: &Natural) -> Result<Self, Error> {
        let parameters = Parameters::new(value.as_uint().clone(), value.bits(), true)?;
        Ok(Self { parameters: Arc::new(parameters), value: Arc::new(value.clone()) })
    }

    /// The modulus `root^2`, which engines may treat better than one of which that is not known.
    ///
    /// # Errors
    /// [`Error::LargeModulus`]
    pub fn square_of(root: &Self) -> Result<Self, Error> {
        let value = root.value.mul(&root.value);
        let parameters = Parameters::square_of(&root.parameters, value.bits(), true)?;
        Ok(Self { parameters: Arc::new(parameters), value: Arc::new(value) })
    }

    pub(crate) fn parameters(&self) -> &Arc<Parameters> {
        &self.parameters
    }

    /// This modulus, for numbers that are secret.
    #[must_use]
    pub fn for_secrets(&self) -> SecretModulus {
        SecretModulus::from_parameters(&self.parameters)
    }

    /// The modulus as a number.
    #[must_use]
    pub fn value(&self) -> &Natural {
        &self.value
    }

    /// The length of the modulus in bits.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.parameters.bits
    }

    /// The residue of a number, in `[0, n)`.
    #[must_use]
    pub fn reduce(&self, value: &Natural) -> Natural {
        if value < self.value() {
            return value.clone();
        }
        Natural::new(value.as_uint().rem_vartime(&self.parameters.value))
    }

    /// The product of two numbers, reduced.
    #[must_use]
    pub fn mul(&self, a: &Natural, b: &Natural) -> Natural {
        self.reduce(&a.mul(b))
    }

    /// The sum of two numbers, reduced.
    #[must_use]
    pub fn add(&self, a: &Natural, b: &Natural) -> Natural {
        self.reduce(&a.add(b))
    }

    /// `n - a` for the residue `a` of a number, 0 for 0.
    #[must_use]
    pub fn neg(&self, a: &Natural) -> Natural {
        let a = self.reduce(a);
        if a.is_zero() { a } else { self.value.checked_sub(&a).unwrap_or(a) }
    }

    /// The inverse of a unit.
    ///
    /// # Errors
    /// [`Error::NotInvertible`] if the number and the modulus have a common factor.
    pub fn inverse(&self, a: &Natural) -> Result<Natural, Error> {
        euclid::inverse_vartime(&self.reduce(a), self.value()).ok_or(Error::NotInvertible)
    }

    /// Returns whether the number is in `[1, n)` and has no common factor with the modulus.
    #[must_use]
    pub fn is_unit(&self, a: &Natural) -> bool {
        a < self.value() && !a.is_zero() && a.gcd(self.value()) == Natural::one()
    }

    /// The Jacobi symbol `(a / n)`: -1, 0 or 1.
    #[must_use]
    pub fn jacobi(&self, a: &Natural) -> i8 {
        euclid::jacobi_vartime(&self.reduce(a), self.value())
    }
}

impl Integer {
    /// The residue in `[0, modulus)`.
    #[must_use]
    pub fn reduce(&self, modulus: &Modulus) -> Natural {
        let residue = modulus.reduce(self.magnitude());
        if self.is_negative() { modulus.neg(&residue) } else { residue }
    }
}
