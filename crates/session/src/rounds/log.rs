//! The broadcasts of a run so far, which evidence needs besides the culprit's own frames.

use alloc::vec::Vec;

use crate::{Inbox, PartyId};

/// The broadcasts of all parties in the rounds that are over, and of this party in the one that is not: the session has
/// them, and they are copied for evidence alone.
pub struct BroadcastLog<'a> {
    /// The code of the protocol.
    code: u8,
    inbox: Inbox<'a>,
}

impl<'a> BroadcastLog<'a> {
    pub(super) const fn new(code: u8, inbox: Inbox<'a>) -> Self {
        Self { code, inbox }
    }

    /// The number of rounds that are over.
    #[must_use]
    pub fn rounds_over(&self) -> usize {
        usize::from(self.inbox.round().get().saturating_sub(1))
    }

    /// The frames of the rounds that are over, as they were sent, and then this party's of the round that is not.
    #[must_use]
    pub fn frames(&self) -> Vec<(PartyId, Vec<u8>)> {
        self.inbox.broadcasts(self.code)
    }
}
