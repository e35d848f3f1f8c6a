//! The schemes, and the way from a value that names one to the types of it.

use core::any::Any;

use quorate::ecdsa;

use crate::error::{ErrorKind, QuorateError, Result};

/// A kind of key, and of its signatures. Its number is the code of the family in all stored forms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, uniffi::Enum)]
#[repr(u8)]
pub enum Scheme {
    /// FROST; signatures verify as Ed25519 (RFC 8032).
    FrostEd25519 = 1,
    /// FROST over Ristretto255 (RFC 9591).
    FrostRistretto255 = 2,
    /// FROST; signatures verify as Ed448 (RFC 8032).
    FrostEd448 = 3,
    /// FROST over P-256 (RFC 9591).
    FrostP256 = 4,
    /// FROST over secp256k1 (RFC 9591).
    FrostSecp256k1 = 5,
    /// FROST for Taproot; signatures verify as BIP-340, and the key commits to an unspendable script path.
    FrostTaproot = 6,
    /// Threshold ECDSA (CGGMP24) over P-256.
    EcdsaP256 = 36,
    /// Threshold ECDSA (CGGMP24) over secp256k1.
    EcdsaSecp256k1 = 37,
}

impl Scheme {
    /// Every scheme, by ascending number.
    pub(crate) const ALL: [Self; 8] = [
        Self::FrostEd25519,
        Self::FrostRistretto255,
        Self::FrostEd448,
        Self::FrostP256,
        Self::FrostSecp256k1,
        Self::FrostTaproot,
        Self::EcdsaP256,
        Self::EcdsaSecp256k1,
    ];

    /// The byte that stands for it in sealed and sent bytes.
    pub(crate) const fn code(self) -> u8 {
        self as u8
    }

    pub(crate) fn from_code(code: u8) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|scheme| scheme.code() == code);
        found.ok_or_else(|| {
            QuorateError::new(ErrorKind::Encoding, format_args!("no scheme has the code {code}"))
        })
    }

    /// The error for something that this scheme does not have.
    pub(crate) fn lacks(self, what: &str) -> QuorateError {
        QuorateError::new(ErrorKind::Arguments, format_args!("{self:?} has no {what}"))
    }
}

/// The size of the moduli of threshold ECDSA.
#[derive(Clone, Copy, PartialEq, Eq, Debug, uniffi::Enum)]
pub enum Level {
    /// 3072 bits: the recommended level.
    Bits128,
    /// 2048 bits, about 112 bits of security: to compare with systems that use this size.
    Bits112,
}

impl From<Level> for ecdsa::Level {
    fn from(level: Level) -> Self {
        match level {
            Level::Bits128 => Self::Bits128,
            Level::Bits112 => Self::Bits112,
        }
    }
}

impl Level {
    /// The byte that stands for it in sealed bytes.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Bits128 => 1,
            Self::Bits112 => 2,
        }
    }

    pub(crate) fn from_code(code: u8) -> Result<Self> {
        match code {
            1 => Ok(Self::Bits128),
            2 => Ok(Self::Bits112),
            _ => Err(QuorateError::new(
                ErrorKind::Encoding,
                format_args!("no level has the code {code}"),
            )),
        }
    }

    /// The level of a session's result.
    pub(crate) fn of(level: ecdsa::Level) -> Result<Self> {
        match level {
            ecdsa::Level::Bits128 => Ok(Self::Bits128),
            ecdsa::Level::Bits112 => Ok(Self::Bits112),
            _ => Err(QuorateError::new(ErrorKind::Defect, "a level that has no name here")),
        }
    }
}

/// A value of a scheme's type, behind a handle.
pub(crate) type Shared = dyn Any + Send + Sync;
/// A value of a scheme's type, behind a handle, that is used up.
pub(crate) type Owned = dyn Any + Send;

/// The value, if it is one of the scheme asked for.
pub(crate) fn view<T: Any>(value: &Shared) -> Result<&T> {
    value.downcast_ref().ok_or_else(other_scheme)
}

/// The value to use up, if it is one of the scheme asked for.
pub(crate) fn unwrap<T: Any>(value: Box<Owned>) -> Result<T> {
    Ok(*value.downcast::<T>().map_err(|_| other_scheme())?)
}

/// The error for an object of another scheme than it is used with.
pub(crate) fn other_scheme() -> QuorateError {
    QuorateError::new(ErrorKind::Mismatch, "it belongs to another scheme")
}

/// Evaluates an expression with `$suite` as the FROST suite of a scheme, or with `$curve` as the curve of ECDSA.
macro_rules! by_kind {
    ($scheme:expr, $suite:ident => $frost:expr, $curve:ident => $ecdsa:expr) => {
        match $scheme {
            $crate::Scheme::FrostEd25519 => {
                type $suite = quorate::frost::ed25519::Ed25519Sha512;
                $frost
            }
            $crate::Scheme::FrostEd448 => {
                type $suite = quorate::frost::ed448::Ed448Shake256;
                $frost
            }
            $crate::Scheme::FrostRistretto255 => {
                type $suite = quorate::frost::ristretto255::Ristretto255Sha512;
                $frost
            }
            $crate::Scheme::FrostP256 => {
                type $suite = quorate::frost::p256::P256Sha256;
                $frost
            }
            $crate::Scheme::FrostSecp256k1 => {
                type $suite = quorate::frost::secp256k1::Secp256k1Sha256;
                $frost
            }
            $crate::Scheme::FrostTaproot => {
                type $suite = quorate::frost::secp256k1_tr::Secp256k1Taproot;
                $frost
            }
            $crate::Scheme::EcdsaSecp256k1 => {
                type $curve = quorate::ecdsa::Secp256k1;
                $ecdsa
            }
            $crate::Scheme::EcdsaP256 => {
                type $curve = quorate::ecdsa::P256;
                $ecdsa
            }
        }
    };
}

/// Evaluates an expression with `$family` as the family of a scheme, for functions that all families have.
macro_rules! by_family {
    ($scheme:expr, $family:ident => $value:expr) => {
        $crate::scheme::by_kind!($scheme,
            Suite => { type $family = quorate::frost::generic::Frost<Suite>; $value },
            Curve => { type $family = quorate::ecdsa::Ecdsa<Curve>; $value }
        )
    };
}

pub(crate) use {by_family, by_kind};
