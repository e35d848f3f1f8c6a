//! The encoding of fields.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use zeroize::Zeroizing;

use crate::VERSION;

/// Bytes that are no message of this version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Malformed;

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expected a message of version {VERSION} between the PKCS#11 module and its daemon"
        )
    }
}

impl core::error::Error for Malformed {}

/// The fields of a message that are not yet read.
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// The kind of a message, and its fields.
    pub(crate) fn of(body: &'a [u8]) -> Result<(u8, Self), Malformed> {
        match body {
            [VERSION, kind, fields @ ..] => Ok((*kind, Self(fields))),
            _ => Err(Malformed),
        }
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (array, rest) = self.0.split_first_chunk::<N>().ok_or(Malformed)?;
        self.0 = rest;
        Ok(*array)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Malformed> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(crate) fn number(&mut self) -> Result<u32, Malformed> {
        self.array().map(u32::from_be_bytes)
    }

    /// Bytes of at most this length.
    pub(crate) fn bytes(&mut self, most: usize) -> Result<&'a [u8], Malformed> {
        let length = usize::try_from(self.number()?).map_err(|_| Malformed)?;
        let split = self.0.split_at_checked(length).filter(|_| length <= most);
        let (bytes, rest) = split.ok_or(Malformed)?;
        self.0 = rest;
        Ok(bytes)
    }

    /// Text of at most this number of bytes.
    pub(crate) fn text(&mut self, most: usize) -> Result<&'a str, Malformed> {
        core::str::from_utf8(self.bytes(most)?).map_err(|_| Malformed)
    }

    pub(crate) fn owned_text(&mut self, most: usize) -> Result<String, Malformed> {
        self.text(most).map(String::from)
    }

    /// Checks that no bytes are left.
    pub(crate) fn end(self) -> Result<(), Malformed> {
        if self.0.is_empty() { Ok(()) } else { Err(Malformed) }
    }
}

/// A frame that is written. It may have a PIN, so it is wiped when it is dropped, and it never moves: its room is taken first.
pub(crate) struct Writer(Zeroizing<Vec<u8>>);

impl Writer {
    /// A frame with room for this number of bytes of fields.
    pub(crate) fn new(kind: u8, room: usize) -> Self {
        let mut frame = Zeroizing::new(Vec::with_capacity(room.saturating_add(6)));
        frame.extend([0, 0, 0, 0, VERSION, kind]);
        Self(frame)
    }

    pub(crate) fn byte(mut self, byte: u8) -> Self {
        self.0.push(byte);
        self
    }

    pub(crate) fn array(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }

    pub(crate) fn number(self, number: u32) -> Self {
        self.array(&number.to_be_bytes())
    }

    /// Bytes with their length in front. No field is longer than a length of four bytes counts.
    pub(crate) fn bytes(self, bytes: &[u8]) -> Self {
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        self.number(length).array(bytes)
    }

    /// The frame, with the length of the body in front.
    pub(crate) fn frame(mut self) -> Zeroizing<Vec<u8>> {
        let length = u32::try_from(self.0.len().saturating_sub(4)).unwrap_or(u32::MAX);
        if let Some(first) = self.0.first_chunk_mut::<4>() {
            *first = length.to_be_bytes();
        }
        self.0
    }
}
