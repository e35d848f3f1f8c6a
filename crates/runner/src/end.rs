//! The end of a run without the type of its result, and the protocol that it is of.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::Any;

use quorate_session::{PartyId, Protocol};

use crate::{EndKind, Kind};

/// The end of a run, whatever its protocol.
pub(crate) enum End {
    /// A session has ended: a [`RunEnd`](crate::RunEnd) of its protocol.
    Session {
        kind: EndKind,
        /// The peers between whom and this party the store has damaged messages.
        damaged: Vec<PartyId>,
        end: Box<dyn Any + Send>,
    },
    /// The session was not opened, for this reason.
    Lost(String),
    Discontinued,
}

impl End {
    pub(crate) const fn kind(&self) -> EndKind {
        match self {
            Self::Session { kind, .. } => *kind,
            Self::Lost(_) => EndKind::Lost,
            Self::Discontinued => EndKind::Discontinued,
        }
    }
}

/// The properties by which a runner finds a protocol.
#[derive(Clone, Copy)]
pub(crate) struct Registration {
    pub(crate) kind: Kind,
    pub(crate) name: &'static str,
    pub(crate) code: u8,
    pub(crate) rounds: u8,
}

impl Registration {
    pub(crate) fn of<P: Protocol>() -> Self {
        Self { kind: Kind::of::<P>(), name: P::NAME, code: P::CODE, rounds: P::ROUNDS }
    }
}
