//! The part of the state that the database stores beside the shares.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use quorate_session::PartyId;
use quorate_session::container::{Kind, Label, NO_CURVE};
use quorate_session::wire::{Reader, bounded};

use super::certificate::Certificate;
use super::error::StatementError;
use super::ledger::Standing;
use super::statement::{Committed, Prepared};
use crate::PackageId;
use crate::error::DecodeError;
use crate::wire::{put_party, read_party};

const LABEL: Label = Label {
    kind: Kind { code: 72, name: "the record of an agreement about shares", version: 1 },
    curve: NO_CURVE,
    family: "quorate-keys agreement",
    family_code: 0,
};

/// The row of the **database** for one key of one party, beside the shares. It has the votes, the marks with
/// their certificates, and the evidence of the last change that ended. Each write replaces the row.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Record {
    pub(super) party: PartyId,
    pub(super) key: [u8; 32],
    pub(super) standing: Standing,
    /// By epoch, including epochs that are over.
    pub(super) votes: BTreeMap<u32, PackageId>,
    pub(super) committed: BTreeMap<PackageId, Certificate<Prepared>>,
    pub(super) superseded: Option<Certificate<Committed>>,
}

impl Record {
    pub(super) const fn new(party: PartyId, key: [u8; 32]) -> Self {
        Self {
            party,
            key,
            standing: Standing { restores: 0, floor: None },
            votes: BTreeMap::new(),
            committed: BTreeMap::new(),
            superseded: None,
        }
    }

    /// The stored form. Nothing in it is secret, but the votes rest on it: keep it authentic.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = LABEL.start(0);
        put_party(&mut bytes, self.party);
        bytes.extend_from_slice(&self.key);
        self.standing.put(&mut bytes);
        put_count(&mut bytes, self.votes.len());
        self.votes.values().for_each(|vote| vote.put(&mut bytes));
        put_count(&mut bytes, self.committed.len());
        self.committed.values().for_each(|one| one.put(&mut bytes));
        put_count(&mut bytes, usize::from(self.superseded.is_some()));
        self.superseded.iter().for_each(|one| one.put(&mut bytes));
        LABEL.end_public(bytes)
    }

    /// Opens a stored form. The signatures in it were verified before it was stored.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let (_, mut reader) = LABEL.open(bytes)?;
        let party = read_party(&mut reader)?;
        let key = reader.array()?;
        let standing = Standing::read(&mut reader)?;
        let votes = read_list(&mut reader, |reader| {
            let vote = PackageId::read(reader)?;
            Ok((vote.epoch(), vote))
        })?;
        let committed = read_list(&mut reader, |reader| {
            let one = Certificate::read(reader).map_err(inner)?;
            Ok((one.attempt().package_id(), one))
        })?;
        let superseded = match reader.u32()? {
            0 => None,
            1 => Some(Certificate::read(&mut reader).map_err(inner)?),
            _ => return Err(DecodeError::Inconsistent("more than one last change")),
        };
        reader.finish()?;
        let record = Self { party, key, standing, votes, committed, superseded };
        if record.packages().any(|package| package.key_id() != key) {
            return Err(DecodeError::Inconsistent("an attempt of another key"));
        }
        Ok(record)
    }

    /// The names in it.
    fn packages(&self) -> impl Iterator<Item = PackageId> + '_ {
        let last = self.superseded.iter().map(|one| one.attempt().package_id());
        self.votes.values().copied().chain(self.committed.keys().copied()).chain(last)
    }
}

/// One vote for each epoch, or one mark for each attempt that the party holds.
fn put_count(bytes: &mut Vec<u8>, count: usize) {
    bytes.extend_from_slice(&bounded::<u32>(count).to_be_bytes());
}

/// Reads a list whose keys ascend.
fn read_list<K: Ord, V>(
    reader: &mut Reader<'_>,
    read: impl Fn(&mut Reader<'_>) -> Result<(K, V), DecodeError>,
) -> Result<BTreeMap<K, V>, DecodeError> {
    let mut list = BTreeMap::new();
    for _ in 0..reader.u32()? {
        let (key, value) = read(reader)?;
        if list.last_key_value().is_some_and(|(last, _)| *last >= key) {
            return Err(DecodeError::Inconsistent("attempts that do not ascend"));
        }
        list.insert(key, value);
    }
    Ok(list)
}

fn inner(error: StatementError) -> DecodeError {
    match error {
        StatementError::Malformed(why) => why,
        _ => DecodeError::Inconsistent("a certificate that is none"),
    }
}
