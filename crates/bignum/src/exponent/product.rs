//! Descriptions of work: products of powers under a modulus.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::comb::Comb;
use crate::modular::factored::Factored;
use crate::modular::modulus::Modulus;
use crate::modular::secret_modulus::SecretModulus;
use crate::number::integer::Integer;
use crate::number::natural::Natural;
use crate::number::secret_integer::SecretInteger;
use crate::number::secret_natural::SecretNatural;

/// A factor `base^exponent` of which everything is public, or several over bases that repeat.
pub(crate) enum PublicTerm<'a> {
    /// `base^exponent`.
    Power(Cow<'a, Natural>, Cow<'a, Integer>),
    /// One power for each base of the table.
    Comb(&'a Comb, Vec<Cow<'a, Integer>>),
}

/// `Π base^exponent mod n`, all of it public: evaluated in variable time.
pub struct PublicProduct<'a> {
    pub(crate) modulus: &'a Modulus,
    pub(crate) terms: Vec<PublicTerm<'a>>,
}

impl<'a> PublicProduct<'a> {
    /// The empty product, 1.
    #[must_use]
    pub fn new(modulus: &'a Modulus) -> Self {
        Self { modulus, terms: Vec::new() }
    }

    /// Times `base^exponent`. The base must be below the modulus, and a unit if the exponent is negative.
    #[must_use]
    pub fn power(
        mut self,
        base: impl Into<Cow<'a, Natural>>,
        exponent: impl Into<Cow<'a, Integer>>,
    ) -> Self {
        self.terms.push(PublicTerm::Power(base.into(), exponent.into()));
        self
    }

    /// Times one power for each base of a table, in the order of its bases.
    #[must_use]
    pub fn comb(mut self, comb: &'a Comb, exponents: Vec<Cow<'a, Integer>>) -> Self {
        self.terms.push(PublicTerm::Comb(comb, exponents));
        self
    }
}

/// The modulus of a product with secrets.
#[derive(Clone, Copy)]
pub(crate) enum Ring<'a> {
    /// Public, of unknown factors.
    Public(&'a Modulus),
    /// Secret.
    Secret(&'a SecretModulus),
    /// With known factors.
    Factored(&'a Factored),
}

/// A base, public or secret.
pub enum Base<'a> {
    /// A public base.
    Public(Cow<'a, Natural>),
    /// A secret base.
    Secret(&'a SecretNatural),
}

/// An exponent, public or secret.
pub enum Exponent<'a> {
    /// A public exponent. The time may show all of it, unless the factors of the modulus are known.
    Public(Cow<'a, Integer>),
    /// A secret exponent. The time shows only its bound.
    Secret(&'a SecretInteger),
    /// A secret exponent that is known not to be negative, so that no inverse of its base is computed.
    SecretNatural(&'a SecretNatural),
}

impl Exponent<'_> {
    /// Returns whether it is known without the secret that the exponent is not negative.
    pub(crate) fn has_no_sign(&self) -> bool {
        match self {
            Self::Public(e) => !e.is_negative(),
            Self::Secret(_) => false,
            Self::SecretNatural(_) => true,
        }
    }
}

pub(crate) enum SecretTerm<'a> {
    /// `base^exponent`.
    Power(Base<'a>, Exponent<'a>),
    /// `base^N` under the square of a factored `N`.
    NthPower(Base<'a>),
    /// One power for each base of the table.
    Comb(&'a Comb, Vec<Exponent<'a>>),
}

/// `Π base^exponent mod n` with secrets in it, evaluated in a time that depends only on lengths.
pub struct SecretProduct<'a> {
    pub(crate) ring: Ring<'a>,
    pub(crate) terms: Vec<SecretTerm<'a>>,
}

impl<'a> SecretProduct<'a> {
    fn empty(ring: Ring<'a>) -> Self {
        Self { ring, terms: Vec::new() }
    }

    /// The empty product under a public modulus.
    #[must_use]
    pub fn new(modulus: &'a Modulus) -> Self {
        Self::empty(Ring::Public(modulus))
    }

    /// The empty product under a secret modulus.
    #[must_use]
    pub fn under_secret(modulus: &'a SecretModulus) -> Self {
        Self::empty(Ring::Secret(modulus))
    }

    /// The empty product under a modulus whose factors are known: a few times cheaper. Bases must be units.
    #[must_use]
    pub fn factored(modulus: &'a Factored) -> Self {
        Self::empty(Ring::Factored(modulus))
    }

    /// Times `base^exponent`. The base must be below the modulus, and a unit if the exponent may be negative.
    #[must_use]
    pub fn power(mut self, base: impl Into<Base<'a>>, exponent: impl Into<Exponent<'a>>) -> Self {
        self.terms.push(SecretTerm::Power(base.into(), exponent.into()));
        self
    }

    /// Times `base^N`, under the square of a factored `N` ([`Factored::square`]).
    #[must_use]
    pub fn nth_power(mut self, base: impl Into<Base<'a>>) -> Self {
        self.terms.push(SecretTerm::NthPower(base.into()));
        self
    }

    /// Times one power for each base of a table, in the order of its bases.
    #[must_use]
    pub fn comb(mut self, comb: &'a Comb, exponents: Vec<Exponent<'a>>) -> Self {
        self.terms.push(SecretTerm::Comb(comb, exponents));
        self
    }
}

/// A public product for a list of those with secrets. It takes no less time than theirs, and fills lanes that
/// would be empty.
impl<'a> From<PublicProduct<'a>> for SecretProduct<'a> {
    fn from(PublicProduct { modulus, terms }: PublicProduct<'a>) -> Self {
        let term = |term| match term {
            PublicTerm::Power(base, exponent) => {
                SecretTerm::Power(Base::Public(base), Exponent::Public(exponent))
            }
            PublicTerm::Comb(comb, exponents) => {
                SecretTerm::Comb(comb, exponents.into_iter().map(Exponent::Public).collect())
            }
        };
        Self { ring: Ring::Public(modulus), terms: terms.into_iter().map(term).collect() }
    }
}

impl<'a> From<&'a Natural> for Base<'a> {
    fn from(value: &'a Natural) -> Self {
        Self::Public(Cow::Borrowed(value))
    }
}

impl From<Natural> for Base<'_> {
    fn from(value: Natural) -> Self {
        Self::Public(Cow::Owned(value))
    }
}

impl<'a> From<&'a SecretNatural> for Base<'a> {
    fn from(value: &'a SecretNatural) -> Self {
        Self::Secret(value)
    }
}

impl<'a> From<&'a Integer> for Exponent<'a> {
    fn from(value: &'a Integer) -> Self {
        Self::Public(Cow::Borrowed(value))
    }
}

impl From<Integer> for Exponent<'_> {
    fn from(value: Integer) -> Self {
        Self::Public(Cow::Owned(value))
    }
}

impl<'a> From<&'a SecretInteger> for Exponent<'a> {
    fn from(value: &'a SecretInteger) -> Self {
        Self::Secret(value)
    }
}

impl<'a> From<&'a SecretNatural> for Exponent<'a> {
    fn from(value: &'a SecretNatural) -> Self {
        Self::SecretNatural(value)
    }
}

impl<'a> From<&'a Natural> for Cow<'a, Natural> {
    fn from(value: &'a Natural) -> Self {
        Self::Borrowed(value)
    }
}

impl From<Natural> for Cow<'_, Natural> {
    fn from(value: Natural) -> Self {
        Self::Owned(value)
    }
}

impl<'a> From<&'a Integer> for Cow<'a, Integer> {
    fn from(value: &'a Integer) -> Self {
        Self::Borrowed(value)
    }
}

impl From<Integer> for Cow<'_, Integer> {
    fn from(value: Integer) -> Self {
        Self::Owned(value)
    }
}
