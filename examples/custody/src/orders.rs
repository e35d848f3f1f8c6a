//! Orders: jobs that a gateway gives to the runners of nodes. The name of its session is the order's name everywhere.

use quorate::runner::{Job, Time};
use quorate::session::Transcript;
use quorate::session::wire::Reader;
use quorate::{Parties, PartyId, SessionId};

use crate::request::{KeyId, Scheme};

/// The kinds of orders, each a protocol and a [lane](crate::lane).
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

    /// The kind that makes a key of a scheme.
    #[must_use]
    pub const fn making(scheme: Scheme) -> Self {
        match scheme {
            Scheme::Ecdsa => Self::Keygen,
            Scheme::Ed25519 => Self::Dkg,
        }
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

/// An order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// Its kind.
    pub kind: Kind,
    /// The job at each node.
    pub job: Job,
}

impl Order {
    /// The order of this kind and number in a custody. Its session id follows from these.
    #[must_use]
    pub fn new(
        (custody, kind, number): (&[u8; 32], Kind, u32),
        parties: Parties,
        body: &Body,
        deadline: Time,
    ) -> Self {
        let mut transcript = Transcript::new("custody session");
        transcript.append("custody", custody);
        transcript.append("kind", kind.name().as_bytes());
        transcript.append_u64("number", number.into());
        let sid = SessionId::new(transcript.finish32());
        Self { kind, job: Job { sid, parties, body: body.to_bytes(), deadline } }
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
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.key.0.to_vec();
        bytes.extend_from_slice(&self.epoch.to_be_bytes());
        bytes.extend_from_slice(&self.count.to_be_bytes());
        self.committee.iter().for_each(|id| bytes.extend_from_slice(&id.get().to_be_bytes()));
        if !self.public.is_empty() {
            bytes.extend_from_slice(&[0; 2]);
            bytes.extend_from_slice(&self.public);
        }
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
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
