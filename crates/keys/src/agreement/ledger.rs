//! Entries of the ledger.

use alloc::vec::Vec;

use quorate_session::wire::Reader;

use crate::PackageId;
use crate::error::DecodeError;

/// The number of times that votes of the party may have been lost, and the last epoch in which it may have voted
/// before that.
///
/// They are ordered by time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) struct Standing {
    /// The number of restores of both stores.
    pub(super) restores: u32,
    /// `None` after a restore, until the party rejoins.
    pub(super) floor: Option<u32>,
}

impl Standing {
    /// Returns whether the party may not vote at all.
    pub(super) const fn is_barred(self) -> bool {
        self.restores > 0 && self.floor.is_none()
    }

    /// Returns whether a vote in this epoch may have been lost.
    pub(super) fn may_have_voted(self, epoch: u32) -> bool {
        self.restores > 0 && self.floor.is_none_or(|floor| epoch <= floor)
    }

    pub(super) fn put(self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.restores.to_be_bytes());
        bytes.push(u8::from(self.floor.is_some()));
        bytes.extend_from_slice(&self.floor.unwrap_or_default().to_be_bytes());
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let restores = reader.u32()?;
        let rejoined = reader.u8()?;
        let floor = reader.u32()?;
        match (rejoined, floor) {
            (0, 0) => Ok(Self { restores, floor: None }),
            (1, floor) => Ok(Self { restores, floor: Some(floor) }),
            _ => Err(DecodeError::Inconsistent("a floor without its mark")),
        }
    }
}

/// An entry of the **ledger**: a store that only grows, that no backup of the database contains, and whose
/// entries never expire.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entry(pub(super) Content);

/// The content of an entry.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Content {
    /// The party's vote in this epoch.
    Vote(PackageId),
    /// Votes of this key may have been lost.
    Standing([u8; 32], Standing),
}

const VOTE: u8 = 1;
const STANDING: u8 = 2;

impl Entry {
    /// The name of the key, by which its entries are found.
    #[must_use]
    pub const fn key_id(&self) -> [u8; 32] {
        match &self.0 {
            Content::Vote(package) => package.key_id(),
            Content::Standing(key, _) => *key,
        }
    }

    /// The epoch of a vote. As one more safeguard, a ledger may refuse a second vote of one key and epoch.
    #[must_use]
    pub const fn vote_epoch(&self) -> Option<u32> {
        match &self.0 {
            Content::Vote(package) => Some(package.epoch()),
            Content::Standing(..) => None,
        }
    }

    /// `1 ‖ package (68)`, or `2 ‖ key (32) ‖ restores (4) ‖ 0 or 1 ‖ floor (4)`.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match &self.0 {
            Content::Vote(package) => {
                bytes.push(VOTE);
                package.put(&mut bytes);
            }
            Content::Standing(key, standing) => {
                bytes.push(STANDING);
                bytes.extend_from_slice(key);
                standing.put(&mut bytes);
            }
        }
        bytes
    }

    /// Reads an entry.
    ///
    /// # Errors
    /// A [`DecodeError`] if the bytes are not an entry.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        let content = match reader.u8()? {
            VOTE => Content::Vote(PackageId::read(&mut reader)?),
            STANDING => {
                let key = reader.array()?;
                Content::Standing(key, Standing::read(&mut reader)?)
            }
            _ => return Err(DecodeError::Inconsistent("no entry of an agreement's ledger")),
        };
        reader.finish()?;
        Ok(Self(content))
    }
}
