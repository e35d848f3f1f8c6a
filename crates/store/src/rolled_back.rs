//! The finding that a database was restored to an older copy.

use core::fmt;

/// The database that was restored to an older copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RolledBack {
    /// `true` for the database of what was spent, `false` for that of the runs.
    pub is_spent: bool,
    /// The number of its last step.
    pub at: u64,
    /// The number of the step that the other database remembers.
    pub seen: u64,
}

impl RolledBack {
    /// Returns whether it is the database of the runs, and has no step at all: it is missing, not restored. The key shares that
    /// are in the outcomes of jobs are missing with it.
    pub(crate) const fn is_missing(&self) -> bool {
        !self.is_spent && self.at == 0
    }
}

impl fmt::Display for RolledBack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { is_spent, at, seen } = self;
        if self.is_missing() {
            return write!(
                f,
                "the database of the runs is missing or empty, and that of what was spent remembers its step {seen}: look \
                 whether its disk is mounted, and put it or a copy of it back. Key shares in the outcomes of jobs were in \
                 it. To begin without it, remove both databases"
            );
        }
        let (this, other) = if *is_spent {
            ("the database of what was spent", "that of the runs")
        } else {
            ("the database of the runs", "that of what was spent")
        };
        write!(
            f,
            "{this} was restored to an older copy, or belongs to another store: it is at step {at}, and {other} remembers \
             its step {seen}. Put the current one in its place; or open it with `allow_rolled_back`, end all open runs by \
             `Continuity::Unknown`, and drop all presignatures and nonces"
        )
    }
}
