//! The block that a vote is for.

use alloc::vec::Vec;

use super::proto;
use crate::error::Malformed;
use crate::wire::Reader;

/// A block: its hash, and the header of the set of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockId {
    /// The hash of the block's header.
    pub hash: [u8; 32],
    /// How many parts the block has. Not zero.
    pub parts: u32,
    /// The Merkle root of the parts.
    pub parts_hash: [u8; 32],
}

impl BlockId {
    pub(crate) fn check(self) -> Result<Self, Malformed> {
        if self.parts == 0 { Err(Malformed("a block has no parts")) } else { Ok(self) }
    }

    /// Reads the field, if it is there.
    pub(crate) fn read(reader: &mut Reader<'_>, field: u8) -> Result<Option<Self>, Malformed> {
        let Some(message) = proto::bytes(reader, field)? else { return Ok(None) };
        let mut outer = Reader::new(message);
        let hash = digest(proto::bytes(&mut outer, 1)?)?;
        let mut inner = Reader::new(proto::bytes(&mut outer, 2)?.unwrap_or_default());
        let parts = proto::integer(&mut inner, 1)?;
        let parts_hash = digest(proto::bytes(&mut inner, 2)?)?;
        inner.end()?;
        outer.end()?;
        let parts = u32::try_from(parts).map_err(|_| Malformed("a block has too many parts"))?;
        Self { hash, parts, parts_hash }.check().map(Some)
    }

    pub(crate) fn write(&self, to: &mut Vec<u8>, field: u8) {
        let (mut inner, mut outer) = (Vec::new(), Vec::new());
        proto::put_integer(&mut inner, 1, self.parts.into());
        proto::put_bytes(&mut inner, 2, &self.parts_hash);
        proto::put_bytes(&mut outer, 1, &self.hash);
        proto::put_message(&mut outer, 2, &inner);
        proto::put_message(to, field, &outer);
    }
}

fn digest(bytes: Option<&[u8]>) -> Result<[u8; 32], Malformed> {
    let bytes = bytes.unwrap_or_default();
    bytes.try_into().map_err(|_| Malformed("a hash of a block has not 32 bytes"))
}
