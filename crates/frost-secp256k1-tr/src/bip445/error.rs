//! The reasons why a step of BIP-445 fails.

use core::fmt;

/// The party that BIP-445 blames for a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Culprit {
    /// The signer at this place of the list, from 0.
    Signer(usize),
    /// The coordinator.
    Coordinator,
}

/// The reason why a step fails. Places in lists are from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A number of signers that is not from the threshold to the number of participants, or such a threshold.
    NumberOfSigners {
        /// The number of signers.
        got: usize,
        /// The threshold.
        threshold: u32,
        /// The number of participants.
        parties: u32,
    },
    /// More participants than [`Signers::MOST_PARTIES`](super::Signers::MOST_PARTIES), or a party of a greater number.
    TooManyParties {
        /// The number of participants.
        got: u32,
    },
    /// More extra input for a nonce than the 2^32 − 1 bytes whose number the BIP can encode.
    ExtraTooLong {
        /// The length, in bytes.
        got: usize,
    },
    /// An identifier that is not below the number of participants.
    BadId {
        /// The place of the list entry.
        at: usize,
    },
    /// One identifier twice.
    DuplicateId {
        /// The identifier.
        id: u32,
    },
    /// A party that holds no share of the key.
    UnknownParty(quorate_frost::session::PartyId),
    /// A public share that is no compressed point.
    BadPublicShare {
        /// The place of the list entry.
        at: usize,
    },
    /// Public shares that are not those of the key.
    OtherKey,
    /// A key that is no compressed point.
    BadKey,
    /// A tweak that is no scalar below the order.
    BadTweak,
    /// A tweak that makes the key the point at infinity.
    Infinity,
    /// A public nonce that is not two compressed points: its signer's fault.
    BadNonce {
        /// The place of its signer.
        at: usize,
    },
    /// A sum of nonces that is not two compressed points or zeros: the coordinator's fault.
    BadSum,
    /// A sum of the other signers' nonces that is not two compressed points. It is the coordinator's fault.
    BadSumOfOthers,
    /// Public nonces whose sum is not that of the session: somebody added up different ones.
    OtherNonces,
    /// A session for another key than the share's.
    ForeignKey,
    /// A session for another threshold or another number of participants than the share's.
    ForeignCommittee,
    /// A signer that is not among those of the session.
    NotASigner,
    /// A share that is not that of its signer in the session, or does not have the sign of the session's key.
    OtherShare,
    /// A share that is zero.
    ZeroShare,
    /// A secret nonce that is zero: it was spent, or wiped.
    ZeroNonce,
    /// A share that not all parties have confirmed, nor its owner.
    Unconfirmed,
    /// Another number of nonces or of partial signatures than there are signers.
    WrongCount {
        /// The number.
        got: usize,
        /// The number of signers.
        expected: usize,
    },
    /// A partial signature that is no scalar below the order: its signer's fault.
    BadShare {
        /// The place of its signer.
        at: usize,
    },
    /// A partial signature that does not satisfy its equation: its signer's fault, if the nonces were added up honestly.
    WrongShare {
        /// The place of its signer.
        at: usize,
    },
    /// A sum of partial signatures that is no signature: verify each of them.
    NoSignature,
    /// A hash that is zero, which does not happen.
    ZeroHash,
}

impl Error {
    /// The party that BIP-445 blames, if any.
    #[must_use]
    pub const fn culprit(&self) -> Option<Culprit> {
        match self {
            Self::BadNonce { at } | Self::BadShare { at } | Self::WrongShare { at } => {
                Some(Culprit::Signer(*at))
            }
            Self::BadSum | Self::BadSumOfOthers => Some(Culprit::Coordinator),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NumberOfSigners { got, threshold, parties } => {
                write!(f, "got {got} signers, expected {threshold} to {parties}, and at least one")
            }
            Self::TooManyParties { got } => {
                write!(f, "got {got} participants, expected at most 128")
            }
            Self::ExtraTooLong { got } => {
                write!(
                    f,
                    "got {got} bytes of extra input, expected fewer than 2^32: hash them first"
                )
            }
            Self::BadId { at } => {
                write!(f, "the identifier at {at} is not below the number of participants")
            }
            Self::DuplicateId { id } => write!(f, "the identifier {id} is there twice"),
            Self::UnknownParty(party) => {
                write!(f, "party {party} holds no share of this key: leave it out")
            }
            Self::BadPublicShare { at } => {
                write!(f, "the public share at {at} is no compressed point")
            }
            Self::BadNonce { at } => {
                write!(f, "the public nonce at {at} is not two compressed points")
            }
            Self::WrongCount { got, expected } => {
                write!(f, "got {got} values, expected one for each of {expected} signers")
            }
            Self::BadShare { at } => {
                write!(f, "the partial signature at {at} is not below the order of the group")
            }
            Self::WrongShare { at } => write!(f, "the partial signature at {at} does not verify"),
            plain => f.write_str(plain.text()),
        }
    }
}

impl Error {
    /// The text of those that carry no values.
    const fn text(self) -> &'static str {
        match self {
            Self::OtherKey => "the public shares are not those of the key",
            Self::BadKey => "expected a key in compressed form",
            Self::BadTweak => "expected a tweak below the order of the group",
            Self::Infinity => "the tweak makes the key the point at infinity: take another one",
            Self::BadSum => "expected a sum of nonces that is two compressed points, or zeros",
            Self::BadSumOfOthers => "expected a sum of nonces that is two compressed points",
            Self::OtherNonces => "the public nonces do not make the sum of this session",
            Self::ForeignKey => "the session is for another key than the share's",
            Self::ForeignCommittee => {
                "the session is for another threshold or number of participants than the share's"
            }
            Self::NotASigner => "this party is not among the signers of the session",
            Self::OtherShare => "the share is not the one that the session has for its signer",
            Self::ZeroShare => "expected a share that is not zero",
            Self::ZeroNonce => "expected a nonce that is not zero: make a fresh one",
            Self::Unconfirmed => {
                "not all parties have confirmed this key share: ask them, then `confirm` it"
            }
            Self::NoSignature => "the partial signatures make no signature: verify each of them",
            _ => "a hash is zero: start again with fresh nonces",
        }
    }
}

impl core::error::Error for Error {}
