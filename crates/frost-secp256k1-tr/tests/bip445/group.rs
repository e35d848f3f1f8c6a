//! A group that a dealer made, and its members' bytes.

use quorate_frost::session::{Parties, PartyId};
use quorate_frost_secp256k1_tr::bip445::{NonceInputs, SecretNonce};
use quorate_frost_secp256k1_tr::{Dealing, KeyShare, PublicKeyPackage};
use quorate_testkit::rng_of;

pub(crate) struct Group {
    pub(crate) public: PublicKeyPackage,
    pub(crate) shares: Vec<KeyShare>,
}

impl Group {
    /// Some of n parties of a threshold t.
    pub(crate) fn new(threshold: u16, parties: &[u16], seed: u64) -> Self {
        let parties = parties.iter().map(|one| PartyId::new(*one).unwrap());
        let parties = Parties::new(parties).unwrap();
        let Dealing { shares, public } =
            Dealing::new(threshold, &parties, &mut rng_of(seed)).unwrap();
        let shares = shares.into_iter().map(|share| share.accept(threshold, &public).unwrap());
        let shares = shares.collect();
        Self { public, shares }
    }

    /// The draft's identifier and public share of the signer at this place.
    pub(crate) fn listed(&self, at: usize) -> (u32, [u8; 33]) {
        let share = &self.shares[at];
        (u32::from(share.id().get()) - 1, *share.verifying_share())
    }

    pub(crate) fn key(&self) -> [u8; 33] {
        *self.public.verifying_key().as_bytes()
    }

    pub(crate) fn nonce(&self, at: usize, seed: u64) -> SecretNonce {
        SecretNonce::generate(&self.shares[at], NonceInputs::default(), &mut rng_of(seed))
    }
}

/// A point's negative, in compressed form.
pub(crate) fn negative(point: &[u8; 33]) -> [u8; 33] {
    let mut point = *point;
    point[0] ^= 1;
    point
}
