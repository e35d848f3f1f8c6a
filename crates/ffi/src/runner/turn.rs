//! Turns: the outcome of one, and the packets to be sent.

use super::job::EndedRun;

/// A packet for a peer. **Confidential**: encrypt it to that peer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Record))]
pub struct Packet {
    /// The recipient.
    pub recipient: u16,
    /// The packet, for the `turn` of the recipient's runner.
    pub bytes: Vec<u8>,
}

/// A packet that was not taken. Nothing has changed, and nobody is to blame.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Record))]
pub struct Refused {
    /// The sender.
    pub sender: u16,
    /// The reason.
    pub reason: String,
}

/// The outcome of a turn.
#[derive(Clone)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Record))]
pub struct Turn {
    /// The runs that have ended. Their ends are stored: `start` and `outcome` give them again.
    pub ended: Vec<EndedRun>,
    /// The packets to be sent now. One that could not be sent may be dropped: it comes again until its recipient acknowledges it.
    pub packets: Vec<Packet>,
    /// The packets that were not taken.
    pub refused: Vec<Refused>,
    /// The moment of the next turn, if no packet comes before.
    pub next_due: Option<u64>,
}
