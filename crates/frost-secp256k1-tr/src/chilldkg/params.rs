//! *SessionParams*: the threshold and the participants.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secp256k1};
use quorate_frost::session::{Parties, PartyId};
use quorate_frost::{Committee, CommitteeError};

use super::Point;
use super::error::Error;
use super::host::{HostKey, HostPublicKey};
use crate::taproot::tagged_bytes;

/// The threshold t and the host public keys of all participants, in an order that all agree on: the draft's
/// *SessionParams*, validated.
///
/// The participant at place i of the list, from 0, is the draft's i, and [party](PartyId) i + 1.
#[derive(Clone, PartialEq, Eq)]
pub struct Params {
    threshold: u16,
    parties: Parties,
    host_keys: Vec<HostPublicKey>,
    points: Vec<Point>,
}

impl Params {
    /// The largest number of participants. Each verifies n signatures of a transcript of more than 98·n bytes, so
    /// its work grows with n². The draft has no such limit. BIP-445, for which the keys are made, signs for 128.
    pub const MOST_PARTICIPANTS: usize = 1024;

    /// The parameters of a run. **Each participant has to have authentic copies of all host public keys**: see
    /// [`digest`](Self::digest).
    ///
    /// # Errors
    /// [`Error::Committee`] unless 2 ≤ t ≤ n, and n is at most [`MOST_PARTICIPANTS`](Self::MOST_PARTICIPANTS); the draft allows
    /// t = 1, of which there are no keys here. [`Error::BadHostPublicKey`], [`Error::DuplicateHostPublicKey`].
    pub fn new(host_keys: Vec<HostPublicKey>, threshold: u16) -> Result<Self, Error> {
        if threshold == 1 {
            let parties = host_keys.len();
            return Err(CommitteeError::Threshold { threshold, parties }.into());
        }
        Self::drafted(host_keys, threshold)
    }

    /// Makes the parameters as [`Self::new`], with the draft's thresholds.
    pub(super) fn drafted(host_keys: Vec<HostPublicKey>, threshold: u16) -> Result<Self, Error> {
        let got = host_keys.len();
        let most = Self::MOST_PARTICIPANTS;
        let many = CommitteeError::TooMany { most, got };
        let count = u16::try_from(got).ok().filter(|_| got <= most).ok_or(many)?;
        let wrong = CommitteeError::Threshold { threshold, parties: got };
        let parties = Parties::numbered(count).map_err(|_| wrong)?;
        if threshold != 1 {
            Committee::new(parties.clone(), threshold)?;
        }
        let mut points = Vec::with_capacity(got);
        for (of, key) in parties.iter().zip(&host_keys) {
            points.push(Secp256k1::decode_point(key).ok_or(Error::BadHostPublicKey { of })?);
        }
        let mut owners = BTreeMap::new();
        for (second, key) in parties.iter().zip(&host_keys) {
            if let Some(first) = owners.insert(key, second) {
                return Err(Error::DuplicateHostPublicKey { first, second });
            }
        }
        Ok(Self { threshold, parties, host_keys, points })
    }

    /// *params_hash*: 32 bytes to be compared with all other participants, over channels that the coordinator does not
    /// control, if the host public keys came over others.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        tagged_bytes("BIP DKG/params_hash", [self.context().as_slice()])
    }

    /// t: how many participants it takes to sign.
    #[must_use]
    pub const fn threshold(&self) -> u16 {
        self.threshold
    }

    /// The parties of the key: 1 to n.
    #[must_use]
    pub const fn parties(&self) -> &Parties {
        &self.parties
    }

    /// The host public keys, in the order of the parties.
    #[must_use]
    pub fn host_keys(&self) -> &[HostPublicKey] {
        &self.host_keys
    }

    /// The party that a host key stands for.
    #[must_use]
    pub fn party_of(&self, key: &HostPublicKey) -> Option<PartyId> {
        let place = self.host_keys.iter().position(|one| one == key)?;
        self.parties.iter().nth(place)
    }

    /// The party of a host key that takes part.
    pub(super) fn me(&self, host: &HostKey) -> Result<PartyId, Error> {
        self.party_of(host.public()).ok_or(Error::NotAParticipant)
    }

    /// t ‖ host public keys.
    pub(super) fn context(&self) -> Vec<u8> {
        let mut bytes = Vec::from(u32::from(self.threshold).to_be_bytes());
        self.host_keys.iter().for_each(|key| bytes.extend_from_slice(key));
        bytes
    }

    /// n.
    pub(super) fn count(&self) -> usize {
        self.host_keys.len()
    }

    /// t, as a length.
    pub(super) fn coefficients(&self) -> usize {
        usize::from(self.threshold)
    }

    /// The participants' places, with their host public keys as points.
    pub(super) fn points(&self) -> impl Iterator<Item = (PartyId, &Point)> {
        self.parties.iter().zip(&self.points)
    }
}

impl fmt::Debug for Params {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Params")
            .field("threshold", &self.threshold)
            .field("participants", &self.count())
            .finish_non_exhaustive()
    }
}

/// The draft's identifier of a participant in messages: the party's number minus one, in four bytes.
pub(super) fn id_of(party: PartyId) -> [u8; 4] {
    u32::from(party.get()).saturating_sub(1).to_be_bytes()
}
