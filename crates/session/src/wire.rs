//! Strict reading of message bodies: nothing is skipped, nothing is left over.

use crate::Fault;

/// Reads a string of bytes from the front; every length is checked before anything is taken.
///
/// The error is the [`Fault`] of whoever sent the bytes, so a protocol can use `?` inside
/// [`Inbox::verify`](crate::Inbox::verify).
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
    /// [`Fault::Malformed`] if fewer are left.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let (head, rest) = self.0.split_first_chunk().ok_or(Fault::Malformed)?;
        self.0 = rest;
        Ok(*head)
    }

    /// The next `length` bytes.
    ///
    /// # Errors
    /// [`Fault::Malformed`] if fewer are left.
    pub fn bytes(&mut self, length: usize) -> Result<&'a [u8], Fault> {
        let (head, rest) = self.0.split_at_checked(length).ok_or(Fault::Malformed)?;
        self.0 = rest;
        Ok(head)
    }

    /// A byte.
    ///
    /// # Errors
    /// [`Fault::Malformed`] if nothing is left.
    pub fn u8(&mut self) -> Result<u8, Fault> {
        self.array().map(u8::from_be_bytes)
    }

    /// A number of two bytes, big-endian.
    ///
    /// # Errors
    /// [`Fault::Malformed`] if fewer are left.
    pub fn u16(&mut self) -> Result<u16, Fault> {
        self.array().map(u16::from_be_bytes)
    }

    /// A number of four bytes, big-endian.
    ///
    /// # Errors
    /// [`Fault::Malformed`] if fewer are left.
    pub fn u32(&mut self) -> Result<u32, Fault> {
        self.array().map(u32::from_be_bytes)
    }

    /// A number of eight bytes, big-endian.
    ///
    /// # Errors
    /// [`Fault::Malformed`] if fewer are left.
    pub fn u64(&mut self) -> Result<u64, Fault> {
        self.array().map(u64::from_be_bytes)
    }

    /// How many bytes are left.
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.0.len()
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// [`Fault::Malformed`] if bytes are left over.
    pub const fn finish(self) -> Result<(), Fault> {
        if self.0.is_empty() { Ok(()) } else { Err(Fault::Malformed) }
    }
}
