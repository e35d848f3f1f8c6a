//! The path and the query of a request, in a form that no intermediary rewrites.

use core::ops::RangeInclusive;
use std::collections::BTreeSet;

use crate::refusal::Refusal;

/// A path, and a query if there is one.
///
/// The path has letters, digits, `-._~` and single slashes, no segment `.` or `..`, and no percent-encoding. Then RFC 9421
/// normalises nothing. A query has names of lower-case letters and `_`, each once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    path: String,
    /// With its `?`.
    query: Option<String>,
    pairs: Vec<(String, String)>,
}

impl Target {
    pub(crate) fn parse(target: &str) -> Result<Self, Refusal> {
        let (path, query) = match target.find('?') {
            Some(at) => target.split_at(at),
            None => (target, ""),
        };
        let is_plain = |segment: &str| {
            !matches!(segment, "" | "." | "..") && segment.bytes().all(is_unreserved)
        };
        match path.strip_prefix('/') {
            Some(segments) if segments.split('/').all(is_plain) => {}
            _ => {
                return Err(Refusal::malformed(
                    "the path: expected segments of letters, digits and -._~ between single slashes",
                ));
            }
        }
        let pairs = match query.strip_prefix('?') {
            Some(pairs) => pairs.split('&').map(pair).collect::<Result<Vec<_>, _>>()?,
            None => Vec::new(),
        };
        let mut names = BTreeSet::new();
        if !pairs.iter().all(|(name, _)| names.insert(name)) {
            return Err(Refusal::malformed("the query: expected each name once"));
        }
        let query = (!query.is_empty()).then(|| query.to_owned());
        Ok(Self { path: path.to_owned(), query, pairs })
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    pub(crate) fn query(&self) -> Option<&str> {
        self.query.as_deref()
    }

    pub(crate) fn segments(&self) -> impl Iterator<Item = &str> {
        self.path.split('/').skip(1)
    }

    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The number under this name, in its one spelling.
    pub(crate) fn number(
        &self,
        name: &str,
        absent: u16,
        range: RangeInclusive<u16>,
    ) -> Result<u16, Refusal> {
        let Some(text) = self.value(name) else { return Ok(absent) };
        let number = text
            .parse()
            .ok()
            .filter(|number: &u16| range.contains(number) && number.to_string() == text);
        number.ok_or_else(|| {
            Refusal::malformed(format_args!(
                "{name}: expected a number from {} to {}",
                range.start(),
                range.end()
            ))
        })
    }

    /// Checks that the query has no other names.
    pub(crate) fn check_names(&self, known: &[&str]) -> Result<(), Refusal> {
        match self.pairs.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            Some((name, _)) => {
                Err(Refusal::malformed(format_args!("the query: {name} is unknown here")))
            }
            None => Ok(()),
        }
    }
}

const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Reads `name=value`. The value has unreserved characters, slashes, and percent-encoded slashes.
fn pair(text: &str) -> Result<(String, String), Refusal> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let value = value.replace("%2F", "/").replace("%2f", "/");
    let is_name_byte = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    let is_name = !name.is_empty() && name.bytes().all(is_name_byte);
    let is_value =
        !value.is_empty() && value.bytes().all(|byte| is_unreserved(byte) || byte == b'/');
    if is_name && is_value {
        return Ok((name.to_owned(), value));
    }
    Err(Refusal::malformed(
        "the query: expected name=value, with letters, digits, slashes and -._~",
    ))
}
