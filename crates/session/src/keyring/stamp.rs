//! The stamp before a sealed row.

use super::error::{KeyringError, VERSION};
use super::id::{Fingerprint, SealKeyId};
use crate::wire::joined;

const MAGIC: [u8; 3] = *b"QSK";

/// The key that has sealed a row.
#[derive(Clone, Copy)]
pub(super) struct Stamp {
    pub(super) id: SealKeyId,
    pub(super) fingerprint: Fingerprint,
}

impl Stamp {
    pub(super) const LENGTH: usize = 16;

    pub(super) fn to_bytes(self) -> [u8; Self::LENGTH] {
        joined(&[&MAGIC, &[VERSION], &self.id.get().to_be_bytes(), &self.fingerprint.0])
    }

    /// The stamp of a row, if it has one, and the rest of the row.
    pub(super) fn read(row: &[u8]) -> Result<(Option<Self>, &[u8]), KeyringError> {
        let Some((&version, rest)) = row.strip_prefix(&MAGIC).and_then(<[u8]>::split_first) else {
            return Ok((None, row));
        };
        if version != VERSION {
            return Err(KeyringError::Version(version));
        }
        let cut = || KeyringError::Seal(crate::SealError::Malformed);
        let (id, rest) = rest.split_first_chunk().ok_or_else(cut)?;
        let (fingerprint, sealed) = rest.split_first_chunk().ok_or_else(cut)?;
        let id = SealKeyId::new(u32::from_be_bytes(*id)).ok_or_else(cut)?;
        Ok((Some(Self { id, fingerprint: Fingerprint(*fingerprint) }), sealed))
    }
}
