//! Orders: what the gateway asks the nodes to do. An order is a job of a runner, whose name all nodes know it by.

use quorate::runner::{Job, Time};
use quorate::session::Transcript;
use quorate::{Parties, SessionId};

/// The kinds of orders, each a protocol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A key.
    Keygen,
    /// Auxiliary information.
    AuxInfo,
    /// Presignatures: so many as the body says.
    Presign,
    /// A signature: the body is a [`Request`].
    Sign,
}

/// All kinds.
pub const KINDS: [Kind; 4] = [Kind::Keygen, Kind::AuxInfo, Kind::Presign, Kind::Sign];

impl Kind {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keygen => "key generation",
            Self::AuxInfo => "auxiliary information",
            Self::Presign => "presigning",
            Self::Sign => "signing",
        }
    }

    /// Its number in messages and tables.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Keygen => 0,
            Self::AuxInfo => 1,
            Self::Presign => 2,
            Self::Sign => 3,
        }
    }

    /// The kind of a number.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        KINDS.into_iter().find(|kind| kind.code() == code)
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
        body: Vec<u8>,
        deadline: Time,
    ) -> Self {
        let mut transcript = Transcript::new("custody session");
        transcript.append("custody", custody);
        transcript.append("kind", kind.name().as_bytes());
        transcript.append_u64("number", number.into());
        let sid = SessionId::new(transcript.finish32());
        Self { kind, job: Job { sid, parties, body, deadline } }
    }
}

/// Something to sign, and the presignature to spend on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The name of the presignature.
    pub presignature: [u8; 36],
    /// The message.
    pub message: Vec<u8>,
}

impl Request {
    /// `presignature (36) ‖ message`
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        [self.presignature.as_slice(), &self.message].concat()
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (presignature, message) = bytes.split_first_chunk()?;
        Some(Self { presignature: *presignature, message: message.to_vec() })
    }
}
