//! A database, and what two databases remember of each other.

use super::case::{Case, Guard};

/// The most names.
pub const NAMES: usize = 2;

/// The last step of a database, with the random mark that it left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Head {
    /// The number of steps so far.
    pub step: usize,
    /// The mark.
    pub mark: u8,
}

/// A run that answers once, as the database has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Session {
    /// The run has not begun.
    None,
    /// The run has begun with this seed.
    Begun(u8),
    /// The run has answered this challenge with this seed: seed and challenge.
    Answered(u8, u8),
    /// The run is over.
    Ended,
}

/// A database: of the runs, of what was spent, or of both.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Database {
    /// The marks of its steps.
    pub marks: Vec<u8>,
    /// The last step of the other database that it remembers.
    pub seen: Option<Head>,
    /// The use of each name.
    pub claims: [Option<u8>; NAMES],
    /// The run of each name.
    pub sessions: [Session; NAMES],
}

/// A database has come less far than somebody remembers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RolledBack;

impl Database {
    /// The last mark (`last`). There is one from the first opening on.
    #[must_use]
    pub fn last(&self) -> Head {
        Head { step: self.marks.len(), mark: self.marks.last().copied().unwrap_or_default() }
    }

    /// Returns whether the database has been at this head (`standing`).
    #[must_use]
    pub fn knows(&self, head: Head) -> bool {
        self.marks.get(head.step - 1) == Some(&head.mark)
    }

    /// Returns an error if the database has come less far than its handle knows (`reached`).
    pub fn reached(&self, known: usize) -> Result<Head, RolledBack> {
        if self.marks.len() < known { Err(RolledBack) } else { Ok(self.last()) }
    }

    /// Leaves the next mark (`leave`).
    pub fn leave(&mut self, case: &Case, known: usize, mark: u8) -> Result<Head, RolledBack> {
        self.reached(known)?;
        self.marks.push(if case.on(Guard::RandomMarks) { mark } else { 0 });
        Ok(self.last())
    }

    /// Returns an error if this database lacks what the other one remembers of it (`expect_seen`).
    pub fn expect_seen(&self, case: &Case, by: &Self) -> Result<(), RolledBack> {
        let is_lost = by.seen.is_some_and(|head| !self.knows(head)) && case.on(Guard::Seen);
        if is_lost { Err(RolledBack) } else { Ok(()) }
    }

    /// Returns an error if this database lacks a mark that a handle left in it (`expect`).
    pub fn expect(&self, case: &Case, head: Head) -> Result<(), RolledBack> {
        if self.knows(head) || !case.on(Guard::OwnMark) { Ok(()) } else { Err(RolledBack) }
    }

    /// Remembers a step of the other database, unless it knows of a later one; returns whether it is news (`remember`).
    pub fn remember(&mut self, head: Head) -> bool {
        let is_news = self.seen.is_none_or(|seen| seen.step < head.step);
        if is_news {
            self.seen = Some(head);
        }
        is_news
    }
}
