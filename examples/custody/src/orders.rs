//! Orders: jobs that a gateway gives to the runners of nodes. The name of its session is the order's name everywhere.

use std::collections::BTreeMap;

use quorate::runner::{Job, Time};
use quorate::session::Transcript;
use quorate::session::frame::Header;
use quorate::session::wire::Reader;
use quorate::{Parties, PartyId, SessionId};

use crate::apps;
use crate::request::{KeyId, Scheme};

/// The kinds of orders, each a [protocol](crate::apps::protocol).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A key for ECDSA.
    Keygen,
    /// Auxiliary information for all ECDSA keys.
    AuxInfo,
    /// Presignatures.
    Presign,
    /// A key for Ed25519.
    Dkg,
    /// New shares of a key for ECDSA.
    ReshareEcdsa,
    /// New shares of a key for Ed25519.
    ReshareEd25519,
    /// The word of all that their new shares of a key for ECDSA are stored.
    StoredEcdsa,
    /// The word of all that their new shares of a key for Ed25519 are stored.
    StoredEd25519,
}

/// All kinds.
pub const KINDS: [Kind; 8] = [
    Kind::Keygen,
    Kind::AuxInfo,
    Kind::Presign,
    Kind::Dkg,
    Kind::ReshareEcdsa,
    Kind::ReshareEd25519,
    Kind::StoredEcdsa,
    Kind::StoredEd25519,
];

impl Kind {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keygen => "key generation",
            Self::AuxInfo => "auxiliary information",
            Self::Presign => "presigning",
            Self::Dkg => "key generation for Ed25519",
            Self::ReshareEcdsa => "resharing",
            Self::ReshareEd25519 => "resharing for Ed25519",
            Self::StoredEcdsa => "acknowledging",
            Self::StoredEd25519 => "acknowledging for Ed25519",
        }
    }

    /// Its number in messages and tables.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Keygen => 0,
            Self::AuxInfo => 1,
            Self::Presign => 2,
            Self::Dkg => 3,
            Self::ReshareEcdsa => 4,
            Self::ReshareEd25519 => 5,
            Self::StoredEcdsa => 6,
            Self::StoredEd25519 => 7,
        }
    }

    /// The kind of a number.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        KINDS.into_iter().find(|kind| kind.code() == code)
    }

    /// The shard that it is part of.
    #[must_use]
    pub const fn shard(self) -> Shard {
        match self {
            Self::Keygen => Shard::Keygen,
            Self::AuxInfo => Shard::AuxInfo,
            Self::Presign => Shard::Presign,
            Self::Dkg => Shard::Dkg,
            Self::ReshareEcdsa | Self::ReshareEd25519 => Shard::Reshare,
            Self::StoredEcdsa | Self::StoredEd25519 => Shard::Stored,
        }
    }

    /// The kind that makes a key of a scheme.
    #[must_use]
    pub const fn making(scheme: Scheme) -> Self {
        match scheme {
            Scheme::Ecdsa => Self::Keygen,
            Scheme::Ed25519 => Self::Dkg,
        }
    }

    /// Whether it makes a key.
    #[must_use]
    pub const fn makes_key(self) -> bool {
        matches!(self, Self::Keygen | Self::Dkg)
    }

    /// The kind that makes new shares of a key.
    #[must_use]
    pub const fn resharing(scheme: Scheme) -> Self {
        match scheme {
            Scheme::Ecdsa => Self::ReshareEcdsa,
            Scheme::Ed25519 => Self::ReshareEd25519,
        }
    }

    /// The kind that says that they are stored.
    #[must_use]
    pub const fn storing(scheme: Scheme) -> Self {
        match scheme {
            Scheme::Ecdsa => Self::StoredEcdsa,
            Scheme::Ed25519 => Self::StoredEd25519,
        }
    }

    /// The scheme of the keys that it is about; of auxiliary information none.
    #[must_use]
    pub const fn scheme(self) -> Option<Scheme> {
        match self {
            Self::AuxInfo => None,
            Self::Keygen | Self::Presign | Self::ReshareEcdsa | Self::StoredEcdsa => {
                Some(Scheme::Ecdsa)
            }
            Self::Dkg | Self::ReshareEd25519 | Self::StoredEd25519 => Some(Scheme::Ed25519),
        }
    }
}

/// The kinds of orders that one worker of a node works on, if it works on any of them: a packet tells them from others, but not
/// from each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Shard {
    /// [`Kind::Keygen`].
    Keygen,
    /// [`Kind::AuxInfo`].
    AuxInfo,
    /// [`Kind::Presign`].
    Presign,
    /// [`Kind::Dkg`].
    Dkg,
    /// [`Kind::ReshareEcdsa`] and [`Kind::ReshareEd25519`].
    Reshare,
    /// [`Kind::StoredEcdsa`] and [`Kind::StoredEd25519`].
    Stored,
}

/// All shards.
pub const SHARDS: [Shard; 6] =
    [Shard::Keygen, Shard::AuxInfo, Shard::Presign, Shard::Dkg, Shard::Reshare, Shard::Stored];

impl Shard {
    /// Its number in routes, locks and leases.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Keygen => 0,
            Self::AuxInfo => 1,
            Self::Presign => 2,
            Self::Dkg => 3,
            Self::Reshare => 4,
            Self::Stored => 5,
        }
    }

    /// The shard of a number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        SHARDS.into_iter().find(|shard| shard.number() == number)
    }

    /// The kinds of orders of a shard.
    pub fn kinds(self) -> impl Iterator<Item = Kind> {
        KINDS.into_iter().filter(move |kind| kind.shard() == self)
    }

    /// The shard of the runs that a [packet](quorate::runner::packet) is about. An acknowledgement is about none.
    #[must_use]
    pub fn of_packet(packet: &[u8]) -> Option<Self> {
        let code = match packet {
            [0, frame @ ..] => Header::parse(frame)?.code,
            [2, code, ..] => *code,
            _ => return None,
        };
        KINDS.into_iter().find(|kind| apps::code(*kind) == code).map(Kind::shard)
    }
}

/// An order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// Its kind.
    pub kind: Kind,
    /// The job at each node.
    pub job: Job,
}

impl Order {
    /// The order of this name, kind and parties, each in its epoch, with this body. Its session id follows from these: whoever
    /// changes any of them orders another session, and takes no order's place.
    #[must_use]
    pub fn new(
        (name, kind): (Name, Kind),
        members: &BTreeMap<PartyId, u32>,
        body: &Body,
        deadline: Time,
    ) -> Option<Self> {
        let parties = Parties::new(members.keys().copied()).ok()?;
        let origin = Origin { name, epochs: members.values().copied().collect() };
        let mut bytes = Vec::new();
        origin.put(&mut bytes);
        body.put(&mut bytes);
        let sid = session(kind, &parties, &bytes);
        Some(Self { kind, job: Job { sid, parties, body: bytes, deadline } })
    }

    /// The epoch in which a party was when this was ordered; nothing if the session id does not follow from that.
    ///
    /// A node whose database was put back may have begun, after the backup, what it knows nothing of any more. In its next
    /// epoch it tells such an order by this number, and whoever changes the number orders another session.
    #[must_use]
    pub fn epoch_of(&self, party: PartyId) -> Option<u32> {
        let Job { sid, parties, body, .. } = &self.job;
        let origin = Origin::read(&mut Reader::new(body))?;
        let is_of =
            origin.epochs.len() == parties.len() && session(self.kind, parties, body) == *sid;
        let at = parties.iter().position(|id| id == party).filter(|_| is_of)?;
        origin.epochs.get(at).copied()
    }
}

/// The name of an order, whatever the epochs of its parties are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name([u8; 32]);

impl Name {
    /// The name of the order of this kind and number in a custody.
    ///
    /// Gateways share keys and auxiliary information, so the names of what makes those are the same at all of them; other
    /// orders are of one gateway.
    #[must_use]
    pub fn new(custody: &[u8; 32], kind: Kind, (gateway, number): (u16, u32)) -> Self {
        let mut transcript = Transcript::new("custody order");
        transcript.append("custody", custody);
        transcript.append("kind", kind.name().as_bytes());
        let shared = matches!(kind, Kind::AuxInfo) || kind.makes_key();
        transcript.append_u64("gateway", if shared { 0 } else { gateway.into() });
        transcript.append_u64("number", number.into());
        Self(transcript.finish32())
    }
}

/// The session of an order: `body` is that of its job, with the order's origin.
fn session(kind: Kind, parties: &Parties, body: &[u8]) -> SessionId {
    let mut transcript = Transcript::new("custody session");
    transcript.append("kind", kind.name().as_bytes());
    transcript.append_list("parties", parties.iter().map(|id| id.get().to_be_bytes()));
    transcript.append("body", body);
    SessionId::new(transcript.finish32())
}

/// Where an order comes from: `name (32) ‖ number of parties (2) ‖ epochs (4 each)`.
struct Origin {
    name: Name,
    /// The epoch of each party's history, in the order of the parties.
    epochs: Vec<u32>,
}

impl Origin {
    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.name.0);
        bytes
            .extend_from_slice(&u16::try_from(self.epochs.len()).unwrap_or(u16::MAX).to_be_bytes());
        self.epochs.iter().for_each(|epoch| bytes.extend_from_slice(&epoch.to_be_bytes()));
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let (name, count) = (Name(reader.array().ok()?), reader.u16().ok()?);
        reader.expect(count.into(), 4).ok()?;
        let epochs = (0..count).map(|_| reader.u32().ok()).collect::<Option<_>>()?;
        Some(Self { name, epochs })
    }
}

/// The body of an order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body {
    /// The key; of auxiliary information it is nothing's.
    pub key: KeyId,
    /// The epoch of the shares that are used: with which one presigns, which are dealt, or which are stored.
    pub epoch: u32,
    /// The number of presignatures, or the threshold of the new committee.
    pub count: u16,
    /// The new committee, and no others.
    pub committee: Vec<PartyId>,
    /// The public side of the key, for those who have no share of it: as it is before a resharing, or after it where its
    /// shares are acknowledged.
    pub public: Vec<u8>,
}

impl Body {
    /// A body about a key alone.
    #[must_use]
    pub const fn of_key(key: KeyId, epoch: u32) -> Self {
        Self { key, epoch, count: 0, committee: Vec::new(), public: Vec::new() }
    }

    /// `key (16) ‖ epoch (4) ‖ count (2) ‖ committee (2 each)`, and `0 (2) ‖ public` if there is a public side
    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.key.0);
        bytes.extend_from_slice(&self.epoch.to_be_bytes());
        bytes.extend_from_slice(&self.count.to_be_bytes());
        self.committee.iter().for_each(|id| bytes.extend_from_slice(&id.get().to_be_bytes()));
        if !self.public.is_empty() {
            bytes.extend_from_slice(&[0; 2]);
            bytes.extend_from_slice(&self.public);
        }
    }

    /// Reads the body of an [order](Order::new).
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        Origin::read(&mut reader)?;
        let (key, epoch) = (KeyId(reader.array().ok()?), reader.u32().ok()?);
        let count = reader.u16().ok()?;
        let mut committee = Vec::new();
        while reader.remaining() > 0 {
            match PartyId::new(reader.u16().ok()?) {
                Some(party) => committee.push(party),
                None => break,
            }
        }
        let public = reader.bytes(reader.remaining()).ok()?.to_vec();
        Some(Self { key, epoch, count, committee, public })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_tells_shards_apart_and_kinds_of_one_shard_not() {
        for one in KINDS {
            assert_eq!(Shard::from_number(one.shard().number()), Some(one.shard()));
            for other in KINDS {
                let same = apps::code(one) == apps::code(other);
                assert_eq!(same, one.shard() == other.shard(), "{one:?}, {other:?}");
                assert_eq!(apps::protocol(one) == apps::protocol(other), one == other);
            }
            let stopped = [&[2, apps::code(one)][..], &[7; 32]].concat();
            assert_eq!(Shard::of_packet(&stopped), Some(one.shard()));
        }
        let acknowledgement = [&[1][..], &[7; 32]].concat();
        let unknown = [&[2, 250][..], &[7; 32]].concat();
        for packet in [&acknowledgement, &unknown, &Vec::new(), &vec![0, 1]] {
            assert_eq!(Shard::of_packet(packet), None);
        }
    }
}
