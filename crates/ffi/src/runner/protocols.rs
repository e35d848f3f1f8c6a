//! The protocols of the runner: those of every scheme, and those that are of none.

use std::collections::BTreeMap;

use quorate::ecdsa::{AuxInfoGen, Ecdsa, Keygen, Presign, PresignMany, Sign};
use quorate::frost::generic::{Dkg, Frost, ShareExchange};
use quorate::keys::{Acknowledge, Repair, Reshare};
use quorate::mldsa;
use quorate::runner::{self, Job, Kind, Refusal, RunnerBuilder, StartOutcome};
use quorate::session::Protocol;

use super::jobs::Jobs;
use crate::Scheme;
use crate::arguments::rng;
use crate::error::{ErrorKind, QuorateError, Result};
use crate::family::{Curve, Family, Suite};
use crate::row_store::RowStore;
use crate::rows::RowsError;
use crate::scheme::by_kind;

/// The runner of all protocols on rows.
pub(super) type Inside = runner::Runner<RowStore, Jobs>;

/// The failure of a runner.
pub(super) fn failed(error: runner::Error<RowsError>) -> QuorateError {
    match error {
        runner::Error::Store(error) => error.into(),
        runner::Error::Refused(why @ (Refusal::Busy | Refusal::Outbox)) => {
            QuorateError::new(ErrorKind::Busy, why)
        }
        runner::Error::Refused(why) => QuorateError::new(ErrorKind::Arguments, why),
        runner::Error::Params(error) => error.into(),
        runner::Error::Seal(error) => error.into(),
        runner::Error::OtherKey => QuorateError::new(ErrorKind::Seal, error),
        runner::Error::OtherParty(_) => QuorateError::new(ErrorKind::Mismatch, error),
        runner::Error::NotNew => QuorateError::new(ErrorKind::Arguments, error),
        other => QuorateError::new(ErrorKind::Defect, other),
    }
}

/// Starts a job of the protocol `P`.
fn start<P: Protocol>(inside: &mut Inside, job: &Job, now: u64) -> Result<StartOutcome> {
    inside.start::<P>(job, now, &mut rng()?).map_err(failed)
}

/// The functions that start jobs, by the kinds of their protocols.
pub(super) type Starts = BTreeMap<Kind, fn(&mut Inside, &Job, u64) -> Result<StartOutcome>>;

/// The protocols that were added.
pub(super) struct Protocols {
    pub(super) builder: RunnerBuilder<Jobs>,
    pub(super) starts: Starts,
}

impl Protocols {
    /// Adds every protocol to a runner.
    pub(super) fn all(builder: RunnerBuilder<Jobs>) -> Self {
        let none = Self { builder, starts: BTreeMap::new() };
        let of_schemes = Scheme::ALL.iter().copied().fold(
            none,
            |all, scheme| by_kind!(scheme, S => all.suite::<S>(), C => all.curve::<C>()),
        );
        of_schemes.add::<AuxInfoGen>().add::<mldsa::Dkg>().add::<mldsa::Sign>()
    }

    fn add<P: Protocol>(mut self) -> Self {
        self.starts.insert(Kind::of::<P>(), start::<P>);
        Self { builder: self.builder.protocol::<P>(), ..self }
    }

    fn suite<S: Suite>(self) -> Self {
        self.add::<Dkg<S>>().add::<ShareExchange<S>>().family::<Frost<S>>()
    }

    fn curve<C: Curve>(self) -> Self {
        let presigning = self.add::<Keygen<C>>().add::<Presign<C>>().add::<PresignMany<C>>();
        presigning.add::<Sign<C>>().family::<Ecdsa<C>>()
    }

    fn family<F: Family>(self) -> Self {
        self.add::<Reshare<F>>().add::<Repair<F>>().add::<Acknowledge<F>>()
    }
}
