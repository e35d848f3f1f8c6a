//! The algorithms of signatures.

use super::der;
use crate::error::Malformed;
use crate::message::{Hash, KeyKind, Message};
use crate::wire::Reader;

/// An algorithm with which a key of this family can sign a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Algorithm {
    /// RFC 5758.
    Ecdsa(Hash),
    /// RFC 8410.
    Ed25519,
    /// RFC 8410.
    Ed448,
    /// RFC 9881: the name of the parameter set.
    MlDsa(&'static str),
}

impl Algorithm {
    /// Reads an `AlgorithmIdentifier`. None of these algorithms has parameters.
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let mut inside = der::inside(reader, der::SEQUENCE)?;
        let algorithm = match der::value(&mut inside, der::OID)? {
            [0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2] => Self::Ecdsa(Hash::Sha256),
            [0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 3] => Self::Ecdsa(Hash::Sha384),
            [0x2b, 0x65, 0x70] => Self::Ed25519,
            [0x2b, 0x65, 0x71] => Self::Ed448,
            [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 17] => Self::MlDsa("ml-dsa-44"),
            [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 18] => Self::MlDsa("ml-dsa-65"),
            [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 19] => Self::MlDsa("ml-dsa-87"),
            _ => return Err(Malformed("the algorithm of the signature is unknown")),
        };
        inside.end()?;
        Ok(algorithm)
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Ecdsa(Hash::Sha384) => "ecdsa-sha384",
            Self::Ecdsa(_) => "ecdsa-sha256",
            Self::Ed25519 => "ed25519",
            Self::Ed448 => "ed448",
            Self::MlDsa(name) => name,
        }
    }

    /// The message for a key, if its scheme is this algorithm's.
    pub(super) fn message(self, key: KeyKind, bytes: &[u8]) -> Option<Message> {
        match (self, key) {
            (Self::Ecdsa(hash), KeyKind::EcdsaP256 | KeyKind::EcdsaSecp256k1) => {
                Some(Message::Hashed { hash, bytes: bytes.into() })
            }
            (Self::Ed25519, KeyKind::Ed25519)
            | (Self::Ed448, KeyKind::Ed448)
            | (Self::MlDsa(_), KeyKind::MlDsa) => Some(Message::Raw(bytes.into())),
            _ => None,
        }
    }
}
