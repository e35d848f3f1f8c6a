//! Results in the form in which they are stored.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::wire::wide;

/// A value in the form in which an application stores it: the results of key generation and presigning, and whatever an
/// application keeps besides. The bytes are secret if the value is: seal them.
///
/// Keep every part of a result that is needed later: of a key generation the share **and** the public package.
pub trait Record: Sized {
    /// The record in bytes.
    fn to_bytes(&self) -> Zeroizing<Vec<u8>>;

    /// The record of these bytes. `None` if they are not the encoding of one.
    fn from_bytes(bytes: &[u8]) -> Option<Self>;
}

/// Nothing.
impl Record for () {
    fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        Zeroizing::default()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.is_empty().then_some(())
    }
}

/// Bytes as they are.
impl Record for Zeroizing<Vec<u8>> {
    fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        self.clone()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Some(Self::new(bytes.to_vec()))
    }
}

/// A result that may be missing: one byte that says whether it is there, then the result.
impl<R: Record> Record for Option<R> {
    fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let Some(record) = self else { return Zeroizing::new(Vec::from([0])) };
        let bytes = record.to_bytes();
        let mut out = Zeroizing::new(Vec::with_capacity(bytes.len() + 1));
        out.push(1);
        out.extend_from_slice(&bytes);
        out
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes.split_first()? {
            (0, []) => Some(None),
            (1, record) => R::from_bytes(record).map(Some),
            _ => None,
        }
    }
}

/// Two records, such as a key share and its public package: the length of the first (8 bytes), the first, the second.
impl<A: Record, B: Record> Record for (A, B) {
    fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let (first, second) = (self.0.to_bytes(), self.1.to_bytes());
        let room = first.len() + second.len() + 8;
        let mut out = Zeroizing::new(Vec::with_capacity(room));
        out.extend_from_slice(&wide(first.len()).to_be_bytes());
        out.extend_from_slice(&first);
        out.extend_from_slice(&second);
        out
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (length, rest) = bytes.split_first_chunk()?;
        let length = usize::try_from(u64::from_be_bytes(*length)).ok()?;
        let (first, second) = rest.split_at_checked(length)?;
        Some((A::from_bytes(first)?, B::from_bytes(second)?))
    }
}
