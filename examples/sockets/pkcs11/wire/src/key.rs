//! Keys, as the module sees them.

use alloc::string::String;
use alloc::vec::Vec;

use crate::MAX_NAME;
use crate::bytes::{Malformed, Reader, Writer};

/// A scheme whose keys the module shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheme {
    /// ECDSA over P-256.
    EcdsaP256,
    /// ECDSA over secp256k1.
    EcdsaSecp256k1,
    /// Ed25519 of RFC 8032.
    Ed25519,
    /// ML-DSA-65 of FIPS 204.
    MlDsa65,
}

impl Scheme {
    /// Every scheme.
    pub const ALL: [Self; 4] =
        [Self::EcdsaP256, Self::EcdsaSecp256k1, Self::Ed25519, Self::MlDsa65];

    /// The length of a public key: an uncompressed point (SEC 1) for ECDSA, 32 bytes for Ed25519, and 1952 for ML-DSA-65.
    #[must_use]
    pub const fn public_key_length(self) -> usize {
        match self {
            Self::EcdsaP256 | Self::EcdsaSecp256k1 => 65,
            Self::Ed25519 => 32,
            Self::MlDsa65 => 1952,
        }
    }

    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::EcdsaP256 => 1,
            Self::EcdsaSecp256k1 => 2,
            Self::Ed25519 => 3,
            Self::MlDsa65 => 4,
        }
    }

    pub(crate) fn from_code(code: u8) -> Result<Self, Malformed> {
        Self::ALL.into_iter().find(|scheme| scheme.code() == code).ok_or(Malformed)
    }
}

/// A key of the token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyInfo {
    /// The id of the committee's key.
    pub id: [u8; 32],
    /// The scheme.
    pub scheme: Scheme,
    /// The key is bound to opaque digests, so the module offers `CKM_ECDSA` for it.
    pub signs_digests: bool,
    /// The name.
    pub name: String,
    /// The public key, of [`Scheme::public_key_length`].
    pub public_key: Vec<u8>,
}

impl KeyInfo {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let id = reader.array()?;
        let scheme = Scheme::from_code(reader.byte()?)?;
        let signs_digests = match reader.byte()? {
            0 => false,
            1 => true,
            _ => return Err(Malformed),
        };
        let name = reader.owned_text(MAX_NAME)?;
        let public_key = reader.bytes(scheme.public_key_length())?.to_vec();
        if public_key.len() == scheme.public_key_length() {
            Ok(Self { id, scheme, signs_digests, name, public_key })
        } else {
            Err(Malformed)
        }
    }

    pub(crate) fn write(&self, writer: Writer) -> Writer {
        let writer = writer.array(&self.id).byte(self.scheme.code());
        let writer = writer.byte(u8::from(self.signs_digests));
        writer.bytes(self.name.as_bytes()).bytes(&self.public_key)
    }

    /// An upper limit of the length in a frame.
    #[must_use]
    pub const fn length(&self) -> usize {
        self.name.len().saturating_add(self.public_key.len()).saturating_add(32 + 2 + 8)
    }
}
