//! The reasons why a message is not taken.

use core::fmt;

use quorate_keys::Mismatch;
use quorate_session::{PartyId, RecordError};

use crate::error::{DecodeError, SignError};

/// The check that a signer failed: it is marked, and never asked again in this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignerFault {
    /// A message that cannot be read, or is in another party's name.
    Malformed(DecodeError),
    /// An unsolicited message: a second first message, a share while the signer is free, or a share of another
    /// session than the signer's.
    Unsolicited {
        /// The session of the share; 0 for a first message.
        got: u16,
        /// The session that the signer is in; 0 for none.
        expected: u16,
    },
    /// A share for another package than the one that this session's signers were sent.
    OtherPackage {
        /// The session.
        session: u16,
    },
    /// A share that does not satisfy its equation (RFC 9591 §5.4).
    WrongShare {
        /// The session.
        session: u16,
    },
}

impl fmt::Display for SignerFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(why) => write!(f, "a message that cannot be read: {why}"),
            Self::Unsolicited { got: 0, expected } => {
                write!(f, "got a first message once more, ")?;
                awaited(f, *expected)
            }
            Self::Unsolicited { got, expected } => {
                write!(f, "got a share of session {got}, ")?;
                awaited(f, *expected)
            }
            Self::OtherPackage { session } => {
                write!(
                    f,
                    "the share of session {session} is for another signing package than was sent"
                )
            }
            Self::WrongShare { session } => {
                write!(f, "the share of session {session} does not verify")
            }
        }
    }
}

fn awaited(f: &mut fmt::Formatter<'_>, session: u16) -> fmt::Result {
    match session {
        0 => f.write_str("expected nothing: the signer is in no session"),
        session => write!(f, "expected one of session {session}"),
    }
}

/// The reason why the coordinator rejects a message. The run continues unharmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnswerRejected {
    /// The sender failed a check and is marked from now on.
    Marked(SignerFault),
    /// The sender was marked before.
    MarkedBefore(SignerFault),
    /// An identical message was accepted before. Nobody is to blame: networks repeat.
    Duplicate,
    /// Another kind of object, of another suite or release. Nobody is to blame.
    AnotherFormat(DecodeError),
    /// A message of another run. Nobody is to blame.
    OtherRun,
    /// A message of another key or epoch. Nobody is to blame.
    Mismatch(Mismatch),
    /// A sender that holds no share of the key.
    UnknownParty(PartyId),
    /// The run is over: there is a signature.
    Over,
    /// The commitments of t signers cancel each other, which takes a preimage of the suite's hash. Start a new run.
    Internal,
}

impl AnswerRejected {
    /// The check that the sender failed with this message or an earlier one.
    #[must_use]
    pub const fn fault(&self) -> Option<SignerFault> {
        match self {
            Self::Marked(fault) | Self::MarkedBefore(fault) => Some(*fault),
            // Named one by one, so that a new variant has to decide.
            Self::Duplicate
            | Self::AnotherFormat(_)
            | Self::OtherRun
            | Self::Mismatch(_)
            | Self::UnknownParty(_)
            | Self::Over
            | Self::Internal => None,
        }
    }
}

impl fmt::Display for AnswerRejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Marked(fault) => write!(f, "the signer is not asked again: {fault}"),
            Self::MarkedBefore(fault) => write!(f, "the signer was marked before: {fault}"),
            Self::Duplicate => f.write_str("the very message was taken before: nothing to do"),
            Self::AnotherFormat(why) => write!(f, "not a signer's message of this run: {why}"),
            Self::OtherRun => f.write_str("a message of another run: give it to its coordinator"),
            Self::Mismatch(why) => write!(f, "a message that is not of this run's key: {why}"),
            Self::UnknownParty(party) => {
                write!(f, "party {party} holds no share of this key: its messages are not read")
            }
            Self::Over => f.write_str("the run is over: there is a signature"),
            Self::Internal => f.write_str("the commitments cancel each other: start a new run"),
        }
    }
}

/// The reason why a signer does not answer. `E` is the error of the caller's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refused<E> {
    /// A request that cannot be read.
    Malformed(DecodeError),
    /// A request of another run.
    OtherRun,
    /// A request to sign another message than the one of this run.
    OtherMessage,
    /// Not the next session: another request of one that was answered, or of an earlier one.
    NotNext {
        /// The session asked for.
        got: u16,
        /// The last session that was answered.
        answered: u16,
    },
    /// More sessions than a run has.
    TooManySessions {
        /// The session asked for.
        got: u16,
        /// The most that a run has: n − t + 1.
        most: u16,
    },
    /// No nonces are left: those of the last message are spent.
    NoNonces,
    /// The share and the package do not belong together. The nonces are not spent, unless the group commitment is the
    /// identity.
    Sign(SignError),
    /// The nonces are recorded as spent on something else, or the table failed.
    Record(RecordError<E>),
}

impl<E: fmt::Display> fmt::Display for Refused<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(why) => write!(f, "a request that cannot be read: {why}"),
            Self::OtherRun => f.write_str("a request of another run: give it to that run's signer"),
            Self::OtherMessage => f.write_str(
                "a request to sign another message than this run's: do not trust the coordinator",
            ),
            Self::NotNext { got, answered } => {
                write!(f, "got a request of session {got}, expected one after {answered}")
            }
            Self::TooManySessions { got, most } => {
                write!(f, "got a request of session {got}, a run has at most {most}")
            }
            Self::NoNonces => f.write_str(
                "the nonces of the last message are spent: this signer is out of the run",
            ),
            Self::Sign(why) => why.fmt(f),
            Self::Record(why) => why.fmt(f),
        }
    }
}

impl core::error::Error for SignerFault {}
impl core::error::Error for AnswerRejected {}
impl<E: core::error::Error + 'static> core::error::Error for Refused<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Malformed(why) => Some(why),
            Self::Sign(why) => Some(why),
            Self::Record(why) => Some(why),
            Self::OtherRun
            | Self::OtherMessage
            | Self::NotNext { .. }
            | Self::TooManySessions { .. }
            | Self::NoNonces => None,
        }
    }
}
