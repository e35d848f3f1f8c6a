//! Errors between a presignature and a signature.

use alloc::vec::Vec;
use core::fmt;

use quorate_keys::Mismatch;
use quorate_session::PartyId;

use super::list;
use crate::{DecodeError, DeriveError};

/// The reason why a presignature is not spent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ClaimError {
    /// There is no presignature of this name.
    Unknown,
    /// The share of the key is another party's.
    OtherParty,
    /// The share of the key is not confirmed by all of its parties.
    Unconfirmed,
    /// The presignature was made for another key, or with shares of another epoch: the key was refreshed or reshared since.
    Mismatch(Mismatch),
    /// The path of the claim leads to no key.
    NoChild(DeriveError),
    /// The digest is zero modulo the order. No hash function is known to give that.
    ZeroDigest,
    /// The re-randomised nonce has no r, a chance of 2^-255 for each message.
    NoNonce,
    /// The receipt is for another record than that of the claim.
    OtherReceipt,
}

/// The text for a zero r, which is the same in all errors and never occurs.
const NO_NONCE: &str =
    "the nonce for this key and message is zero, a chance of 2^-255: take another presignature";
/// A caller's mistake.
const NOT_A_CHILD: &str =
    "the key is not derived from the one of the presignature by its tweak: derive it from there";

impl fmt::Display for ClaimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str(
                "no presignature of this name is held: it is spent, or was made elsewhere",
            ),
            Self::OtherParty => f.write_str(
                "the presignature is one party's and the key share another's: take those of one",
            ),
            Self::Unconfirmed => f.write_str(
                "the key share is not confirmed: confirm it once all parties name its package",
            ),
            Self::Mismatch(why) => {
                write!(
                    f,
                    "the presignature does not fit the share: {why}; drop it once the key is past its epoch"
                )
            }
            Self::NoChild(error) => write!(f, "there is no key at this path: {error}"),
            Self::ZeroDigest => {
                f.write_str("the digest is zero modulo the order: it is no hash of a message")
            }
            Self::NoNonce => f.write_str(NO_NONCE),
            Self::OtherReceipt => f.write_str(
                "the receipt is for another record: store the record of this claim first",
            ),
        }
    }
}

impl core::error::Error for ClaimError {}

impl From<Mismatch> for ClaimError {
    fn from(why: Mismatch) -> Self {
        Self::Mismatch(why)
    }
}

/// A signer's fault with its share of a signature: its own bytes show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ShareFault {
    /// The share does not decode.
    Malformed(DecodeError),
    /// The share is not the one that the signer owes for the presignature and the message that it names.
    Equation,
}

impl fmt::Display for ShareFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(error) => write!(f, "a share that does not decode: {error}"),
            Self::Equation => f.write_str("a wrong share"),
        }
    }
}

impl core::error::Error for ShareFault {}

/// The difference between a share of a signature and the signature that is aggregated. **No cheating**: one corrupt
/// party that tells two honest ones different things makes their shares differ like this.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ShareMismatch {
    /// The bytes are no share of a signature over this curve, or one of another release.
    OtherFormat(DecodeError),
    /// The share is for another presignature.
    OtherPresignature,
    /// The share is for a presignature of the same name with other points: the run ended differently for
    /// its signer, as when a session was restored from an old state.
    OtherPoints,
    /// The share is for another key: that of another path.
    OtherKey,
    /// The share is for another message.
    OtherMessage,
}

impl fmt::Display for ShareMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherFormat(error) => {
                write!(f, "no share of a signature over this curve: {error}")
            }
            Self::OtherPresignature => {
                f.write_str("a share from another presignature than that put together")
            }
            Self::OtherPoints => {
                f.write_str("a share from a presignature of the same name with other points")
            }
            Self::OtherKey => f.write_str("a share for another derived key than that put together"),
            Self::OtherMessage => f.write_str("a share for another message than that put together"),
        }
    }
}

impl core::error::Error for ShareMismatch {}

/// The reason why a share of a signature is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ShareRejected {
    /// The sender is none of the signers.
    NotASigner,
    /// The sender is to blame.
    Fault(ShareFault),
    /// The share is for something else; nobody is to blame.
    Mismatch(ShareMismatch),
    /// The key that signs is not derived from that of the presignature: the caller's mistake.
    NotAChild,
    /// The re-randomised nonce has no r, a chance of 2^-255.
    NoNonce,
}

impl fmt::Display for ShareRejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASigner => f.write_str("the sender is not one of the signers"),
            Self::Fault(fault) => fault.fmt(f),
            Self::Mismatch(mismatch) => mismatch.fmt(f),
            Self::NotAChild => f.write_str(NOT_A_CHILD),
            Self::NoNonce => f.write_str(NO_NONCE),
        }
    }
}

impl core::error::Error for ShareRejected {}

/// The reason why shares do not make a signature.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AggregateError {
    /// Shares of these signers have not come.
    Missing(Vec<PartyId>),
    /// A share from a party that is none of the signers.
    Unexpected(PartyId),
    /// The shares of exactly these signers are wrong. In ascending order, never empty.
    Cheaters(Vec<(PartyId, ShareFault)>),
    /// No share is wrong, but those of these signers are for something else than this presignature,
    /// key and message. Nobody is to blame: agree anew, and ask them again. In ascending order,
    /// never empty.
    Mismatch(Vec<(PartyId, ShareMismatch)>),
    /// The key that signs is not derived from that of the presignature: the caller's mistake.
    NotAChild,
    /// The re-randomised nonce has no r, a chance of 2^-255: take another presignature.
    NoNonce,
    /// Every share is right and the signature is not, or s is zero: a defect, or a chance of
    /// 2^-256.
    Inconsistent,
}

impl AggregateError {
    /// The parties that are to blame: those of [`AggregateError::Cheaters`], else none.
    pub fn culprits(&self) -> impl Iterator<Item = PartyId> + '_ {
        let cheaters: &[(PartyId, ShareFault)] = match self {
            Self::Cheaters(cheaters) => cheaters,
            // Named one by one, so that a new variant has to decide.
            Self::Missing(_)
            | Self::Unexpected(_)
            | Self::Mismatch(_)
            | Self::NotAChild
            | Self::NoNonce
            | Self::Inconsistent => &[],
        };
        cheaters.iter().map(|(party, _)| *party)
    }
}

impl fmt::Display for AggregateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(parties) => list(f, "no share yet from", parties),
            Self::Unexpected(party) => write!(f, "party {party} is not one of the signers"),
            Self::Cheaters(cheaters) => {
                f.write_str("wrong shares")?;
                cheaters.iter().try_for_each(|(party, fault)| write!(f, "; party {party}: {fault}"))
            }
            Self::Mismatch(parties) => {
                f.write_str(
                    "the signers do not agree on what they sign: settle it, and ask again",
                )?;
                parties.iter().try_for_each(|(party, what)| write!(f, "; party {party}: {what}"))
            }
            Self::NotAChild => f.write_str(NOT_A_CHILD),
            Self::NoNonce => f.write_str(NO_NONCE),
            Self::Inconsistent => f.write_str(
                "every share is right, and the signature is not: a defect, please report it",
            ),
        }
    }
}

impl core::error::Error for AggregateError {}
