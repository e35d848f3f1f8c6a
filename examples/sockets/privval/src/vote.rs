//! Votes and proposals, as a node of the chain sends them.

use quorate_purpose::comet::{BlockId, Place, Proposal, Vote, VoteExtension, VoteStep};
use quorate_purpose::{Malformed as NoPurpose, Time};

use crate::proto::{Fields, Malformed, Value, put_bytes, put_integer, put_message};

/// A vote that a node wants signed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VoteRequest {
    /// The vote.
    pub vote: Vote,
    /// The address of the validator, which is not signed.
    pub address: Vec<u8>,
    /// The number of the validator, which is not signed.
    pub index: u32,
    /// The extension. Votes that have none have an empty one.
    pub extension: Vec<u8>,
    /// `true` if the chain has no extensions at this height, so that nobody needs a signature of it.
    pub skip_extension: bool,
}

/// A vote with its signatures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedVote {
    /// The request. Its vote is the signed one, which may have an earlier time stamp than the one that was asked for.
    pub request: VoteRequest,
    /// The signature of the vote.
    pub signature: Vec<u8>,
    /// The signature of the extension, which a precommit for a block has.
    pub extension_signature: Vec<u8>,
}

/// A proposal with its signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedProposal {
    /// The proposal.
    pub proposal: Proposal,
    /// The signature.
    pub signature: Vec<u8>,
}

const PROPOSAL: i64 = 32;

fn refused(why: NoPurpose) -> Malformed {
    Malformed(why.reason())
}

/// The fields that votes and proposals share.
#[derive(Default)]
struct Parts<'a> {
    kind: i64,
    height: u64,
    round: u32,
    block: Option<BlockId>,
    time: Option<Time>,
    pol_round: i64,
    address: &'a [u8],
    index: u32,
    extension: &'a [u8],
}

impl Parts<'_> {
    fn place(&self, chain: &str) -> Result<Place, Malformed> {
        Place::new(chain, self.height, self.round).map_err(refused)
    }

    fn time(&self) -> Result<Time, Malformed> {
        self.time.ok_or(Malformed("it has no time stamp"))
    }
}

impl VoteRequest {
    pub(crate) fn read(message: &[u8], chain: &str, skip: bool) -> Result<Self, Malformed> {
        let mut parts = Parts::default();
        for field in Fields::of(message) {
            match field? {
                (1, value) => parts.kind = value.integer()?,
                (2, value) => parts.height = value.number()?,
                (3, value) => parts.round = value.number()?,
                (4, value) => parts.block = block(value)?,
                (5, value) => parts.time = Some(time(value)?),
                (6, value) => parts.address = value.bytes()?,
                (7, value) => parts.index = value.number()?,
                (9, value) => parts.extension = value.bytes()?,
                _ => {}
            }
        }
        let step = match parts.kind {
            1 => VoteStep::Prevote,
            2 => VoteStep::Precommit,
            _ => return Err(Malformed("it is neither a prevote nor a precommit")),
        };
        let vote = Vote::new(step, parts.place(chain)?, parts.block, parts.time()?);
        let vote = vote.map_err(refused)?;
        let (address, extension) = (parts.address.to_vec(), parts.extension.to_vec());
        let read = Self { vote, address, index: parts.index, extension, skip_extension: skip };
        if !read.is_extended() && !read.extension.is_empty() {
            return Err(Malformed("only a precommit for a block has an extension"));
        }
        Ok(read)
    }

    /// Returns whether the vote has an extension, which may be empty: it is a precommit for a block.
    #[must_use]
    pub fn is_extended(&self) -> bool {
        self.vote.step() == VoteStep::Precommit && self.vote.block().is_some()
    }

    /// The extension of the vote, if it has one that is to be signed.
    ///
    /// # Errors
    /// [`Malformed`] if it is too long.
    pub fn to_extend(&self) -> Result<Option<VoteExtension>, Malformed> {
        if !self.is_extended() || self.skip_extension {
            return Ok(None);
        }
        let extension = VoteExtension::new(self.vote.place().clone(), self.extension.clone());
        extension.map(Some).map_err(refused)
    }

    /// The message, without signatures.
    pub(crate) fn to_message(&self) -> Vec<u8> {
        let (mut message, place) = (vec![], self.vote.place());
        let kind = if self.vote.step() == VoteStep::Prevote { 1 } else { 2 };
        put_integer(&mut message, 1, kind);
        put_place(&mut message, place);
        put_message(&mut message, 4, &self.vote.block().map(block_message).unwrap_or_default());
        put_message(&mut message, 5, &time_message(self.vote.time()));
        put_bytes(&mut message, 6, &self.address);
        put_integer(&mut message, 7, self.index.into());
        put_bytes(&mut message, 9, &self.extension);
        message
    }
}

impl SignedVote {
    pub(crate) fn read(message: &[u8], chain: &str) -> Result<Self, Malformed> {
        let request = VoteRequest::read(message, chain, false)?;
        let [signature, extension_signature] = [8, 10].map(|field| bytes_of(message, field));
        let (signature, extension_signature) = (signature?, extension_signature?);
        Ok(Self { request, signature, extension_signature })
    }

    pub(crate) fn to_message(&self) -> Vec<u8> {
        // Fields may come in any order.
        let mut message = self.request.to_message();
        put_bytes(&mut message, 8, &self.signature);
        put_bytes(&mut message, 10, &self.extension_signature);
        message
    }
}

pub(crate) fn read_proposal(message: &[u8], chain: &str) -> Result<Proposal, Malformed> {
    let mut parts = Parts::default();
    for field in Fields::of(message) {
        match field? {
            (1, value) => parts.kind = value.integer()?,
            (2, value) => parts.height = value.number()?,
            (3, value) => parts.round = value.number()?,
            (4, value) => parts.pol_round = value.integer()?,
            (5, value) => parts.block = block(value)?,
            (6, value) => parts.time = Some(time(value)?),
            _ => {}
        }
    }
    if parts.kind != PROPOSAL {
        return Err(Malformed("it is no proposal"));
    }
    let pol_round = match parts.pol_round {
        -1 => None,
        round => Some(u32::try_from(round).map_err(|_| Malformed("the round is out of range"))?),
    };
    let block = parts.block.ok_or(Malformed("the proposal has no block"))?;
    Proposal::new(parts.place(chain)?, pol_round, block, parts.time()?).map_err(refused)
}

/// The bytes of a field, empty without one.
fn bytes_of(message: &[u8], field: u64) -> Result<Vec<u8>, Malformed> {
    let mut bytes: &[u8] = &[];
    for each in Fields::of(message) {
        match each? {
            (number, value) if number == field => bytes = value.bytes()?,
            _ => {}
        }
    }
    Ok(bytes.to_vec())
}

impl SignedProposal {
    pub(crate) fn read(message: &[u8], chain: &str) -> Result<Self, Malformed> {
        let proposal = read_proposal(message, chain)?;
        Ok(Self { proposal, signature: bytes_of(message, 7)? })
    }

    pub(crate) fn to_message(&self) -> Vec<u8> {
        let mut message = proposal_message(&self.proposal);
        put_bytes(&mut message, 7, &self.signature);
        message
    }
}

/// The message of a proposal, without a signature.
pub(crate) fn proposal_message(proposal: &Proposal) -> Vec<u8> {
    let mut message = vec![];
    put_integer(&mut message, 1, PROPOSAL);
    put_place(&mut message, proposal.place());
    put_integer(&mut message, 4, proposal.pol_round().map_or(-1, i64::from));
    put_message(&mut message, 5, &block_message(proposal.block()));
    put_message(&mut message, 6, &time_message(proposal.time()));
    message
}

fn put_place(to: &mut Vec<u8>, place: &Place) {
    put_integer(to, 2, place.height().cast_signed());
    put_integer(to, 3, place.round().into());
}

/// Reads a block; one whose fields are all empty is none.
fn block(value: Value<'_>) -> Result<Option<BlockId>, Malformed> {
    let (mut hash, mut header): (&[u8], &[u8]) = (&[], &[]);
    for field in Fields::of(value.bytes()?) {
        match field? {
            (1, value) => hash = value.bytes()?,
            (2, value) => header = value.bytes()?,
            _ => {}
        }
    }
    let (mut parts, mut parts_hash): (u32, &[u8]) = (0, &[]);
    for field in Fields::of(header) {
        match field? {
            (1, value) => parts = value.number()?,
            (2, value) => parts_hash = value.bytes()?,
            _ => {}
        }
    }
    if hash.is_empty() && parts_hash.is_empty() && parts == 0 {
        return Ok(None);
    }
    Ok(Some(BlockId { hash: digest(hash)?, parts, parts_hash: digest(parts_hash)? }))
}

fn digest(bytes: &[u8]) -> Result<[u8; 32], Malformed> {
    bytes.try_into().map_err(|_| Malformed("a hash of a block has not 32 bytes"))
}

fn block_message(block: &BlockId) -> Vec<u8> {
    let (mut header, mut message) = (vec![], vec![]);
    put_integer(&mut header, 1, block.parts.into());
    put_bytes(&mut header, 2, &block.parts_hash);
    put_bytes(&mut message, 1, &block.hash);
    put_message(&mut message, 2, &header);
    message
}

fn time(value: Value<'_>) -> Result<Time, Malformed> {
    let mut time = Time::from_seconds(0);
    for field in Fields::of(value.bytes()?) {
        match field? {
            (1, value) => time.seconds = value.integer()?,
            (2, value) => time.nanoseconds = value.number()?,
            _ => {}
        }
    }
    Ok(time)
}

fn time_message(time: Time) -> Vec<u8> {
    let mut message = vec![];
    put_integer(&mut message, 1, time.seconds);
    put_integer(&mut message, 2, time.nanoseconds.into());
    message
}
