//! Votes.

use alloc::vec::Vec;

use super::block::BlockId;
use super::place::Place;
use super::proto;
use crate::body::Body;
use crate::error::Malformed;
use crate::facts::Facts;
use crate::kind::Kind;
use crate::message::{KeyKind, Message};
use crate::time::Time;
use crate::watermark::Watermark;
use crate::wire::Reader;

/// The step of a round in which a vote is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VoteStep {
    /// The first vote.
    Prevote,
    /// The vote that commits.
    Precommit,
}

impl VoteStep {
    /// The number of the message's type. The steps of the watermark are one more, behind the proposal's.
    const fn code(self) -> u8 {
        match self {
            Self::Prevote => 1,
            Self::Precommit => 2,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Prevote => "prevote",
            Self::Precommit => "precommit",
        }
    }
}

/// A vote for a block, or for none.
///
/// The body is the vote's sign bytes. Facts: `chain`, `height`, `round`, `step` (`prevote` or `precommit`), `time`, and
/// `block`, the block's hash, which a vote for none has not. The watermark has height, round and step (2 and 3, the proposal
/// being 1) in the slot of the chain. A vote that differs in its time stamp alone has the same value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vote {
    step: VoteStep,
    place: Place,
    block: Option<BlockId>,
    time: Time,
}

impl Vote {
    /// A vote; `None` is the vote for no block.
    ///
    /// # Errors
    /// If the block has no parts, or the time is before the year 1 or after 9999.
    pub fn new(
        step: VoteStep,
        place: Place,
        block: Option<BlockId>,
        time: Time,
    ) -> Result<Self, Malformed> {
        let block = block.map(BlockId::check).transpose()?;
        Ok(Self { step, place, block, time: proto::check_time(time)? })
    }

    /// Reads sign bytes, as a node's request for a signature implies them.
    ///
    /// # Errors
    /// If they are not those of a vote that may be signed, in the canonical encoding.
    pub fn from_sign_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut outer = Reader::new(bytes);
        let mut reader = Reader::new(proto::delimited(&mut outer)?);
        outer.end()?;
        let step = match proto::integer(&mut reader, 1)? {
            1 => VoteStep::Prevote,
            2 => VoteStep::Precommit,
            _ => return Err(Malformed("this is no vote")),
        };
        let numbers = Place::read(&mut reader, 2)?;
        let block = BlockId::read(&mut reader, 4)?;
        let time = proto::time(&mut reader, 5)?;
        let vote = Self { step, place: Place::end(reader, 6, numbers)?, block, time };
        proto::check_canonical(bytes, &vote.sign_bytes())?;
        Ok(vote)
    }

    /// The bytes that a validator signs.
    #[must_use]
    pub fn sign_bytes(&self) -> Vec<u8> {
        self.encode(Some(self.time))
    }

    /// The step.
    #[must_use]
    pub const fn step(&self) -> VoteStep {
        self.step
    }

    /// Chain, height and round.
    #[must_use]
    pub const fn place(&self) -> &Place {
        &self.place
    }

    /// The block, or none.
    #[must_use]
    pub const fn block(&self) -> Option<&BlockId> {
        self.block.as_ref()
    }

    /// The time stamp.
    #[must_use]
    pub const fn time(&self) -> Time {
        self.time
    }

    fn encode(&self, time: Option<Time>) -> Vec<u8> {
        let mut message = Vec::new();
        proto::put_integer(&mut message, 1, self.step.code().into());
        self.place.write(&mut message, 2);
        if let Some(block) = &self.block {
            block.write(&mut message, 4);
        }
        if let Some(time) = time {
            proto::put_time(&mut message, 5, time);
        }
        self.place.write_chain(&mut message, 6);
        let mut bytes = Vec::new();
        proto::put_delimited(&mut bytes, &message);
        bytes
    }
}

impl Body for Vote {
    const KIND: Kind = Kind::CometVote;

    fn read(body: &[u8]) -> Result<Self, Malformed> {
        Self::from_sign_bytes(body)
    }

    fn write(&self, to: &mut Vec<u8>) {
        to.extend(self.sign_bytes());
    }

    fn signed(&self, key: KeyKind) -> Option<Message> {
        super::signed(self.sign_bytes(), key)
    }

    fn add_facts(&self, facts: &mut Facts) {
        self.place.add_facts(facts);
        facts.add("step", self.step.name());
        facts.add("time", self.time);
        if let Some(block) = &self.block {
            facts.add("block", &block.hash[..]);
        }
    }

    fn watermark(&self) -> Option<Watermark> {
        let step = u64::from(self.step.code()).saturating_add(1);
        Some(self.place.watermark(step, &self.encode(None)))
    }
}
