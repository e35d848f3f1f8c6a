//! Where in the history of a chain something is signed.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::proto;
use crate::error::Malformed;
use crate::facts::Facts;
use crate::watermark::{Mark, Order, Watermark};
use crate::wire::Reader;

/// The longest id of a chain.
const CHAIN: usize = 50;

/// A chain, a height and a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    chain: String,
    height: u64,
    round: u32,
}

impl Place {
    /// A place.
    ///
    /// # Errors
    /// If the chain's id is empty, longer than 50 bytes or has other characters than the visible ones of ASCII, if the height
    /// is zero or beyond 63 bits, or the round beyond 31 bits.
    pub fn new(chain: impl Into<String>, height: u64, round: u32) -> Result<Self, Malformed> {
        let chain = chain.into();
        let is_named = (1..=CHAIN).contains(&chain.len());
        if !is_named || !chain.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Malformed("this is no id of a chain"));
        }
        if height == 0 || height.cast_signed() < 0 {
            return Err(Malformed("the height is out of range"));
        }
        if round.cast_signed() < 0 {
            return Err(Malformed("the round is out of range"));
        }
        Ok(Self { chain, height, round })
    }

    /// The id of the chain.
    #[must_use]
    pub fn chain(&self) -> &str {
        &self.chain
    }

    /// The height of the block that is agreed on.
    #[must_use]
    pub const fn height(&self) -> u64 {
        self.height
    }

    /// The round.
    #[must_use]
    pub const fn round(&self) -> u32 {
        self.round
    }

    /// Height and round, which are next to each other; the chain comes last in each message.
    pub(crate) fn read(reader: &mut Reader<'_>, field: u8) -> Result<(u64, u32), Malformed> {
        let height = proto::fixed(reader, field)?;
        let round = proto::fixed(reader, field.saturating_add(1))?;
        let round = u32::try_from(round).map_err(|_| Malformed("the round is out of range"))?;
        Ok((height, round))
    }

    /// Reads the chain, which ends the message.
    pub(crate) fn end(
        mut reader: Reader<'_>,
        field: u8,
        (height, round): (u64, u32),
    ) -> Result<Self, Malformed> {
        let chain = proto::bytes(&mut reader, field)?.unwrap_or_default();
        reader.end()?;
        Self::new(crate::wire::text(chain)?, height, round)
    }

    pub(crate) fn write(&self, to: &mut Vec<u8>, field: u8) {
        proto::put_fixed(to, field, self.height);
        proto::put_fixed(to, field.saturating_add(1), self.round.into());
    }

    pub(crate) fn write_chain(&self, to: &mut Vec<u8>, field: u8) {
        proto::put_bytes(to, field, self.chain.as_bytes());
    }

    pub(crate) fn add_facts(&self, facts: &mut Facts) {
        facts.add("chain", self.chain.to_owned());
        facts.add("height", self.height);
        facts.add("round", u64::from(self.round));
    }

    /// The watermark of a step. The value is a hash of the message without its time stamp.
    pub(crate) fn watermark(&self, step: u64, timeless: &[u8]) -> Watermark {
        let order = Order([self.height, self.round.into(), step]);
        let value = crate::message::sha256(timeless);
        Watermark::new(format!("cometbft/{}", self.chain), Mark { order, value })
    }
}
