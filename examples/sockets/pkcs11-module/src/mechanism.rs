//! Mechanisms.

use cryptoki_sys::*;
use sockets_pkcs11_wire::{Input, Scheme};

use crate::rv::{Result, Rv};

/// A mechanism for signatures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mechanism {
    /// Ed25519.
    Eddsa,
    /// ECDSA over the SHA-256 hash of a message.
    EcdsaSha256,
    /// ECDSA over a digest.
    Ecdsa,
    /// ML-DSA over a message, with the empty context.
    MlDsa,
}

impl Mechanism {
    pub(crate) const ALL: [Self; 4] = [Self::Eddsa, Self::EcdsaSha256, Self::Ecdsa, Self::MlDsa];

    pub(crate) const fn code(self) -> CK_MECHANISM_TYPE {
        match self {
            Self::Eddsa => CKM_EDDSA,
            Self::EcdsaSha256 => CKM_ECDSA_SHA256,
            Self::Ecdsa => CKM_ECDSA,
            Self::MlDsa => CKM_ML_DSA,
        }
    }

    pub(crate) fn of(code: CK_MECHANISM_TYPE) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|mechanism| mechanism.code() == code);
        found.ok_or(Rv(CKR_MECHANISM_INVALID))
    }

    /// Returns whether keys of a scheme sign by it.
    pub(crate) const fn fits(self, scheme: Scheme) -> bool {
        match scheme {
            Scheme::Ed25519 => matches!(self, Self::Eddsa),
            Scheme::MlDsa65 => matches!(self, Self::MlDsa),
            Scheme::EcdsaP256 | Scheme::EcdsaSecp256k1 => {
                matches!(self, Self::EcdsaSha256 | Self::Ecdsa)
            }
        }
    }

    /// Returns whether a message may come in parts.
    pub(crate) const fn has_parts(self) -> bool {
        !matches!(self, Self::Ecdsa)
    }

    /// The length of a signature.
    pub(crate) const fn signature_length(self) -> usize {
        if matches!(self, Self::MlDsa) { 3309 } else { 64 }
    }

    pub(crate) const fn input(self) -> Input {
        match self {
            Self::Eddsa | Self::MlDsa => Input::Message,
            Self::EcdsaSha256 => Input::Sha256Message,
            Self::Ecdsa => Input::Digest,
        }
    }

    /// Checks the length of what is to be signed or verified.
    pub(crate) const fn check_length(self, length: usize) -> Result<()> {
        match self {
            Self::Ecdsa if length != 32 => Err(Rv(CKR_DATA_LEN_RANGE)),
            _ if length > sockets_pkcs11_wire::MAX_MESSAGE => Err(Rv(CKR_DATA_LEN_RANGE)),
            _ => Ok(()),
        }
    }
}

const EC: CK_FLAGS = CKF_EC_F_P | CKF_EC_OID | CKF_EC_UNCOMPRESS;

/// The description of a mechanism, if the token has it.
pub(crate) fn info(code: CK_MECHANISM_TYPE) -> Result<CK_MECHANISM_INFO> {
    let use_ = CKF_SIGN | CKF_VERIFY;
    let (size, flags) = match code {
        CKM_EDDSA => (255, use_ | CKF_EC_F_P | CKF_EC_OID | CKF_EC_CURVENAME),
        CKM_ECDSA | CKM_ECDSA_SHA256 => (256, use_ | EC),
        // In bytes of the public key.
        CKM_ML_DSA => (1952, use_),
        CKM_ML_DSA_KEY_PAIR_GEN => (1952, CKF_GENERATE_KEY_PAIR),
        CKM_EC_KEY_PAIR_GEN => (256, CKF_GENERATE_KEY_PAIR | EC),
        CKM_EC_EDWARDS_KEY_PAIR_GEN => {
            (255, CKF_GENERATE_KEY_PAIR | CKF_EC_F_P | CKF_EC_OID | CKF_EC_CURVENAME)
        }
        _ => return Err(Rv(CKR_MECHANISM_INVALID)),
    };
    Ok(CK_MECHANISM_INFO { ulMinKeySize: size, ulMaxKeySize: size, flags })
}
