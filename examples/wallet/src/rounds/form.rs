//! The forms in which results of runs are stored.

use quorate::session::Record;
use quorate::session::zeroize::Zeroizing;
use quorate_examples::{Result, failure};

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

/// The public part and the secret part.
type Parts = (Zeroizing<Vec<u8>>, Zeroizing<Vec<u8>>);

impl<T> Form<T> {
    /// Both parts.
    pub(crate) fn record(&self, result: &T) -> Zeroizing<Vec<u8>> {
        (Zeroizing::new((self.public)(result)), (self.secret)(result)).to_bytes()
    }

    /// Undoes [`record`](Self::record).
    pub(crate) fn open(&self, record: &[u8]) -> Result<T> {
        let parts = Parts::from_bytes(record);
        let (public, secret) = parts.ok_or_else(|| failure!("a result with a part missing"))?;
        (self.read)(&public, &secret)
    }
}
