//! The lists by which signers tell each other which presignatures they hold.

use alloc::vec::Vec;

use quorate_session::{Parties, PartyId, PerParty};

use super::id::PresignatureId;
use crate::wire::{self, Kind, put_parties, read_parties, read_party, truncated};
use crate::{DecodeError, EcdsaCurve, IntersectError, ListFault, ListMismatch};

/// Bytes of a name with its digest.
const ENTRY: usize = 32 + 32;

/// The presignatures of one signer that take certain signers.
#[derive(PartialEq)]
pub(super) struct List {
    pub(super) party: PartyId,
    pub(super) signers: Parties,
    /// Names and digests, by ascending name.
    pub(super) entries: Vec<(PresignatureId, [u8; 32])>,
}

impl List {
    /// party ‖ signers ‖ for each name ‖ digest.
    pub(super) fn to_bytes<C: EcdsaCurve>(&self) -> Vec<u8> {
        let signers = self.signers.len().saturating_add(1).saturating_mul(2);
        let entries = self.entries.len().saturating_mul(ENTRY);
        let body = signers.saturating_add(entries).saturating_add(2);
        let mut bytes = wire::start::<C>(Kind::PresignatureList, body);
        bytes.extend_from_slice(&self.party.get().to_be_bytes());
        put_parties(&mut bytes, &self.signers);
        for (id, digest) in &self.entries {
            bytes.extend_from_slice(&id.0);
            bytes.extend_from_slice(digest);
        }
        wire::end_public(bytes)
    }

    fn from_bytes<C: EcdsaCurve>(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = wire::open::<C>(bytes, Kind::PresignatureList)?;
        let (party, signers) = (read_party(&mut reader)?, read_parties(&mut reader)?);
        let mut entries: Vec<(PresignatureId, [u8; 32])> = Vec::new();
        while reader.remaining() > 0 {
            let id = PresignatureId(reader.array().map_err(truncated)?);
            if entries.last().is_some_and(|(last, _)| *last >= id) {
                return Err(DecodeError::BadOrder);
            }
            entries.push((id, reader.array().map_err(truncated)?));
        }
        Ok(Self { party, signers, entries })
    }

    /// The names in this list that are, with these digests, in the lists of all other signers.
    pub(super) fn intersect<C: EcdsaCurve, B: AsRef<[u8]>>(
        self,
        others: impl IntoIterator<Item = (PartyId, B)>,
    ) -> Result<Vec<PresignatureId>, IntersectError> {
        if !self.signers.contains(self.party) {
            return Err(IntersectError::NotASigner);
        }
        let mut lists = PerParty::<Self>::new();
        let (mut faults, mut mismatches) = (PerParty::new(), PerParty::new());
        for (from, bytes) in others {
            if from == self.party || !self.signers.contains(from) {
                return Err(IntersectError::Unexpected(from));
            }
            match self.read::<C>(from, bytes.as_ref()) {
                Ok(list) if lists.get(from).is_some_and(|other| *other != list) => {
                    return Err(IntersectError::Duplicate(from));
                }
                Ok(list) => lists.or_insert(from, list),
                Err(Refused::Fault(fault)) => faults.or_insert(from, fault),
                Err(Refused::Mismatch(mismatch)) => mismatches.or_insert(from, mismatch),
            }
        }
        if !faults.is_empty() {
            return Err(IntersectError::Cheaters(faults.into_iter().collect()));
        }
        if !mismatches.is_empty() {
            return Err(IntersectError::Mismatch(mismatches.into_iter().collect()));
        }
        let came = |id: &PartyId| *id == self.party || lists.get(*id).is_some();
        let missing: Vec<_> = self.signers.iter().filter(|id| !came(id)).collect();
        if !missing.is_empty() {
            return Err(IntersectError::Missing(missing));
        }
        let all_hold = |entry: &(PresignatureId, [u8; 32])| {
            lists.values().all(|list| list.entries.binary_search(entry).is_ok())
        };
        Ok(self.entries.into_iter().filter(all_hold).map(|(id, _)| id).collect())
    }

    /// Reads the list of another signer.
    fn read<C: EcdsaCurve>(&self, from: PartyId, bytes: &[u8]) -> Result<Self, Refused> {
        let list = Self::from_bytes::<C>(bytes).map_err(|error| {
            if error.is_another_format() {
                Refused::Mismatch(ListMismatch::OtherFormat(error))
            } else {
                Refused::Fault(ListFault::Malformed(error))
            }
        })?;
        if list.party != from {
            return Err(Refused::Fault(ListFault::InAnothersName(list.party)));
        }
        if list.signers != self.signers {
            return Err(Refused::Mismatch(ListMismatch::OtherSigners));
        }
        Ok(list)
    }
}

/// Why a list is not taken.
enum Refused {
    Fault(ListFault),
    Mismatch(ListMismatch),
}
