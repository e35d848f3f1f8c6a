//! The facts that a policy may look at.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::integer::Integer;
use crate::time::Time;

/// A value of a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value {
    /// Yes or no.
    Bool(bool),
    /// An amount, a height, a counter.
    Integer(Integer),
    /// A name, an address of mail, a namespace.
    Text(String),
    /// A hash, a key, an account.
    Bytes(Vec<u8>),
    /// A point in time.
    Time(Time),
    /// Several values in the order of the content.
    List(Vec<Self>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(f),
            Self::Integer(value) => value.fmt(f),
            // Escaped: a name that a stranger has chosen must not begin a line of its own.
            Self::Text(value) => write!(f, "{value:?}"),
            Self::Bytes(value) => {
                f.write_str("0x")?;
                value.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
            Self::Time(value) => value.fmt(f),
            Self::List(values) => {
                f.write_str("[")?;
                for (place, value) in values.iter().enumerate() {
                    let separator = if place == 0 { "" } else { ", " };
                    write!(f, "{separator}{value}")?;
                }
                f.write_str("]")
            }
        }
    }
}

macro_rules! values {
    ($($type:ty => |$value:ident| $make:expr;)*) => {
        $(impl From<$type> for Value {
            fn from($value: $type) -> Self {
                $make
            }
        })*
    };
}

values! {
    bool => |value| Self::Bool(value);
    Integer => |value| Self::Integer(value);
    u64 => |value| Self::Integer(value.into());
    u128 => |value| Self::Integer(value.into());
    i64 => |value| Self::Integer(value.into());
    Time => |value| Self::Time(value);
    String => |value| Self::Text(value);
    &str => |value| Self::Text(value.into());
    Vec<u8> => |value| Self::Bytes(value);
    &[u8] => |value| Self::Bytes(value.into());
    Vec<Self> => |value| Self::List(value);
}

/// The facts that a policy may look at: values by name, in the order of the names.
///
/// The first fact of every purpose is `purpose`, the name of its [`Kind`](crate::Kind). The table in the documentation of
/// this crate has the others. A fact that a content does not have is absent: an absent fact must never satisfy a rule.
///
/// [`Display`](fmt::Display) prints a line for each fact, for people who approve and for logs. Text in it is escaped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts(BTreeMap<Cow<'static, str>, Value>);

impl Facts {
    /// The fact of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// The integer of this name.
    #[must_use]
    pub fn integer(&self, name: &str) -> Option<&Integer> {
        if let Some(Value::Integer(value)) = self.get(name) { Some(value) } else { None }
    }

    /// The text of this name.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        if let Some(Value::Text(value)) = self.get(name) { Some(value) } else { None }
    }

    /// The bytes of this name.
    #[must_use]
    pub fn bytes(&self, name: &str) -> Option<&[u8]> {
        if let Some(Value::Bytes(value)) = self.get(name) { Some(value) } else { None }
    }

    /// Returns whether the fact of this name is present and true.
    #[must_use]
    pub fn is_true(&self, name: &str) -> bool {
        matches!(self.get(name), Some(Value::Bool(true)))
    }

    /// Iterates over the facts, ascending by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), value))
    }

    pub(crate) fn add(&mut self, name: impl Into<Cow<'static, str>>, value: impl Into<Value>) {
        self.0.insert(name.into(), value.into());
    }
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.iter() {
            // Some names are a stranger's too.
            writeln!(f, "{}: {value}", name.escape_debug())?;
        }
        Ok(())
    }
}
