//! The result of a repair for one party.

use core::fmt;

use crate::KeyTypes;

/// The result of a repair for one party.
pub enum Repaired<F: KeyTypes> {
    /// For a helper: the target reports that it has its share.
    Helped,
    /// For the target: its share. It is [`ShareState::Ready`](crate::ShareState::Ready) in epoch 0 and
    /// [`ShareState::Pending`](crate::ShareState::Pending) later, because nobody can know what its owner had
    /// acknowledged.
    Share(F::Share),
}

impl<F: KeyTypes> fmt::Debug for Repaired<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Helped => "Repaired::Helped",
            Self::Share(_) => "Repaired::Share(..)",
        })
    }
}
