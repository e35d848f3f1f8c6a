//! The facts of a request, with those that this crate adds to the decoders' own.

use std::borrow::Cow;
use std::collections::BTreeMap;

use quorate_purpose::{Facts, Integer, Value};

use crate::action::Action;

/// The words of a call that are facts.
pub(crate) const ARGUMENTS: usize = 8;

/// Facts by name.
pub(crate) struct Seen<'a>(BTreeMap<Cow<'a, str>, Cow<'a, Value>>);

impl<'a> Seen<'a> {
    pub(crate) fn new(facts: &'a Facts, action: Action) -> Self {
        let named = facts.iter().filter(|(name, _)| *name != "purpose");
        let mut seen =
            Self(named.map(|(name, value)| (name.into(), Cow::Borrowed(value))).collect());
        for (name, number) in action.parameters() {
            seen.add(name.into(), number.into());
        }
        if facts.bytes("selector").is_some() {
            seen.add_arguments("", facts.bytes("data").unwrap_or_default());
        }
        if let Some(data) = facts.bytes("message.data").filter(|data| !data.is_empty()) {
            seen.add("message.data.selector".into(), data.get(..4).unwrap_or(data).into());
            seen.add_arguments("message.data.", data);
        }
        seen
    }

    /// Adds the words of 32 bytes that follow the selector of a call.
    fn add_arguments(&mut self, prefix: &str, data: &[u8]) {
        let words = data.get(4..).unwrap_or_default().chunks_exact(32);
        for (place, word) in words.take(ARGUMENTS).enumerate() {
            self.add(format!("{prefix}argument_{place}"), word.into());
        }
    }

    fn add(&mut self, name: String, value: Value) {
        self.0.insert(name.into(), Cow::Owned(value));
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).map(AsRef::as_ref)
    }

    /// The fact as a number: an integer, the seconds of a time, or the word of a call.
    pub(crate) fn integer(&self, name: &str) -> Option<Integer> {
        match self.get(name)? {
            Value::Integer(value) => Some(*value),
            Value::Time(time) => Some(time.seconds.into()),
            Value::Bytes(word) if is_argument(name) => Integer::from_be_bytes(word),
            _ => None,
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), value.as_ref()))
    }
}

/// Returns whether this is the name of a word of a call.
pub(crate) fn is_argument(name: &str) -> bool {
    name.strip_prefix("message.data.").unwrap_or(name).starts_with("argument_")
}
