//! The ways in which a party knows that what it stored is the latest state.

/// The reason why a store, or a stored stock, is known to hold everything that was ever stored in it.
///
/// A copy of an older state looks like the state itself: it opens under the same key, and nothing in it is damaged. A
/// party that resumes from it sends other messages than it has sent already, and spends nonces and presignatures again.
/// So it loses its key share, or is convicted by its own messages. Nothing in the store shows that it is the latest: a
/// stock and the table of what was spent come back together from one snapshot. So the caller who opens one says how that
/// is known.
///
/// **The rule.** What was made before a restart (open runs, presignatures, nonces) may be used only if the restart is
/// vouched for: by peers that stayed up, or by a counter outside the store. If all parties restarted together, nobody can
/// vouch, since a snapshot of all machines brings back all memories at once. Then each party drops what it had. Key shares
/// are not affected, and new presignatures take milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Continuity {
    /// Nothing was ever stored: the store was made just now. A runner refuses a store that is not empty.
    NewStore,
    /// The store was never closed: it has been open in this process, or another worker has it open, ever since it was
    /// last known to be the latest. A process that only passes a stock on, for instance under another key, says this too.
    StayedUp,
    /// Peers that stayed up vouch for it. Each remembers the head of this party's ledger that it was told last (a number
    /// that rises with each step, or the last digest of a chain), and none remembers a later one than the store has.
    ///
    /// Ask as many as the key's threshold, so that one of them is honest. A peer that has restarted since it was told
    /// vouches for nothing.
    Peers,
    /// A counter outside vouches for it: one that cannot be restored together with the store, and that shows what the
    /// store holds. A TPM's counter, a versioned object store, and the receipts of those who requested signatures are
    /// such counters.
    Counter,
    /// The operator promises it: no backup, snapshot or replica exists from which the store could have been restored.
    /// This is a promise and no evidence; prefer the others.
    Operator,
    /// Not known: after a restart of all parties, say, or from a backup. A runner continues no run, and a stock is opened
    /// with nothing left to use.
    Unknown,
}

impl Continuity {
    /// Returns whether presignatures and nonces that were made before may be used. If not, drop all of them at all parties
    /// before the first request is answered, including those that are still in the outcomes of jobs.
    ///
    /// Beside a [new store](Self::NewStore) there is nothing of before. A stock that is found there was used with another
    /// table of what was spent, which is lost.
    #[must_use]
    pub const fn keeps_stock(self) -> bool {
        !matches!(self, Self::Unknown | Self::NewStore)
    }
}
