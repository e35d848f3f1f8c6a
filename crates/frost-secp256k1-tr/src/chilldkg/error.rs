//! The reasons why a step of ChillDKG fails, and the party that the draft suspects.

use core::fmt;

use quorate_frost::CommitteeError;
use quorate_frost::session::PartyId;

/// The party that the draft blames for a failure, if all messages were delivered as they were sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suspect {
    /// This participant. It is the coordinator's own verdict on the message that the participant sent to it.
    Participant(PartyId),
    /// This participant; or the coordinator, which can make any participant look so.
    ParticipantOrCoordinator(PartyId),
    /// The coordinator.
    Coordinator,
}

/// The fault in the form of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// Another length, in bytes.
    Length {
        /// The length.
        got: usize,
        /// The length that it has to have.
        expected: usize,
    },
    /// A point that is neither compressed nor 33 zeros, which stand for infinity.
    Point,
    /// A scalar that is not below the order of the group.
    Scalar,
}

/// The reason why a step fails. A participant stands here by its party's number, which is the draft's identifier plus one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A threshold and a number of participants that no key can have.
    Committee(CommitteeError),
    /// A host public key that is no compressed point.
    BadHostPublicKey {
        /// The party concerned.
        of: PartyId,
    },
    /// Two participants with one host public key: one of them is not honest, or they are the same.
    DuplicateHostPublicKey {
        /// The first.
        first: PartyId,
        /// The second.
        second: PartyId,
    },
    /// A host secret key that is not 32 bytes, or zero, or not below the order of the group.
    BadHostKey,
    /// A host key that does not belong to any participant.
    NotAParticipant,
    /// Another host key than the one that the run was started with.
    OtherHostKey,
    /// A generator of random numbers that gives zeros only.
    Randomness,
    /// A hash that is zero or not below the order, or a signature that does not verify: a fault of this machine.
    Internal,
    /// Another number of messages than there are participants.
    WrongCount {
        /// The number.
        got: usize,
        /// The number of participants.
        expected: usize,
    },
    /// A participant's message that cannot be read.
    BadMessage {
        /// The sender of the message.
        from: PartyId,
        /// The fault in its form.
        why: Malformed,
    },
    /// A participant's signature of the transcript that does not verify: it is wrong, or of another transcript.
    WrongSignature {
        /// The sender of the message.
        from: PartyId,
    },
    /// A participant's acknowledgement that does not verify. The key is made; whether that participant can restore its
    /// share is not known.
    WrongAcknowledgement {
        /// The sender of the message.
        from: PartyId,
    },
    /// The coordinator's message that cannot be read.
    BadCoordinatorMessage(Malformed),
    /// The coordinator's message does not contain this participant's own nonce or commitment.
    NotMine,
    /// A participant's public nonce of the encryption that is no point.
    BadNonce {
        /// The party concerned.
        of: PartyId,
    },
    /// A participant's commitment to its secret that is the point at infinity.
    NoCommitment {
        /// The party concerned.
        of: PartyId,
    },
    /// A participant's proof that it knows its secret that does not verify.
    WrongProof {
        /// The party concerned.
        of: PartyId,
    },
    /// A participant's public share that turned out to be the point at infinity. That participant can arrange it
    /// alone. Another one can do so by its commitments, but then has no right share for it. Nobody is suspected: if
    /// another one did it, that participant finds its share wrong.
    NeutralShare {
        /// The party concerned.
        of: PartyId,
    },
    /// A key, or a commitment to a coefficient, that turned out to be the point at infinity. t participants can
    /// arrange this.
    NeutralKey,
    /// The certificate has a signature that does not verify. Another participant may have got a right one: keep the host
    /// key, and recover.
    WrongCertificate,
    /// In an investigation: a participant sent a wrong share.
    WrongShare {
        /// Which one.
        of: PartyId,
    },
    /// In an investigation: the public shares of all participants do not add up to the sum that the coordinator
    /// sent before.
    PublicSharesDoNotAddUp,
    /// In an investigation: the encrypted shares of all participants do not add up to the sum that the coordinator
    /// sent before.
    SharesDoNotAddUp,
    /// In an investigation: the share that this participant sent to itself was altered.
    OwnShareAltered,
    /// In an investigation: nothing is wrong, which cannot be.
    NothingWrong,
    /// Recovery data that cannot be read.
    BadRecoveryData,
    /// Recovery data whose certificate has a signature that does not verify.
    UncertifiedRecoveryData {
        /// The party concerned.
        of: PartyId,
    },
}

impl Error {
    /// The party that the draft blames, if any. See [`Suspect`] for how far that can be trusted.
    #[must_use]
    pub const fn suspect(&self) -> Option<Suspect> {
        match self {
            Self::BadMessage { from, .. }
            | Self::WrongSignature { from }
            | Self::WrongAcknowledgement { from } => Some(Suspect::Participant(*from)),
            Self::BadNonce { of }
            | Self::NoCommitment { of }
            | Self::WrongProof { of }
            | Self::WrongShare { of } => Some(Suspect::ParticipantOrCoordinator(*of)),
            Self::BadCoordinatorMessage(_)
            | Self::NotMine
            | Self::WrongCertificate
            | Self::PublicSharesDoNotAddUp
            | Self::SharesDoNotAddUp
            | Self::OwnShareAltered => Some(Suspect::Coordinator),
            _ => None,
        }
    }
}

impl From<CommitteeError> for Error {
    fn from(why: CommitteeError) -> Self {
        Self::Committee(why)
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { got, expected } => write!(f, "got {got} bytes, expected {expected}"),
            Self::Point => f.write_str("a point is not one"),
            Self::Scalar => f.write_str("a scalar is not below the order of the group"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Committee(why) => write!(f, "{why}"),
            Self::BadHostPublicKey { of } => {
                write!(f, "the host public key of party {of} is no compressed point")
            }
            Self::DuplicateHostPublicKey { first, second } => {
                write!(f, "parties {first} and {second} have the same host public key")
            }
            Self::WrongCount { got, expected } => {
                write!(f, "got {got} messages, expected one of each of {expected} participants")
            }
            Self::BadMessage { from, why } => write!(f, "the message of party {from}: {why}"),
            Self::WrongSignature { from } => {
                write!(f, "the signature of party {from} is not one of this transcript")
            }
            Self::WrongAcknowledgement { from } => {
                write!(f, "the acknowledgement of party {from} does not verify: ask it again")
            }
            Self::BadCoordinatorMessage(why) => write!(f, "the coordinator's message: {why}"),
            Self::BadNonce { of } => write!(f, "the public nonce of party {of} is no point"),
            Self::NoCommitment { of } => {
                write!(f, "the commitment of party {of} is the point at infinity")
            }
            Self::WrongProof { of } => {
                write!(f, "party {of} has not proved that it knows its secret")
            }
            Self::NeutralShare { of } => {
                write!(f, "the public share of party {of} is the point at infinity")
            }
            Self::WrongShare { of } => write!(f, "party {of} sent a wrong share"),
            Self::UncertifiedRecoveryData { of } => {
                write!(f, "the recovery data is not signed by party {of}")
            }
            plain => f.write_str(plain.text()),
        }
    }
}

impl Error {
    /// The text of those that carry no values.
    const fn text(self) -> &'static str {
        match self {
            Self::BadHostKey => {
                "expected a host key of 32 bytes, from 1 to the group's order less 1"
            }
            Self::NotAParticipant => "the host key is none of the participants'",
            Self::OtherHostKey => "the host key is not the one that the run was started with",
            Self::Randomness => "the generator of random numbers gives zeros only",
            Self::NotMine => "the coordinator has altered what this participant sent",
            Self::NeutralKey => "the key, or a coefficient of it, is the point at infinity",
            Self::WrongCertificate => {
                "the certificate does not verify: keep the host key, others may have a right one"
            }
            Self::PublicSharesDoNotAddUp => "the public shares do not add up: the coordinator lies",
            Self::SharesDoNotAddUp => "the encrypted shares do not add up: the coordinator lies",
            Self::OwnShareAltered => "the coordinator has altered the share for oneself",
            Self::NothingWrong => "nothing is wrong in the investigation, which cannot be",
            Self::BadRecoveryData => "the recovery data cannot be read",
            _ => "a fault of this machine: start another run",
        }
    }
}

impl core::error::Error for Error {}
