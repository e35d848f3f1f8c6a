//! Messages on their way out.

use alloc::vec::Vec;
use core::fmt;

use zeroize::Zeroize as _;

use crate::PartyId;

/// The recipient of a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum To {
    /// Every other party. Each gets the same bytes.
    Everyone,
    /// This party alone. The bytes are **confidential**: encrypt them to it.
    Only(PartyId),
}

/// A message to be delivered. `Debug` prints its length only. A message for one party alone is wiped when it is dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// The recipient.
    pub to: To,
    /// The frame, to be handed to [`Session::receive`](crate::Session::receive) as it is.
    pub bytes: Vec<u8>,
}

impl Drop for Outgoing {
    fn drop(&mut self) {
        if self.to != To::Everyone {
            self.bytes.zeroize();
        }
    }
}

impl fmt::Debug for Outgoing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outgoing").field("to", &self.to).field("bytes", &self.bytes.len()).finish()
    }
}
