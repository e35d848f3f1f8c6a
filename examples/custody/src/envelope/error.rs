//! Why an envelope is not made, or not opened.

use core::fmt;

use super::Versions;
use crate::bus::Peer;

/// A check that an envelope failed. They are made in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// It is longer than any: its length in bytes.
    TooLong(usize),
    /// It has no such form.
    Form,
    /// The directory does not know its sender.
    UnknownSender,
    /// Its signature is not its sender's.
    Signature,
    /// It is for somebody else.
    Recipient(Peer),
    /// It is in a version that is not understood.
    Version {
        /// Its version.
        spoken: u8,
        /// What is understood.
        ours: Versions,
    },
    /// Its seal does not open.
    Seal,
    /// It holds no list of messages.
    List,
}

/// An envelope that is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnvelopeError {
    /// The sender that it names, if it can be read: a claim, unless the check comes after the signature's.
    pub from: Option<Peer>,
    /// The check that failed.
    pub check: Check,
}

impl fmt::Display for EnvelopeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.from {
            Some(from) => write!(f, "envelope of {from}: {}", self.check),
            None => write!(f, "envelope of nobody: {}", self.check),
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong(bytes) => write!(f, "too long, of {bytes} bytes"),
            Self::Form => f.write_str("not of the form of an envelope"),
            Self::UnknownSender => f.write_str("its sender is not in the directory"),
            Self::Signature => f.write_str("its signature does not verify"),
            Self::Recipient(to) => write!(f, "it is for {to}"),
            Self::Version { spoken, ours } => {
                write!(f, "it is in version {spoken}, and {ours} are understood")
            }
            Self::Seal => f.write_str("its seal does not open"),
            Self::List => f.write_str("it holds no list of messages"),
        }
    }
}

impl core::error::Error for EnvelopeError {}

/// A reason why messages cannot be sealed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsealable {
    /// The directory does not know the recipient.
    Unknown(Peer),
    /// Nothing can be sealed to the recipient's key.
    Key(Peer),
    /// There are none, too many or too long ones.
    Size {
        /// Their number.
        messages: usize,
        /// Their length together, in bytes.
        bytes: usize,
    },
}

impl fmt::Display for Unsealable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(to) => write!(f, "{to} is not in the directory"),
            Self::Key(to) => write!(f, "nothing can be sealed to the key of {to}"),
            Self::Size { messages, bytes } => {
                write!(f, "{messages} messages of {bytes} bytes do not fit into an envelope")
            }
        }
    }
}

impl core::error::Error for Unsealable {}
