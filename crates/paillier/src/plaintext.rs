//! Plaintexts, ready to be multiplied.

use core::fmt;

use quorate_bignum::{Integer, Natural, SecretInteger, SecretNatural};

use crate::key::EncryptionKey;
use crate::numbers::{one, sized};

/// A plaintext in a product: `(1 + N)^m mod N^2` for a secret `m`.
pub struct Plaintext {
    pub(crate) factor: SecretNatural,
    pub(crate) key: EncryptionKey,
}

impl fmt::Debug for Plaintext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Plaintext")
    }
}

impl EncryptionKey {
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
}
