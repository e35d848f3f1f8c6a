//! From shares of a signature to the signature.

use quorate_cggmp::{
    CombineError, MessageDigest, PartialFault, PartialSignature, PresignatureInfo, Signature,
};
use quorate_frost::session::PartyId;

use crate::ecdsa::fixture::{DIGEST, Made, Suite, ended};
use crate::input::Input;

const MAX_SHARES: usize = 24;

pub(super) struct Combining<C: Suite> {
    /// Shares on their way, right or wrong.
    pub(super) shares: Vec<PartialSignature<C>>,
    /// How many signatures came out.
    pub(super) signatures: usize,
}

impl<C: Suite> Combining<C> {
    pub(super) const fn new() -> Self {
        Self { shares: Vec::new(), signatures: 0 }
    }

    /// Alters a share on its way, and adds it to the others.
    pub(super) fn alter(&mut self, input: &mut Input<'_>) {
        let choice = usize::from(input.byte());
        let Some(at) = choice.checked_rem(self.shares.len()) else { return };
        let mut bytes = self.shares[at].to_bytes();
        bytes.truncate(bytes.len() - DIGEST);
        let bytes = input.tampered(&bytes).expect("not empty");
        assert!(PartialSignature::<C>::from_bytes(&bytes).is_err(), "taken without its digest");
        if let Ok(share) = PartialSignature::<C>::from_bytes(&ended(bytes))
            && self.shares.len() < MAX_SHARES
        {
            self.shares.push(share);
        }
    }

    /// Some of the last eight shares, as a mask chooses, whatever they are of.
    pub(super) fn combine(&mut self, made: &Made<C>, message: &[u8], input: &mut Input<'_>) {
        let mask = input.byte();
        let chosen: Vec<_> = (0..8)
            .zip(self.shares.iter().rev())
            .filter_map(|(bit, share)| (mask >> bit & 1 == 1).then_some(*share))
            .collect();
        self.check(made, message, &chosen);
    }

    /// The last share of each signer that says it is of this presignature.
    pub(super) fn combine_released(&mut self, made: &Made<C>, message: &[u8]) {
        let last = |party: PartyId| {
            let is = |share: &&PartialSignature<C>| {
                share.party() == party && share.presignature() == made.info.id()
            };
            self.shares.iter().rev().find(is).copied()
        };
        let chosen: Vec<_> = made.info.signers().iter().filter_map(last).collect();
        self.check(made, message, &chosen);
    }

    fn check(&mut self, made: &Made<C>, message: &[u8], shares: &[PartialSignature<C>]) {
        let info = PresignatureInfo::<C>::from_bytes(&made.info.to_bytes()).expect("just stored");
        let result = info.combine(message, shares);
        if let Some(expected) = incomplete(made, shares) {
            assert!(result == Err(expected));
            return;
        }
        let wrong = wrong(made, message, shares);
        match &result {
            Ok(signature) => {
                // Two that are wrong by opposite amounts are right together; one is not.
                assert!(
                    wrong.len() != 1 && wrong.iter().all(|one| one.1 == PartialFault::Equation)
                );
                check_signature(made, message, signature);
                self.signatures += 1;
            }
            Err(CombineError::Cheaters(named)) => assert!(!wrong.is_empty() && *named == wrong),
            Err(error) => panic!("{error}"),
        }
    }
}

/// What is wrong with the shares before anything is computed.
fn incomplete<C: Suite>(made: &Made<C>, shares: &[PartialSignature<C>]) -> Option<CombineError> {
    let signers = made.info.signers();
    let ids: Vec<_> = shares.iter().map(PartialSignature::party).collect();
    for (at, party) in ids.iter().enumerate() {
        if !signers.contains(*party) {
            return Some(CombineError::Unexpected(*party));
        }
        if ids[..at].contains(party) {
            return Some(CombineError::Duplicate(*party));
        }
    }
    let missing: Vec<_> = signers.iter().filter(|party| !ids.contains(party)).collect();
    (!missing.is_empty()).then_some(CombineError::Missing(missing))
}

/// Whose shares are not what they owe, in ascending order, and what can be seen of it.
fn wrong<C: Suite>(
    made: &Made<C>,
    message: &[u8],
    shares: &[PartialSignature<C>],
) -> Vec<(PartyId, PartialFault)> {
    let digest = *MessageDigest::sha256(message).as_bytes();
    let mut wrong = Vec::new();
    for share in shares {
        let fault = if share.presignature() != made.info.id() {
            PartialFault::OtherPresignature
        } else if *share.digest() != digest {
            PartialFault::OtherMessage
        } else if *share != made.owed(share.party(), message) {
            PartialFault::Equation
        } else {
            continue;
        };
        wrong.push((share.party(), fault));
    }
    wrong.sort_unstable_by_key(|(party, _)| *party);
    wrong
}

fn check_signature<C: Suite>(made: &Made<C>, message: &[u8], signature: &Signature<C>) {
    let key = made.info.verifying_key();
    assert!(key.verify(message, signature).is_ok());
    let digest = *MessageDigest::sha256(message).as_bytes();
    assert!(C::verifies(key.as_bytes(), &digest, &signature.to_compact()));
    let recovery = signature.recovery_id().expect("made here").get();
    let recovered = C::recovers(&digest, &signature.to_compact(), recovery);
    assert_eq!(recovered, Some(*key.as_bytes()), "another recovery id");
    let bytes = signature.to_recoverable().expect("made here");
    assert!(Signature::<C>::from_recoverable(&bytes).as_ref() == Ok(signature));
}
