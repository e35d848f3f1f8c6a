//! The broadcasts of a run so far, which evidence needs besides the culprit's own frames.

use alloc::vec::Vec;

use crate::{FrameBytes, Inbox, PartyId};

/// The broadcasts of all parties in the rounds that are over, and of this party in the current one. The session holds
/// them, and evidence shares them.
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

    /// The frames of the rounds that are over, as they were sent, and then this party's of the current round. Frames of
    /// the peers' broadcasts are shared with the session.
    #[must_use]
    pub fn frames(&self) -> Vec<(PartyId, FrameBytes)> {
        self.inbox.broadcasts(self.code)
    }
}
