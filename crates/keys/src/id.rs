//! Names: of a key over all its epochs, and of one epoch's public value.

use alloc::vec::Vec;
use core::fmt;

use quorate_session::{Binding, Transcript, wire::Reader};

use crate::error::{DecodeError, Mismatch};
use crate::{Family, PointBytes};

/// The name of a [`SharedKey`](crate::SharedKey): the key, the epoch of its shares, and a digest of all its
/// public data in that epoch.
///
/// Every share contains it, and every session binds it. So anything that belongs to another epoch is refused by
/// its name ([`Mismatch`]) before it is used in a computation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackageId {
    key: [u8; 32],
    epoch: u32,
    digest: [u8; 32],
}

impl PackageId {
    /// Bytes in stored forms.
    pub const LENGTH: usize = 68;

    /// The name of the public value with this key, epoch and content.
    pub(crate) fn from_content<F: Family>(key: &PointBytes<F>, epoch: u32, content: &[u8]) -> Self {
        let key = key_id::<F>(key);
        let mut transcript = Transcript::new("quorate-keys package");
        transcript.append("family", F::NAME.as_bytes());
        transcript.append("content", content);
        Self { key, epoch, digest: transcript.finish32() }
    }

    /// A name without a package, for a model.
    #[cfg(any(test, feature = "testing"))]
    #[must_use]
    pub const fn invented(key: [u8; 32], epoch: u32, digest: [u8; 32]) -> Self {
        Self { key, epoch, digest }
    }

    /// A name for the group's key, the same for all its parties and over all epochs.
    #[must_use]
    pub const fn key_id(&self) -> [u8; 32] {
        self.key
    }

    /// The number of times that the key has been reshared or refreshed; 0 for a new one.
    #[must_use]
    pub const fn epoch(&self) -> u32 {
        self.epoch
    }

    /// A digest of family, threshold, epoch, parties, group key, every verifying share, and what the
    /// family keeps beside them.
    #[must_use]
    pub const fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// Checks that this name, of something received, is that of the `expected` package.
    ///
    /// # Errors
    /// The [`Mismatch`], which names the difference.
    pub fn check_belongs_to(&self, expected: &Self) -> Result<(), Mismatch> {
        if self == expected {
            Ok(())
        } else if self.key != expected.key {
            Err(Mismatch::WrongKey)
        } else if self.epoch != expected.epoch {
            Err(Mismatch::WrongEpoch { expected: expected.epoch, got: self.epoch })
        } else {
            Err(Mismatch::WrongPackage { epoch: expected.epoch })
        }
    }

    /// Returns whether it names a package of the group key with this encoding.
    #[must_use]
    pub fn names_key<F: Family>(&self, key: &PointBytes<F>) -> bool {
        self.key == key_id::<F>(key)
    }

    /// Binds the name in a session, in four items. So a party that has missed an epoch is told that the epoch
    /// differs.
    pub fn bind<F: Family>(&self, binding: &mut Binding) {
        binding.append("family", F::NAME.as_bytes());
        binding.append("key", &self.key);
        binding.append_u64("epoch", self.epoch.into());
        binding.append("package", &self.digest);
    }

    /// Hashes the name.
    pub(crate) fn append_to(&self, transcript: &mut Transcript) {
        let mut bytes = Vec::with_capacity(Self::LENGTH);
        self.put(&mut bytes);
        transcript.append("package", &bytes);
    }

    /// Appends `key id (32) ‖ epoch (4) ‖ digest (32)`.
    pub fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.key);
        bytes.extend_from_slice(&self.epoch.to_be_bytes());
        bytes.extend_from_slice(&self.digest);
    }

    /// Reads what [`put`](Self::put) wrote.
    ///
    /// # Errors
    /// [`DecodeError::Body`] if bytes are missing.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self { key: reader.array()?, epoch: reader.u32()?, digest: reader.array()? })
    }
}

fn key_id<F: Family>(key: &PointBytes<F>) -> [u8; 32] {
    let mut transcript = Transcript::new("quorate-keys key id");
    transcript.append("family", F::NAME.as_bytes());
    transcript.append("key", key.as_ref());
    transcript.finish32()
}

impl fmt::Debug for PackageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = |f: &mut fmt::Formatter<'_>, bytes: &[u8]| {
            bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
        };
        f.write_str("PackageId(")?;
        hex(f, &self.key)?;
        write!(f, ", epoch {}, ", self.epoch)?;
        hex(f, &self.digest)?;
        f.write_str(")")
    }
}
