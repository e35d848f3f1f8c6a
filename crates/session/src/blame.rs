//! Aborted runs: the culprits, their faults, and the frames that show them.

use alloc::{boxed::Box, collections::BTreeMap, vec::Vec};
use core::fmt;

use crate::{FrameBytes, PartyId, Rejection, Round, frame::Header, wire::ReadError};

/// The reason for which a run was aborted. The run is over and its secrets are wiped.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Abort {
    /// These parties provably misbehaved towards this one: every culprit of the round, never empty.
    Misbehaviour(Vec<Blame>),
    /// A check failed, and its failure does not show who misbehaved.
    Unattributed {
        /// The round whose messages were being verified.
        round: Round,
        /// The check that failed.
        check: Check,
        /// This party's view, for [`Check::EchoMismatch`]: the broadcasts of the round before,
        /// and the frames of the parties that saw different ones. Together with another party's view it
        /// convicts the sender: [`Evidence::equivocators`].
        evidence: Option<Box<Evidence>>,
    },
    /// The caller [gave up](crate::Session::give_up), and nobody is to blame by what had arrived.
    Missing {
        /// The round that was being waited for.
        round: Round,
        /// The parties that were silent, which proves nothing: the network may have lost the frames.
        parties: Vec<PartyId>,
        /// The rejected frames, by sender. A party in this list is not silent: it was started with other
        /// parameters than this one, or the transport mixes up runs or senders.
        rejected: Vec<Rejection>,
    },
}

impl Abort {
    /// Blames these parties, without evidence. [`Inbox::blame`](crate::Inbox::blame) adds it.
    ///
    /// With no faults at all there is nobody to blame: [`Check::Internal`].
    #[must_use]
    pub fn blame(round: Round, faults: Vec<(PartyId, Fault)>) -> Self {
        Self::from_blames(
            round,
            faults
                .into_iter()
                .map(|(party, fault)| Blame { party, round, fault, evidence: None })
                .collect(),
        )
    }

    /// A failure that does not show who misbehaved.
    #[must_use]
    pub const fn unattributed(round: Round, check: Check) -> Self {
        Self::Unattributed { round, check, evidence: None }
    }

    /// The parties blamed, in the order found; none unless [`Abort::Misbehaviour`].
    pub fn culprits(&self) -> impl Iterator<Item = PartyId> + '_ {
        let blames: &[Blame] = match self {
            Self::Misbehaviour(blames) => blames,
            _ => &[],
        };
        blames.iter().map(|blame| blame.party)
    }

    pub(crate) fn from_blames(round: Round, blames: Vec<Blame>) -> Self {
        if blames.is_empty() {
            return Self::unattributed(round, Check::Internal);
        }
        Self::Misbehaviour(blames)
    }
}

impl fmt::Display for Abort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Misbehaviour(blames) => {
                f.write_str("aborted")?;
                blames.iter().try_for_each(|blame| write!(f, "; {blame}"))
            }
            Self::Unattributed { round, check, .. } => {
                write!(f, "aborted in round {round}: {check}")
            }
            Self::Missing { round, parties, rejected } => {
                if parties.is_empty() {
                    write!(f, "gave up in round {round}, with every message there")?;
                } else {
                    write!(f, "gave up in round {round}, still waiting for")?;
                }
                let mut separator = " ";
                for party in parties {
                    write!(f, "{separator}party {party}")?;
                    separator = ", ";
                }
                rejected.iter().try_for_each(|rejection| write!(f, "; {rejection}"))
            }
        }
    }
}

impl core::error::Error for Abort {}

/// One culprit of a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blame {
    /// The culprit.
    pub party: PartyId,
    /// The round whose message is at fault.
    pub round: Round,
    /// The fault in it.
    pub fault: Fault,
    /// The frames that show it.
    pub evidence: Option<Evidence>,
}

impl fmt::Display for Blame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "party {} in round {}: {}", self.party, self.round, self.fault)
    }
}

/// A party's misbehaviour, named after the check that found it. All protocols share the list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// A message does not decode, or not strictly (trailing bytes, non-canonical form).
    Malformed,
    /// A list has another number of entries than the protocol demands.
    WrongLength,
    /// Two different messages of one kind in one round.
    Equivocation,
    /// Bytes that are no point of the group.
    InvalidPoint,
    /// Bytes that are no canonical scalar.
    InvalidScalar,
    /// A commitment or a public value is the neutral element.
    IdentityCommitment,
    /// A revealed value is not the one that had been committed to.
    InvalidDecommitment,
    /// A proof of possession of a secret does not verify.
    InvalidProofOfPossession,
    /// A zero-knowledge proof does not verify.
    InvalidProof,
    /// A secret share does not lie on the committed polynomial.
    InvalidShare,
    /// A share of a signature does not verify.
    InvalidSignatureShare,
    /// A value that must equal a known one, or be zero, does not.
    InvalidSum,
    /// A modulus of the wrong size or form.
    InvalidModulus,
    /// A confirmation of another result than the one that follows from the broadcasts that its
    /// sender says it saw.
    InvalidConfirmation,
    /// A complaint, with a proof that holds, about a value that is right.
    FalseComplaint,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "message does not decode",
            Self::WrongLength => "list with another number of entries than the protocol demands",
            Self::Equivocation => "two different messages in one round",
            Self::InvalidPoint => "bytes that are no point of the group",
            Self::InvalidScalar => "bytes that are no canonical scalar",
            Self::IdentityCommitment => "commitment is the neutral element",
            Self::InvalidDecommitment => "revealed value does not match its commitment",
            Self::InvalidProofOfPossession => "proof of possession does not verify",
            Self::InvalidProof => "proof does not verify",
            Self::InvalidShare => "share is not on the committed polynomial",
            Self::InvalidSignatureShare => "signature share does not verify",
            Self::InvalidSum => "sum is not the value that it has to be",
            Self::InvalidModulus => "modulus of the wrong size or form",
            Self::InvalidConfirmation => "confirms another result than its broadcasts give",
            Self::FalseComplaint => "complains about a value that is right",
        })
    }
}

impl core::error::Error for Fault {}

impl From<ReadError> for Fault {
    fn from(_: ReadError) -> Self {
        Self::Malformed
    }
}

/// A check whose failure shows that somebody misbehaved, but not who.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Check {
    /// A peer saw other broadcasts in the previous round than this party did: somebody sent
    /// different messages to different parties, or a party lies about the ones that it saw.
    EchoMismatch,
    /// The result does not verify although every contribution did.
    ResultMismatch,
    /// A party says that a message to it alone does not fit what its sender told all. Either the party or the sender
    /// lies, and only these two can know which.
    Complaint,
    /// The protocol broke its own limits, or found this party at fault: a defect.
    Internal,
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EchoMismatch => "the parties saw different broadcasts: two of them that compare their evidence find who sent them",
            Self::ResultMismatch => "the result does not verify although every contribution did",
            Self::Complaint => "a party complains about a message to it alone: it or the sender lies",
            Self::Internal => "a defect in the protocol, please report it",
        })
    }
}

/// The frames that show a fault, as they were received.
///
/// An outsider can be convinced by them only if the caller's transport signs frames, and the
/// caller keeps the signatures. Frames to one party were confidential: look at
/// them before you publish them. `Debug` prints lengths only.
#[derive(Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The digest of protocol, session, parties and parameters that every frame of the run carries.
    pub context: [u8; 32],
    /// The frames, each with its authenticated sender. All evidence of a run shares the broadcasts.
    pub frames: Vec<(PartyId, FrameBytes)>,
}

impl Evidence {
    /// These frames of the run with this context, each with its authenticated sender.
    pub fn new<B: Into<FrameBytes>>(
        context: [u8; 32],
        frames: impl IntoIterator<Item = (PartyId, B)>,
    ) -> Self {
        let frames = frames.into_iter().map(|(from, frame)| (from, frame.into())).collect();
        Self { context, frames }
    }

    /// Returns whether these frames show that `party` sent two different messages of one kind in one round.
    ///
    /// A pure function of the frames, for third parties. The transport's signatures have to show that `party` did
    /// send them. An honest run holds no frames for which this is true.
    #[must_use]
    pub fn proves_equivocation(&self, party: PartyId) -> bool {
        self.contradictions(self.frames.iter()).any(|(from, _)| from == party)
    }

    /// The parties that are convicted of equivocation by this evidence and another receiver's
    /// together: each sent two different messages of one kind in one round. Each comes with its two
    /// frames, which [prove](Self::proves_equivocation) it.
    #[must_use]
    pub fn equivocators(&self, other: &Self) -> Vec<(PartyId, Self)> {
        if self.context != other.context {
            return Vec::new();
        }
        let found = self.contradictions(self.frames.iter().chain(&other.frames));
        let convicted: BTreeMap<_, _> = found.collect();
        let evidence = |frames| Self { context: self.context, frames };
        convicted.into_iter().map(|(party, frames)| (party, evidence(frames))).collect()
    }

    /// Pairs of different frames with the same header, each with its sender.
    fn contradictions<'f>(
        &self,
        frames: impl Iterator<Item = &'f (PartyId, FrameBytes)>,
    ) -> impl Iterator<Item = (PartyId, Vec<(PartyId, FrameBytes)>)> {
        let context = self.context;
        let mut first: BTreeMap<_, &'f FrameBytes> = BTreeMap::new();
        frames.filter_map(move |(from, bytes)| {
            let header = Header::parse(bytes)?;
            if header.context != context || header.from != *from {
                return None;
            }
            let key = (header.version, header.code, header.round, header.from, header.to);
            let known = *first.entry(key).or_insert(bytes);
            let both = || [known, bytes].map(|frame| (*from, frame.clone())).to_vec();
            (known != bytes).then(|| (*from, both()))
        })
    }
}

impl fmt::Debug for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frames = self.frames.iter().map(|(from, frame)| (from, frame.len()));
        f.write_str("Evidence ")?;
        f.debug_list().entries(frames).finish()
    }
}
