//! Names of members, administrators and deployments.

use alloc::string::String;
use core::{fmt, str::FromStr};

use quorate_session::wire::{Reader, bounded};

use crate::malformed::Malformed;

/// The name of a member, an administrator or a deployment: 1 to 64 of the characters `a` to `z`, `0` to `9`, `.`, `-` and `_`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(String);

impl Name {
    /// The longest name, in bytes.
    pub const MAX: usize = 64;

    /// A name.
    ///
    /// # Errors
    /// [`Malformed`] if the text is empty, too long, or has other characters.
    pub fn new(text: &str) -> Result<Self, Malformed> {
        let fits = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_');
        if text.is_empty() || text.len() > Self::MAX || !text.bytes().all(fits) {
            return Err(Malformed(
                "a name of 1 to 64 characters of a to z, 0 to 9, '.', '-' and '_'",
            ));
        }
        Ok(Self(text.into()))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Appends the length (1) and the text.
    pub(crate) fn write(&self, out: &mut alloc::vec::Vec<u8>) {
        // The constructor has bounded it by `MAX`.
        out.push(bounded(self.0.len()));
        out.extend_from_slice(self.0.as_bytes());
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let length = reader.u8().ok()?;
        let bytes = reader.bytes(length.into()).ok()?;
        Self::new(str::from_utf8(bytes).ok()?).ok()
    }
}

impl FromStr for Name {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        Self::new(text)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
