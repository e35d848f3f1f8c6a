//! The text of statements: what differs between the two.
//!
//! `/*pg … */` stands for PostgreSQL alone, `/*lite … */` for SQLite alone; to the other it is a comment.

/// A statement over a set of rows: it reads them from a table `given` with these columns. PostgreSQL gets all of them in one
/// statement, as arrays; SQLite runs it once for each row. So it has to mean the same row by row.
#[derive(Debug)]
pub struct Set {
    /// The columns of `given`.
    pub columns: &'static [(&'static str, Type)],
    /// The statement.
    pub sql: &'static str,
}

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// Numbers.
    Int,
    /// Bytes.
    Bytes,
    /// Texts.
    Text,
}

impl Type {
    const fn array(self) -> &'static str {
        match self {
            Self::Int => "bigint[]",
            Self::Bytes => "bytea[]",
            Self::Text => "text[]",
        }
    }
}

impl Set {
    fn with(&self, rows: impl Fn(&[String]) -> String) -> String {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        let values: Vec<String> = (1..).zip(names.iter()).map(|(at, _)| format!("${at}")).collect();
        format!("WITH given ({}) AS ({}) {}", names.join(", "), rows(&values), self.sql)
    }

    pub(super) fn for_sqlite(&self) -> String {
        sqlite(&self.with(|values| format!("VALUES ({})", values.join(", "))))
    }

    pub(super) fn for_postgres(&self) -> String {
        let arrays = |values: &[String]| {
            let arrays = values.iter().zip(self.columns);
            let arrays = arrays.map(|(value, (_, kind))| format!("{value}::{}", kind.array()));
            format!("SELECT * FROM unnest({})", arrays.collect::<Vec<_>>().join(", "))
        };
        postgres(&self.with(arrays))
    }
}

/// As SQLite reads it: parameters are `?1`.
pub(super) fn sqlite(sql: &str) -> String {
    uncomment(sql, "/*lite ").replace('$', "?")
}

/// As PostgreSQL reads it.
pub(super) fn postgres(sql: &str) -> String {
    uncomment(sql, "/*pg ")
}

/// A schema as SQLite reads it.
pub(super) fn sqlite_schema(sql: &str) -> String {
    let identity = "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY";
    sqlite(sql).replace(identity, "INTEGER PRIMARY KEY").replace("BYTEA", "BLOB")
}

/// A statement that says whether all that a schema makes is there.
pub(super) fn is_made(schema: &str) -> String {
    let made = schema.split("IF NOT EXISTS ").skip(1);
    let names = made.map(|rest| rest.split([' ', '(']).next().unwrap_or_default());
    let there: Vec<String> =
        names.map(|name| format!("to_regclass('{name}') IS NOT NULL")).collect();
    if there.is_empty() {
        return "SELECT false".to_owned();
    }
    format!("SELECT {}", there.join(" AND "))
}

/// Takes the marks of these comments away, and leaves what stands in them.
fn uncomment(sql: &str, start: &str) -> String {
    let mut parts = sql.split(start);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once("*/") {
            Some((inside, after)) => {
                text.push_str(inside);
                text.push_str(after);
            }
            None => text.push_str(part),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reads_what_is_for_it() {
        let sql = "SELECT a FROM t WHERE b = $1 /*pg FOR UPDATE*/ /*lite LIMIT 1*/";
        assert_eq!(postgres(sql), "SELECT a FROM t WHERE b = $1 FOR UPDATE /*lite LIMIT 1*/");
        assert_eq!(sqlite(sql), "SELECT a FROM t WHERE b = ?1 /*pg FOR UPDATE*/ LIMIT 1");
        let ddl = "CREATE TABLE t (p BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, b BYTEA)";
        assert_eq!(sqlite_schema(ddl), "CREATE TABLE t (p INTEGER PRIMARY KEY, b BLOB)");
    }

    #[test]
    fn what_a_schema_makes_is_named() {
        let schema = "CREATE TABLE IF NOT EXISTS a (b INT); CREATE INDEX IF NOT EXISTS c ON a (b);";
        let text = "SELECT to_regclass('a') IS NOT NULL AND to_regclass('c') IS NOT NULL";
        assert_eq!(is_made(schema), text);
        assert_eq!(is_made("ALTER TABLE a ADD d INT"), "SELECT false");
    }

    #[test]
    fn a_set_is_a_table_of_values_or_of_arrays() {
        let set =
            Set { columns: &[("a", Type::Bytes), ("b", Type::Int)], sql: "SELECT a FROM given" };
        assert_eq!(set.for_sqlite(), "WITH given (a, b) AS (VALUES (?1, ?2)) SELECT a FROM given");
        let text = "WITH given (a, b) AS (SELECT * FROM unnest($1::bytea[], $2::bigint[])) SELECT a FROM given";
        assert_eq!(set.for_postgres(), text);
    }
}
