//! The broadcasts of a run. They are kept while it lasts, shown when somebody is blamed, and read by the party
//! that judges afterwards.
//!
//! Every message here is a broadcast, and every frame after round 1 carries the echo of the round before. So a
//! party's frame attests to what the party had seen when it sent the frame. Anyone who has all frames of that
//! round can verify this.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use quorate_session::frame::{self, HEADER, Header, PREFIX};
use quorate_session::rounds::BroadcastLog;
use quorate_session::{Blame, Evidence, Parties, PartyId, Round};

/// The number of blames of a round that carry the whole run. The whole run is megabytes for hundreds of parties.
const WHOLE: usize = 8;

/// Adds to the evidence all frames of the rounds that are over, and this party's own frame of this round. A
/// message of rounds 1 and 2 convicts by itself; later messages refer to earlier ones. At most [`WHOLE`] blames
/// carry all of it.
pub(crate) fn attach(log: &BroadcastLog<'_>, blames: &mut [Blame]) {
    if log.rounds_over() < 2 {
        return;
    }
    let before = log.frames();
    for evidence in blames.iter_mut().filter_map(|blame| blame.evidence.as_mut()).take(WHOLE) {
        evidence.frames.retain(|frame| !before.contains(frame));
        evidence.frames.extend(before.iter().cloned());
    }
}

/// The prefix of a frame, between header and body, and its body.
type Frame<'e> = (&'e [u8], &'e [u8]);

/// The frames of evidence, by round and sender.
pub(crate) struct Frames<'e> {
    context: [u8; 32],
    parties: &'e Parties,
    held: BTreeMap<(u8, PartyId), Frame<'e>>,
}

impl<'e> Frames<'e> {
    /// Sorts the frames. `None` if one is of another run, not its sender's, not a broadcast, of another round, or
    /// contradicts another. This bounds their number.
    pub(crate) fn read(
        evidence: &'e Evidence,
        (code, rounds): (u8, u8),
        context: [u8; 32],
        parties: &'e Parties,
    ) -> Option<Self> {
        let mut held = BTreeMap::new();
        if evidence.context != context {
            return None;
        }
        for (from, bytes) in &evidence.frames {
            let header = Header::parse(bytes)?;
            let Header { round, to: None, .. } = header else { return None };
            let expected =
                Header { version: frame::VERSION, code, round, from: *from, to: None, context };
            let known = (1..=rounds).contains(&round.get()) && parties.contains(*from);
            if header != expected || !known {
                return None;
            }
            let (prefix, body) = bytes.get(HEADER..)?.split_at_checked(PREFIX)?;
            if held
                .insert((round.get(), *from), (prefix, body))
                .is_some_and(|before| before != (prefix, body))
            {
                return None;
            }
        }
        Some(Self { context, parties, held })
    }

    /// The body of a party's broadcast in a round.
    pub(crate) fn by(&self, round: u8, party: PartyId) -> Option<&'e [u8]> {
        self.held.get(&(round, party)).map(|(_, body)| *body)
    }

    /// The bodies of all parties' broadcasts in a round, ascending by party; `None` if one is missing.
    pub(crate) fn round(&self, round: u8) -> Option<Vec<(PartyId, &'e [u8])>> {
        self.parties.iter().map(|party| Some((party, self.by(round, party)?))).collect()
    }

    /// Returns whether the echo in a party's frame of a round is that of these frames of the round before.
    pub(crate) fn attests(&self, round: u8, party: PartyId) -> bool {
        let before = round.saturating_sub(1);
        let (Some(bodies), Some((said, _))) = (self.round(before), self.held.get(&(round, party)))
        else {
            return false;
        };
        *said == frame::echo(&self.context, Round(before), bodies.into_iter().map(|(_, body)| body))
    }
}
