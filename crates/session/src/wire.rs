//! Strict reading of message bodies and stored forms: nothing is skipped, nothing is left over.

use core::fmt;

/// The reason why bytes could not be read to their end.
///
/// In a peer's message it is that peer's fault: it converts to
/// [`Fault::Malformed`](crate::Fault::Malformed), so a protocol can use `?` inside
/// [`Inbox::verify`](crate::Inbox::verify).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// The bytes end before the object does.
    Truncated,
    /// Bytes follow the object.
    TrailingBytes,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truncated => "the bytes end before the object does",
            Self::TrailingBytes => "bytes follow the object",
        })
    }
}

impl core::error::Error for ReadError {}

/// A reader that takes bytes from the front of a string and checks every length first.
#[derive(Clone, Copy)]
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// Reads from `bytes`.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    /// [`ReadError::Truncated`] if fewer are left.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], ReadError> {
        let (head, rest) = self.0.split_first_chunk().ok_or(ReadError::Truncated)?;
        self.0 = rest;
        Ok(*head)
    }

    /// The next `length` bytes.
    ///
    /// # Errors
    /// [`ReadError::Truncated`] if fewer are left.
    pub fn bytes(&mut self, length: usize) -> Result<&'a [u8], ReadError> {
        let (head, rest) = self.0.split_at_checked(length).ok_or(ReadError::Truncated)?;
        self.0 = rest;
        Ok(head)
    }

    /// A byte.
    ///
    /// # Errors
    /// [`ReadError::Truncated`] if nothing is left.
    pub fn u8(&mut self) -> Result<u8, ReadError> {
        self.array().map(u8::from_be_bytes)
    }

    /// A number of two bytes, big-endian.
    ///
    /// # Errors
    /// [`ReadError::Truncated`] if fewer are left.
    pub fn u16(&mut self) -> Result<u16, ReadError> {
        self.array().map(u16::from_be_bytes)
    }

    /// A number of four bytes, big-endian.
    ///
    /// # Errors
    /// [`ReadError::Truncated`] if fewer are left.
    pub fn u32(&mut self) -> Result<u32, ReadError> {
        self.array().map(u32::from_be_bytes)
    }

    /// A number of eight bytes, big-endian.
    ///
    /// # Errors
    /// [`ReadError::Truncated`] if fewer are left.
    pub fn u64(&mut self) -> Result<u64, ReadError> {
        self.array().map(u64::from_be_bytes)
    }

    /// Checks that `count` items of at least `size` bytes can follow: to be called before room is
    /// made for them.
    ///
    /// # Errors
    /// [`ReadError::Truncated`] if fewer bytes are left.
    pub fn expect(&self, count: usize, size: usize) -> Result<(), ReadError> {
        match count.checked_mul(size) {
            Some(length) if length <= self.0.len() => Ok(()),
            _ => Err(ReadError::Truncated),
        }
    }

    /// The number of bytes that are left.
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.0.len()
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// [`ReadError::TrailingBytes`] if bytes are left over.
    pub const fn finish(self) -> Result<(), ReadError> {
        if self.0.is_empty() { Ok(()) } else { Err(ReadError::TrailingBytes) }
    }
}
