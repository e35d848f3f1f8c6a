//! Messages that people sign with an account.

use alloc::string::ToString as _;
use alloc::vec::Vec;

use crate::body::Body;
use crate::error::Malformed;
use crate::facts::Facts;
use crate::kind::Kind;
use crate::message::{Hash, KeyKind, Message};
use crate::wire::{check_length, wide};

/// Version `0x45` of EIP-191. The length of the message follows in decimal.
const PREFIX: &[u8] = b"\x19Ethereum Signed Message:\n";

/// A message that an account signs (EIP-191, version `0x45`): `personal_sign` and `eth_sign` of wallets, such as a login at a site
/// (EIP-4361).
///
/// A message is never a transaction, typed data or a delegation, since these begin with other bytes. But contracts give messages
/// any meaning: an order, a permission, a vote, or the approval of something whose hash is the message.
///
/// The body is what wallets hash: the prefix, the length of the message, and the message.
///
/// Facts: `message` (the bytes), `length`, `text` (if the message is UTF-8).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonalMessage(Vec<u8>);

impl PersonalMessage {
    /// A message, without the prefix.
    ///
    /// # Errors
    /// If it does not fit into [`MAX_LENGTH`](crate::MAX_LENGTH) with the prefix.
    pub fn new(message: impl Into<Vec<u8>>) -> Result<Self, Malformed> {
        let new = Self(message.into());
        check_length(new.unsigned_bytes().len())?;
        Ok(new)
    }

    /// Reads the bytes that wallets hash.
    ///
    /// # Errors
    /// If they are not the one form of a message.
    pub fn from_unsigned_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        const FORM: Malformed = Malformed("it is not a message of EIP-191");
        let rest = bytes.strip_prefix(PREFIX).ok_or(FORM)?;
        // The digits of the length can be followed by digits of the message. Only one place between them fits.
        let is_message = |(at, message): &(usize, &[u8])| {
            rest.get(..*at) == Some(message.len().to_string().as_bytes())
        };
        let splits = (1..=rest.len().min(7)).filter_map(|at| Some((at, rest.get(at..)?)));
        let (_, message) = splits.into_iter().find(is_message).ok_or(FORM)?;
        Self::new(message)
    }

    /// The bytes that wallets hash.
    #[must_use]
    pub fn unsigned_bytes(&self) -> Vec<u8> {
        [PREFIX, self.0.len().to_string().as_bytes(), &self.0].concat()
    }

    /// The message, without the prefix.
    #[must_use]
    pub fn content(&self) -> &[u8] {
        &self.0
    }
}

impl Body for PersonalMessage {
    const KIND: Kind = Kind::EvmMessage;

    fn read(body: &[u8]) -> Result<Self, Malformed> {
        Self::from_unsigned_bytes(body)
    }

    fn write(&self, to: &mut Vec<u8>) {
        to.extend(self.unsigned_bytes());
    }

    fn signed(&self, key: KeyKind) -> Option<Message> {
        (key == KeyKind::EcdsaSecp256k1)
            .then(|| Message::Hashed { hash: Hash::Keccak256, bytes: self.unsigned_bytes() })
    }

    fn add_facts(&self, facts: &mut Facts) {
        facts.add("message", &self.0[..]);
        facts.add("length", wide(self.0.len()));
        if let Ok(text) = core::str::from_utf8(&self.0) {
            facts.add("text", text);
        }
    }
}
