//! The rounds of presigning.

pub(super) mod openings;
pub(super) mod products;
pub(super) mod sums;

use alloc::vec::Vec;

use quorate_session::{Abort, Inbox, Judgement, ParamError, Round, Run};

use self::openings::AwaitingOpenings;
use self::products::AwaitingProducts;
use self::sums::AwaitingSums;
use super::messages::{CONFIRMATION, SUMMED};
use super::params::PresignParams;
use super::presignature::Presignature;
use super::red_alert::rounds::State as RedAlert;
use super::signer::{Signer, UNMADE, check};
use crate::EcdsaCurve;
use crate::proofs::internal;
use quorate_session::rounds::{AwaitingConfirmations, Rounds, Step};

/// The result of a run: all presignatures, or the one of a run for one.
pub trait Made<C: EcdsaCurve>: Sized {
    /// Takes the presignatures of a run.
    fn from_run(made: Vec<Presignature<C>>) -> Option<Self>;
}

impl<C: EcdsaCurve> Made<C> for Vec<Presignature<C>> {
    fn from_run(made: Self) -> Option<Self> {
        Some(made)
    }
}

impl<C: EcdsaCurve> Made<C> for Presignature<C> {
    fn from_run(mut made: Vec<Self>) -> Option<Self> {
        made.pop().filter(|_| made.is_empty())
    }
}

/// The state of a signer between rounds.
#[allow(clippy::large_enum_variant, reason = "one is alive at a time")]
pub enum State<C: EcdsaCurve, M> {
    Presigning(Presigning<C>),
    Confirmations(AwaitingConfirmations<M>),
}

impl<C: EcdsaCurve, M: Made<C>> Rounds for State<C, M> {
    type Output = M;

    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<Step<Self, M>, Abort> {
        match self {
            Self::Presigning(state) => state.next(run, inbox)?.within(Self::Presigning, |done| {
                let note =
                    if run.is_verified() { None } else { Some(Presignature::to_note(&done)) };
                let made = M::from_run(done).ok_or_else(|| internal(run))?;
                let (round, outbox) = match note {
                    Some(note) => AwaitingConfirmations::noting(made, CONFIRMATION, note),
                    None => {
                        AwaitingConfirmations::recall(made, run).ok_or_else(|| internal(run))?
                    }
                };
                Ok((Self::Confirmations(round), outbox))
            }),
            // A peer that says by its echo that it saw the same sums has no cause for a red alert.
            Self::Confirmations(round) => {
                round.verify(inbox)?;
                Ok(Step::Done(round.into_result()))
            }
        }
    }

    fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<M> {
        match self {
            Self::Presigning(state) => state.judge(run, inbox).abort.map_or(Ok(()), Err).into(),
            Self::Confirmations(round) => round.verify(inbox).into(),
        }
    }
}

/// The round after it, whose note has the presignatures, if its messages are no red alert.
const AFTER: Round = Round(4);

/// The rounds up to the sums, and the red alert: alone, or within another protocol.
#[allow(clippy::large_enum_variant, reason = "one is alive at a time")]
pub enum Presigning<C: EcdsaCurve> {
    Openings(AwaitingOpenings<C>),
    Products(AwaitingProducts<C>),
    Sums(AwaitingSums<C>),
    RedAlert(RedAlert<C>),
    /// Of a session that is opened in the round after the sums, with the presignatures that it noted.
    Over(Vec<Presignature<C>>),
}

/// The first round of a run for so many presignatures.
pub(crate) fn start<C: EcdsaCurve>(
    params: PresignParams<C>,
    count: u16,
    run: &Run,
) -> Result<(Presigning<C>, quorate_session::Outbox), ParamError> {
    if let Some(note) = run.noted(AFTER) {
        check(&params, count, run)?;
        let made = Presignature::from_note(note, count).ok_or(UNMADE)?;
        return Ok((Presigning::Over(made), run.recalled().ok_or(UNMADE)?));
    }
    let (round, outbox) = AwaitingOpenings::new(Signer::new(params, count, run)?, run)?;
    Ok((Presigning::Openings(round), outbox))
}

impl<C: EcdsaCurve> Rounds for Presigning<C> {
    type Output = Vec<Presignature<C>>;

    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<Step<Self, Self::Output>, Abort> {
        Ok(match self {
            Self::Openings(round) => Step::round(round.next(run, inbox)?, Self::Products),
            Self::Products(round) => Step::round(round.next(run, inbox)?, Self::Sums),
            Self::Sums(round) => {
                let step = round.next(run, inbox)?;
                step.map(|round| Self::RedAlert(RedAlert::Decryptions(round)))
            }
            Self::Over(made) if run.round() < SUMMED => {
                let sent = run.recalled().ok_or_else(|| internal(run))?;
                Step::Round(Self::Over(made), sent)
            }
            Self::Over(made) => Step::Done(made),
            Self::RedAlert(state) => {
                state.next(run, inbox)?.within(Self::RedAlert, |never| match never {})?
            }
        })
    }

    fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<Self::Output> {
        match self {
            Self::Openings(round) => round.verify(run, inbox).into(),
            Self::Products(round) => round.verify(run, inbox).into(),
            Self::Sums(round) => round.verify(run, inbox).into(),
            // Only while a session is opened.
            Self::Over(_) => Judgement::default(),
            Self::RedAlert(state) => state.judge(run, inbox).abort.map_or(Ok(()), Err).into(),
        }
    }
}
