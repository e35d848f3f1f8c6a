//! The version and digest of a directory: for operators to compare, and for a node to remember.

use alloc::string::ToString as _;
use core::{fmt, str::FromStr};

use quorate_session::wire::{Reader, joined};

use crate::malformed::Malformed;

/// The version of a directory and its digest.
///
/// A node remembers the id of the last directory that it trusted, where no backup restores it. Its text, which operators
/// read to each other, is the version, a colon and 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DirectoryId {
    pub(crate) version: u64,
    pub(crate) digest: [u8; 32],
}

const ID: Malformed =
    Malformed("the version of a directory, a colon, and the 64 digits of its digest");

impl DirectoryId {
    /// The length of its bytes.
    pub const LENGTH: usize = 40;

    /// The version.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// The digest.
    #[must_use]
    pub const fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// The version (8) ‖ the digest (32).
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::LENGTH] {
        joined(&[&self.version.to_be_bytes(), &self.digest])
    }

    /// Reads the bytes that [`to_bytes`](Self::to_bytes) gives.
    ///
    /// # Errors
    /// [`Malformed`] for another length.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes);
        let id = Self::read(&mut reader).ok_or(ID)?;
        reader.finish().map_err(|_| ID)?;
        Ok(id)
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(Self { version: reader.u64().ok()?, digest: reader.array().ok()? })
    }
}

impl FromStr for DirectoryId {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let (version, digits) = text.split_once(':').ok_or(ID)?;
        let version = version.parse().map_err(|_| ID)?;
        let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
        let mut digest = [0; 32];
        for (to, pair) in digest.iter_mut().zip(pairs) {
            let pair = str::from_utf8(pair).map_err(|_| ID)?;
            *to = u8::from_str_radix(pair, 16).map_err(|_| ID)?;
        }
        if pairs.len() != digest.len() || !rest.is_empty() {
            return Err(ID);
        }
        let id = Self { version, digest };
        // Each id has one text: no sign, no zero in front, small letters.
        if id.to_string() == text { Ok(id) } else { Err(ID) }
    }
}

impl fmt::Display for DirectoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.version)?;
        self.digest.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// As it is displayed.
impl fmt::Debug for DirectoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
