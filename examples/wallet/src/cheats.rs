//! Parties that cheat, and how they are found.

use quorate::frost::generic::{AggregateError, Ciphersuite, Coordinator, Frost, KeyShare};
use quorate::keys::Family as _;
use quorate::session::container::{DIGEST, Kind};
use quorate::session::{Protocol, To};
use quorate::{Parties, PartyId};

use super::rounds::{self, RunError};
use super::signing;
use quorate_examples::failure::Failure;

/// All owners of `shares` sign, and the `cheaters` send wrong shares of the signature: what the
/// coordinator says.
///
/// # Errors
/// A [`Failure`] if the coordinator notices nothing.
pub fn in_signing<S: Ciphersuite>(
    coordinator: &Coordinator<S>,
    shares: &[KeyShare<S>],
    message: &[u8],
    cheaters: &[PartyId],
) -> Result<AggregateError, Failure> {
    let mut unread = Vec::new();
    let session = signing::gather(coordinator, shares, message, &mut unread, |from, share| {
        if cheaters.contains(&from) {
            spoil_share::<S>(share, from);
        }
    })?;
    match coordinator.finish(session) {
        Ok(_) => Err(Failure::new("the coordinator did not notice")),
        Err(error) => Ok(error),
    }
}

/// A run in which `cheater` sends `victim` something wrong in private, as soon as there is
/// anything to send: what the victim says.
///
/// # Errors
/// A [`Failure`] if it is not the victim that notices, or it does not blame the cheater alone.
pub fn in_private<P: Protocol>(
    parties: &Parties,
    params: impl IntoIterator<Item = P::Params>,
    [cheater, victim]: [PartyId; 2],
) -> Result<RunError, Failure> {
    let run = rounds::run::<P>(parties, params, |letter| {
        if letter.from == cheater && letter.to == To::Only(victim) {
            spoil(&mut letter.bytes, cheater);
        }
    });
    match run {
        Ok(_) => Err(Failure::new("the victim did not notice")),
        Err(error) => match &error {
            RunError::Aborted { by, why } if *by == victim && why.culprits().eq([cheater]) => {
                Ok(error)
            }
            _ => Err(Failure::new(format!("the wrong party is blamed: {error}"))),
        },
    }
}

/// Flips one bit in the middle of the number at the end of a message, so that it stays a number
/// of the group; another bit for each party, so that two of them don't make up for each other.
pub(crate) fn spoil(message: &mut [u8], party: PartyId) {
    let place = usize::from(party.get() & 7).saturating_add(8);
    if let Some(byte) = message.iter_mut().rev().nth(place) {
        *byte ^= 1;
    }
}

/// Another number in a share, with a digest to match: the digest is against accidents, and a cheater computes it like
/// everybody else.
fn spoil_share<S: Ciphersuite>(share: &mut Vec<u8>, party: PartyId) {
    share.truncate(share.len().saturating_sub(DIGEST));
    spoil(share, party);
    let kind = Kind { code: 6, name: "a signature share", version: 1 };
    Frost::<S>::label(kind).end(share);
}
