//! The forms in which results of runs are stored.

use quorate::session::wire::{Reader, bounded};
use quorate::session::zeroize::Zeroizing;
use quorate_examples::Result;

/// The parts of a result: each in a file of its own, and both in the record of a run's end.
pub(crate) struct Form<T> {
    /// The public part, the same for all parties; empty if there is none.
    pub(crate) public: fn(&T) -> Vec<u8>,
    /// The ending of the file with the secret part.
    pub(crate) file: &'static str,
    /// The secret part.
    pub(crate) secret: fn(&T) -> Zeroizing<Vec<u8>>,
    /// The result from both parts.
    pub(crate) read: fn(&[u8], &[u8]) -> Result<T>,
}

impl<T> Form<T> {
    /// Length of the public part (4) ‖ public part ‖ secret part.
    pub(crate) fn record(&self, result: &T) -> Zeroizing<Vec<u8>> {
        let (public, secret) = ((self.public)(result), (self.secret)(result));
        // A stored form of this library: the length of a container has four bytes.
        let length = bounded::<u32>(public.len()).to_be_bytes();
        Zeroizing::new([&length, public.as_slice(), secret.as_slice()].concat())
    }

    /// Undoes [`record`](Self::record).
    pub(crate) fn open(&self, record: &[u8]) -> Result<T> {
        let mut reader = Reader::new(record);
        let length = usize::try_from(reader.u32()?)?;
        let public = reader.bytes(length)?;
        (self.read)(public, reader.bytes(reader.remaining())?)
    }
}

impl<T> Clone for Form<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Form<T> {}
