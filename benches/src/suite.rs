//! The ciphersuites, by the names that the command line uses.

/// A FROST ciphersuite of RFC 9591 section 6, or its Taproot variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suite {
    /// FROST(Ed25519, SHA-512).
    Ed25519,
    /// FROST(ristretto255, SHA-512).
    Ristretto255,
    /// FROST(Ed448, SHAKE256).
    Ed448,
    /// FROST(P-256, SHA-256).
    P256,
    /// FROST(secp256k1, SHA-256).
    Secp256k1,
    /// FROST(secp256k1, SHA-256) with BIP-340 signatures.
    Secp256k1Tr,
}

impl Suite {
    /// Every suite, in the order of RFC 9591.
    pub const ALL: [Self; 6] = [
        Self::Ed25519,
        Self::Ristretto255,
        Self::Ed448,
        Self::P256,
        Self::Secp256k1,
        Self::Secp256k1Tr,
    ];

    /// The name on the command line and in the output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ed25519 => "ed25519",
            Self::Ristretto255 => "ristretto255",
            Self::Ed448 => "ed448",
            Self::P256 => "p256",
            Self::Secp256k1 => "secp256k1",
            Self::Secp256k1Tr => "secp256k1-tr",
        }
    }

    /// The suite of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|suite| suite.name() == name)
    }
}
