//! Strict reading of message bodies and stored forms: nothing is skipped, nothing is left over. And the lengths in them.
//!
//! No length is cut to what fits. [`narrow`] refuses one that does not fit, for the constructor of a value. [`bounded`]
//! writes a length that a constructor has bounded. [`wide`] and [`index`] fit always.

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

/// A length that does not fit in the number that is written in front of a list or string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLong {
    /// The bytes of that number.
    pub bytes: usize,
    /// The length.
    pub got: usize,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes, got } = self;
        write!(f, "expected a length that a number of {bytes} bytes can hold, got {got}")
    }
}

impl core::error::Error for TooLong {}

/// A length in the number that is written in front of a list or string.
///
/// # Errors
/// [`TooLong`] if it does not fit.
pub fn narrow<N: TryFrom<usize>>(length: usize) -> Result<N, TooLong> {
    N::try_from(length).map_err(|_| TooLong { bytes: size_of::<N>(), got: length })
}

/// A length that is known to fit, since the type of the value, or the check of its constructor, bounds it. The caller
/// writes down which.
///
/// # Panics
/// If it does not fit. That is a defect of the code that should have bounded it: bytes with another length would be
/// stored or signed.
#[must_use]
pub fn bounded<N: TryFrom<usize>>(length: usize) -> N {
    match N::try_from(length) {
        Ok(length) => length,
        Err(_) => unreachable!("a length of {length} that no constructor has bounded"),
    }
}

/// A length as a number of 64 bits. No platform has longer ones, which the compiler checks.
#[must_use]
pub const fn wide(length: usize) -> u64 {
    const { assert!(usize::BITS <= u64::BITS) };
    length as u64
}

/// A length of 32 bits that was read. No supported platform has shorter ones, which the compiler checks.
#[must_use]
pub const fn index(length: u32) -> usize {
    const { assert!(usize::BITS >= u32::BITS) };
    length as usize
}

/// Parts one after the other, whose types say that they have `N` bytes together.
///
/// # Panics
/// If they have more or fewer, which is a defect of the caller: an object with another length would be stored or sent.
#[must_use]
pub fn joined<const N: usize>(parts: &[&[u8]]) -> [u8; N] {
    let mut bytes = [0; N];
    let mut rest = bytes.as_mut_slice();
    for part in parts {
        let (place, after) = rest.split_at_mut(part.len());
        place.copy_from_slice(part);
        rest = after;
    }
    assert!(rest.is_empty(), "parts that are too short for {N} bytes");
    bytes
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_that_fits_is_the_same_number() {
        assert_eq!((narrow(255), narrow(65_535)), (Ok(255_u8), Ok(65_535_u16)));
        assert_eq!((bounded::<u8>(255), bounded::<u16>(300)), (255, 300));
        assert_eq!((narrow(0xffff_ffff), wide(7), index(7)), (Ok(u32::MAX), 7, 7));
    }

    #[test]
    fn a_length_that_does_not_fit_is_refused() {
        assert_eq!(narrow::<u8>(256), Err(TooLong { bytes: 1, got: 256 }));
        assert_eq!(narrow::<u16>(65_536), Err(TooLong { bytes: 2, got: 65_536 }));
        #[cfg(target_pointer_width = "64")]
        assert_eq!(narrow::<u32>(1 << 32), Err(TooLong { bytes: 4, got: 1 << 32 }));
    }

    #[test]
    fn parts_are_joined() {
        assert_eq!(joined(&[&[1, 2], &[], &[3]]), [1, 2, 3]);
    }

    #[test]
    #[should_panic = "parts that are too short for 3 bytes"]
    fn parts_that_are_too_short_are_not_padded() {
        assert_eq!(joined::<3>(&[&[1], &[2]]), [1, 2, 0]);
    }

    #[test]
    #[should_panic = "mid > len"]
    fn parts_that_are_too_long_are_not_cut() {
        assert_eq!(joined::<3>(&[&[1], &[2, 3, 4]]), [1, 2, 3]);
    }

    #[test]
    #[should_panic = "a length of 256 that no constructor has bounded"]
    fn a_length_that_was_to_be_bounded_is_never_cut() {
        assert_eq!(bounded::<u8>(256), 0);
    }
}
