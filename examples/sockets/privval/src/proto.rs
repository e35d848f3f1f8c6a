//! As much of protobuf as the messages use.

/// Bytes that are no message of the protocol, and the first reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("this is no message of the protocol: {0}")]
pub struct Malformed(pub(crate) &'static str);

const SHORT: Malformed = Malformed("it ends too early");
const KIND: Malformed = Malformed("a field has another type");

/// The content of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value<'a> {
    /// A field of type `int64`, `int32`, `uint32`, `bool` or `enum`.
    Number(u64),
    /// A field of type `bytes`, `string` or a message.
    Bytes(&'a [u8]),
    /// A field of a fixed length, which no message here has.
    Fixed,
}

impl<'a> Value<'a> {
    pub(crate) const fn bytes(self) -> Result<&'a [u8], Malformed> {
        if let Self::Bytes(bytes) = self { Ok(bytes) } else { Err(KIND) }
    }

    pub(crate) fn text(self) -> Result<&'a str, Malformed> {
        core::str::from_utf8(self.bytes()?).map_err(|_| Malformed("a text is not UTF-8"))
    }

    pub(crate) const fn integer(self) -> Result<i64, Malformed> {
        if let Self::Number(number) = self { Ok(number.cast_signed()) } else { Err(KIND) }
    }

    /// A number within the range of its type.
    pub(crate) fn number<T: TryFrom<i64>>(self) -> Result<T, Malformed> {
        T::try_from(self.integer()?).map_err(|_| Malformed("a number is out of range"))
    }
}

/// The fields of a message, in the order of its bytes: the number of each, and its content.
pub(crate) struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    pub(crate) const fn of(message: &'a [u8]) -> Self {
        Self(message)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(SHORT)?;
        self.0 = rest;
        Ok(taken)
    }

    fn varint(&mut self) -> Result<u64, Malformed> {
        let (value, length) = varint(self.0)?.ok_or(SHORT)?;
        self.take(length)?;
        Ok(value)
    }

    fn field(&mut self) -> Result<(u64, Value<'a>), Malformed> {
        let tag = self.varint()?;
        let value = match tag & 7 {
            0 => Value::Number(self.varint()?),
            1 => self.take(8).map(|_| Value::Fixed)?,
            2 => {
                let length = usize::try_from(self.varint()?).map_err(|_| SHORT)?;
                Value::Bytes(self.take(length)?)
            }
            5 => self.take(4).map(|_| Value::Fixed)?,
            _ => return Err(Malformed("a field has an unknown type")),
        };
        Ok((tag >> 3, value))
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, Value<'a>), Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_err() {
            self.0 = &[];
        }
        Some(field)
    }
}

/// Reads a varint at the beginning of bytes, with its length; `None` if the bytes end before it does.
pub(crate) fn varint(bytes: &[u8]) -> Result<Option<(u64, usize)>, Malformed> {
    let mut value = 0_u64;
    for (byte, length) in bytes.iter().zip(1_usize..=10) {
        let low = u64::from(byte & 0x7f);
        let shift = length.saturating_sub(1).saturating_mul(7);
        if shift == 63 && low > 1 {
            return Err(Malformed("a varint is too long"));
        }
        value |= low << shift;
        if byte & 0x80 == 0 {
            return Ok(Some((value, length)));
        }
    }
    if bytes.len() < 10 { Ok(None) } else { Err(Malformed("a varint is too long")) }
}

/// Appends a varint.
pub(crate) fn put_varint(to: &mut Vec<u8>, mut value: u64) {
    loop {
        let [low, ..] = value.to_le_bytes();
        value >>= 7;
        if value == 0 {
            return to.push(low & 0x7f);
        }
        to.push(low | 0x80);
    }
}

/// Appends a field of type `int64`, `int32`, `uint32` or `enum`. Zero is the absence of the field.
pub(crate) fn put_integer(to: &mut Vec<u8>, field: u64, value: i64) {
    if value != 0 {
        put_varint(to, field << 3);
        put_varint(to, value.cast_unsigned());
    }
}

/// Appends a field that is a message, which is there even if it is empty.
pub(crate) fn put_message(to: &mut Vec<u8>, field: u64, message: &[u8]) {
    put_varint(to, (field << 3) | 2);
    to.extend(delimited(message));
}

/// Appends a field of type `bytes` or `string`.
pub(crate) fn put_bytes(to: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    if !bytes.is_empty() {
        put_message(to, field, bytes);
    }
}

/// A message behind its length.
pub(crate) fn delimited(message: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(message.len().saturating_add(5));
    put_varint(&mut bytes, u64::try_from(message.len()).unwrap_or(u64::MAX));
    bytes.extend_from_slice(message);
    bytes
}
