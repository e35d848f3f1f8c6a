//! JSON (RFC 8259), read strictly: the names of an object differ, numbers are integers of at most 256 bits, and there are 32
//! levels at most.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::error::Malformed;
use crate::integer::Integer;

const BROKEN: Malformed = Malformed("it is not JSON");
const TEXT: Malformed = Malformed("a text of JSON is not in its form");
const DEPTH: usize = 32;

/// A value of JSON.
pub(crate) enum Json {
    Null,
    Bool(bool),
    Integer(Integer),
    Text(String),
    List(Vec<Self>),
    Object(Object),
}

/// The values of an object by name, ascending. The vector is as short as can be: a map takes a hundred times the text.
pub(crate) struct Object(Vec<(String, Json)>);

impl Object {
    /// Sorts the members, whose names must differ.
    fn new(mut members: Vec<(String, Json)>) -> Result<Self, Malformed> {
        members.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        if members.windows(2).any(|two| matches!(two, [(one, _), (next, _)] if one == next)) {
            return Err(Malformed("an object of JSON has a name twice"));
        }
        members.shrink_to_fit();
        Ok(Self(members))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Json> {
        let found = self.0.binary_search_by(|(own, _)| own.as_str().cmp(name)).ok()?;
        self.0.get(found).map(|(_, value)| value)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Json)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    pub(crate) const fn len(&self) -> usize {
        self.0.len()
    }
}

impl Json {
    /// Reads one value and nothing after it.
    pub(crate) fn parse(text: &str) -> Result<Self, Malformed> {
        let mut parser = Parser(text);
        let value = parser.value(DEPTH)?;
        if parser.0.is_empty() { Ok(value) } else { Err(BROKEN) }
    }

    pub(crate) const fn object(&self) -> Option<&Object> {
        if let Self::Object(object) = self { Some(object) } else { None }
    }

    pub(crate) fn list(&self) -> Option<&[Self]> {
        if let Self::List(list) = self { Some(list) } else { None }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }
}

/// The rest of the text.
struct Parser<'a>(&'a str);

impl<'a> Parser<'a> {
    fn skip(&mut self) {
        self.0 = self.0.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    /// Takes a token and the white space after it, if it comes next.
    fn takes(&mut self, token: &str) -> bool {
        let rest = self.0.strip_prefix(token);
        self.0 = rest.unwrap_or(self.0);
        if rest.is_some() {
            self.skip();
        }
        rest.is_some()
    }

    fn expects(&mut self, token: &str) -> Result<(), Malformed> {
        if self.takes(token) { Ok(()) } else { Err(BROKEN) }
    }

    fn value(&mut self, depth: usize) -> Result<Json, Malformed> {
        let depth = depth.checked_sub(1).ok_or(Malformed("JSON is nested too deeply"))?;
        self.skip();
        let value = match self.0.as_bytes().first().ok_or(BROKEN)? {
            b'{' => self.object(depth)?,
            b'[' => self.list(depth)?,
            b'"' => Json::Text(self.text()?),
            b'-' | b'0'..=b'9' => self.number()?,
            _ if self.takes("true") => Json::Bool(true),
            _ if self.takes("false") => Json::Bool(false),
            _ if self.takes("null") => Json::Null,
            _ => return Err(BROKEN),
        };
        self.skip();
        Ok(value)
    }

    fn object(&mut self, depth: usize) -> Result<Json, Malformed> {
        let mut members = Vec::new();
        self.expects("{")?;
        if self.takes("}") {
            return Object::new(members).map(Json::Object);
        }
        loop {
            let name = self.text()?;
            self.skip();
            self.expects(":")?;
            members.push((name, self.value(depth)?));
            if self.takes("}") {
                return Object::new(members).map(Json::Object);
            }
            self.expects(",")?;
        }
    }

    fn list(&mut self, depth: usize) -> Result<Json, Malformed> {
        let mut list = Vec::new();
        self.expects("[")?;
        if self.takes("]") {
            return Ok(Json::List(list));
        }
        loop {
            list.push(self.value(depth)?);
            if self.takes("]") {
                list.shrink_to_fit();
                return Ok(Json::List(list));
            }
            self.expects(",")?;
        }
    }

    fn number(&mut self) -> Result<Json, Malformed> {
        let is_part = |next: char| next.is_ascii_alphanumeric() || matches!(next, '.' | '+' | '-');
        let end = self.0.find(|next| !is_part(next)).unwrap_or(self.0.len());
        let (number, rest) = self.0.split_at_checked(end).ok_or(BROKEN)?;
        self.0 = rest;
        let number = number.parse();
        number.map(Json::Integer).map_err(|_| Malformed("a number is no integer of 256 bits"))
    }

    fn text(&mut self) -> Result<String, Malformed> {
        self.0 = self.0.strip_prefix('"').ok_or(BROKEN)?;
        let mut text = String::new();
        loop {
            let end = self.0.find(|next| matches!(next, '"' | '\\' | '\0'..='\x1f')).ok_or(TEXT)?;
            let (plain, rest) = self.0.split_at_checked(end).ok_or(TEXT)?;
            text.push_str(plain);
            if let Some(rest) = rest.strip_prefix('"') {
                self.0 = rest;
                return Ok(text);
            }
            self.0 = rest.strip_prefix('\\').ok_or(TEXT)?;
            text.push(self.escaped()?);
        }
    }

    /// The character after a backslash.
    fn escaped(&mut self) -> Result<char, Malformed> {
        let mut rest = self.0.chars();
        let escaped = rest.next().ok_or(TEXT)?;
        self.0 = rest.as_str();
        Ok(match escaped {
            '"' | '\\' | '/' => escaped,
            'b' => '\x08',
            'f' => '\x0c',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unicode(),
            _ => return Err(TEXT),
        })
    }

    /// Four hexadecimal digits, or two surrogates of four.
    fn unicode(&mut self) -> Result<char, Malformed> {
        let mut units = alloc::vec![self.unit()?];
        if units.first().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) {
            self.0 = self.0.strip_prefix("\\u").ok_or(TEXT)?;
            units.push(self.unit()?);
        }
        let mut decoded = char::decode_utf16(units);
        match (decoded.next(), decoded.next()) {
            (Some(Ok(character)), None) => Ok(character),
            _ => Err(TEXT),
        }
    }

    fn unit(&mut self) -> Result<u16, Malformed> {
        let (digits, rest) = self.0.split_at_checked(4).ok_or(TEXT)?;
        self.0 = rest;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(TEXT);
        }
        u16::from_str_radix(digits, 16).map_err(|_| TEXT)
    }
}

/// A name as a part of a path, as in a JSON pointer (RFC 6901).
pub(crate) fn pointer(name: &str) -> String {
    if name.contains(['~', '/']) {
        name.replace('~', "~0").replace('/', "~1")
    } else {
        name.to_owned()
    }
}
