//! The state of everything.

use super::case::{Case, Restore};
use super::database::{Database, Head, NAMES, Session};
use super::worker::Worker;

/// An older copy.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Copy {
    /// The database of the runs.
    pub(super) runs: Option<Database>,
    /// The database of what was spent.
    pub(super) spent: Option<Database>,
    /// The names in the stock.
    pub(super) stock: Option<u8>,
    /// The copy was restored.
    pub is_used: bool,
    /// The steps between the copies of the two databases.
    pub gap: Gap,
    /// The steps of both databases when the first of two copies was made.
    pub(super) first: Option<(usize, usize)>,
}

/// The steps between the copies of the two databases.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gap {
    /// Nothing that the store could notice.
    None,
    /// The runs were copied first, and then a claim was made, of which they were told.
    Claim,
    /// The table of what was spent was copied first, and then a run made a step.
    Run,
}

/// The state of everything.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct World {
    /// The database of the runs.
    pub runs: Database,
    /// The database of what was spent, if it has one of its own.
    pub spent: Option<Database>,
    /// The names in the file of the stock, one bit each.
    pub stock: u8,
    /// The head that the witness was told last.
    pub witness: Option<Head>,
    /// The workers; a closed one is `None`.
    pub workers: Vec<Option<Worker>>,
    /// The things that were released under each name, one bit each.
    pub released: [u16; NAMES],
    /// The next random mark, and the next seed.
    pub(super) fresh: (u8, u8),
    /// The steps of other runs that are left.
    pub(super) others: u8,
    /// The older copy.
    pub copy: Copy,
    /// Somebody was told that a database is an older copy.
    pub alarmed: bool,
}

impl World {
    pub(super) fn first(case: &Case) -> Self {
        let database = |mark, seen| Database {
            marks: vec![mark],
            seen,
            claims: [None; NAMES],
            sessions: [Session::None; NAMES],
        };
        // The two have been made a pair.
        let head = |mark| Some(Head { step: 1, mark });
        let (runs, spent) = (database(0, head(1)), database(1, head(0)));
        let (runs, spent) = if case.is_apart() {
            (runs, Some(spent))
        } else {
            (Database { seen: None, ..runs }, None)
        };
        Self {
            runs,
            spent,
            stock: (1 << case.names) - 1,
            witness: None,
            workers: vec![None; case.workers],
            released: [0; NAMES],
            fresh: (2, 0),
            others: case.others,
            copy: Copy {
                runs: None,
                spent: None,
                stock: None,
                is_used: false,
                gap: Gap::None,
                first: None,
            },
            alarmed: false,
        }
    }

    /// Gives equal states one form: marks are numbered as they are found, and what a handle knows is forgotten if no database
    /// can fall behind it any more. Workers are alike, so they are ordered if the case says so.
    pub(super) fn settle(&mut self, case: &Case) {
        let mut names: Vec<u8> = vec![];
        let mut rename = |mark: &mut u8| {
            let found = names.iter().position(|name| name == mark);
            *mark = found.unwrap_or_else(|| {
                names.push(*mark);
                names.len() - 1
            }) as u8;
        };
        let copies = [&mut self.copy.runs, &mut self.copy.spent].into_iter().flatten();
        for db in [Some(&mut self.runs), self.spent.as_mut()].into_iter().flatten().chain(copies) {
            db.marks.iter_mut().for_each(&mut rename);
            db.seen.iter_mut().for_each(|head| rename(&mut head.mark));
        }
        self.witness.iter_mut().for_each(|head| rename(&mut head.mark));
        self.workers.iter_mut().flatten().for_each(|worker| worker.heads(&mut rename));
        self.fresh.0 = names.len() as u8;
        let steps = (self.runs.marks.len(), self.spent.as_ref().map_or(0, |db| db.marks.len()));
        if self.copy.is_used || case.restore == Restore::Nothing {
            self.workers.iter_mut().flatten().for_each(|worker| worker.forget(steps));
        }
        if case.alike {
            self.workers.sort_unstable();
        }
    }

    /// Returns whether something was released twice.
    #[must_use]
    pub fn is_spent_twice(&self) -> bool {
        self.released.iter().any(|values| values.count_ones() > 1)
    }

    /// Returns whether each database has the mark that the other remembers (`pair.rs`, `check`).
    pub(super) fn fit(&self) -> bool {
        let is_known = |seen: Option<Head>, by: &Database| seen.is_none_or(|head| by.knows(head));
        self.spent
            .as_ref()
            .is_none_or(|spent| is_known(spent.seen, &self.runs) && is_known(self.runs.seen, spent))
    }

    /// Copies what the case restores. Returns whether anything was copied.
    pub(super) fn copy(&mut self, restore: Restore, which: usize) -> Option<()> {
        use Restore::{All, Apart, Backup, Runs, Spent, Stock};
        let both = matches!(restore, All);
        let of_runs = both || matches!(restore, Runs | Backup) || restore == Apart && which == 0;
        let of_spent = both || restore == Spent || restore == Apart && which == 1;
        let of_stock = both || matches!(restore, Stock | Backup) || restore == Apart && which == 0;
        let has = (of_runs && self.copy.runs.is_some())
            || (of_spent && self.copy.spent.is_some())
            || (of_stock && self.copy.stock.is_some());
        (!has && (of_runs || of_spent || of_stock)).then_some(())?;
        if restore == Restore::Apart {
            self.mind_gap(which);
        }
        if of_runs {
            self.copy.runs = Some(self.runs.clone());
        }
        if of_spent {
            self.copy.spent.clone_from(&self.spent);
        }
        if of_stock {
            self.copy.stock = Some(self.stock);
        }
        Some(())
    }

    fn mind_gap(&mut self, which: usize) {
        let now = (self.runs.marks.len(), self.spent.as_ref().map_or(0, |db| db.marks.len()));
        let Some(first) = self.copy.first.replace(now) else { return };
        self.copy.first = None;
        let (more_runs, more_spent) = (now.0 > first.0, now.1 > first.1);
        self.copy.gap = match which {
            1 if more_runs && more_spent => Gap::Claim,
            0 if more_runs && !more_spent => Gap::Run,
            _ => Gap::None,
        };
    }

    /// Restores the copy.
    pub(super) fn restore(&mut self, restore: Restore) -> Option<()> {
        let Copy { runs, spent, stock, is_used, gap, .. } = self.copy.clone();
        let is_whole = restore != Restore::Apart || runs.is_some() && spent.is_some();
        let is_there = runs.is_some() || spent.is_some() || stock.is_some();
        (is_there && is_whole && !is_used).then_some(())?;
        self.runs = runs.unwrap_or_else(|| self.runs.clone());
        self.spent = spent.or_else(|| self.spent.clone());
        self.stock = stock.unwrap_or(self.stock);
        self.copy = Copy { runs: None, spent: None, stock: None, is_used: true, gap, first: None };
        Some(())
    }
}
