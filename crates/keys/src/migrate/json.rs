//! A strict reader of JSON (RFC 8259) that copies nothing: its results point into the file.
//!
//! The reader accepts a subset of JSON: strings without escapes, and numbers that are integers without a sign.
//! The forms that are read here need no more, except in values that are skipped.

use super::MigrateError;

/// The largest depth of nesting in values that are skipped.
const DEEPEST: u8 = 16;

pub(super) struct Json<'a> {
    bytes: &'a [u8],
    at: usize,
}

type Result<T> = core::result::Result<T, MigrateError>;

impl<'a> Json<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Returns whether the bytes start like an object.
    pub(super) fn is_object(bytes: &'a [u8]) -> bool {
        Self::new(bytes).peek().is_ok_and(|byte| byte == b'{')
    }

    /// Reads the end of the file, after optional white space.
    pub(super) fn end(mut self) -> Result<()> {
        match self.peek() {
            Ok(_) => Err(MigrateError::TrailingBytes),
            Err(_) => Ok(()),
        }
    }

    /// Reads an object: `member` gets the name of each member, and reads its value.
    pub(super) fn object(
        &mut self,
        mut member: impl FnMut(&mut Self, &'a [u8]) -> Result<()>,
    ) -> Result<()> {
        self.list(b'{', b'}', |json| {
            let name = json.string()?;
            json.expect(b':')?;
            member(json, name)
        })
    }

    /// Reads an array: `element` reads each element.
    pub(super) fn array(&mut self, element: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        self.list(b'[', b']', element)
    }

    /// Reads a string, without its quotation marks.
    pub(super) fn string(&mut self) -> Result<&'a [u8]> {
        self.expect(b'"')?;
        let rest = self.rest();
        let length = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
        let (string, rest) = length
            .and_then(|length| rest.split_at_checked(length))
            .ok_or(MigrateError::Truncated)?;
        self.at += string.len();
        match rest.first() {
            Some(b'"') => self.step(),
            _ => return Err(self.syntax()),
        }
        Ok(string)
    }

    /// Reads a number from 0 to 65535.
    pub(super) fn number(&mut self, field: &'static str) -> Result<u16> {
        if !self.peek()?.is_ascii_digit() {
            return Err(self.syntax());
        }
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        if digits.len() > 1 && digits.starts_with(b"0") {
            return Err(MigrateError::BadNumber(field));
        }
        let value = digits.iter().try_fold(0_u16, |value, digit| {
            value.checked_mul(10)?.checked_add(u16::from(digit.wrapping_sub(b'0')))
        });
        value.ok_or(MigrateError::BadNumber(field))
    }

    /// Reads `null`, if it follows, and returns whether it did.
    pub(super) fn null(&mut self) -> Result<bool> {
        if self.peek()? != b'n' {
            return Ok(false);
        }
        self.word(b"null").map(|()| true)
    }

    /// Returns whether an object follows.
    pub(super) fn at_object(&mut self) -> Result<bool> {
        Ok(self.peek()? == b'{')
    }

    /// Reads a value of any kind and forgets it.
    pub(super) fn skip(&mut self) -> Result<()> {
        self.skip_within(DEEPEST)
    }

    fn skip_within(&mut self, depth: u8) -> Result<()> {
        let below = |json: &Self| depth.checked_sub(1).ok_or_else(|| json.syntax());
        match self.peek()? {
            b'{' => {
                let below = below(self)?;
                self.object(|json, _| json.skip_within(below))
            }
            b'[' => {
                let below = below(self)?;
                self.array(|json| json.skip_within(below))
            }
            b'"' => self.string().map(drop),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            b'-' | b'0'..=b'9' => {
                self.take_while(|byte| {
                    matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')
                });
                Ok(())
            }
            _ => Err(self.syntax()),
        }
    }

    /// Reads `open`, elements with commas between them, and `close`.
    fn list(
        &mut self,
        open: u8,
        close: u8,
        mut element: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.expect(open)?;
        if self.peek()? == close {
            self.step();
            return Ok(());
        }
        loop {
            element(self)?;
            match self.peek()? {
                b',' => self.step(),
                byte if byte == close => {
                    self.step();
                    return Ok(());
                }
                _ => return Err(self.syntax()),
            }
        }
    }

    /// The next byte that is not white space. It is not consumed.
    fn peek(&mut self) -> Result<u8> {
        self.take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        self.rest().first().copied().ok_or(MigrateError::Truncated)
    }

    fn expect(&mut self, expected: u8) -> Result<()> {
        if self.peek()? != expected {
            return Err(self.syntax());
        }
        self.step();
        Ok(())
    }

    fn word(&mut self, word: &[u8]) -> Result<()> {
        let found = self.take_while(|byte| byte.is_ascii_lowercase());
        if found == word { Ok(()) } else { Err(self.syntax()) }
    }

    fn take_while(&mut self, wanted: impl Fn(&u8) -> bool) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().take_while(|byte| wanted(byte)).count();
        self.at = self.at.saturating_add(length);
        rest.get(..length).unwrap_or_default()
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn step(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    const fn syntax(&self) -> MigrateError {
        MigrateError::Syntax { at: self.at }
    }

    /// The error for a member that the form does not have, whose name has been read.
    pub(super) const fn unknown_field(&self) -> MigrateError {
        MigrateError::UnknownField { at: self.at }
    }
}

/// Fills a field, once.
pub(super) fn set<T>(slot: &mut Option<T>, field: &'static str, value: T) -> Result<()> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(MigrateError::RepeatedField(field)),
    }
}

/// The value of a required field.
pub(super) fn need<T>(slot: Option<T>, field: &'static str) -> Result<T> {
    slot.ok_or(MigrateError::MissingField(field))
}
