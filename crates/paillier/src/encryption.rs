//! The public side of Paillier encryption (Paillier, EUROCRYPT 1999), with `1 + N` as the base of plaintexts.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use quorate_bignum::{
    Engine, Integer, Modulus, Natural, PublicProduct, SecretInteger, SecretModulus, SecretNatural,
    SecretProduct,
};

use crate::numbers::{once, one, sized};
use crate::{Ciphertext, Error, Level, Randomizer};

/// A public key: `N`, of exactly the length of its level, odd. Copies share what was worked out.
///
/// Nothing more is known of `N` here: that it is made of two large primes, its owner has to prove.
#[derive(Clone)]
pub struct EncryptionKey {
    inner: Arc<Inner>,
}

struct Inner {
    level: Level,
    modulus: Modulus,
    square: Modulus,
    /// `N` as an exponent.
    exponent: Integer,
    /// `N`, for arithmetic on secret residues.
    residues: SecretModulus,
}

impl fmt::Debug for EncryptionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EncryptionKey").field("level", &self.level()).finish_non_exhaustive()
    }
}

impl PartialEq for EncryptionKey {
    fn eq(&self, other: &Self) -> bool {
        self.inner.modulus == other.inner.modulus
    }
}

impl Eq for EncryptionKey {}

/// `(1 + N)^m mod N^2` for a secret `m`: what a plaintext is in a product.
pub struct Plaintext {
    pub(crate) factor: SecretNatural,
    key: EncryptionKey,
}

impl fmt::Debug for Plaintext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Plaintext")
    }
}

impl EncryptionKey {
    /// The key of this modulus.
    ///
    /// # Errors
    /// [`Error::Modulus`] unless it is odd and exactly as long as the level says.
    pub fn new(level: Level, modulus: &Natural) -> Result<Self, Error> {
        if modulus.bits() != level.modulus_bits() || !modulus.is_odd() {
            return Err(Error::Modulus);
        }
        let modulus = Modulus::new(modulus)?;
        let square = Modulus::square_of(&modulus)?;
        let exponent = Integer::from(modulus.value().clone());
        let residues = modulus.for_secrets();
        let inner = Inner { level, modulus, square, exponent, residues };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Reads [`Level::modulus_bytes`] big-endian bytes of `N`.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Modulus`].
    pub fn from_bytes(level: Level, bytes: &[u8]) -> Result<Self, Error> {
        if bytes.len() != level.modulus_bytes() {
            return Err(Error::Length);
        }
        Self::new(level, &Natural::from_be_bytes(bytes))
    }

    /// `N` as [`Level::modulus_bytes`] big-endian bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        // The length was checked when the key was made.
        self.inner.modulus.value().to_be_bytes(self.level().modulus_bytes()).unwrap_or_default()
    }

    /// The level that all sizes come from.
    #[must_use]
    pub fn level(&self) -> Level {
        self.inner.level
    }

    /// `N`.
    #[must_use]
    pub fn modulus(&self) -> &Modulus {
        &self.inner.modulus
    }

    /// `N^2`, the modulus of ciphertexts.
    #[must_use]
    pub fn square(&self) -> &Modulus {
        &self.inner.square
    }

    /// `N` as an exponent.
    #[must_use]
    pub fn exponent(&self) -> &Integer {
        &self.inner.exponent
    }

    /// `N`, for arithmetic on secret residues.
    #[must_use]
    pub fn residues(&self) -> &SecretModulus {
        &self.inner.residues
    }

    /// Prepares a plaintext: `(1 + N)^m = 1 + m N mod N^2`, without a power. Integers that differ by a multiple of
    /// `N` are one plaintext. Constant time.
    #[must_use]
    pub fn plaintext(&self, m: &SecretInteger) -> Plaintext {
        let factor = m.reduce(self.residues()).mul_public(self.modulus().value()).add(&one());
        // Below N^2, so that nothing is cut off.
        let factor = sized(&factor, self.level().ciphertext_bytes()).unwrap_or(factor);
        Plaintext { factor, key: self.clone() }
    }

    /// `1 + m N mod N^2` for a public `m`.
    #[must_use]
    pub fn plaintext_vartime(&self, m: &Integer) -> Natural {
        m.reduce(self.modulus()).mul(self.modulus().value()).add(&Natural::one())
    }

    /// The encryption `(1 + N)^m r^N mod N^2`, as a product to evaluate; [`Self::publish`] makes a ciphertext of its
    /// value. More factors may be added.
    ///
    /// # Errors
    /// [`Error::OtherKey`]
    pub fn encryption<'a>(
        &'a self,
        m: &'a Plaintext,
        r: &'a Randomizer,
    ) -> Result<SecretProduct<'a>, Error> {
        self.check(m, r)?;
        let product = SecretProduct::new(self.square()).power(&m.factor, once());
        Ok(match r.power() {
            Some(power) => product.power(power, once()),
            None => product.power(r.value(), self.exponent()),
        })
    }

    /// `x·C ⊕ enc(m; r) = C^x (1 + N)^m r^N mod N^2`, as a product to evaluate.
    ///
    /// # Errors
    /// [`Error::OtherKey`]
    pub fn affine<'a>(
        &'a self,
        x: &'a SecretInteger,
        c: &'a Ciphertext,
        m: &'a Plaintext,
        r: &'a Randomizer,
    ) -> Result<SecretProduct<'a>, Error> {
        c.check(self)?;
        Ok(self.encryption(m, r)?.power(c.value(), x))
    }

    /// The encryption of a public plaintext with a public randomizer, as a verifier needs it. Variable time.
    #[must_use]
    pub fn opened_vartime<'a>(&'a self, m: &Integer, r: &'a Natural) -> PublicProduct<'a> {
        PublicProduct::new(self.square())
            .power(self.plaintext_vartime(m), once())
            .power(r, self.exponent())
    }

    /// Encrypts a list of plaintexts.
    ///
    /// # Errors
    /// [`Error::OtherKey`]
    pub fn encrypt_many(
        &self,
        engine: &Engine,
        list: &[(&SecretInteger, &Randomizer)],
    ) -> Result<Vec<Ciphertext>, Error> {
        let plaintexts: Vec<Plaintext> = list.iter().map(|(m, _)| self.plaintext(m)).collect();
        let products: Result<Vec<_>, _> =
            plaintexts.iter().zip(list).map(|(m, (_, r))| self.encryption(m, r)).collect();
        self.publish_all(engine.evaluate(&products?))
    }

    /// Makes the value of a product of ciphertexts and encryptions public. It is a unit since all of its factors are.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if it is zero or not below `N^2`.
    pub fn publish(&self, value: &SecretNatural) -> Result<Ciphertext, Error> {
        Ciphertext::unit(self, value.declassify())
    }

    pub(crate) fn publish_all(
        &self,
        values: Vec<Result<SecretNatural, quorate_bignum::Error>>,
    ) -> Result<Vec<Ciphertext>, Error> {
        values.into_iter().map(|value| self.publish(&value?)).collect()
    }

    pub(crate) fn check(&self, m: &Plaintext, r: &Randomizer) -> Result<(), Error> {
        if m.key != *self || r.key() != self {
            return Err(Error::OtherKey);
        }
        Ok(())
    }
}
