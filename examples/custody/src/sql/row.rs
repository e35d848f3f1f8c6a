//! Values out.

use quorate::PartyId;

use super::{Error, Result};

/// A row that a statement has given: values by position, from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row(pub(super) Vec<Cell>);

/// A value of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Cell {
    Null,
    Int(i64),
    Bytes(Vec<u8>),
    Text(String),
}

impl Row {
    /// A number.
    ///
    /// # Errors
    /// [`Error`] if it is none, as with all of these.
    pub fn int(&self, at: usize) -> Result<i64> {
        match self.0.get(at) {
            Some(Cell::Int(number)) => Ok(*number),
            _ => Err(wrong(at, "a number")),
        }
    }

    /// A number of the type that is asked for.
    ///
    /// # Errors
    /// [`Error`] if it is none, or too great.
    pub fn number<T: TryFrom<i64>>(&self, at: usize) -> Result<T> {
        T::try_from(self.int(at)?).map_err(|_| wrong(at, "a number within its bounds"))
    }

    /// A number, unless there is nothing.
    ///
    /// # Errors
    /// [`Error`].
    pub fn number_if<T: TryFrom<i64>>(&self, at: usize) -> Result<Option<T>> {
        if self.is_null(at) { Ok(None) } else { self.number(at).map(Some) }
    }

    /// What is true or not.
    ///
    /// # Errors
    /// [`Error`].
    pub fn flag(&self, at: usize) -> Result<bool> {
        Ok(self.int(at)? != 0)
    }

    /// A party.
    ///
    /// # Errors
    /// [`Error`] if no party has this number.
    pub fn party(&self, at: usize) -> Result<PartyId> {
        PartyId::new(self.number(at)?).ok_or_else(|| wrong(at, "the number of a party"))
    }

    /// Whether there is nothing.
    #[must_use]
    pub fn is_null(&self, at: usize) -> bool {
        matches!(self.0.get(at), Some(Cell::Null))
    }

    /// Bytes, which are taken out of the row.
    ///
    /// # Errors
    /// [`Error`].
    pub fn bytes(&mut self, at: usize) -> Result<Vec<u8>> {
        match self.0.get_mut(at) {
            Some(Cell::Bytes(bytes)) => Ok(core::mem::take(bytes)),
            _ => Err(wrong(at, "bytes")),
        }
    }

    /// Bytes, unless there is nothing.
    ///
    /// # Errors
    /// [`Error`].
    pub fn bytes_if(&mut self, at: usize) -> Result<Option<Vec<u8>>> {
        if self.is_null(at) { Ok(None) } else { self.bytes(at).map(Some) }
    }

    /// So many bytes.
    ///
    /// # Errors
    /// [`Error`] if there are more, or fewer.
    pub fn array<const N: usize>(&self, at: usize) -> Result<[u8; N]> {
        match self.0.get(at) {
            Some(Cell::Bytes(bytes)) => {
                bytes.as_slice().try_into().map_err(|_| wrong(at, &format!("{N} bytes")))
            }
            _ => Err(wrong(at, "bytes")),
        }
    }

    /// A text, which is taken out of the row.
    ///
    /// # Errors
    /// [`Error`].
    pub fn text(&mut self, at: usize) -> Result<String> {
        match self.0.get_mut(at) {
            Some(Cell::Text(text)) => Ok(core::mem::take(text)),
            _ => Err(wrong(at, "a text")),
        }
    }

    /// A text, unless there is nothing.
    ///
    /// # Errors
    /// [`Error`].
    pub fn text_if(&mut self, at: usize) -> Result<Option<String>> {
        if self.is_null(at) { Ok(None) } else { self.text(at).map(Some) }
    }
}

fn wrong(at: usize, what: &str) -> Error {
    Error::other(format!("column {at} of a row is not {what}"))
}
