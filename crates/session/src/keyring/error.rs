//! The errors of a keyring.

use alloc::boxed::Box;
use core::error::Error;
use core::fmt;

use super::id::{Fingerprint, SealKeyId};
use crate::SealError;

/// The version of the stamps that are read and written.
pub(super) const VERSION: u8 = 2;

/// The error of a [`KeyService`](super::KeyService), in its own words.
pub type ServiceError = Box<dyn Error + Send + Sync>;

/// The reason why a ring cannot open a row, or be opened itself.
#[derive(Debug)]
#[non_exhaustive]
pub enum KeyringError {
    /// The key service failed. The same request may succeed later.
    Service(ServiceError),
    /// The key service does not have the key with this id, which the service names as current or which sealed the row.
    Missing(SealKeyId),
    /// The key service has another key under the id than the one that sealed the row: perhaps one of another node.
    OtherKey {
        /// The id of the key.
        id: SealKeyId,
        /// The key that sealed the row.
        expected: Fingerprint,
        /// The key of the service.
        got: Fingerprint,
    },
    /// The stamp of the row has this version, which the ring does not read.
    Version(u8),
    /// The key is the right one, and the row does not open under it.
    Seal(SealError),
}

impl fmt::Display for KeyringError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Service(why) => write!(f, "the key service failed: {why}"),
            Self::Missing(id) => {
                write!(f, "the key service has no seal key {id}, which is needed: give it back")
            }
            Self::OtherKey { id, expected, got } => write!(
                f,
                "sealed under key {id} with fingerprint {expected}, the key service has another key {id} with fingerprint \
                 {got}: give this store its own keys"
            ),
            Self::Version(got) => {
                write!(
                    f,
                    "got a stamp of version {got}, expected {}: open the row with the release that wrote it",
                    VERSION
                )
            }
            Self::Seal(why) => why.fmt(f),
        }
    }
}

impl Error for KeyringError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Service(why) => Some(&**why),
            Self::Seal(why) => Some(why),
            _ => None,
        }
    }
}
