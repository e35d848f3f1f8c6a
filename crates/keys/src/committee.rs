//! Committees: the parties that hold shares of a key, and the threshold.

use alloc::vec::Vec;

use quorate_session::wire::{ReadError, Reader, wide};
use quorate_session::{Parties, PartyId};

use crate::error::{CommitteeError, DecodeError};
use crate::wire::put_party;

/// The parties that hold shares of a key, and the threshold t. Any t of them can use the key, and any t − 1 learn
/// nothing about it. `2 <= t <= n`, and t·n is at most [`MOST_STEPS`](Self::MOST_STEPS).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Committee {
    parties: Parties,
    threshold: u16,
}

impl Committee {
    /// The largest t·n: 2^24, as in 4096-of-4096 or 256-of-65535. Opening the public value of a key, from any
    /// source, takes t·n additions of points.
    pub const MOST_STEPS: u64 = 1 << 24;

    /// The largest n·(n − t) of a key that is imported by its verifying shares: 2^22, as in 2-of-2049. The check
    /// that they lie on one polynomial takes that number of steps.
    pub const MOST_CHECKS: u64 = 1 << 22;

    /// The largest t² of a key that is imported by its verifying shares: 2^19, a threshold of 724. Its polynomial is
    /// interpolated in t sums of t terms.
    pub const MOST_TERMS: u64 = 1 << 19;

    /// A committee.
    ///
    /// # Errors
    /// [`CommitteeError::Threshold`] if the threshold is below 2 or above the number of parties;
    /// [`CommitteeError::TooLarge`] if their product is above [`MOST_STEPS`](Self::MOST_STEPS).
    pub fn new(parties: Parties, threshold: u16) -> Result<Self, CommitteeError> {
        bounded(threshold, parties.len())?;
        Ok(Self { parties, threshold })
    }

    /// Checks that a key of this committee can be imported by its verifying shares
    /// ([`SharedKey::from_shares`](crate::SharedKey::from_shares)). That takes more work than opening a stored
    /// key.
    ///
    /// # Errors
    /// [`CommitteeError::TooLarge`] if n·(n − t) is above [`MOST_CHECKS`](Self::MOST_CHECKS), or t² is above
    /// [`MOST_TERMS`](Self::MOST_TERMS).
    pub fn importable(&self) -> Result<(), CommitteeError> {
        importable(self.threshold, self.parties.len())
    }

    /// The parties.
    #[must_use]
    pub const fn parties(&self) -> &Parties {
        &self.parties
    }

    /// The threshold t, the number of parties that it takes to use the key.
    #[must_use]
    pub const fn threshold(&self) -> u16 {
        self.threshold
    }

    /// t as a length.
    pub(crate) fn points(&self) -> usize {
        usize::from(self.threshold)
    }

    /// Returns whether `party` holds a share.
    #[must_use]
    pub fn contains(&self, party: PartyId) -> bool {
        self.parties.contains(party)
    }

    /// threshold (2) ‖ number of parties (2) ‖ each party (2), ascending.
    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.threshold.to_be_bytes());
        bytes.extend_from_slice(&self.parties.count().to_be_bytes());
        self.parties.iter().for_each(|party| put_party(bytes, party));
    }

    /// The form in which a session binds it.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.put(&mut bytes);
        bytes
    }

    pub(crate) fn read(reader: &mut Reader<'_>, most: usize) -> Result<Self, DecodeError> {
        let threshold = reader.u16()?;
        let count = usize::from(reader.u16()?);
        if count > most {
            return Err(CommitteeError::TooMany { most, got: count }.into());
        }
        if reader.remaining() < count.saturating_mul(2) {
            return Err(ReadError::Truncated.into());
        }
        let mut parties: Vec<PartyId> = Vec::with_capacity(count);
        for _ in 0..count {
            let number = reader.u16()?;
            let party = PartyId::new(number).ok_or(DecodeError::BadOrder)?;
            if parties.last().is_some_and(|last| *last >= party) {
                return Err(DecodeError::BadOrder);
            }
            parties.push(party);
        }
        let parties = Parties::new(parties)
            .map_err(|_| CommitteeError::Threshold { threshold, parties: count })?;
        Ok(Self::new(parties, threshold)?)
    }
}

/// Checks that a committee can have this threshold and this number of parties.
fn bounded(threshold: u16, parties: usize) -> Result<(), CommitteeError> {
    if threshold < 2 || usize::from(threshold) > parties {
        return Err(CommitteeError::Threshold { threshold, parties });
    }
    at_most(Committee::MOST_STEPS, threshold.into(), parties)
}

/// Checks that a key of this threshold and this number of parties can be imported. It needs only the numbers, so
/// that a file is refused before a point of it is decoded.
pub(crate) fn importable(threshold: u16, parties: usize) -> Result<(), CommitteeError> {
    bounded(threshold, parties)?;
    at_most(Committee::MOST_CHECKS, parties.saturating_sub(threshold.into()), parties)?;
    at_most(Committee::MOST_TERMS, threshold.into(), threshold.into())
}

/// Checks that the product of two numbers is at most `most`.
fn at_most(most: u64, one: usize, other: usize) -> Result<(), CommitteeError> {
    let got = wide(one).saturating_mul(wide(other));
    if got > most { Err(CommitteeError::TooLarge { most, got }) } else { Ok(()) }
}
