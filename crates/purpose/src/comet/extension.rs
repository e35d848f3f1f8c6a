//! Vote extensions.

use alloc::vec::Vec;

use super::place::Place;
use super::proto;
use crate::body::Body;
use crate::error::Malformed;
use crate::facts::Facts;
use crate::kind::Kind;
use crate::message::{KeyKind, Message};
use crate::wire::{Reader, check_length};

/// The extension of a precommit: a second signature beside the vote's.
///
/// The body is the extension's sign bytes. Facts: `chain`, `height`, `round` and `extension`, its bytes. It has **no
/// watermark**: an application may extend a vote again, and no two extensions conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoteExtension {
    place: Place,
    extension: Vec<u8>,
}

impl VoteExtension {
    /// An extension, which may be empty.
    ///
    /// # Errors
    /// If its sign bytes do not fit into [`MAX_LENGTH`](crate::MAX_LENGTH).
    pub fn new(place: Place, extension: impl Into<Vec<u8>>) -> Result<Self, Malformed> {
        let new = Self { place, extension: extension.into() };
        check_length(new.sign_bytes().len())?;
        Ok(new)
    }

    /// Reads sign bytes.
    ///
    /// # Errors
    /// If they are not those of an extension, in the canonical encoding.
    pub fn from_sign_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut outer = Reader::new(bytes);
        let mut reader = Reader::new(proto::delimited(&mut outer)?);
        outer.end()?;
        let extension = proto::bytes(&mut reader, 1)?.unwrap_or_default();
        let numbers = Place::read(&mut reader, 2)?;
        let read = Self::new(Place::end(reader, 4, numbers)?, extension)?;
        proto::check_canonical(bytes, &read.sign_bytes())?;
        Ok(read)
    }

    /// The bytes that a validator signs.
    #[must_use]
    pub fn sign_bytes(&self) -> Vec<u8> {
        let (mut message, mut bytes) = (Vec::new(), Vec::new());
        proto::put_bytes(&mut message, 1, &self.extension);
        self.place.write(&mut message, 2);
        self.place.write_chain(&mut message, 4);
        proto::put_delimited(&mut bytes, &message);
        bytes
    }

    /// Chain, height and round.
    #[must_use]
    pub const fn place(&self) -> &Place {
        &self.place
    }

    /// The extension.
    #[must_use]
    pub fn extension(&self) -> &[u8] {
        &self.extension
    }
}

impl Body for VoteExtension {
    const KIND: Kind = Kind::CometVoteExtension;

    fn read(body: &[u8]) -> Result<Self, Malformed> {
        Self::from_sign_bytes(body)
    }

    fn write(&self, to: &mut Vec<u8>) {
        to.extend(self.sign_bytes());
    }

    fn signed(&self, key: KeyKind) -> Option<Message> {
        super::signed(self.sign_bytes(), key)
    }

    fn add_facts(&self, facts: &mut Facts) {
        self.place.add_facts(facts);
        facts.add("extension", &self.extension[..]);
    }
}
