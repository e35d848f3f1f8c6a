//! The public side of a key with its shares of one epoch, as nodes and gateways compare it.

use quorate::Parties;
use quorate::frost::ed25519;
use quorate::keys::{Family, SharedKey};
use quorate_cggmp::{PublicKeyPackage, Secp256k1};

use crate::request::{KeyId, Scheme};

/// What is to be known of it.
pub struct Side {
    /// The number of times that the shares of the key were made anew.
    pub epoch: u32,
    /// The nodes that hold shares.
    pub parties: Parties,
    /// How many of them sign.
    pub threshold: u16,
    /// The identity of the key, the same in all epochs.
    pub key: [u8; 32],
    /// The name of the key, which follows from its identity.
    pub name: KeyId,
}

impl Side {
    /// Reads it; nothing if it is none.
    #[must_use]
    pub fn read(scheme: Scheme, public: &[u8]) -> Option<Self> {
        Some(match scheme {
            Scheme::Ecdsa => {
                Self::of(scheme, PublicKeyPackage::<Secp256k1>::from_bytes(public).ok()?.shared())
            }
            Scheme::Ed25519 => {
                Self::of(scheme, ed25519::PublicKeyPackage::from_bytes(public).ok()?.shared())
            }
        })
    }

    fn of<F: Family>(scheme: Scheme, shared: &SharedKey<F>) -> Self {
        let (epoch, parties, threshold) =
            (shared.epoch(), shared.parties().clone(), shared.threshold());
        let key = shared.package_id().key_id();
        Self { epoch, parties, threshold, key, name: KeyId::of(scheme, &key) }
    }
}
