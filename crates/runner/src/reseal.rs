//! The rows of a store under another key.

use alloc::vec::Vec;

use quorate_session::{SealError, SealKey, Sealed};

use crate::runner::{CANARY, JOB, OUTCOME};
use crate::work::{INBOX, OUTBOX};

/// The kinds of bytes that a runner hands to its [store](crate::Store) under its key.
///
/// A store whose key is replaced [reseals](Self::reseal) what it holds, row by row, while runners work: equal contents give
/// equal bytes under one key, so a runner that finds bytes of its own key finds those that it has stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored {
    /// The job of a run ([`RunRow::job`](crate::store::RunRow::job)).
    Job,
    /// The session of a run ([`RunRow::sealed`](crate::store::RunRow::sealed)).
    Session,
    /// A frame of a peer ([`InboxRow::sealed`](crate::store::InboxRow::sealed)), of the kinds broadcast and direct. The
    /// other kinds are under no key.
    Frame,
    /// A message that waits to be sent ([`Due::sealed`](crate::store::Due::sealed)).
    OutgoingMessage,
    /// The outcome of a job ([`JobRow::outcome`](crate::store::JobRow::outcome)).
    Outcome,
    /// The canary of the store ([`RunTable::canary`](crate::RunTable::canary)). A runner whose key does not open it is refused, and
    /// one that is there already stops when it meets a row of the other key. Reseal it before the rows.
    Canary,
}

impl Stored {
    /// Seals the content of a row under another key.
    ///
    /// # Errors
    /// [`SealError`] if it does not open under `from`, or is of another kind.
    pub fn reseal(self, sealed: &[u8], from: &SealKey, to: &SealKey) -> Result<Vec<u8>, SealError> {
        let purpose = match self {
            Self::Session => {
                let session = Sealed::from_bytes(sealed)?.reseal(from, to)?;
                return Ok(session.as_bytes().to_vec());
            }
            Self::Job => JOB,
            Self::Frame => INBOX,
            Self::OutgoingMessage => OUTBOX,
            Self::Outcome => OUTCOME,
            Self::Canary => CANARY,
        };
        Ok(to.seal_bytes(purpose, &from.open_bytes(purpose, sealed)?))
    }
}
