//! A database of any kind, chosen when the program runs.

use crate::engine::{Connection, Dialect, Sql};
use crate::error::Result;
use crate::store::{Engine, SqlStore};
use crate::value::{Row, Value};

/// A database of any kind.
#[derive(Debug)]
pub struct AnyDatabase(Box<dyn Connection>);

/// The store in a database whose kind is known when the program runs: [`SqlStore::into_any`] makes it.
pub type AnyStore = SqlStore<AnyDatabase>;

impl<E: Engine> SqlStore<E> {
    /// Returns the store under a type that does not say which database it is in. Each statement costs one more indirect call.
    #[must_use]
    pub fn into_any(self) -> AnyStore {
        self.over_others(|database| AnyDatabase(Box::new(database)))
    }
}

impl Engine for AnyDatabase {}

impl Connection for AnyDatabase {
    fn begin(&mut self, makes: bool) -> Result<()> {
        self.0.begin(makes)
    }

    fn commit(&mut self) -> Result<()> {
        self.0.commit()
    }

    fn roll_back(&mut self) {
        self.0.roll_back();
    }
}

impl Sql for AnyDatabase {
    fn dialect(&self) -> Dialect {
        self.0.dialect()
    }

    fn script(&mut self, sql: &str) -> Result<()> {
        self.0.script(sql)
    }

    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64> {
        self.0.execute(sql, values)
    }

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>> {
        self.0.query(sql, values)
    }
}
