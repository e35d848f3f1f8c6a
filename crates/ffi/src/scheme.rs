//! The schemes, and the way from a value that names one to the types of it.

use core::any::Any;

use crate::error::{ErrorKind, QuorateError, Result};

/// A kind of key, and of its signatures. Its number is the code of the family in all stored forms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Enum))]
#[repr(u8)]
pub enum Scheme {
    /// FROST; signatures verify as Ed25519 (RFC 8032).
    FrostEd25519 = 1,
    /// FROST over Ristretto255 (RFC 9591).
    #[cfg(feature = "frost")]
    FrostRistretto255 = 2,
    /// FROST; signatures verify as Ed448 (RFC 8032).
    #[cfg(feature = "frost")]
    FrostEd448 = 3,
    /// FROST over P-256 (RFC 9591).
    #[cfg(feature = "frost")]
    FrostP256 = 4,
    /// FROST over secp256k1 (RFC 9591).
    #[cfg(feature = "frost")]
    FrostSecp256k1 = 5,
    /// FROST for Taproot; signatures verify as BIP-340, and the key commits to an unspendable script path.
    #[cfg(feature = "frost")]
    FrostTaproot = 6,
    /// Threshold ECDSA (CGGMP24) over P-256.
    #[cfg(feature = "ecdsa")]
    EcdsaP256 = 36,
    /// Threshold ECDSA (CGGMP24) over secp256k1.
    #[cfg(feature = "ecdsa")]
    EcdsaSecp256k1 = 37,
}

impl Scheme {
    /// Every scheme, by ascending number.
    pub(crate) const ALL: &'static [Self] = &[
        Self::FrostEd25519,
        #[cfg(feature = "frost")]
        Self::FrostRistretto255,
        #[cfg(feature = "frost")]
        Self::FrostEd448,
        #[cfg(feature = "frost")]
        Self::FrostP256,
        #[cfg(feature = "frost")]
        Self::FrostSecp256k1,
        #[cfg(feature = "frost")]
        Self::FrostTaproot,
        #[cfg(feature = "ecdsa")]
        Self::EcdsaP256,
        #[cfg(feature = "ecdsa")]
        Self::EcdsaSecp256k1,
    ];

    /// The byte that stands for it in sealed and sent bytes.
    pub(crate) const fn code(self) -> u8 {
        self as u8
    }

    pub(crate) fn from_code(code: u8) -> Result<Self> {
        let found = Self::ALL.iter().copied().find(|scheme| scheme.code() == code);
        found.ok_or_else(|| {
            QuorateError::new(ErrorKind::Encoding, format_args!("no scheme has the code {code}"))
        })
    }

    /// The error for something that this scheme does not have.
    pub(crate) fn lacks(self, what: &str) -> QuorateError {
        QuorateError::new(ErrorKind::Arguments, format_args!("{self:?} has no {what}"))
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
            #[cfg(feature = "frost")]
            $crate::Scheme::FrostEd448 => {
                type $suite = quorate::frost::ed448::Ed448Shake256;
                $frost
            }
            #[cfg(feature = "frost")]
            $crate::Scheme::FrostRistretto255 => {
                type $suite = quorate::frost::ristretto255::Ristretto255Sha512;
                $frost
            }
            #[cfg(feature = "frost")]
            $crate::Scheme::FrostP256 => {
                type $suite = quorate::frost::p256::P256Sha256;
                $frost
            }
            #[cfg(feature = "frost")]
            $crate::Scheme::FrostSecp256k1 => {
                type $suite = quorate::frost::secp256k1::Secp256k1Sha256;
                $frost
            }
            #[cfg(feature = "frost")]
            $crate::Scheme::FrostTaproot => {
                type $suite = quorate::frost::secp256k1_tr::Secp256k1Taproot;
                $frost
            }
            #[cfg(feature = "ecdsa")]
            $crate::Scheme::EcdsaSecp256k1 => {
                type $curve = quorate::ecdsa::Secp256k1;
                $ecdsa
            }
            #[cfg(feature = "ecdsa")]
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
