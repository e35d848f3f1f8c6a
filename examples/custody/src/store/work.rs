//! A transaction under way.

use quorate::session::keyring::Keyring;

use super::change::Change;
use crate::sql::{Db, Result, Row, Set, Sql, Value};

/// A transaction under way, with what it changes and releases. As [`Sql`] it takes statements about tables of anybody.
#[derive(Debug)]
pub struct Work<'w> {
    pub(super) db: &'w mut Db,
    pub(super) change: &'w mut Change,
    pub(super) seals: Option<&'w Keyring>,
}

impl Work<'_> {
    /// Says that something of this may leave the house once it is committed: it leaves a mark, of which the ledger knows
    /// before anything is given out. What is given here becomes part of the mark.
    pub fn release(&mut self, what: &[u8]) {
        self.change.release(what);
    }

    /// What is sealed, with the stamp of the key, if the store knows of keys.
    pub(super) fn stamp(&self, sealed: &[u8]) -> Vec<u8> {
        self.seals.map_or_else(|| sealed.to_vec(), |seals| seals.stamped(sealed))
    }
}

impl Sql for Work<'_> {
    fn execute(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<u64> {
        self.db.execute(sql, values)
    }

    fn query(&mut self, sql: &'static str, values: &[Value<'_>]) -> Result<Vec<Row>> {
        self.db.query(sql, values)
    }

    fn execute_many(&mut self, sql: &'static str, rows: &[Vec<Value<'_>>]) -> Result<u64> {
        self.db.execute_many(sql, rows)
    }

    fn execute_set(&mut self, set: &'static Set, rows: &[Vec<Value<'_>>]) -> Result<u64> {
        self.db.execute_set(set, rows)
    }

    fn query_set(&mut self, set: &'static Set, rows: &[Vec<Value<'_>>]) -> Result<Vec<Row>> {
        self.db.query_set(set, rows)
    }
}
