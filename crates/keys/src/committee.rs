//! Committees: the parties that hold shares of a key, and the threshold.

use alloc::vec::Vec;

use quorate_session::{Parties, PartyId, wire::Reader};

use crate::error::{CommitteeError, DecodeError};
use crate::wire::{put_party, truncated};

/// The parties that hold shares of a key, and the threshold t: any t of them can use the key, any
/// t − 1 learn nothing about it. `2 <= t <= n`, and t·n is at most [`MOST_STEPS`](Self::MOST_STEPS).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Committee {
    parties: Parties,
    threshold: u16,
}

impl Committee {
    /// The largest t·n: 2^24, as of 4096-of-4096 or 256-of-65535. The public value of a key is opened in t·n additions
    /// of points, whoever made it.
    pub const MOST_STEPS: u64 = 1 << 24;

    /// A committee.
    ///
    /// # Errors
    /// [`CommitteeError::Threshold`] if the threshold is below 2 or above the number of parties;
    /// [`CommitteeError::TooLarge`] if their product is above [`MOST_STEPS`](Self::MOST_STEPS).
    pub fn new(parties: Parties, threshold: u16) -> Result<Self, CommitteeError> {
        if threshold < 2 || usize::from(threshold) > parties.len() {
            return Err(CommitteeError::Threshold { threshold, parties: parties.len() });
        }
        let most = Self::MOST_STEPS;
        let got = u64::try_from(parties.len()).unwrap_or(u64::MAX).saturating_mul(threshold.into());
        if got > most {
            return Err(CommitteeError::TooLarge { most, got });
        }
        Ok(Self { parties, threshold })
    }

    /// The parties.
    #[must_use]
    pub const fn parties(&self) -> &Parties {
        &self.parties
    }

    /// t: how many of the parties it takes to use the key.
    #[must_use]
    pub const fn threshold(&self) -> u16 {
        self.threshold
    }

    /// t as a length.
    pub(crate) fn points(&self) -> usize {
        usize::from(self.threshold)
    }

    /// Whether `party` holds a share.
    #[must_use]
    pub fn contains(&self, party: PartyId) -> bool {
        self.parties.contains(party)
    }

    /// threshold (2) ‖ number of parties (2) ‖ each party (2), ascending.
    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.threshold.to_be_bytes());
        // Distinct numbers of two bytes without zero: at most 65535.
        let count = u16::try_from(self.parties.len()).unwrap_or(u16::MAX);
        bytes.extend_from_slice(&count.to_be_bytes());
        self.parties.iter().for_each(|party| put_party(bytes, party));
    }

    /// The form in which a session binds it.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.put(&mut bytes);
        bytes
    }

    pub(crate) fn read(reader: &mut Reader<'_>, most: usize) -> Result<Self, DecodeError> {
        let threshold = reader.u16().map_err(truncated)?;
        let count = usize::from(reader.u16().map_err(truncated)?);
        if count > most {
            return Err(CommitteeError::TooMany { most, got: count }.into());
        }
        if reader.remaining() < count.saturating_mul(2) {
            return Err(truncated(()));
        }
        let mut parties: Vec<PartyId> = Vec::with_capacity(count);
        for _ in 0..count {
            let number = reader.u16().map_err(truncated)?;
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
