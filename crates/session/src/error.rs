//! Errors that show no misbehaviour: bad parameters, frames that don't fit, seals that don't open.

use core::fmt;

use crate::{PartyId, container::ContainerError, wire::ReadError};

/// The parameters given to a run or a key operation don't fit together. Nothing has been sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParamError {
    /// Zero is not a party identifier.
    ZeroParty,
    /// A run needs at least two parties.
    TooFewParties,
    /// More parties than the protocol accepts.
    TooManyParties,
    /// This party was listed twice.
    DuplicateParty(PartyId),
    /// This party is not one of the run.
    NotAParty(PartyId),
    /// The threshold is below the least or above the number of parties.
    Threshold,
    /// The generator of random numbers is broken: it gives zeros only.
    Randomness,
    /// More results in one run than this party makes: see the parameters of the protocol.
    TooMany {
        /// The number that was asked for.
        got: usize,
        /// The most that this party makes.
        most: usize,
    },
    /// The messages of the run could take more than the 4 GiB that a sealed session can hold.
    TooLarge,
    /// The record of this run was stored before, so it has started, or could have: begin under another record.
    AlreadyRecorded,
    /// The parameters contradict each other; the text says how.
    Inconsistent(&'static str),
    /// The protocol's definition contradicts its own limits; a defect, not a condition to handle.
    Protocol(&'static str),
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ZeroParty => f.write_str("got party 0, parties are numbered from 1"),
            Self::TooFewParties => {
                f.write_str("got fewer than two parties, a run needs at least two")
            }
            Self::TooManyParties => f.write_str(
                "got more parties than the protocol accepts: its documentation says how many",
            ),
            Self::DuplicateParty(party) => {
                write!(f, "party {party} is listed twice, expected each party once")
            }
            Self::NotAParty(party) => write!(f, "party {party} is not one of the parties"),
            Self::Threshold => {
                f.write_str("the threshold is not between 2 and the number of parties")
            }
            Self::Randomness => {
                f.write_str("the generator of random numbers gives zeros only: take another")
            }
            Self::TooMany { got, most } => write!(
                f,
                "got a run for {got} results, this party makes at most {most} in one: ask for fewer, or raise its bound"
            ),
            Self::TooLarge => f.write_str(
                "the messages of this run could take more than 4 GiB: take fewer parties, or ask for fewer results",
            ),
            Self::AlreadyRecorded => f.write_str(
                "the record of this run was stored before, and it starts once: take another record",
            ),
            Self::Inconsistent(how) => write!(f, "the parameters contradict each other: {how}"),
            Self::Protocol(how) => write!(f, "a defect in the protocol, please report it: {how}"),
        }
    }
}

impl core::error::Error for ParamError {}

/// A frame that was not taken. The run is as it was before, can continue, and nobody is blamed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Rejected {
    /// The frame is of another version of the wire format.
    OtherVersion {
        /// This party's version.
        expected: u8,
        /// The version found.
        found: u8,
    },
    /// The frame is of another protocol.
    OtherProtocol {
        /// The [code](crate::Protocol::CODE) of this protocol.
        expected: u8,
        /// The code found.
        found: u8,
    },
    /// The frame is of another session id, or, after round 1, of a run that it does not identify.
    OtherSession,
    /// The sender runs this session with other parameters; the label of the first that differs.
    /// One of the two is misconfigured.
    OtherParameters {
        /// The difference: the label under which the protocol [binds](crate::Protocol::bind) it.
        which: &'static str,
    },
    /// The frame names another sender than the transport does.
    OtherSender {
        /// The sender that the frame names.
        named: PartyId,
    },
    /// The frame is for another party.
    OtherRecipient(PartyId),
    /// The sender is not a peer in this run (the party itself is not its own peer either).
    UnknownSender(PartyId),
    /// A frame that this run never expects: truncated, or of a round or kind out of place.
    BadFrame,
    /// The body is longer than its round allows. Nothing was stored.
    Oversized {
        /// The longest body that the round allows, in bytes.
        limit: usize,
        /// The length of the body, in bytes.
        got: usize,
    },
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherVersion { expected, found } => {
                write!(f, "a frame of wire version {found}, expected {expected}: update the older of the two")
            }
            Self::OtherProtocol { expected, found } => {
                write!(f, "a frame of protocol {found}, expected {expected}: deliver it to that session")
            }
            Self::OtherSession => f.write_str("a frame of another session: deliver it there, or agree on one session id"),
            Self::OtherParameters { which } => {
                write!(f, "the sender was started with another {which}: start all with the same")
            }
            Self::OtherSender { named } => write!(
                    f,
                    "the frame names party {named} as its sender, the transport has it from another"
                ),
            Self::OtherRecipient(party) => write!(f, "the frame is for party {party}: deliver it there"),
            Self::UnknownSender(party) => write!(f, "party {party} is not a peer in this run"),
            Self::BadFrame => f.write_str(
                "the frame is truncated, or of a round or kind that this run never expects: send it again",
            ),
            Self::Oversized { limit, got } => {
                write!(f, "a message of {got} bytes, its round allows {limit}")
            }
        }
    }
}

impl core::error::Error for Rejected {}

/// Frames of one peer that were not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// The peer that sent them, as the transport says.
    pub from: PartyId,
    /// The number of frames.
    pub count: u64,
    /// The reason why the last of them was not taken.
    pub last: Rejected,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, count, last } = self;
        match count {
            1 => write!(f, "1 frame rejected from party {from}: {last}"),
            _ => write!(f, "{count} frames rejected from party {from} (the last: {last})"),
        }
    }
}

/// Something sealed could not be opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SealError {
    /// Not the container that was asked for: damaged, or of another kind, version, curve or family. A sealed session of
    /// another protocol is one of another family.
    Container(ContainerError),
    /// The sealed content does not have a form that the library writes.
    Malformed,
    /// Wrong key, wrong domain, or bytes that were altered together with their digest.
    Unauthentic,
    /// Sealed by a run with other parameters.
    OtherParams,
    /// The replay did not give the messages that were sent. A resumed session would send different
    /// messages in the same round, so it is refused.
    Diverged,
    /// The tombstone of a run that has ended. Nothing is left to resume.
    Ended,
    /// The parameters given are refused by the protocol.
    Params(ParamError),
}

impl fmt::Display for SealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Container(why) => why.fmt(f),
            Self::Malformed => f.write_str("the seal opens, but its content is not what this library writes"),
            Self::Unauthentic => f.write_str(
                "sealed under another key or for another purpose, or the bytes were altered in store",
            ),
            Self::OtherParams => {
                f.write_str("sealed by a run with other parameters: open it with its own")
            }
            Self::Diverged => f.write_str(
                "the replay gives other messages than were sent, by another release perhaps: give up this run",
            ),
            Self::Ended => f.write_str("the run has ended: this is its tombstone, begin a run with a new session id"),
            Self::Params(error) => write!(f, "the parameters are refused: {error}"),
        }
    }
}

impl core::error::Error for SealError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Params(error) => Some(error),
            Self::Container(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ContainerError> for SealError {
    fn from(error: ContainerError) -> Self {
        Self::Container(error)
    }
}

impl From<ParamError> for SealError {
    fn from(error: ParamError) -> Self {
        Self::Params(error)
    }
}

impl From<ReadError> for SealError {
    fn from(_: ReadError) -> Self {
        Self::Malformed
    }
}
