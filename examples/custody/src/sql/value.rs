//! Values in.

use quorate::session::SessionId;

/// A value for a parameter of a statement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value<'v> {
    /// Nothing.
    Null,
    /// A number; also what is true (1) or not (0).
    Int(i64),
    /// Bytes.
    Bytes(&'v [u8]),
    /// A text.
    Text(&'v str),
}

/// The values of a statement: `values![a, b]`.
#[macro_export]
macro_rules! values {
    ($($value:expr),* $(,)?) => { [$($crate::sql::Value::from($value)),*] };
}

macro_rules! numbers {
    ($($number:ty),*) => { $(
        impl From<$number> for Value<'_> {
            fn from(number: $number) -> Self {
                Self::Int(i64::from(number))
            }
        }
    )* };
}

numbers!(bool, u8, u16, u32, i64);

/// A time, or a number of bytes: one that is too great for a database is as good as for ever.
impl From<u64> for Value<'_> {
    fn from(number: u64) -> Self {
        Self::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<usize> for Value<'_> {
    fn from(number: usize) -> Self {
        Self::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl<'v> From<&'v [u8]> for Value<'v> {
    fn from(bytes: &'v [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'v, const N: usize> From<&'v [u8; N]> for Value<'v> {
    fn from(bytes: &'v [u8; N]) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'v> From<&'v Vec<u8>> for Value<'v> {
    fn from(bytes: &'v Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'v> From<&'v SessionId> for Value<'v> {
    fn from(sid: &'v SessionId) -> Self {
        Self::Bytes(sid.as_bytes())
    }
}

impl<'v> From<&'v str> for Value<'v> {
    fn from(text: &'v str) -> Self {
        Self::Text(text)
    }
}

impl<'v, T: Into<Value<'v>>> From<Option<T>> for Value<'v> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}
