//! Values as the client takes and gives them.

use core::error::Error;

use bytes::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use super::super::row::Cell;
use super::super::{self as sql, Set, Value};

type Boxed = Box<dyn Error + Sync + Send>;

impl ToSql for Value<'_> {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Boxed> {
        match (self, kind) {
            (Self::Null, _) => Ok(IsNull::Yes),
            (Self::Int(number), &Type::INT8) => number.to_sql(kind, out),
            (Self::Int(number), &Type::INT4) => i32::try_from(*number)?.to_sql(kind, out),
            (Self::Int(number), &Type::BOOL) => (*number != 0).to_sql(kind, out),
            (Self::Bytes(bytes), &Type::BYTEA) => bytes.to_sql(kind, out),
            (Self::Text(text), &Type::TEXT | &Type::VARCHAR) => text.to_sql(kind, out),
            (_, kind) => Err(format!("a parameter is of the type {kind}").into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl<'r> FromSql<'r> for Cell {
    fn from_sql(kind: &Type, raw: &'r [u8]) -> Result<Self, Boxed> {
        Ok(match *kind {
            Type::INT8 => Self::Int(i64::from_sql(kind, raw)?),
            Type::INT4 => Self::Int(i32::from_sql(kind, raw)?.into()),
            Type::BOOL => Self::Int(bool::from_sql(kind, raw)?.into()),
            Type::BYTEA => Self::Bytes(raw.to_vec()),
            Type::TEXT | Type::VARCHAR => Self::Text(String::from_sql(kind, raw)?),
            Type::VOID => Self::Null,
            _ => return Err(format!("a column is of the type {kind}").into()),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Self, Boxed> {
        Ok(Self::Null)
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// A column of a set of rows, as an array.
#[derive(Debug)]
pub(super) enum Column<'v> {
    Ints(Vec<Option<i64>>),
    Bytes(Vec<Option<&'v [u8]>>),
    Texts(Vec<Option<&'v str>>),
}

impl ToSql for Column<'_> {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Boxed> {
        match self {
            Self::Ints(values) => values.to_sql(kind, out),
            Self::Bytes(values) => values.to_sql(kind, out),
            Self::Texts(values) => values.to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// The columns of a set of rows.
pub(super) fn columns<'v>(set: &Set, rows: &[Vec<Value<'v>>]) -> sql::Result<Vec<Column<'v>>> {
    if rows.iter().any(|row| row.len() != set.columns.len()) {
        return Err(sql::Error::other("a row of a set has another number of values than columns"));
    }
    let column = |(at, (name, kind)): (usize, &(&str, sql::Type))| {
        let values = rows.iter().map(|row| row.get(at).copied().unwrap_or(Value::Null));
        let column = match kind {
            sql::Type::Int => values.map(int).collect::<Option<_>>().map(Column::Ints),
            sql::Type::Bytes => values.map(bytes).collect::<Option<_>>().map(Column::Bytes),
            sql::Type::Text => values.map(text).collect::<Option<_>>().map(Column::Texts),
        };
        column.ok_or_else(|| sql::Error::other(format!("a value for {name} is of another type")))
    };
    set.columns.iter().enumerate().map(column).collect()
}

/// The number, or nothing, within what says that the type is right.
const fn int(value: Value<'_>) -> Option<Option<i64>> {
    match value {
        Value::Int(number) => Some(Some(number)),
        Value::Null => Some(None),
        Value::Bytes(_) | Value::Text(_) => None,
    }
}

const fn bytes(value: Value<'_>) -> Option<Option<&[u8]>> {
    match value {
        Value::Bytes(bytes) => Some(Some(bytes)),
        Value::Null => Some(None),
        Value::Int(_) | Value::Text(_) => None,
    }
}

const fn text(value: Value<'_>) -> Option<Option<&str>> {
    match value {
        Value::Text(text) => Some(Some(text)),
        Value::Null => Some(None),
        Value::Int(_) | Value::Bytes(_) => None,
    }
}
