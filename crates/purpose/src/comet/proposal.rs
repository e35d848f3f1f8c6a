//! Proposals.

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

/// The message's type.
const PROPOSAL: i64 = 32;

const LOCK: Malformed = Malformed("the proof of lock is not from an earlier round");

/// A proposal of a block.
///
/// The body is the proposal's sign bytes. Facts: `chain`, `height`, `round`, `step` (`proposal`), `time`, `block`, and
/// `pol_round` if the block had a majority of prevotes in an earlier round. The watermark is as that of a
/// [`Vote`](crate::comet::Vote), with step 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    place: Place,
    pol_round: Option<u32>,
    block: BlockId,
    time: Time,
}

impl Proposal {
    /// A proposal, with the earlier round in which the block had its proof of lock, if there was one.
    ///
    /// # Errors
    /// If that round is not earlier, the block has no parts, or the time is before the year 1 or after 9999.
    pub fn new(
        place: Place,
        pol_round: Option<u32>,
        block: BlockId,
        time: Time,
    ) -> Result<Self, Malformed> {
        if pol_round.is_some_and(|earlier| earlier >= place.round()) {
            return Err(LOCK);
        }
        Ok(Self { place, pol_round, block: block.check()?, time: proto::check_time(time)? })
    }

    /// Reads sign bytes.
    ///
    /// # Errors
    /// If they are not those of a proposal that may be signed, in the canonical encoding.
    pub fn from_sign_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut outer = Reader::new(bytes);
        let mut reader = Reader::new(proto::delimited(&mut outer)?);
        outer.end()?;
        if proto::integer(&mut reader, 1)? != PROPOSAL {
            return Err(Malformed("this is no proposal"));
        }
        let numbers = Place::read(&mut reader, 2)?;
        let pol_round = match proto::integer(&mut reader, 4)? {
            -1 => None,
            round => Some(u32::try_from(round).map_err(|_| LOCK)?),
        };
        let block = BlockId::read(&mut reader, 5)?;
        let block = block.ok_or(Malformed("the proposal has no block"))?;
        let time = proto::time(&mut reader, 6)?;
        let proposal = Self::new(Place::end(reader, 7, numbers)?, pol_round, block, time)?;
        proto::check_canonical(bytes, &proposal.sign_bytes())?;
        Ok(proposal)
    }

    /// The bytes that a validator signs.
    #[must_use]
    pub fn sign_bytes(&self) -> Vec<u8> {
        self.encode(Some(self.time))
    }

    /// Chain, height and round.
    #[must_use]
    pub const fn place(&self) -> &Place {
        &self.place
    }

    /// The block.
    #[must_use]
    pub const fn block(&self) -> &BlockId {
        &self.block
    }

    /// The earlier round in which the block had its proof of lock.
    #[must_use]
    pub const fn pol_round(&self) -> Option<u32> {
        self.pol_round
    }

    /// The time stamp.
    #[must_use]
    pub const fn time(&self) -> Time {
        self.time
    }

    fn encode(&self, time: Option<Time>) -> Vec<u8> {
        let mut message = Vec::new();
        proto::put_integer(&mut message, 1, PROPOSAL);
        self.place.write(&mut message, 2);
        proto::put_integer(&mut message, 4, self.pol_round.map_or(-1, i64::from));
        self.block.write(&mut message, 5);
        if let Some(time) = time {
            proto::put_time(&mut message, 6, time);
        }
        self.place.write_chain(&mut message, 7);
        let mut bytes = Vec::new();
        proto::put_delimited(&mut bytes, &message);
        bytes
    }
}

impl Body for Proposal {
    const KIND: Kind = Kind::CometProposal;

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
        facts.add("step", "proposal");
        facts.add("time", self.time);
        facts.add("block", &self.block.hash[..]);
        if let Some(round) = self.pol_round {
            facts.add("pol_round", u64::from(round));
        }
    }

    fn watermark(&self) -> Option<Watermark> {
        Some(self.place.watermark(1, &self.encode(None)))
    }
}
