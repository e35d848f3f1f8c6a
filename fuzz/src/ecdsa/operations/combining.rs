//! From shares of a signature to the signature.

use quorate_cggmp::{
    AggregateError, MessageDigest, PresignatureInfo, ShareFault, ShareMismatch, Signature,
    SignatureShare,
};
use quorate_frost::session::PartyId;

use crate::decoders::named;
use crate::ecdsa::fixture::{DIGEST, Made, Order, Suite, ended};
use crate::input::Input;

const MAX_SHARES: usize = 24;

pub(super) struct Combining<C: Suite> {
    /// Shares on their way, right or wrong.
    pub(super) shares: Vec<SignatureShare<C>>,
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
        assert!(
            SignatureShare::<C>::from_bytes(named(&bytes), &bytes).is_err(),
            "taken without its digest"
        );
        if let Ok(share) = SignatureShare::<C>::from_bytes(named(&bytes), &ended(bytes))
            && self.shares.len() < MAX_SHARES
        {
            self.shares.push(share);
        }
    }

    /// Some of the last eight shares, as a mask chooses, whatever they are of.
    pub(super) fn combine(&mut self, made: &Made<C>, order: Order, input: &mut Input<'_>) {
        let mask = input.byte();
        let chosen: Vec<_> = (0..8)
            .zip(self.shares.iter().rev())
            .filter_map(|(bit, share)| (mask >> bit & 1 == 1).then_some(*share))
            .collect();
        self.check(made, order, &chosen);
    }

    /// The last share of each signer that says it is of this presignature.
    pub(super) fn combine_released(&mut self, made: &Made<C>, order: Order) {
        let last = |party: PartyId| {
            let is = |share: &&SignatureShare<C>| {
                share.id() == party && share.presignature() == made.info.id()
            };
            self.shares.iter().rev().find(is).copied()
        };
        let chosen: Vec<_> = made.info.signers().iter().filter_map(last).collect();
        self.check(made, order, &chosen);
    }

    fn check(&mut self, made: &Made<C>, order: Order, shares: &[SignatureShare<C>]) {
        let info = PresignatureInfo::<C>::from_bytes(&made.info.to_bytes()).expect("just stored");
        let sent = shares.iter().map(|share| (share.id(), share.to_bytes()));
        let result = info.aggregate(&made.child(order), MessageDigest::sha256(order.message), sent);
        if let Some(stranger) = shares.iter().find(|one| !info.signers().contains(one.id())) {
            assert!(result == Err(AggregateError::Unexpected(stranger.id())));
            return;
        }
        let (wrong, other) = wrong(made, order, shares);
        let come = |party: &PartyId| shares.iter().any(|share| share.id() == *party);
        match &result {
            Ok(signature) => {
                // Two that are wrong by opposite amounts are right together; one is not.
                assert!(wrong.len() != 1);
                check_signature(made, order, signature);
                self.signatures += 1;
            }
            Err(AggregateError::Cheaters(named)) => assert!(!wrong.is_empty() && *named == wrong),
            Err(AggregateError::Mismatch(named)) => {
                assert!(wrong.is_empty() && !other.is_empty() && *named == other);
                // Right shares of all signers make a signature, whatever else has come.
                let right = |party: &PartyId| {
                    shares.iter().any(|one| one.id() == *party && *one == made.owed(*party, order))
                };
                assert!(!info.signers().iter().all(|party| right(&party)));
            }
            Err(AggregateError::Missing(parties)) => {
                assert!(wrong.is_empty() && other.is_empty());
                assert!(info.signers().iter().filter(|party| !come(party)).eq(parties.clone()));
            }
            Err(error) => panic!("{error}"),
        }
    }
}

type Named<T> = Vec<(PartyId, T)>;

/// Whose shares are not what they owe, and whose are for something else; in ascending order.
fn wrong<C: Suite>(
    made: &Made<C>,
    order: Order,
    shares: &[SignatureShare<C>],
) -> (Named<ShareFault>, Named<ShareMismatch>) {
    let digest = *MessageDigest::sha256(order.message).as_bytes();
    let key = *made.child(order).key.as_bytes();
    let (mut wrong, mut other) = (Vec::new(), Vec::new());
    for share in shares {
        if share.presignature() != made.info.id() {
            other.push((share.id(), ShareMismatch::OtherPresignature));
        } else if share.presignature_digest() != made.info.digest() {
            other.push((share.id(), ShareMismatch::OtherPoints));
        } else if *share.key_bytes() != key {
            other.push((share.id(), ShareMismatch::OtherKey));
        } else if *share.digest() != digest {
            other.push((share.id(), ShareMismatch::OtherMessage));
        } else if *share != made.owed(share.id(), order) {
            wrong.push((share.id(), ShareFault::Equation));
        }
    }
    (by_party(wrong), by_party(other))
}

fn by_party<T>(mut list: Named<T>) -> Named<T> {
    list.sort_by_key(|(party, _)| *party);
    list.dedup_by_key(|(party, _)| *party);
    list
}

fn check_signature<C: Suite>(made: &Made<C>, order: Order, signature: &Signature<C>) {
    let key = made.child(order).key;
    assert!(key.verify(order.message, signature).is_ok());
    let digest = *MessageDigest::sha256(order.message).as_bytes();
    assert!(C::verifies(key.as_bytes(), &digest, &signature.to_compact()));
    let recovery = signature.recovery_id().expect("made here").get();
    let recovered = C::recovers(&digest, &signature.to_compact(), recovery);
    assert_eq!(recovered, Some(*key.as_bytes()), "another recovery id");
    let bytes = signature.to_recoverable().expect("made here");
    assert!(Signature::<C>::from_recoverable(&bytes).as_ref() == Ok(signature));
}
