//! Why an envelope is not opened.

use core::fmt;

use crate::keys::KeyId;
use crate::name::Name;
use crate::versions::{Spoken, Versions};

/// An envelope that is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnvelopeError {
    /// The sender that the envelope names, if that can be read. See [`author`](Self::author) for what it is worth.
    pub sender: Option<Name>,
    /// The check that failed.
    pub check: Check,
}

/// The possible authors of an envelope that is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Author {
    /// Anybody can have made or altered it: blame nobody.
    Anybody,
    /// The named sender has signed it, as it is. Its route is not signed: anybody can have brought it here, and again.
    Sender,
}

/// A check that an envelope failed. They are made in this order.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Check {
    /// An envelope is never this long: the number of bytes.
    TooLong(usize),
    /// The bytes do not have the form of an envelope.
    Form,
    /// The envelope is in the format of another release.
    Format(u8),
    /// No member of the directory has the sender's name.
    UnknownSender,
    /// The key is not one of the sender's: it was revoked, or the two directories differ.
    SenderKey {
        /// The id of the key.
        key: KeyId,
        /// The version of the sender's directory, as the envelope claims.
        claimed: u64,
        /// The version of this node's directory.
        ours: u64,
    },
    /// The signature is not the sender's, for this deployment.
    Signature,
    /// The envelope is for another member.
    Recipient(Name),
    /// The envelope is for keys that this node does not have.
    RecipientKey(KeyId),
    /// The messages are in a version that this node does not understand.
    Version {
        /// The version, and those that the sender understands.
        spoken: Spoken,
        /// The versions that this node understands.
        understood: Versions,
    },
    /// The content does not decrypt.
    Seal,
    /// The content decrypts to something other than a list of messages.
    List,
}

impl EnvelopeError {
    /// The possible authors of the envelope.
    #[must_use]
    pub const fn author(&self) -> Author {
        match self.check {
            Check::TooLong(_)
            | Check::Form
            | Check::Format(_)
            | Check::UnknownSender
            | Check::SenderKey { .. }
            | Check::Signature => Author::Anybody,
            Check::Recipient(_)
            | Check::RecipientKey(_)
            | Check::Version { .. }
            | Check::Seal
            | Check::List => Author::Sender,
        }
    }
}

impl fmt::Display for EnvelopeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.sender, self.author()) {
            (None, _) => write!(f, "an envelope: {}", self.check),
            (Some(name), Author::Sender) => write!(f, "an envelope of {name}: {}", self.check),
            (Some(name), Author::Anybody) => {
                write!(
                    f,
                    "an envelope in the name of {name}, which anybody may have made: {}",
                    self.check
                )
            }
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong(bytes) => write!(f, "it is too long, of {bytes} bytes"),
            Self::Form => f.write_str("it does not have the form of an envelope"),
            Self::Format(got) => {
                write!(f, "it has format {got}, expected 1: update the older of the two nodes")
            }
            Self::UnknownSender => f.write_str("the directory has no such member"),
            Self::SenderKey { key, claimed, ours } => write!(
                f,
                "directory {ours} has no key {key} of this member; the envelope was made with directory {claimed}"
            ),
            Self::Signature => f.write_str("its signature does not verify"),
            Self::Recipient(to) => write!(f, "it is for {to}: deliver it there"),
            Self::RecipientKey(key) => {
                write!(f, "it is for the key {key}, which this node does not have")
            }
            Self::Version { spoken, understood } => write!(
                f,
                "its messages are in version {}, and {understood} are understood",
                spoken.version
            ),
            Self::Seal => f.write_str("it does not decrypt"),
            Self::List => f.write_str("it decrypts to something other than a list of messages"),
        }
    }
}

impl core::error::Error for EnvelopeError {}
