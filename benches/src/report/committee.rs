//! A committee that holds an Ed25519 key by FROST and signs as often as one likes.

use quorate::frost::ed25519::{
    Coordinator, Dealing, DealtShare, KeyShare, Nonces, Signature, SigningPackage, SigningSession,
};
use quorate::{Parties, PartyId};

use crate::ecdsa::Ledger;
use crate::{MESSAGE, generator};

/// The signers of a committee, and its coordinator, the first of them.
pub(super) struct Committee {
    pub(super) signers: Vec<KeyShare>,
    pub(super) rng: chacha20::ChaCha20Rng,
    coordinator: Coordinator,
}

impl Committee {
    /// A committee of n of which t sign.
    pub(super) fn new(t: u16, n: u16) -> Self {
        let parties = Parties::numbered(n).expect("a valid size");
        let mut rng = generator(3);
        let Dealing { shares, public } = Dealing::new(t, &parties, &mut rng).expect("a valid size");
        let accept = |share: DealtShare| share.accept(t, &public).expect("an honest dealer");
        let signers = shares.into_iter().take(t.into()).map(accept).collect();
        Self { signers, coordinator: Coordinator::new(public), rng }
    }

    /// The signers commit: their nonces, and the coordinator's session.
    pub(super) fn start(&mut self, ledger: &mut Ledger) -> (Vec<Nonces>, SigningSession) {
        let (mut nonces, mut commitments) = (Vec::new(), Vec::new());
        for (at, signer) in self.signers.iter().enumerate() {
            let (secret, bytes) = ledger.work(0, at, || {
                let (secret, public) = signer.commit(&mut self.rng);
                (secret, public.to_bytes())
            });
            ledger.sent_to(at, Some(0), || bytes.len());
            nonces.push(secret);
            commitments.push((signer.id(), bytes));
        }
        let session = ledger.work(1, 0, || self.coordinator.start(commitments, MESSAGE));
        (nonces, session.expect("valid commitments"))
    }

    /// A signature, with all that is sent as bytes: commitments, package, shares.
    pub(super) fn sign(&mut self, ledger: &mut Ledger) -> Signature {
        let (nonces, mut session) = self.start(ledger);
        let package = ledger.work(1, 0, || session.package().to_bytes());
        (1..self.signers.len()).for_each(|to| ledger.sent_to(0, Some(to), || package.len()));
        let mut shares: Vec<(PartyId, Vec<u8>)> = Vec::new();
        for (at, (signer, nonces)) in self.signers.iter().zip(nonces).enumerate() {
            let share = ledger.work(2, at, || {
                let package = SigningPackage::from_bytes(&package).expect("valid bytes");
                signer.sign(&package, nonces).expect("a signer").to_bytes()
            });
            ledger.sent_to(at, Some(0), || share.len());
            shares.push((signer.id(), share.to_vec()));
        }
        ledger.work(3, 0, || {
            for (from, share) in &shares {
                session.receive(*from, share).expect("a signer's first share");
            }
            self.coordinator.aggregate(session).expect("valid shares")
        })
    }

    /// Returns whether the committee's key has made a signature.
    pub(super) fn verify(&self, signature: &Signature) -> bool {
        self.coordinator.public().verifying_key().verify(MESSAGE, signature).is_ok()
    }
}

/// More than two thirds of n.
pub(super) fn quorum(n: u16) -> u16 {
    (n - n.div_ceil(3)).saturating_add(1).clamp(2, n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_committee_signs_again_and_again() {
        let mut committee = Committee::new(3, 4);
        for _ in 0..3 {
            let signature = committee.sign(&mut Ledger::timing());
            assert!(committee.verify(&signature));
        }
    }

    #[test]
    fn more_than_two_thirds() {
        assert_eq!([4, 7, 100, 3, 2].map(quorum), [3, 5, 67, 3, 2]);
    }
}
