//! Derivation paths.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use super::DeriveError;

/// The first hardened index.
const HARDENED: u32 = 1 << 31;
/// The most levels of a path.
const DEPTH: usize = 255;

/// A path from a key to a descendant: at most 255 indices below 2^31, none hardened.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct DerivationPath(Vec<u32>);

impl DerivationPath {
    /// The path of these indices. The key itself has none.
    ///
    /// # Errors
    /// [`DeriveError::Hardened`] for an index of 2^31 or above, [`DeriveError::TooDeep`] for more
    /// than 255.
    pub fn new(indices: impl IntoIterator<Item = u32>) -> Result<Self, DeriveError> {
        let mut path = Vec::new();
        for index in indices {
            if index >= HARDENED {
                return Err(DeriveError::Hardened);
            }
            if path.len() >= DEPTH {
                return Err(DeriveError::TooDeep);
            }
            path.push(index);
        }
        Ok(Self(path))
    }

    /// The indices, from the key downwards.
    #[must_use]
    pub fn indices(&self) -> &[u32] {
        &self.0
    }
}

/// Reads `m/44/0/7`, where `m` stands for the key that is derived from.
impl FromStr for DerivationPath {
    type Err = DeriveError;

    fn from_str(path: &str) -> Result<Self, DeriveError> {
        let mut levels = path.split('/');
        if levels.next() != Some("m") {
            return Err(DeriveError::BadPath);
        }
        let mut indices = Vec::new();
        for level in levels {
            if level.ends_with(['\'', 'h', 'H']) {
                return Err(DeriveError::Hardened);
            }
            // `parse` alone would take a sign.
            if !level.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(DeriveError::BadPath);
            }
            if indices.len() >= DEPTH {
                return Err(DeriveError::TooDeep);
            }
            indices.push(level.parse().map_err(|_| DeriveError::BadPath)?);
        }
        Self::new(indices)
    }
}

/// Writes `m/44/0/7`.
impl fmt::Display for DerivationPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("m")?;
        self.0.iter().try_for_each(|index| write!(f, "/{index}"))
    }
}
