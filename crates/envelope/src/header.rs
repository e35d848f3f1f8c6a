//! The part of an envelope that stands in clear.

use alloc::vec::Vec;

use quorate_session::wire::Reader;

use crate::id::DirectoryId;
use crate::keys::KeyId;
use crate::name::Name;
use crate::versions::{Spoken, Versions};

pub(crate) const MAGIC: &[u8; 4] = b"QRTV";
/// The format of envelopes that this release writes and reads.
pub(crate) const FORMAT: u8 = 1;

/// A member and the keys of it that are used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// The name.
    pub name: Name,
    /// The id of the keys.
    pub key: KeyId,
}

/// The part of an envelope that stands in clear. Until the envelope is [opened](crate::Opener::open) it is a claim that
/// anybody can have made: good for sorting and for logs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The version of the messages, and those that the sender understands.
    pub spoken: Spoken,
    /// The application's kind of message.
    pub kind: u16,
    /// The directory that the sender uses.
    pub directory: DirectoryId,
    /// The sender.
    pub sender: Address,
    /// The recipient.
    pub recipient: Address,
    /// The challenge that the envelope answers.
    pub answers: Option<[u8; 32]>,
}

/// Bytes that are not an envelope of this format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HeaderError {
    Form,
    Format(u8),
}

impl Header {
    /// The header of an envelope, which has not been verified.
    #[must_use]
    pub fn peek(envelope: &[u8]) -> Option<Self> {
        Self::read(&mut Reader::new(envelope)).ok()
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let Spoken { version, understood } = self.spoken;
        let mut out = Vec::new();
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&[FORMAT, version, understood.lowest(), understood.highest()]);
        out.extend_from_slice(&self.kind.to_be_bytes());
        out.extend_from_slice(&self.directory.to_bytes());
        for Address { name, key } in [&self.sender, &self.recipient] {
            name.write(&mut out);
            out.extend_from_slice(key.as_bytes());
        }
        out.push(self.answers.is_some().into());
        out.extend(self.answers.iter().flatten());
        out
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, HeaderError> {
        let magic: [u8; 4] = reader.array().map_err(|_| HeaderError::Form)?;
        let format = reader.u8().map_err(|_| HeaderError::Form)?;
        if magic != *MAGIC {
            return Err(HeaderError::Form);
        }
        if format != FORMAT {
            return Err(HeaderError::Format(format));
        }
        Self::read_fields(reader).ok_or(HeaderError::Form)
    }

    fn read_fields(reader: &mut Reader<'_>) -> Option<Self> {
        let [version, lowest, highest] = reader.array().ok()?;
        let understood = Versions::new(lowest, highest)?;
        let kind = reader.u16().ok()?;
        let directory = DirectoryId::read(reader)?;
        let (sender, recipient) = (address(reader)?, address(reader)?);
        let answers = match reader.u8().ok()? {
            0 => None,
            1 => Some(reader.array().ok()?),
            _ => return None,
        };
        let spoken = Spoken { version, understood };
        understood.contains(version).then_some(Self {
            spoken,
            kind,
            directory,
            sender,
            recipient,
            answers,
        })
    }
}

fn address(reader: &mut Reader<'_>) -> Option<Address> {
    Some(Address { name: Name::read(reader)?, key: KeyId::new(reader.array().ok()?) })
}
