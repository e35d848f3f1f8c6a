//! The public side of Paillier encryption (Paillier, EUROCRYPT 1999), with `1 + N` as the base of plaintexts.

use alloc::vec::Vec;

use quorate_bignum::{
    Engine, Integer, Natural, PublicProduct, SecretInteger, SecretNatural, SecretProduct,
};

use crate::ciphertext::Ciphertext;
use crate::error::Error;
use crate::key::EncryptionKey;
use crate::numbers::once;
use crate::plaintext::Plaintext;
use crate::randomizer::Randomizer;

impl EncryptionKey {
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
