//! Reading and writing of numbers and lengths.

use alloc::vec::Vec;

use crate::error::Malformed;

/// The longest canonical form of a purpose: 1 MiB.
pub const MAX_LENGTH: usize = 1 << 20;

/// Refuses a body that does not fit behind version and kind.
pub(crate) const fn check_length(length: usize) -> Result<(), Malformed> {
    if length > MAX_LENGTH - 2 { Err(Malformed("it is too long")) } else { Ok(()) }
}

/// Refuses names of facts that take much more than the content whose parts they name: names of nested parts repeat the
/// outer ones.
pub(crate) const fn check_names(names: usize, length: usize) -> Result<(), Malformed> {
    let allowed = length.saturating_mul(8).saturating_add(1024);
    if names > allowed { Err(Malformed("its names are nested too deeply")) } else { Ok(()) }
}

const SHORT: Malformed = Malformed("it ends too early");

/// The rest of some bytes.
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(SHORT)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (taken, rest) = self.0.split_first_chunk::<N>().ok_or(SHORT)?;
        self.0 = rest;
        Ok(*taken)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Malformed> {
        let [byte] = self.array()?;
        Ok(byte)
    }

    /// A number of 32 bits, big-endian.
    pub(crate) fn number(&mut self) -> Result<usize, Malformed> {
        usize::try_from(u32::from_be_bytes(self.array()?)).map_err(|_| SHORT)
    }

    /// Bytes behind a length of 32 bits: also the string of RFC 4251.
    pub(crate) fn block(&mut self) -> Result<&'a [u8], Malformed> {
        let length = self.number()?;
        self.take(length)
    }

    /// Bytes behind a length of 8 bits.
    pub(crate) fn short_block(&mut self) -> Result<&'a [u8], Malformed> {
        let length = self.byte()?;
        self.take(length.into())
    }

    /// Takes the next byte if it is this one.
    pub(crate) fn next_is(&mut self, byte: u8) -> bool {
        let rest = self.0.strip_prefix(&[byte]);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// Takes the next byte if it is below this one.
    pub(crate) fn next_below(&mut self, bound: u8) -> Option<&'a [u8]> {
        let (first, rest) = self.0.split_at_checked(1)?;
        if first >= &[bound] {
            return None;
        }
        self.0 = rest;
        Some(first)
    }

    pub(crate) const fn remaining(&self) -> &'a [u8] {
        self.0
    }

    pub(crate) fn rest(self) -> &'a [u8] {
        self.0
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn end(self) -> Result<(), Malformed> {
        if self.0.is_empty() { Ok(()) } else { Err(Malformed("bytes follow the end")) }
    }
}

/// A length that is known to fit: a constant bounds it, or the length of the text or the body from which it was read.
pub(crate) fn bounded<N: TryFrom<usize>>(length: usize) -> N {
    match N::try_from(length) {
        Ok(length) => length,
        Err(_) => unreachable!("a length of {length} that nothing has bounded"),
    }
}

/// A length as a number of 64 bits. No platform has longer ones, which the compiler checks.
pub(crate) const fn wide(length: usize) -> u64 {
    const { assert!(usize::BITS <= u64::BITS) };
    length as u64
}

/// Writes bytes behind their length of 32 bits. Everything in a purpose is shorter.
pub(crate) fn block(to: &mut Vec<u8>, bytes: &[u8]) {
    number(to, bytes.len());
    to.extend_from_slice(bytes);
}

/// Writes bytes behind their length of 8 bits, which the caller has bounded.
pub(crate) fn short_block(to: &mut Vec<u8>, bytes: &[u8]) {
    to.push(bounded(bytes.len()));
    to.extend_from_slice(bytes);
}

/// Writes a number of 32 bits.
pub(crate) fn number(to: &mut Vec<u8>, number: usize) {
    to.extend_from_slice(&bounded::<u32>(number).to_be_bytes());
}

/// Text of UTF-8.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, Malformed> {
    core::str::from_utf8(bytes).map_err(|_| Malformed("a text is not UTF-8"))
}
