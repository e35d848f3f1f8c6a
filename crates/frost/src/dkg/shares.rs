//! The shares that dealers send to a party, and the search for the wrong ones.

use alloc::vec::Vec;

use quorate_curve::Secret;
use quorate_session::{Abort, Fault, Inbox, PartyId, PerParty, Run};
use quorate_sharing::Commitment;

use crate::suite::{KeySuite, Scalar};
use crate::wire::{read_share, share_bytes};

/// A value from each peer.
pub(super) type Received<T> = Result<PerParty<T>, Abort>;

/// Blames these parties for one fault, with their frames.
pub(super) fn blame(inbox: &Inbox<'_>, parties: Vec<PartyId>, fault: Fault) -> Abort {
    inbox.blame(parties.into_iter().map(|party| (party, fault)))
}

/// The share of each of these parties, as a message to it.
pub(super) fn deal<S: KeySuite>(
    others: &[PartyId],
    shares: &Secret<Vec<Scalar<S>>>,
) -> Vec<(PartyId, Vec<u8>)> {
    let shares = others.iter().zip(shares.expose());
    shares.map(|(to, share)| (*to, share_bytes::<S>(share))).collect()
}

/// The shares received. They are checked by their sum, later; only if one does not decode, each is
/// checked alone at once, so that all culprits are named.
pub(super) fn receive<'a, S: KeySuite>(
    run: &Run,
    inbox: Inbox<'_>,
    dealt: impl Fn(PartyId) -> Option<&'a Commitment<S::Curve>>,
) -> Received<Secret<Scalar<S>>> {
    let decoded = inbox.verify(|_, message| read_share::<S>(message.direct));
    decoded.or_else(|_| receive_each::<S>(run, inbox, dealt))
}

/// The shares received, each checked against its dealer's commitment, alone.
pub(super) fn receive_each<'a, S: KeySuite>(
    run: &Run,
    inbox: Inbox<'_>,
    dealt: impl Fn(PartyId) -> Option<&'a Commitment<S::Curve>>,
) -> Received<Secret<Scalar<S>>> {
    inbox.verify(|from, message| {
        let share = read_share::<S>(message.direct)?;
        if fits::<S>(run.party_id(), &share, dealt(from)) {
            Ok(share)
        } else {
            Err(Fault::InvalidShare)
        }
    })
}

/// The dealers whose shares are wrong, each checked alone.
pub(super) fn wrong_dealers<'a, S: KeySuite>(
    me: PartyId,
    shares: &[(PartyId, Secret<Scalar<S>>)],
    dealt: impl Fn(PartyId) -> Option<&'a Commitment<S::Curve>>,
) -> Vec<PartyId> {
    let wrong = shares.iter().filter(|(dealer, share)| !fits::<S>(me, share, dealt(*dealer)));
    wrong.map(|(dealer, _)| *dealer).collect()
}

/// Returns whether a share for party `me` lies on the polynomial to which its dealer committed.
fn fits<S: KeySuite>(
    me: PartyId,
    share: &Secret<Scalar<S>>,
    dealt: Option<&Commitment<S::Curve>>,
) -> bool {
    dealt.is_some_and(|commitment| commitment.verify_share_vartime(me, share.expose()))
}
