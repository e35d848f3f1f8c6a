//! Answers of the daemon.

use alloc::string::String;
use alloc::vec::Vec;

use crate::bytes::{Malformed, Reader, Writer};
use crate::key::KeyInfo;
use crate::{MAX_FRAME, MAX_KEYS, MAX_NAME, MAX_SIGNATURE};

/// The most bytes of keys in a description, whose name and numbers take fewer than the rest.
const MAX_KEYS_LENGTH: usize = MAX_FRAME - 1024;

const WAIT: u8 = 128;
const DESCRIPTION: u8 = 129;
const LOGGED_IN: u8 = 130;
const SIGNATURE: u8 = 131;
const MADE: u8 = 132;
const FAILED: u8 = 133;

/// An answer of the daemon.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The request has begun. The result comes within this number of seconds.
    Wait(u32),
    /// The token and its keys.
    Description(Description),
    /// The PIN is right.
    LoggedIn,
    /// The signature: r ‖ s for ECDSA, RFC 8032 for Ed25519, FIPS 204 for ML-DSA.
    Signature(Vec<u8>),
    /// The new key.
    Made(KeyInfo),
    /// There is no result.
    Failed(Reason),
}

/// The token and its keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// The name of the token.
    pub label: String,
    /// A consumer has to log in before it signs.
    pub needs_login: bool,
    /// The token makes keys.
    pub makes_keys: bool,
    /// The keys, at most [`MAX_KEYS`].
    pub keys: Vec<KeyInfo>,
}

/// The reason why there is no result. The log of the daemon says more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The request is malformed, or does not fit the key.
    Malformed,
    /// The consumer has to log in first.
    NotLoggedIn,
    /// The PIN is wrong.
    WrongPin,
    /// Too many PINs of this user were wrong. A later one is looked at again.
    PinLocked,
    /// The token has no PIN, so nobody can log in.
    NoPin,
    /// The token has no such key.
    UnknownKey,
    /// A policy or a signer refuses the request.
    Refused,
    /// The key does not sign such bytes.
    WrongPurpose,
    /// The message is too long.
    TooLong,
    /// Approvals, presignatures or signers were missing until the time was over.
    Expired,
    /// The committee does not answer.
    Unavailable,
    /// The committee does not offer this.
    Unsupported,
    /// A key of the token has the name already.
    NameTaken,
    /// The token makes no keys.
    NoNewKeys,
    /// An operator has to look.
    Broken,
}

impl Reason {
    /// Every reason, in the order of their codes, which begin with 1.
    pub const ALL: [Self; 15] = [
        Self::Malformed,
        Self::NotLoggedIn,
        Self::WrongPin,
        Self::PinLocked,
        Self::NoPin,
        Self::UnknownKey,
        Self::Refused,
        Self::WrongPurpose,
        Self::TooLong,
        Self::Expired,
        Self::Unavailable,
        Self::Unsupported,
        Self::NameTaken,
        Self::NoNewKeys,
        Self::Broken,
    ];

    fn code(self) -> u8 {
        let place = Self::ALL.iter().position(|other| *other == self).unwrap_or_default();
        u8::try_from(place).unwrap_or_default().saturating_add(1)
    }

    fn from_code(code: u8) -> Result<Self, Malformed> {
        Self::ALL.into_iter().find(|reason| reason.code() == code).ok_or(Malformed)
    }
}

impl Answer {
    /// Reads the body of a frame.
    ///
    /// # Errors
    /// [`Malformed`] if it is no answer of this version.
    pub fn from_bytes(body: &[u8]) -> Result<Self, Malformed> {
        let (kind, mut reader) = Reader::of(body)?;
        let answer = match kind {
            WAIT => Self::Wait(reader.number()?),
            DESCRIPTION => Self::Description(Description::read(&mut reader)?),
            LOGGED_IN => Self::LoggedIn,
            SIGNATURE => Self::Signature(reader.bytes(MAX_SIGNATURE)?.to_vec()),
            MADE => Self::Made(KeyInfo::read(&mut reader)?),
            FAILED => Self::Failed(Reason::from_code(reader.byte()?)?),
            _ => return Err(Malformed),
        };
        reader.end()?;
        Ok(answer)
    }

    /// The frame: the length and the body.
    #[must_use]
    pub fn to_frame(&self) -> Vec<u8> {
        let writer = match self {
            Self::Wait(seconds) => Writer::new(WAIT, 4).number(*seconds),
            Self::Description(description) => description.write(),
            Self::LoggedIn => Writer::new(LOGGED_IN, 0),
            Self::Signature(bytes) => {
                Writer::new(SIGNATURE, bytes.len().saturating_add(4)).bytes(bytes)
            }
            Self::Made(key) => key.write(Writer::new(MADE, key.length())),
            Self::Failed(reason) => Writer::new(FAILED, 1).byte(reason.code()),
        };
        writer.frame().to_vec()
    }
}

impl Description {
    /// Returns whether these keys can be described in one frame, with another one of this length if it is not 0.
    #[must_use]
    pub fn has_room(keys: &[KeyInfo], another: usize) -> bool {
        let lengths = keys.iter().map(KeyInfo::length).fold(another, usize::saturating_add);
        keys.len().saturating_add(usize::from(another > 0)) <= MAX_KEYS
            && lengths <= MAX_KEYS_LENGTH
    }

    const NEEDS_LOGIN: u8 = 1;
    const MAKES_KEYS: u8 = 2;

    fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let label = reader.owned_text(MAX_NAME)?;
        let flags = reader.byte()?;
        if flags & !(Self::NEEDS_LOGIN | Self::MAKES_KEYS) != 0 {
            return Err(Malformed);
        }
        let count = usize::try_from(reader.number()?).map_err(|_| Malformed)?;
        if count > MAX_KEYS {
            return Err(Malformed);
        }
        let keys = (0..count).map(|_| KeyInfo::read(reader)).collect::<Result<_, _>>()?;
        let is_set = |flag| flags & flag != 0;
        let (needs_login, makes_keys) = (is_set(Self::NEEDS_LOGIN), is_set(Self::MAKES_KEYS));
        Ok(Self { label, needs_login, makes_keys, keys })
    }

    fn write(&self) -> Writer {
        let keys = self.keys.iter().map(KeyInfo::length);
        let room = keys.fold(self.label.len().saturating_add(16), usize::saturating_add);
        let flag = |set: bool, flag: u8| if set { flag } else { 0 };
        let flags =
            flag(self.needs_login, Self::NEEDS_LOGIN) | flag(self.makes_keys, Self::MAKES_KEYS);
        let count = u32::try_from(self.keys.len()).unwrap_or(u32::MAX);
        let writer = Writer::new(DESCRIPTION, room).bytes(self.label.as_bytes()).byte(flags);
        self.keys.iter().fold(writer.number(count), |writer, key| key.write(writer))
    }
}
