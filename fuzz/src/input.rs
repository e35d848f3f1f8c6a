//! Reading choices from the fuzzer's bytes.

/// The rest of an input. Reading always succeeds, and gives fewer bytes where the input has ended.
pub(crate) struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The next byte, or `None` at the end.
    pub(crate) fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    /// The next byte, or 0 at the end.
    pub(crate) fn byte(&mut self) -> u8 {
        self.next().unwrap_or(0)
    }

    /// The next two bytes, big-endian; 0 at the end.
    pub(crate) fn pair(&mut self) -> u16 {
        u16::from_be_bytes([self.byte(), self.byte()])
    }

    /// A number below `end`, which must not be 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end
    }

    /// Up to `length` bytes.
    pub(crate) fn bytes(&mut self, length: usize) -> &'a [u8] {
        let (head, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        head
    }

    /// A copy of `bytes` with one byte changed, somewhere; `None` if there is none.
    pub(crate) fn tampered(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        let at = usize::from(self.pair());
        let change = self.byte().max(1);
        let mut bytes = bytes.to_vec();
        let at = at.checked_rem(bytes.len())?;
        bytes[at] ^= change;
        Some(bytes)
    }
}
