//! The name of a public key package.

use alloc::vec::Vec;
use core::fmt;

use quorate_session::Transcript;
use quorate_session::wire::Reader;

use crate::error::{DecodeError, Mismatch};
use crate::suite::{KeySuite, PointBytes};

/// The name of a public key package: the group's key, the epoch of its shares, and a digest of
/// everything in the package.
///
/// It stands in every key share, in commitments, signing packages and signature shares. Parties
/// whose packages differ, as when one has missed a refresh, find it out before anybody is blamed:
/// the answer is [`Mismatch::WrongKey`] or [`Mismatch::WrongEpoch`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackageId {
    key: [u8; 32],
    epoch: u32,
    digest: [u8; 32],
}

impl PackageId {
    /// Bytes on the wire.
    pub(crate) const LENGTH: usize = 68;

    /// The name of the package of this key and epoch whose stored form is `package`.
    pub(crate) fn of<S: KeySuite>(key: &PointBytes<S>, epoch: u32, package: &[u8]) -> Self {
        let mut transcript = Transcript::new("quorate-frost public key package");
        transcript.append("package", package);
        Self { digest: transcript.finish32(), ..Self::with_digest::<S>(key, epoch, [0; 32]) }
    }

    /// The name of a package whose digest is known.
    pub(crate) fn with_digest<S: KeySuite>(
        key: &PointBytes<S>,
        epoch: u32,
        digest: [u8; 32],
    ) -> Self {
        let mut transcript = Transcript::new("quorate-frost key id");
        transcript.append("suite", S::CONTEXT.as_bytes());
        transcript.append("key", key.as_ref());
        Self { key: transcript.finish32(), epoch, digest }
    }

    /// A name for the group's key, the same at all its parties and over all epochs.
    #[must_use]
    pub const fn key_id(&self) -> [u8; 32] {
        self.key
    }

    /// The epoch: the number of times that the shares of this key have been refreshed.
    #[must_use]
    pub const fn epoch(&self) -> u32 {
        self.epoch
    }

    /// The digest of the package, by which parties can compare theirs: it covers the suite, the
    /// threshold, the epoch, the parties, the group's key and every verifying share.
    #[must_use]
    pub const fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// Whether `got` is this package.
    ///
    /// # Errors
    /// The [`Mismatch`]. Two refreshes of one epoch, of which one was aborted, end in different
    /// packages of the same epoch: then both numbers are equal.
    pub fn expect(&self, got: &Self) -> Result<(), Mismatch> {
        if self == got {
            Ok(())
        } else if self.key == got.key {
            Err(Mismatch::WrongEpoch { expected: self.epoch, got: got.epoch })
        } else {
            Err(Mismatch::WrongKey)
        }
    }

    /// Appends `key id ‖ epoch ‖ digest`.
    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.key);
        bytes.extend_from_slice(&self.epoch.to_be_bytes());
        bytes.extend_from_slice(&self.digest);
    }

    /// Reads what [`Self::put`] wrote.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self { key: reader.array()?, epoch: reader.u32()?, digest: reader.array()? })
    }
}

impl fmt::Debug for PackageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PackageId(")?;
        crate::signature::hex(f, &self.key)?;
        write!(f, ", epoch {}, ", self.epoch)?;
        crate::signature::hex(f, &self.digest)?;
        f.write_str(")")
    }
}
