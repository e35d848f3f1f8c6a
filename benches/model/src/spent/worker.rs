//! A worker: a handle of the store, and what it is about to spend.

use super::database::Head;

/// Steps of the two databases.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Steps {
    /// Of the runs.
    pub runs: usize,
    /// Of what was spent.
    pub spent: usize,
}

/// The work that is left before a worker may use the store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ready {
    /// The stock of before has to be dropped, and open runs have to end.
    Drop,
    /// The databases have to be accepted as they are: first one remembers the other, then the other the one.
    Accept(u8),
    /// Nothing.
    Usable,
}

/// The answer to a record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Receipt {
    /// This call has recorded it.
    New,
    /// An earlier call has recorded the same.
    Old,
    /// The name was spent on something else.
    Spent,
}

/// How far a use of a name has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// Without the guard of one writer: it has looked, and found this.
    Looked(Receipt),
    /// The claim is recorded, and the database of the runs is to be told of this step.
    Recorded(Receipt, Head),
    /// The answer of the store is there.
    Permitted(Receipt),
    /// The run has begun, and the database of what was spent is to be told of this step.
    Begun(Head),
    /// The session of the run is in memory, with its seed.
    Running(u8),
    /// The session with this answer is stored, and the database of what was spent is to be told of this step.
    Answered(u8, Head),
    /// The claim or the answer is stored in full, and this may be released.
    Stored(u8),
    /// The witness knows, too.
    Informed(u8),
    /// The share or the answer went out.
    Released,
}

/// A use of a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Use {
    /// The name.
    pub name: usize,
    /// The message that it is spent on.
    pub digest: u8,
    /// How far it has come.
    pub stage: Stage,
}

/// A worker with the store open.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Worker {
    /// The last step of each database that its handle knows of.
    pub known: Steps,
    /// The last step of the runs that it has told the database of what was spent of.
    pub told: usize,
    /// A database was found restored, and is not accepted yet.
    pub rolled_back: bool,
    /// The work that is left.
    pub ready: Ready,
    /// The names in its stock.
    pub stock: u8,
    /// The use that is under way.
    pub using: Option<Use>,
}

impl Worker {
    /// The marks that it has in mind.
    pub(super) fn heads(&mut self, mut each: impl FnMut(&mut u8)) {
        if let Some(using) = &mut self.using
            && let Stage::Recorded(_, head) | Stage::Begun(head) | Stage::Answered(_, head) =
                &mut using.stage
        {
            each(&mut head.mark);
        }
    }

    /// Returns whether it has changed one database, and has not told the other one.
    #[must_use]
    pub fn is_in_call(&self) -> bool {
        let stage = self.using.map(|using| using.stage);
        let is_accepting = self.ready == Ready::Accept(1);
        let is_telling =
            matches!(stage, Some(Stage::Recorded(..) | Stage::Begun(_) | Stage::Answered(..)));
        is_accepting || is_telling
    }

    /// Forgets the steps that it knows of where both databases have come as far.
    pub(super) fn forget(&mut self, (runs, spent): (usize, usize)) {
        if self.known.runs <= runs {
            self.known.runs = 0;
        }
        if self.known.spent <= spent {
            self.known.spent = 0;
        }
    }
}
