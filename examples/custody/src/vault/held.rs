//! A share of a key.

use std::sync::Arc;

use quorate::Parties;
use quorate::frost::ed25519;
use quorate::keys::ShareState;
use quorate_cggmp::{KeyShare, PublicKeyPackage, Secp256k1};
use quorate_examples::failure::Failure;

use crate::request::{KeyId, Scheme};

/// A share of a key of any scheme, with the public side of the key.
#[allow(clippy::large_enum_variant, reason = "there are few, behind an Arc")]
pub enum Held {
    /// For ECDSA.
    Ecdsa(Arc<KeyShare<Secp256k1>>),
    /// For Ed25519.
    Ed25519(ed25519::KeyShare, ed25519::PublicKeyPackage),
}

impl Held {
    /// Opens what is stored of a share and the public side of its key.
    ///
    /// # Errors
    /// A [`Failure`] if they do not belong together, or one is none.
    pub fn from_bytes(scheme: Scheme, share: &[u8], public: &[u8]) -> Result<Self, Failure> {
        Ok(match scheme {
            Scheme::Ecdsa => {
                let info = PublicKeyPackage::from_bytes(public)?;
                Self::Ecdsa(Arc::new(KeyShare::from_bytes(share, &info)?))
            }
            Scheme::Ed25519 => {
                let package = ed25519::PublicKeyPackage::from_bytes(public)?;
                Self::Ed25519(ed25519::KeyShare::from_bytes(share, &package)?, package)
            }
        })
    }

    /// The scheme of the key.
    #[must_use]
    pub const fn scheme(&self) -> Scheme {
        match self {
            Self::Ecdsa(_) => Scheme::Ecdsa,
            Self::Ed25519(..) => Scheme::Ed25519,
        }
    }

    /// The number of times that the shares of the key were made anew.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        match self {
            Self::Ecdsa(share) => share.public().epoch(),
            Self::Ed25519(share, _) => share.epoch(),
        }
    }

    /// The public side of the key, in its stored form.
    #[must_use]
    pub fn public(&self) -> Vec<u8> {
        match self {
            Self::Ecdsa(share) => share.public().to_bytes(),
            Self::Ed25519(_, public) => public.to_bytes(),
        }
    }

    /// The identity of the key, the same in all epochs.
    #[must_use]
    pub fn key(&self) -> [u8; 32] {
        match self {
            Self::Ecdsa(share) => share.public().package_id().key_id(),
            Self::Ed25519(share, _) => share.package_id().key_id(),
        }
    }

    /// The name of the key, which follows from its identity.
    #[must_use]
    pub fn name(&self) -> KeyId {
        KeyId::of(self.scheme(), &self.key())
    }

    /// The digest of the public side in this epoch.
    #[must_use]
    pub fn package(&self) -> [u8; 32] {
        match self {
            Self::Ecdsa(share) => share.public().package_id().digest(),
            Self::Ed25519(share, _) => share.package_id().digest(),
        }
    }

    /// How far it may be relied on.
    #[must_use]
    pub fn state(&self) -> ShareState {
        match self {
            Self::Ecdsa(share) => share.state(),
            Self::Ed25519(share, _) => share.state(),
        }
    }

    /// The parties that hold shares, and the threshold.
    #[must_use]
    pub fn committee(&self) -> (&Parties, u16) {
        match self {
            Self::Ecdsa(share) => (share.public().parties(), share.public().threshold()),
            Self::Ed25519(share, _) => (share.parties(), share.threshold()),
        }
    }
}
