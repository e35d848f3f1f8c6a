//! Errors of inventories of presignatures.

use alloc::vec::Vec;
use core::fmt;

use quorate_session::PartyId;

use super::list;
use crate::DecodeError;

/// The reason why a presignature is not added to an inventory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum InsertError {
    /// The presignature is another party's.
    OtherParty(PartyId),
    /// Another presignature of its name is or was here: a session was restored from an old state and ended a second
    /// time, differently. The new one is dropped.
    SecondOfItsName,
}

impl fmt::Display for InsertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherParty(party) => write!(
                f,
                "got a presignature of party {party}, expected one of this inventory's party"
            ),
            Self::SecondOfItsName => f.write_str(
                "another presignature of this name is or was here: a session was restored from an \
                 old state, and this one must not be used",
            ),
        }
    }
}

impl core::error::Error for InsertError {}

/// A signer's fault with its list of presignatures: its own bytes show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ListFault {
    /// The list does not decode.
    Malformed(DecodeError),
}

impl fmt::Display for ListFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(error) => write!(f, "a list that does not decode: {error}"),
        }
    }
}

impl core::error::Error for ListFault {}

/// The reason why a list of presignatures is not the one that was asked for. This is no cheating.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ListMismatch {
    /// The bytes are no list of presignatures over this curve, or one of another release.
    OtherFormat(DecodeError),
    /// The list is about presignatures of other signers.
    OtherSigners,
}

impl fmt::Display for ListMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherFormat(error) => write!(f, "no list of presignatures: {error}"),
            Self::OtherSigners => f.write_str("a list for other signers than those asked for"),
        }
    }
}

impl core::error::Error for ListMismatch {}

/// The reason why the presignatures that all signers hold are not known.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IntersectError {
    /// This party is none of the signers.
    NotASigner,
    /// Lists of these signers have not come. In ascending order.
    Missing(Vec<PartyId>),
    /// A list from this party, which is none of the other signers.
    Unexpected(PartyId),
    /// Two different lists from this party, perhaps of different times: take the later one.
    Duplicate(PartyId),
    /// The lists of exactly these signers are wrong. In ascending order, never empty.
    Cheaters(Vec<(PartyId, ListFault)>),
    /// No list is wrong, but those of these signers are other lists than were asked for. In
    /// ascending order, never empty.
    Mismatch(Vec<(PartyId, ListMismatch)>),
}

impl IntersectError {
    /// The parties that are to blame: those of [`IntersectError::Cheaters`], else none.
    pub fn culprits(&self) -> impl Iterator<Item = PartyId> + '_ {
        let cheaters: &[(PartyId, ListFault)] = match self {
            Self::Cheaters(cheaters) => cheaters,
            // Named one by one, so that a new variant has to decide.
            Self::NotASigner
            | Self::Missing(_)
            | Self::Unexpected(_)
            | Self::Duplicate(_)
            | Self::Mismatch(_) => &[],
        };
        cheaters.iter().map(|(party, _)| *party)
    }
}

impl fmt::Display for IntersectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASigner => {
                f.write_str("the party whose inventory this is, is not among the signers")
            }
            Self::Missing(parties) => list(f, "no list yet from", parties),
            Self::Unexpected(party) => write!(f, "party {party} is not one of the other signers"),
            Self::Duplicate(party) => {
                write!(f, "two different lists of party {party}: keep the later one")
            }
            Self::Cheaters(cheaters) => {
                f.write_str("wrong lists")?;
                cheaters.iter().try_for_each(|(party, fault)| write!(f, "; party {party}: {fault}"))
            }
            Self::Mismatch(parties) => {
                f.write_str("got other lists than those asked for")?;
                parties.iter().try_for_each(|(party, what)| write!(f, "; party {party}: {what}"))
            }
        }
    }
}

impl core::error::Error for IntersectError {}
