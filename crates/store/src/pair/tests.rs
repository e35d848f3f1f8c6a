//! Two processes that open the same databases at once.
#![allow(clippy::unwrap_used, reason = "tests")]

use core::time::Duration;
use std::path::Path;

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

#[test]
fn databases_that_another_process_pairs_in_between_are_not_rolled_back() {
    let folder = std::env::temp_dir().join(format!("quorate-store-pair-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (runs, spent) = (folder.join("runs.db"), folder.join("spent.db"));
    schema::prepare(&mut opened(&runs), false, &[]).unwrap();
    schema::prepare(&mut opened(&spent), true, &[]).unwrap();

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
