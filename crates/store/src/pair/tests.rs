//! Two processes that open the same databases at once.
#![allow(clippy::unwrap_used, reason = "tests")]

use core::time::Duration;
use std::path::{Path, PathBuf};

use super::*;
use crate::engine::Dialect;
use crate::schema;
use crate::sqlite::Sqlite;
use crate::value::Value;

/// A database of which another process makes a pair as soon as it was asked what it remembers.
#[derive(Debug)]
struct PairedMeanwhile<'a> {
    database: Sqlite,
    by: Option<(&'a Path, &'a Path)>,
}

impl Sql for PairedMeanwhile<'_> {
    fn dialect(&self) -> Dialect {
        self.database.dialect()
    }

    fn script(&mut self, sql: &str) -> Result<()> {
        self.database.script(sql)
    }

    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64> {
        self.database.execute(sql, values)
    }

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>> {
        let rows = self.database.query(sql, values);
        if sql.contains("seen_step")
            && let Some((runs, spent)) = self.by.take()
        {
            assert_eq!(check(&mut opened(runs), &mut opened(spent)), Ok(None));
        }
        rows
    }
}

impl Connection for PairedMeanwhile<'_> {
    fn begin(&mut self, makes: bool) -> Result<()> {
        self.database.begin(makes)
    }

    fn commit(&mut self) -> Result<()> {
        self.database.commit()
    }

    fn roll_back(&mut self) {
        self.database.roll_back();
    }
}

fn opened(path: &Path) -> Sqlite {
    Sqlite::open(Some(path), Duration::from_secs(5)).unwrap()
}

/// A folder with two databases that nobody has made a pair.
fn made(name: &str) -> (PathBuf, PathBuf, PathBuf) {
    let folder = std::env::temp_dir().join(format!("quorate-store-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (runs, spent) = (folder.join("runs.db"), folder.join("spent.db"));
    schema::prepare(&mut opened(&runs), false, &[]).unwrap();
    schema::prepare(&mut opened(&spent), true, &[]).unwrap();
    (folder, runs, spent)
}

/// Two marks of one number: a database lost the first one, and another worker left the second.
fn lost_and_left(db: &mut Sqlite, is_spent: bool) -> (Head, Head) {
    let known = last(db).unwrap().unwrap().step;
    let lost = transaction(db, |tx| leave(tx, is_spent, known)).unwrap();
    let sql = "DELETE FROM quorate_marks WHERE step > $1";
    db.execute(sql, values![i64::try_from(known).unwrap()]).unwrap();
    let left = transaction(db, |tx| leave(tx, is_spent, known)).unwrap();
    assert_eq!(lost.step, left.step);
    (lost, left)
}

#[test]
fn databases_that_another_process_pairs_in_between_are_not_rolled_back() {
    let (folder, runs, spent) = made("pair");

    let by = Some((runs.as_path(), spent.as_path()));
    let mut of_spent = PairedMeanwhile { database: opened(&spent), by };
    assert_eq!(check(&mut opened(&runs), &mut of_spent), Ok(None));
    assert_eq!(of_spent.by, None);

    // What was spent is lost alone: that is noticed still.
    drop(of_spent);
    std::fs::remove_file(&spent).unwrap();
    schema::prepare(&mut opened(&spent), true, &[]).unwrap();
    let lost = check(&mut opened(&runs), &mut opened(&spent));
    assert_eq!(lost, Ok(Some(RolledBack { is_spent: true, at: 0, seen: 1 })));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// One worker is between the two commits of a claim, what was spent is restored, and another worker takes the name.
#[test]
fn a_claim_that_was_lost_before_the_runs_are_told_gives_no_receipt() {
    let (folder, runs, spent) = made("call");
    let (mut runs, mut spent) = (opened(&runs), opened(&spent));
    assert_eq!(check(&mut runs, &mut spent), Ok(None));
    let (of_one, of_other) = lost_and_left(&mut spent, true);
    assert!(tell_runs(&mut spent, &mut runs, &of_other, 0, |_| Ok(())).is_ok());

    let told = tell_runs(&mut spent, &mut runs, &of_one, 0, |_| Ok(()));
    let lost = RolledBack { is_spent: true, at: of_other.step, seen: of_one.step };
    assert_eq!(told, Err(Error::RolledBack(lost)));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The same with the runs: what the step stored is not sent.
#[test]
fn a_step_that_was_lost_before_it_is_told_is_noticed() {
    let (folder, runs, spent) = made("step");
    let (mut runs, mut spent) = (opened(&runs), opened(&spent));
    assert_eq!(check(&mut runs, &mut spent), Ok(None));
    let (of_one, of_other) = lost_and_left(&mut runs, false);
    assert_eq!(tell_spent(&mut runs, &mut spent, &of_other, true), Ok(()));

    let lost = RolledBack { is_spent: false, at: of_other.step, seen: of_one.step };
    assert_eq!(tell_spent(&mut runs, &mut spent, &of_one, true), Err(Error::RolledBack(lost)));
    std::fs::remove_dir_all(&folder).unwrap();
}
