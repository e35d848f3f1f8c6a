//! Changes of a key: new shares of it, at another committee or threshold or at the same, as a requester has signed.
//!
//! The gateway orders them from the nodes. A node takes part in a refresh at any time; another committee or threshold has to
//! be [allowed](crate::policy::Policy::allows_committee) by its own policy.

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use quorate::PartyId;
use quorate::runner::Time;
use quorate::session::Transcript;

use crate::request::KeyId;

/// New shares of a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The key.
    pub key: KeyId,
    /// The epoch of its shares: the same change is made once.
    pub epoch: u32,
    /// The threshold of the new shares.
    pub threshold: u16,
    /// The nodes that get them.
    pub committee: Vec<PartyId>,
    /// The moment after which nobody begins it, in milliseconds since 1970.
    pub deadline: Time,
}

/// A change under its requester's signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedChange {
    /// The change.
    pub change: Change,
    /// The requester's Ed25519 key.
    pub requester: [u8; 32],
    /// The requester's signature.
    pub signature: [u8; 64],
}

impl SignedChange {
    /// Signs a change.
    #[must_use]
    pub fn new(change: Change, key: &SigningKey) -> Self {
        let requester = key.verifying_key().to_bytes();
        let signature = key.sign(&signed(&change, &requester)).to_bytes();
        Self { change, requester, signature }
    }

    /// Whether the requester has signed it.
    #[must_use]
    pub fn verifies(&self) -> bool {
        let signature = Signature::from_bytes(&self.signature);
        let signed = signed(&self.change, &self.requester);
        VerifyingKey::from_bytes(&self.requester)
            .is_ok_and(|key| key.verify_strict(&signed, &signature).is_ok())
    }
}

/// What a requester signs: nothing else that it signs looks like it.
fn signed(change: &Change, requester: &[u8; 32]) -> Vec<u8> {
    let mut transcript = Transcript::new("custody change of a key");
    transcript.append("key", &change.key.0);
    transcript.append_u64("epoch", change.epoch.into());
    transcript.append_u64("threshold", change.threshold.into());
    transcript.append_list("nodes", change.committee.iter().map(|id| id.get().to_be_bytes()));
    transcript.append_u64("deadline", change.deadline);
    [b"quorate custody change 1".as_slice(), requester, &transcript.finish32()].concat()
}
