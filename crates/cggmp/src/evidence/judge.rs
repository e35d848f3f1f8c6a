//! The judgement of frames by the public parameters of a run.

use alloc::vec::Vec;

use quorate_bignum::Engine;
use quorate_session::{Binding, Limits, Parties, Protocol, Round, SessionId};

use super::finding::Finding;
use super::log::Log;
use crate::proofs::RunBinding;

/// The public parameters of a run, by which its frames can be judged: [`KeygenRun`](crate::KeygenRun),
/// [`AuxInfoRun`](crate::AuxInfoRun) or [`SigningRun`](crate::SigningRun). Sealed.
pub trait PublicRun {
    #[doc(hidden)]
    #[allow(private_interfaces, reason = "nobody else implements it")]
    fn terms(&self) -> Terms<'_>;
    /// Repeats the checks of the receivers of the messages.
    #[doc(hidden)]
    #[allow(private_interfaces, reason = "nobody else implements it")]
    fn judge(&self, engine: &Engine, log: &Log<'_>) -> Result<(), Finding>;
}

/// The terms of a run that tell its frames from those of others.
pub(crate) struct Terms<'r> {
    pub(super) parties: &'r Parties,
    /// The code of the protocol.
    pub(super) code: u8,
    /// For each round of the protocol.
    pub(super) limits: Vec<Limits>,
    pub(super) binding: RunBinding,
}

impl<'r> Terms<'r> {
    /// The terms of a run of a protocol, with the limits of its rounds and the items that it binds.
    pub(super) fn new<P: Protocol>(
        sid: SessionId,
        parties: &'r Parties,
        limits: impl Fn(Round) -> Limits,
        bind: impl FnOnce(&mut Binding),
    ) -> Self {
        let limits = (1..=P::ROUNDS).map(|round| limits(Round(round))).collect();
        Self { parties, code: P::CODE, limits, binding: RunBinding::bound::<P>(sid, parties, bind) }
    }
}
