//! The name of a presignature.

use alloc::vec::Vec;
use core::fmt;

use quorate_session::Transcript;
use quorate_session::wire::{Reader, joined};

use crate::DecodeError;

/// The most presignatures of one run.
pub const MAX_PRESIGNATURES: u16 = 1024;
const _: () = assert!(MAX_PRESIGNATURES as usize == quorate_zk::sigma::MAX_BATCH);

/// The name of a presignature, equal at all of its signers: the run that made it, and its index among those of the run.
/// The indices of a run are contiguous, from 0.
///
/// The run is the digest of its context alone: protocol, session id, signers, key, auxiliary information. It does not
/// depend on the signers' messages. If a run that was restored from an old state ends a second time, with any result, its
/// presignatures have the same names as the first, so that the table of spent names refuses them. Two such results differ
/// in their [digest](crate::PresignatureInfo::digest).
///
/// Signing two messages with one presignature gives the key away. Record its [name](Self::name) under a unique key
/// before a share of a signature is released ([`Claim::record`](crate::Claim::record)).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PresignatureId {
    run: [u8; 32],
    index: u32,
}

impl PresignatureId {
    /// Bytes of [`to_bytes`](Self::to_bytes).
    pub const LENGTH: usize = 36;

    pub(super) const fn new(run: [u8; 32], index: u32) -> Self {
        Self { run, index }
    }

    /// The digest of the context of the run that made it.
    #[must_use]
    pub const fn run(&self) -> &[u8; 32] {
        &self.run
    }

    /// The index among the presignatures of its run, below [`MAX_PRESIGNATURES`].
    #[must_use]
    pub const fn index(&self) -> u32 {
        self.index
    }

    /// A digest of both, in 32 bytes: the name in the [record](crate::Claim::record) of its claim.
    #[must_use]
    pub fn name(&self) -> [u8; 32] {
        let mut transcript = Transcript::new("quorate-cggmp presignature name");
        transcript.append("context", &self.run);
        transcript.append_u64("index", self.index.into());
        transcript.finish32()
    }

    /// `run (32) ‖ index (4)`
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::LENGTH] {
        joined(&[&self.run, &self.index.to_be_bytes()])
    }

    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.to_bytes());
    }

    /// Reads what [`put`](Self::put) wrote.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let run = reader.array()?;
        let index = reader.u32()?;
        if index < u32::from(MAX_PRESIGNATURES) {
            Ok(Self { run, index })
        } else {
            Err(DecodeError::BadIndex(index))
        }
    }
}

impl fmt::Debug for PresignatureId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PresignatureId(")?;
        self.run.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        write!(f, ", {})", self.index)
    }
}
