//! Frames on their way, and the outcome of a simulated run.

use alloc::{collections::BTreeMap, vec::Vec};

use crate::{Abort, Outgoing, PartyId, Rejected, Round, To};

/// One frame on its way to one party.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// The sender, as the recipient will see it.
    pub from: PartyId,
    /// The recipient.
    pub to: PartyId,
    /// The round the sender sent it in.
    pub round: Round,
    /// `true` for a copy of a broadcast.
    pub broadcast: bool,
    /// The frame.
    pub bytes: Vec<u8>,
}

/// The outcome of a simulated run.
#[derive(Debug)]
pub struct Report<O> {
    /// The result of each party. A party that was still waiting at the end has
    /// [given up](crate::Session::give_up).
    pub results: BTreeMap<PartyId, Result<O, Abort>>,
    /// The results that only lack confirmation, of parties that ended with an error.
    pub unconfirmed: BTreeMap<PartyId, O>,
    /// Counts of the frames on the way.
    pub stats: Stats,
}

/// Counts of a simulated run.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Stats {
    /// The messages sent, round by round, the first at index 0. Repetitions are not counted.
    pub rounds: Vec<RoundStats>,
    /// Frames that a running session received, rejected ones included.
    pub received: u64,
    /// Frames received once more.
    pub duplicates: u64,
    /// Frames the network lost.
    pub lost: u64,
    /// Frames that were rejected: sender, recipient, reason.
    pub rejected: Vec<(PartyId, PartyId, Rejected)>,
    /// The number of times that a party crashed and was resumed.
    pub resumed: u64,
    /// The number of times that a resumed party came back with other messages: zero, if the protocol
    /// is deterministic.
    pub diverged: u64,
    /// When each party ended, in the units of the latency.
    pub ended_at: BTreeMap<PartyId, u64>,
}

/// The messages of all parties together in one round.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct RoundStats {
    /// Broadcasts, each counted once whatever the number of recipients.
    pub broadcasts: u64,
    /// Their bytes, headers included.
    pub broadcast_bytes: u64,
    /// Messages to one party.
    pub directs: u64,
    /// Their bytes, headers included.
    pub direct_bytes: u64,
}

impl Stats {
    pub(super) fn count(&mut self, round: Round, outgoing: &[Outgoing]) {
        let index = usize::from(round.get().saturating_sub(1));
        if self.rounds.len() <= index {
            self.rounds.resize(index.saturating_add(1), RoundStats::default());
        }
        let Some(stats) = self.rounds.get_mut(index) else {
            return;
        };
        for message in outgoing {
            let (count, bytes) = match message.to {
                To::Everyone => (&mut stats.broadcasts, &mut stats.broadcast_bytes),
                To::Only(_) => (&mut stats.directs, &mut stats.direct_bytes),
            };
            *count += 1;
            *bytes += message.bytes.len() as u64;
        }
    }
}
