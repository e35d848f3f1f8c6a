//! JSON that keeps the order of its members.

use quorate_testkit::hex;

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Json {
    /// A number, a truth value or nothing, as it is written.
    Plain(String),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Self>),
    /// An object.
    Object(Vec<(&'static str, Self)>),
}

/// An object of these members, in this order.
macro_rules! object {
    ($($name:literal: $value:expr),* $(,)?) => {
        $crate::json::Json::Object(vec![$(($name, $crate::json::Json::from($value))),*])
    };
}
pub(crate) use object;

impl Json {
    /// Bytes as hexadecimal digits.
    pub(crate) fn hex(bytes: impl AsRef<[u8]>) -> Self {
        Self::Text(hex(bytes.as_ref()))
    }

    /// A list of values.
    pub(crate) fn list<T: Into<Self>>(values: impl IntoIterator<Item = T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }

    /// The object with the members of another one behind its own.
    #[must_use]
    pub(crate) fn and(self, more: Self) -> Self {
        match (self, more) {
            (Self::Object(members), Self::Object(more)) => Self::Object([members, more].concat()),
            (one, other) => panic!("no objects: {one:?}, {other:?}"),
        }
    }

    /// The text: a list of objects, or an object with lists or objects in it, has a line for each member. All else has one
    /// line. There is no indentation, which would be a twentieth of all files.
    pub(crate) fn to_text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text + "\n"
    }

    fn write(&self, text: &mut String) {
        match self {
            Self::Plain(value) => *text += value,
            Self::Text(value) => *text += &quoted(value),
            Self::List(values) => {
                let lines = values.iter().any(|one| matches!(one, Self::Object(_)));
                between(text, ['[', ']'], lines, values, |text, one| one.write(text));
            }
            Self::Object(members) => {
                let is_nested = |one: &Self| matches!(one, Self::List(_) | Self::Object(_));
                let lines = members.iter().any(|(_, value)| is_nested(value));
                between(text, ['{', '}'], lines, members, |text, (name, value)| {
                    *text += &format!("{}: ", quoted(name));
                    value.write(text);
                });
            }
        }
    }
}

/// Writes items between two brackets, with or without a line for each.
fn between<T>(
    text: &mut String,
    [open, close]: [char; 2],
    lines: bool,
    items: &[T],
    write: impl Fn(&mut String, &T),
) {
    let (lines, comma) = if lines { ("\n", ",\n") } else { ("", ", ") };
    text.push(open);
    *text += lines;
    for (index, item) in items.iter().enumerate() {
        *text += if index > 0 { comma } else { "" };
        write(text, item);
    }
    *text += lines;
    text.push(close);
}

/// A string in quotes. The vectors have no characters that need more than these two signs.
fn quoted(text: &str) -> String {
    assert!(text.chars().all(|one| one >= ' '), "{text:?}");
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

macro_rules! from {
    ($($value:ident: $type:ty => $json:expr;)*) => {
        $(impl From<$type> for Json {
            fn from($value: $type) -> Self {
                $json
            }
        })*
    };
}

from! {
    value: bool => Self::Plain(value.to_string());
    value: u8 => Self::Plain(value.to_string());
    value: u16 => Self::Plain(value.to_string());
    value: u32 => Self::Plain(value.to_string());
    value: u64 => Self::Plain(value.to_string());
    value: usize => Self::Plain(value.to_string());
    text: &str => Self::Text(text.to_owned());
    text: String => Self::Text(text);
    bytes: &[u8] => Self::hex(bytes);
    values: Vec<Self> => Self::List(values);
}

impl<T: Into<Self>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or_else(|| Self::Plain("null".to_owned()), Into::into)
    }
}
