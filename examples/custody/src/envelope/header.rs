//! What an envelope says in clear.

use quorate::PartyId;
use quorate::session::wire::Reader;

use super::Versions;
use crate::bus::{Kind, Peer, Route};

pub(super) const MAGIC: &[u8; 4] = b"QCEV";
pub(super) const LENGTH: usize = 15;

/// An envelope's header. Until the envelope is [opened](super::open) it is a claim of whoever sent it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The version that is spoken.
    pub version: u8,
    /// The versions that the sender understands.
    pub speaks: Versions,
    /// The queue.
    pub route: Route,
    /// The sender.
    pub from: Peer,
    /// The recipient.
    pub to: Peer,
}

impl Header {
    /// The header of an envelope, which is not verified.
    #[must_use]
    pub fn peek(envelope: &[u8]) -> Option<Self> {
        Self::from_bytes(envelope.get(..LENGTH)?)
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        let kind = match self.route.kind {
            Kind::Job => 1,
            Kind::Frame => 2,
            Kind::Answer => 3,
        };
        let Versions { lowest, highest } = self.speaks;
        let mut bytes = Vec::with_capacity(LENGTH);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&[self.version, lowest, highest, kind, self.route.shard]);
        for peer in [self.from, self.to] {
            let (tag, number) = match peer {
                Peer::Node(party) => (1, party.get()),
                Peer::Gateway(number) => (2, number),
            };
            bytes.push(tag);
            bytes.extend_from_slice(&number.to_be_bytes());
        }
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        if reader.array::<4>().ok()? != *MAGIC {
            return None;
        }
        let [version, lowest, highest, kind, shard] = reader.array().ok()?;
        let kind = match kind {
            1 => Kind::Job,
            2 => Kind::Frame,
            3 => Kind::Answer,
            _ => return None,
        };
        let mut peer = || {
            let (tag, number) = (reader.u8().ok()?, reader.u16().ok()?);
            match tag {
                1 => PartyId::new(number).map(Peer::Node),
                2 if number > 0 => Some(Peer::Gateway(number)),
                _ => None,
            }
        };
        let (from, to) = (peer()?, peer()?);
        reader.finish().ok()?;
        let (speaks, route) = (Versions::new(lowest, highest)?, Route { kind, shard });
        speaks.has(version).then_some(Self { version, speaks, route, from, to })
    }
}
