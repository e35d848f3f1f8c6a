//! The guards of the protocol. The model can remove each of them.
#![cfg_attr(
    not(feature = "testing"),
    allow(unreachable_pub, reason = "the model alone names them")
)]

/// A rule on which a property of `docs/spec/agreement.md` rests.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Guard {
    /// A party votes for one attempt of an epoch.
    OneVote,
    /// A party does not vote in an epoch that is over, even if it has not voted there.
    NotOver,
    /// Votes in the ledger count when the database was restored: R1.
    Ledger,
    /// Votes in the database count when the ledger was restored: R2.
    Database,
    /// Votes of epochs that are over stay in the database, for a ledger that is restored: R2.
    KeepVotes,
    /// Every copy has the share before `Committed` is sent: R3.
    Backups,
    /// A party whose votes may be lost does not vote: R4.
    Barred,
    /// A party that votes again does so above the epochs that it may have voted in: R4.
    Floor,
    /// A share whose vote may have been given and lost signs: R4.
    Signs,
    /// An honest party knows the committee that superseded the old shares.
    Genuine,
    /// Shares of later epochs stay.
    KeepLater,
    /// Shares that were voted for stay.
    KeepVoted,
    /// Shares whose vote may have been given and lost stay.
    KeepForgotten,
}

/// The guards that hold. Outside of a model, every guard does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Guards {
    #[cfg(feature = "testing")]
    without: Option<Guard>,
}

impl Guards {
    /// The guards without one of them.
    #[cfg(feature = "testing")]
    #[must_use]
    pub const fn without(guard: Guard) -> Self {
        Self { without: Some(guard) }
    }

    /// Returns whether the guard holds.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn on(self, guard: Guard) -> bool {
        self.without != Some(guard)
    }

    /// Returns whether the guard holds.
    #[cfg(not(feature = "testing"))]
    pub(super) const fn on(self, _guard: Guard) -> bool {
        true
    }
}
