//! Values that go into statements and rows that come out, the same for both engines.

use quorate_runner::Time;
use quorate_session::PartyId;

use crate::error::{Error, Result};

/// A value of a statement.
#[derive(Clone, Copy, Debug)]
pub enum Value<'v> {
    /// Nothing.
    Null,
    /// A number.
    Int(i64),
    /// Bytes.
    Bytes(&'v [u8]),
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl<'v, const N: usize> From<&'v [u8; N]> for Value<'v> {
    fn from(bytes: &'v [u8; N]) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'v> From<&'v [u8]> for Value<'v> {
    fn from(bytes: &'v [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'v, T: Into<Self>> From<Option<T>> for Value<'v> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, T::into)
    }
}

/// A list of [`Value`]s.
macro_rules! values {
    ($($value:expr),* $(,)?) => { &[$($crate::value::Value::from($value)),*] };
}
pub(crate) use values;

/// The parameters of a statement from this one on, as a list.
pub(crate) fn list(first: usize, count: usize) -> String {
    let numbers = (first..).take(count).map(|number| format!("${number}"));
    numbers.collect::<Vec<_>>().join(", ")
}

/// A time to be stored.
pub(crate) fn time(time: Time) -> Result<i64> {
    i64::try_from(time).map_err(|_| Error::Time(time))
}

/// A time to compare stored ones with: none is later than the latest that can be stored.
pub(crate) fn moment(time: Time) -> i64 {
    i64::try_from(time).unwrap_or(i64::MAX)
}

/// A number of rows or bytes.
pub(crate) fn size(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The number of a party.
pub(crate) fn party(id: PartyId) -> i64 {
    id.get().into()
}

/// A value of a row.
#[derive(Debug)]
pub(crate) enum Cell {
    /// Nothing.
    Null,
    /// A number.
    Int(i64),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// A row that a statement gives.
#[derive(Debug)]
pub struct Row(pub(crate) Vec<Cell>);

fn other_type(at: usize) -> Error {
    Error::Damaged(format!("column {at} of a row is not of its type"))
}

impl Row {
    /// A number, if it is there.
    pub(crate) fn int_if(&self, at: usize) -> Result<Option<i64>> {
        match self.0.get(at) {
            Some(Cell::Int(number)) => Ok(Some(*number)),
            Some(Cell::Null) => Ok(None),
            _ => Err(other_type(at)),
        }
    }

    /// A number of some type.
    pub(crate) fn number<T: TryFrom<i64>>(&self, at: usize) -> Result<T> {
        let number = self.int_if(at)?.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| other_type(at))
    }

    /// The number of a party.
    pub(crate) fn party(&self, at: usize) -> Result<PartyId> {
        PartyId::new(self.number(at)?).ok_or_else(|| other_type(at))
    }

    /// Bytes, if they are there; the row has them no longer.
    pub(crate) fn bytes_if(&mut self, at: usize) -> Result<Option<Vec<u8>>> {
        match self.0.get_mut(at) {
            Some(Cell::Bytes(bytes)) => Ok(Some(core::mem::take(bytes))),
            Some(Cell::Null) => Ok(None),
            _ => Err(other_type(at)),
        }
    }

    /// Bytes; the row has them no longer.
    pub(crate) fn bytes(&mut self, at: usize) -> Result<Vec<u8>> {
        self.bytes_if(at)?.ok_or_else(|| other_type(at))
    }

    /// Bytes of a fixed length.
    pub(crate) fn array<const N: usize>(&self, at: usize) -> Result<[u8; N]> {
        match self.0.get(at) {
            Some(Cell::Bytes(bytes)) => bytes.as_slice().try_into().map_err(|_| other_type(at)),
            _ => Err(other_type(at)),
        }
    }
}

/// The first column of rows, of names of 32 bytes.
pub(crate) fn names(rows: &[Row]) -> Result<Vec<[u8; 32]>> {
    rows.iter().map(|row| row.array(0)).collect()
}
