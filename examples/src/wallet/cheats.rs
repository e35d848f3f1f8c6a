//! Parties that cheat, and how they are found.

use quorate::Parties;
use quorate::PartyId;
use quorate::frost::generic::{AggregateError, Ciphersuite, Coordinator, KeyShare};
use quorate::session::To;

use super::failure::Failure;
use super::keygen::{self, KeygenError};
use super::signing;

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
            spoil(share, from);
        }
    })?;
    match coordinator.finish(session) {
        Ok(_) => Err(Failure::new("the coordinator did not notice")),
        Err(error) => Ok(error),
    }
}

/// A key generation in which `cheater` sends `victim` a wrong share in private: what the victim
/// says.
///
/// # Errors
/// A [`Failure`] if it notices nothing.
pub fn in_keygen<S: Ciphersuite>(
    threshold: u16,
    parties: &Parties,
    cheater: PartyId,
    victim: PartyId,
) -> Result<KeygenError, Failure> {
    let keys = keygen::generate::<S>(threshold, parties, |letter| {
        if letter.from == cheater && letter.to == To::Only(victim) {
            spoil(&mut letter.bytes, cheater);
        }
    });
    match keys {
        Ok(_) => Err(Failure::new("the victim did not notice")),
        Err(error) => Ok(error),
    }
}

/// Flips one bit in the middle of the number at the end of a message, so that it stays a number
/// of the group; another bit for each party, so that two of them don't make up for each other.
fn spoil(message: &mut [u8], party: PartyId) {
    let place = usize::from(party.get() & 7).saturating_add(8);
    if let Some(byte) = message.iter_mut().rev().nth(place) {
        *byte ^= 1;
    }
}
