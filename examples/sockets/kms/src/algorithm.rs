//! Schemes and algorithms, by the names that AWS gives them.

use custody_core::Scheme;
use quorate_purpose::Hash;

/// The names of a scheme.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Algorithm {
    /// The specification of its keys.
    pub key_spec: &'static str,
    /// The algorithm of its signatures.
    pub signing: &'static str,
    /// The hash that stands before it.
    pub hash: Option<Hash>,
}

impl Algorithm {
    /// The names of a scheme, if AWS KMS has such keys.
    #[must_use]
    pub const fn of(scheme: Scheme) -> Option<Self> {
        match scheme {
            Scheme::EcdsaSecp256k1 => Some(Self::ecdsa("ECC_SECG_P256K1")),
            Scheme::EcdsaP256 => Some(Self::ecdsa("ECC_NIST_P256")),
            Scheme::Ed25519 => Some(Self {
                key_spec: "ECC_NIST_EDWARDS25519",
                signing: "ED25519_SHA_512",
                hash: None,
            }),
            Scheme::MlDsa65 => {
                Some(Self { key_spec: "ML_DSA_65", signing: "ML_DSA_SHAKE_256", hash: None })
            }
            Scheme::Taproot | Scheme::Ed448 => None,
        }
    }

    const fn ecdsa(key_spec: &'static str) -> Self {
        Self { key_spec, signing: "ECDSA_SHA_256", hash: Some(Hash::Sha256) }
    }
}
