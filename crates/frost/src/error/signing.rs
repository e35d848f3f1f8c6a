//! Errors of signing.

use alloc::vec::Vec;
use core::fmt;

use quorate_keys::Mismatch;
use quorate_session::PartyId;

use super::decode::{DecodeError, list, plural};

/// A list of commitments from which no signing package can be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PackageError {
    /// These parties sent commitments that cannot be read, or that are in another party's name. They are in the
    /// order in which they were given; the list is never empty.
    Malformed(Vec<(PartyId, DecodeError)>),
    /// The commitments of this party were made for another key or epoch. Either it needs the current share, or
    /// the coordinator the current package. Nobody is to blame.
    Mismatch {
        /// The signer.
        party: PartyId,
        /// The difference.
        why: Mismatch,
    },
    /// No commitments at all.
    Empty,
    /// Two commitments of one party.
    DuplicateParty(PartyId),
    /// A party that holds no share of the key.
    UnknownParty(PartyId),
    /// Fewer signers than the key's threshold.
    TooFewSigners {
        /// The number of signers.
        got: usize,
        /// The threshold.
        need: usize,
    },
    /// A message longer than 2^32 − 2^24 bytes.
    MessageTooLong,
    /// The group commitment is the identity: commitments were chosen to cancel each other.
    IdentityCommitment,
}

impl PackageError {
    /// The parties that are to blame: those of [`PackageError::Malformed`], without those that merely sent
    /// another kind of object, or one of another suite or release. Otherwise none.
    pub fn culprits(&self) -> impl Iterator<Item = PartyId> + '_ {
        let malformed: &[_] = match self {
            Self::Malformed(parties) => parties,
            // Named one by one, so that a new variant has to decide.
            Self::Mismatch { .. }
            | Self::Empty
            | Self::DuplicateParty(_)
            | Self::UnknownParty(_)
            | Self::TooFewSigners { .. }
            | Self::MessageTooLong
            | Self::IdentityCommitment => &[],
        };
        malformed.iter().filter(|(_, why)| !why.is_another_format()).map(|(party, _)| *party)
    }
}

impl fmt::Display for PackageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(parties) => {
                f.write_str("commitments that cannot be read")?;
                parties.iter().try_for_each(|(party, why)| write!(f, "; from party {party}: {why}"))
            }
            Self::Mismatch { party, why } => write!(f, "the commitments of party {party}: {why}"),
            Self::Empty => f.write_str(
                "got no commitments, expected those of as many signers as the threshold",
            ),
            Self::DuplicateParty(party) => {
                write!(f, "got two commitments of party {party}, expected one of each signer")
            }
            Self::UnknownParty(party) => unknown(f, *party),
            Self::TooFewSigners { got, need } => too_few(f, *got, *need),
            Self::MessageTooLong => {
                f.write_str("a message of more than 2^32 − 2^24 bytes, expected at most that")
            }
            Self::IdentityCommitment => f.write_str(IDENTITY),
        }
    }
}

/// The reason why a batch gives no nonces for a package. Nothing is taken out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClaimError {
    /// The batch has no pair with the commitments that the package lists for this party, or the package lists none. A pair that was
    /// there is spent.
    NoNonces,
    /// The share does not sign this package.
    Sign(SignError),
}

impl From<SignError> for ClaimError {
    fn from(why: SignError) -> Self {
        Self::Sign(why)
    }
}

impl fmt::Display for ClaimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNonces => f.write_str(
                "the batch has no nonces with the commitments of this party in the package: they \
                 are spent, or another batch's",
            ),
            Self::Sign(why) => why.fmt(f),
        }
    }
}

/// The reason why a signer refuses to sign. Nonces that [`KeyShare::sign`](crate::KeyShare::sign) was given are spent all the same;
/// [`NonceBatch::claim_for`](crate::NonceBatch::claim_for) makes the checks before it takes a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignError {
    /// The package does not name this party.
    NotASigner,
    /// The commitments that the package has for this party are not those of the nonces.
    CommitmentMismatch,
    /// The package, or the nonces, were made for another key or epoch. Nobody is to blame.
    Mismatch(Mismatch),
    /// The nonces were released for another package.
    OtherPackage,
    /// Not all parties have confirmed this key share, and neither has its owner:
    /// [`KeyShare::confirm`](crate::KeyShare::confirm).
    Unconfirmed,
    /// Fewer signers than the key's threshold.
    TooFewSigners {
        /// The number of signers.
        got: usize,
        /// The threshold.
        need: usize,
    },
    /// A signer that holds no share of the key.
    UnknownParty(PartyId),
    /// The group commitment is the identity: the package was made to fail.
    IdentityCommitment,
    /// The seed has another length than the suite's, or the randomiser gives no key, which for a hash never happens.
    Tweak,
}

impl fmt::Display for SignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASigner => f.write_str(
                "this party is not among the signers of the package: it has nothing to sign",
            ),
            Self::CommitmentMismatch => f.write_str(
                "the package has other commitments of this party than those of these nonces: take \
                 the nonces that it asks for",
            ),
            Self::Mismatch(why) => {
                write!(f, "the package or the nonces are not this key share's: {why}")
            }
            Self::OtherPackage => f.write_str(
                "the nonces were released for another package, and sign that one or none",
            ),
            Self::Unconfirmed => f.write_str(
                "not all parties have confirmed this key share: ask them for their package ids, \
                 then `confirm` it",
            ),
            Self::TooFewSigners { got, need } => too_few(f, *got, *need),
            Self::UnknownParty(party) => unknown(f, *party),
            Self::IdentityCommitment => f.write_str(IDENTITY),
            Self::Tweak => f.write_str("the randomiser gives no key: ask for another seed"),
        }
    }
}

/// The reason why the shares do not make a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AggregateError {
    /// The package, or the share of this party, was made for another key or epoch. Nobody is to
    /// blame.
    Mismatch {
        /// The signer; none for the signing package itself.
        party: Option<PartyId>,
        /// The difference.
        why: Mismatch,
    },
    /// The share of this party is for another signing package, with another message or other commitments, which
    /// somebody sent it. Nobody is to blame.
    OtherPackage(PartyId),
    /// A signer that holds no share of the key.
    UnknownParty(PartyId),
    /// Fewer signers than the key's threshold.
    TooFewSigners {
        /// The number of signers.
        got: usize,
        /// The threshold.
        need: usize,
    },
    /// Shares of these signers have not come.
    MissingShares(Vec<PartyId>),
    /// A share of a party that the package does not name.
    UnexpectedShare(PartyId),
    /// Two shares of one party.
    DuplicateShare(PartyId),
    /// The group commitment is the identity.
    IdentityCommitment,
    /// The shares of exactly these parties are wrong, for the package that this coordinator made. The list
    /// ascends, and is never empty.
    Cheaters(Vec<PartyId>),
}

impl AggregateError {
    /// The parties that are to blame: those of [`AggregateError::Cheaters`], else none.
    #[must_use]
    pub fn culprits(&self) -> &[PartyId] {
        match self {
            Self::Cheaters(parties) => parties,
            // Named one by one, so that a new variant has to decide.
            Self::Mismatch { .. }
            | Self::OtherPackage(_)
            | Self::UnknownParty(_)
            | Self::TooFewSigners { .. }
            | Self::MissingShares(_)
            | Self::UnexpectedShare(_)
            | Self::DuplicateShare(_)
            | Self::IdentityCommitment => &[],
        }
    }
}

impl fmt::Display for AggregateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mismatch { party: None, why } => write!(f, "the signing package: {why}"),
            Self::Mismatch { party: Some(party), why } => {
                write!(f, "the signature share of party {party}: {why}")
            }
            Self::OtherPackage(party) => {
                write!(f, "the signature share of party {party} is for another signing package")
            }
            Self::UnknownParty(party) => unknown(f, *party),
            Self::TooFewSigners { got, need } => too_few(f, *got, *need),
            Self::MissingShares(parties) => {
                let noun = plural(parties.len(), "share", "shares");
                write!(f, "no signature {noun} yet")?;
                list(f, " from", parties)
            }
            Self::UnexpectedShare(party) => {
                write!(f, "got a signature share of party {party}, which is not among the signers")
            }
            Self::DuplicateShare(party) => {
                write!(f, "got two signature shares of party {party}, expected one of each signer")
            }
            Self::IdentityCommitment => f.write_str(IDENTITY),
            Self::Cheaters(parties) => {
                let noun = plural(parties.len(), "share", "shares");
                write!(f, "wrong signature {noun}")?;
                list(f, " from", parties)?;
                f.write_str(": sign again without them")
            }
        }
    }
}

const IDENTITY: &str = "the commitments cancel each other: start again with fresh ones";

fn too_few(f: &mut fmt::Formatter<'_>, got: usize, need: usize) -> fmt::Result {
    write!(f, "got {got} {}, need at least {need}", plural(got, "signer", "signers"))
}

fn unknown(f: &mut fmt::Formatter<'_>, party: PartyId) -> fmt::Result {
    write!(f, "party {party} holds no share of this key: leave it out")
}

/// The reason why a share is not accepted. The session is unharmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShareRejected {
    /// The share cannot be read, or is in another party's name. This is the sender's fault.
    Malformed(DecodeError),
    /// The sender has sent a different share for this package before. This is the sender's fault.
    Conflicting,
    /// The sender is not one of the signers. Nobody is to blame.
    NotASigner,
    /// The share was made for another key or epoch. Nobody is to blame.
    Mismatch(Mismatch),
    /// The share is for another signing package, with another message or other commitments, which somebody sent
    /// the signer. Nobody is to blame.
    OtherPackage,
}

impl ShareRejected {
    /// Returns whether the sender is to blame: no honest signer sends such a share, whatever package it was sent.
    #[must_use]
    pub const fn is_senders_fault(&self) -> bool {
        match self {
            Self::Malformed(why) => !why.is_another_format(),
            Self::Conflicting => true,
            Self::NotASigner | Self::Mismatch(_) | Self::OtherPackage => false,
        }
    }
}

impl fmt::Display for ShareRejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(why) => write!(f, "a signature share that cannot be read: {why}"),
            Self::Conflicting => f.write_str(
                "the sender has sent another signature share for this package: the first one stays",
            ),
            Self::NotASigner => f.write_str("the sender is not among the signers of this package"),
            Self::Mismatch(why) => write!(f, "the signature share is not of this package: {why}"),
            Self::OtherPackage => f.write_str(
                "the signature share is for another signing package: send this one to its signer",
            ),
        }
    }
}

/// A receipt for another record than the claim's. The nonces stay in the stored batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceiptError;

impl fmt::Display for ReceiptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the receipt is for another record than this claim's: store `record()` and take its receipt")
    }
}

impl core::error::Error for PackageError {}
impl core::error::Error for ClaimError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::NoNonces => None,
            Self::Sign(why) => Some(why),
        }
    }
}

impl core::error::Error for SignError {}
impl core::error::Error for AggregateError {}
impl core::error::Error for ShareRejected {}
impl core::error::Error for ReceiptError {}
