//! The signature schemes of the service.

use core::fmt;
use core::str::FromStr;

use quorate_purpose::KeyKind;
use serde::{Deserialize, Serialize};

/// A signature scheme with its curve.
///
/// In JSON it is its [`name`](Self::name). Names and codes never change. `ml-dsa-65` is experimental, and off at nodes whose
/// operators have not turned it on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Scheme {
    /// Threshold ECDSA over secp256k1.
    #[serde(rename = "ecdsa-secp256k1")]
    EcdsaSecp256k1,
    /// Threshold ECDSA over P-256.
    #[serde(rename = "ecdsa-p256")]
    EcdsaP256,
    /// FROST, with signatures of RFC 8032.
    #[serde(rename = "ed25519")]
    Ed25519,
    /// FROST over secp256k1, with signatures of BIP-340 under keys of BIP-341.
    #[serde(rename = "taproot")]
    Taproot,
    /// FROST, with signatures of RFC 8032.
    #[serde(rename = "ed448")]
    Ed448,
    /// Threshold ML-DSA-65, with signatures of FIPS 204. Experimental: a node has it only if its operator turns it on.
    #[serde(rename = "ml-dsa-65")]
    MlDsa65,
}

impl Scheme {
    /// Every scheme, in the order of their codes.
    pub const ALL: [Self; 6] = [
        Self::EcdsaSecp256k1,
        Self::EcdsaP256,
        Self::Ed25519,
        Self::Taproot,
        Self::Ed448,
        Self::MlDsa65,
    ];

    /// The name in requests, policies and metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EcdsaSecp256k1 => "ecdsa-secp256k1",
            Self::EcdsaP256 => "ecdsa-p256",
            Self::Ed25519 => "ed25519",
            Self::Taproot => "taproot",
            Self::Ed448 => "ed448",
            Self::MlDsa65 => "ml-dsa-65",
        }
    }

    /// The code in key ids and databases.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::EcdsaSecp256k1 => 1,
            Self::EcdsaP256 => 2,
            Self::Ed25519 => 3,
            Self::Taproot => 4,
            Self::Ed448 => 5,
            Self::MlDsa65 => 6,
        }
    }

    /// The scheme with this code.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.code() == code)
    }

    /// The kind of key that a purpose makes its message for.
    #[must_use]
    pub const fn key_kind(self) -> KeyKind {
        match self {
            Self::EcdsaSecp256k1 => KeyKind::EcdsaSecp256k1,
            Self::EcdsaP256 => KeyKind::EcdsaP256,
            Self::Ed25519 => KeyKind::Ed25519,
            Self::Taproot => KeyKind::Bip340,
            Self::Ed448 => KeyKind::Ed448,
            Self::MlDsa65 => KeyKind::MlDsa,
        }
    }

    /// Returns whether signatures are made from presignatures.
    #[must_use]
    pub const fn is_presigned(self) -> bool {
        matches!(self, Self::EcdsaSecp256k1 | Self::EcdsaP256)
    }

    /// Returns whether all signers make a signature together, in a run. Then nothing is made ahead.
    #[must_use]
    pub const fn is_interactive(self) -> bool {
        matches!(self, Self::MlDsa65)
    }

    /// Returns whether the members of a key can get new shares: by a refresh, or a change of the members.
    #[must_use]
    pub const fn gets_new_shares(self) -> bool {
        !matches!(self, Self::MlDsa65)
    }

    /// Returns whether the scheme is experimental: a node refuses its keys unless its operator turns it on.
    #[must_use]
    pub const fn is_experimental(self) -> bool {
        matches!(self, Self::MlDsa65)
    }

    /// The number of attempts that a signature takes on average, if everybody is honest.
    #[must_use]
    pub const fn tries(self) -> u32 {
        if self.is_interactive() { 2 } else { 1 }
    }
}

/// No scheme has this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected one of the schemes {}", Scheme::ALL.map(Scheme::name).join(" "))]
pub struct UnknownScheme;

impl FromStr for Scheme {
    type Err = UnknownScheme;

    fn from_str(text: &str) -> Result<Self, UnknownScheme> {
        Self::ALL.into_iter().find(|scheme| scheme.name() == text).ok_or(UnknownScheme)
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
