//! A key, as a gateway knows it, and what is there to sign with.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use quorate::frost::ed25519;
use quorate::runner::Time;
use quorate::{Parties, PartyId};
use quorate_cggmp::{DerivationPath, PresignatureInfo, PublicKeyPackage, Secp256k1};
use quorate_examples::failure::Failure;

use crate::request::{KeyId, Scheme};

/// A key.
pub(super) struct Key {
    pub(super) id: KeyId,
    pub(super) public: Public,
    pub(super) pool: Pool,
}

/// The public side of a key.
#[allow(clippy::large_enum_variant, reason = "there are few")]
pub(super) enum Public {
    Ecdsa(PublicKeyPackage<Secp256k1>),
    Ed25519(ed25519::Coordinator),
}

/// What is there to sign with. What is taken never comes back.
#[derive(Default)]
pub(super) struct Pool {
    /// Presignatures, by their signers.
    pub(super) sets: BTreeMap<Vec<PartyId>, VecDeque<PresignatureInfo<Secp256k1>>>,
    /// The sets of signers of whose presignatures more are made, up to the high mark.
    pub(super) filling: BTreeSet<Vec<PartyId>>,
    /// Pairs of nonces of each node.
    pub(super) nonces: BTreeMap<PartyId, Nonces>,
}

/// Pairs of nonces of a node.
#[derive(Default)]
pub(super) struct Nonces {
    pub(super) pairs: VecDeque<Pair>,
    /// Whether more are made, up to the high mark.
    pub(super) filling: bool,
    /// The number of the next order for more.
    pub(super) next: u64,
    /// How many were ordered, if any were, and when that is to be said again.
    pub(super) ordered: Option<(u16, Time)>,
}

/// A pair of nonces: the order that it was made for, and its place in the list.
pub(super) struct Pair {
    pub(super) number: u64,
    pub(super) at: u32,
    pub(super) last: bool,
    pub(super) commitments: ed25519::Commitments,
}

impl Key {
    pub(super) fn open(id: KeyId, scheme: Scheme, public: &[u8]) -> Result<Self, Failure> {
        let public = match scheme {
            Scheme::Ecdsa => Public::Ecdsa(PublicKeyPackage::from_bytes(public)?),
            Scheme::Ed25519 => {
                let package = ed25519::PublicKeyPackage::from_bytes(public)?;
                Public::Ed25519(ed25519::Coordinator::new(package))
            }
        };
        Ok(Self { id, public, pool: Pool::default() })
    }

    pub(super) const fn scheme(&self) -> Scheme {
        match &self.public {
            Public::Ecdsa(_) => Scheme::Ecdsa,
            Public::Ed25519(_) => Scheme::Ed25519,
        }
    }

    pub(super) fn epoch(&self) -> u32 {
        match &self.public {
            Public::Ecdsa(info) => info.epoch(),
            Public::Ed25519(coordinator) => coordinator.public().epoch(),
        }
    }

    pub(super) fn parties(&self) -> &Parties {
        match &self.public {
            Public::Ecdsa(info) => info.parties(),
            Public::Ed25519(coordinator) => coordinator.public().parties(),
        }
    }

    /// The public side in its stored form.
    pub(super) fn bytes(&self) -> Vec<u8> {
        match &self.public {
            Public::Ecdsa(info) => info.to_bytes(),
            Public::Ed25519(coordinator) => coordinator.public().to_bytes(),
        }
    }

    pub(super) fn threshold(&self) -> u16 {
        match &self.public {
            Public::Ecdsa(info) => info.threshold(),
            Public::Ed25519(coordinator) => coordinator.public().threshold(),
        }
    }

    /// The public key of a descendant; nothing if there is none.
    pub(super) fn public_key(&self, path: &DerivationPath) -> Option<Vec<u8>> {
        match &self.public {
            Public::Ecdsa(info) => Some(info.derivation(path).ok()?.key.as_bytes().to_vec()),
            // Its nonces serve no children.
            Public::Ed25519(coordinator) => path
                .indices()
                .is_empty()
                .then(|| coordinator.public().verifying_key().as_bytes().to_vec()),
        }
    }

    /// What is left for so many signers: presignatures, or pairs of the node that decides.
    pub(super) fn stock(&self) -> usize {
        match &self.public {
            Public::Ecdsa(_) => self.pool.sets.values().map(VecDeque::len).sum(),
            Public::Ed25519(_) => {
                let mut left: Vec<usize> =
                    self.pool.nonces.values().map(|nonces| nonces.pairs.len()).collect();
                left.sort_unstable_by(|one, other| other.cmp(one));
                let least = usize::from(self.threshold()).saturating_sub(1);
                left.get(least).copied().unwrap_or(0)
            }
        }
    }

    /// Adds a presignature, if it is one of this key as it is.
    pub(super) fn add(&mut self, info: PresignatureInfo<Secp256k1>) -> bool {
        let Public::Ecdsa(key) = &self.public else { return false };
        if info.check_belongs_to(key).is_err() {
            return false;
        }
        let signers = info.signers().iter().collect();
        self.pool.sets.entry(signers).or_default().push_back(info);
        true
    }

    /// Adds the nonces of a list from a place on, if they are of this key as it is; gives their number.
    pub(super) fn add_nonces(
        &mut self,
        node: PartyId,
        (number, used): (u64, u32),
        published: &[u8],
    ) -> Option<usize> {
        let Public::Ed25519(coordinator) = &self.public else { return None };
        let mut read = ed25519_published(node, published)?;
        if read.package_id() != coordinator.public().package_id() {
            return None;
        }
        let slots = read.slots();
        let count = u32::try_from(slots.len()).ok()?;
        let nonces = self.pool.nonces.entry(node).or_default();
        let before = nonces.pairs.len();
        for (at, slot) in (0..).zip(slots.iter()) {
            if let Some(commitments) = read.take(slot).filter(|_| at >= used) {
                let last = at.saturating_add(1) == count;
                nonces.pairs.push_back(Pair { number, at, last, commitments });
            }
        }
        Some(nonces.pairs.len().saturating_sub(before))
    }
}

fn ed25519_published(
    node: PartyId,
    bytes: &[u8],
) -> Option<quorate::frost::generic::PublishedNonces<ed25519::Ed25519Sha512>> {
    quorate::frost::generic::PublishedNonces::from_bytes(node, bytes).ok()
}
