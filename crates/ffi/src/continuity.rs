//! The ways in which a party knows that stored state is the latest.

use quorate::session;

/// The reason why the state that you open is known to be the latest that was stored: the rows of a runner, or a stock of nonces
/// with the table of spent names.
///
/// An older copy looks like the latest one. A party that resumes from it contradicts what it has sent, spends nonces and
/// presignatures again, and so gives its key share away.
///
/// **The rule.** What was made before a restart (open runs, presignatures, nonces) may be used only if the restart is vouched
/// for: by peers that stayed up, or by a counter outside what was stored. If all parties restarted together, nobody can vouch,
/// and each drops what it had. Key shares are not affected, and new presignatures take milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Enum))]
pub enum Continuity {
    /// Nothing was ever stored: the rows were made just now. `Runner.open` refuses rows that are not empty.
    NewStore,
    /// The state was never closed: it has been open in this process, or another worker has it open, ever since it was last known
    /// to be the latest.
    StayedUp,
    /// Peers that stayed up vouch for it, as many as the key's threshold. Each remembers the last head of this party's ledger
    /// that it was told, and none remembers a later one. A peer that has restarted since vouches for nothing.
    Peers,
    /// A counter outside vouches for the state: one that cannot be restored together with it, and that shows what it holds.
    Counter,
    /// The operator promises that no backup, snapshot or replica exists from which it could have been restored. This is a
    /// promise and no evidence; prefer the others.
    Operator,
    /// Not known: for example after a restart of all parties, or from a backup. A runner ends the runs that were open. A stock
    /// has nothing left to use.
    Unknown,
}

impl From<Continuity> for session::Continuity {
    fn from(continuity: Continuity) -> Self {
        match continuity {
            Continuity::NewStore => Self::NewStore,
            Continuity::StayedUp => Self::StayedUp,
            Continuity::Peers => Self::Peers,
            Continuity::Counter => Self::Counter,
            Continuity::Operator => Self::Operator,
            Continuity::Unknown => Self::Unknown,
        }
    }
}
