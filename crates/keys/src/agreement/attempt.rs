//! The name of one resharing.

use alloc::vec::Vec;
use core::fmt;

use quorate_session::wire::Reader;

use crate::error::DecodeError;
use crate::{Committee, Family, PackageId, SharedKey};

/// One resharing: the key, the epoch, the digest of the public side, and the committee with its threshold.
///
/// Two resharings of one epoch are two attempts. A party makes the name from the public side that it verified.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Attempt {
    package: PackageId,
    committee: Committee,
}

impl Attempt {
    /// The attempt whose public side this is.
    #[must_use]
    pub fn of<F: Family>(public: &SharedKey<F>) -> Self {
        Self { package: public.package_id(), committee: public.committee().clone() }
    }

    /// An attempt without a resharing, for a model.
    #[cfg(any(test, feature = "testing"))]
    #[must_use]
    pub fn invented(key: [u8; 32], epoch: u32, digest: [u8; 32], committee: Committee) -> Self {
        Self { package: PackageId::invented(key, epoch, digest), committee }
    }

    /// The key, the epoch, and the digest of the public side.
    #[must_use]
    pub const fn package_id(&self) -> PackageId {
        self.package
    }

    /// The parties that hold shares after this resharing, and their threshold.
    #[must_use]
    pub const fn committee(&self) -> &Committee {
        &self.committee
    }

    /// The name of the key.
    #[must_use]
    pub const fn key_id(&self) -> [u8; 32] {
        self.package.key_id()
    }

    /// The epoch of the new shares.
    #[must_use]
    pub const fn epoch(&self) -> u32 {
        self.package.epoch()
    }

    /// Returns whether at least one honest member of this committee is in `other`: they share t parties, and fewer
    /// than t are corrupt.
    pub(super) fn vouches_for(&self, other: &Committee) -> bool {
        let shared = self.committee.parties().iter().filter(|party| other.contains(*party));
        shared.count() >= usize::from(self.committee.threshold())
    }

    /// Appends `package (68) ‖ threshold (2) ‖ number of parties (2) ‖ each party (2)`.
    pub(super) fn put(&self, bytes: &mut Vec<u8>) {
        self.package.put(bytes);
        self.committee.put(bytes);
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let package = PackageId::read(reader)?;
        let committee = Committee::read(reader, usize::from(u16::MAX))?;
        Ok(Self { package, committee })
    }
}

impl fmt::Debug for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attempt")
            .field("package", &self.package)
            .field("parties", &self.committee.parties().as_slice())
            .field("threshold", &self.committee.threshold())
            .finish()
    }
}
