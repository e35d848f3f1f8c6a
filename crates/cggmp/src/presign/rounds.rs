//! The rounds of presigning.

pub(super) mod openings;
pub(super) mod products;
pub(super) mod sums;

use alloc::vec::Vec;
use core::ops::ControlFlow;

use quorate_session::{Abort, Inbox, Judgement, Outbox, ParamError, Round, Run};

use self::openings::AwaitingOpenings;
use self::products::AwaitingProducts;
use self::products::pieces::{Additions, Multiplications};
use self::sums::AwaitingSums;
use super::messages::{CONFIRMATION, SUMMED};
use super::params::PresignParams;
use super::presignature::Presignature;
use super::red_alert::rounds::State as RedAlert;
use super::signer::{Signer, UNMADE, check};
use crate::EcdsaCurve;
use crate::proofs::internal;
use quorate_session::rounds::{AwaitingConfirmations, RoundOutcome, Rounds};

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

    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<RoundOutcome<Self, M>, Abort> {
        match self {
            Self::Presigning(state) => state.next(run, inbox)?.within(Self::Presigning, |done| {
                let checkpoint =
                    if run.is_verified() { None } else { Some(Presignature::to_checkpoint(&done)) };
                let made = M::from_run(done).ok_or_else(|| internal(run))?;
                let (round, outbox) = match checkpoint {
                    Some(checkpoint) => {
                        AwaitingConfirmations::with_checkpoint(made, CONFIRMATION, checkpoint)
                    }
                    None => {
                        AwaitingConfirmations::recall(made, run).ok_or_else(|| internal(run))?
                    }
                };
                Ok((Self::Confirmations(round), outbox))
            }),
            // A peer whose echo shows that it saw the same sums has no cause for a red alert.
            Self::Confirmations(round) => Ok(round.finish(inbox, |_| {})),
        }
    }

    fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<M> {
        match self {
            Self::Presigning(state) => state.judge(run, inbox).abort.map_or(Ok(()), Err).into(),
            Self::Confirmations(round) => round.judge(inbox),
        }
    }
}

/// The round after it, whose checkpoint has the presignatures, if its messages are no red alert.
const AFTER: Round = Round(4);

/// The rounds up to the sums, and the red alert: alone, or within another protocol.
#[allow(clippy::large_enum_variant, reason = "one is alive at a time")]
pub enum Presigning<C: EcdsaCurve> {
    Openings(AwaitingOpenings<C>),
    /// Between two pieces of the work on the openings, in a run for many.
    Multiplications(Multiplications<C>),
    Products(AwaitingProducts<C>),
    /// Between two pieces of the work on the products, in a run for many.
    Additions(Additions<C>),
    Sums(AwaitingSums<C>),
    RedAlert(RedAlert<C>),
    /// Of a session that is opened in the round after the sums, with the presignatures of its checkpoint.
    Over(Vec<Presignature<C>>),
}

/// The first round of a run for `count` presignatures.
pub(crate) fn start<C: EcdsaCurve>(
    params: PresignParams<C>,
    count: u16,
    run: &Run,
) -> Result<(Presigning<C>, Outbox), ParamError> {
    if let Some(checkpoint) = run.checkpoint(AFTER) {
        check(&params, count, run)?;
        let made = Presignature::from_checkpoint(checkpoint, count).ok_or(UNMADE)?;
        return Ok((Presigning::Over(made), run.recalled().ok_or(UNMADE)?));
    }
    let (round, outbox) = AwaitingOpenings::new(Signer::new(params, count, run)?, run)?;
    Ok((Presigning::Openings(round), outbox))
}

/// The step to another piece of the work of a round, or to the next round.
fn step<C: EcdsaCurve, W, R>(
    piece: ControlFlow<(R, Outbox), W>,
    work: impl FnOnce(W) -> Presigning<C>,
    round: impl FnOnce(R) -> Presigning<C>,
) -> RoundOutcome<Presigning<C>, Vec<Presignature<C>>> {
    match piece {
        ControlFlow::Continue(more) => RoundOutcome::Work(work(more)),
        ControlFlow::Break(next) => RoundOutcome::round(next, round),
    }
}

impl<C: EcdsaCurve> Rounds for Presigning<C> {
    type Output = Vec<Presignature<C>>;

    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<RoundOutcome<Self, Self::Output>, Abort> {
        Ok(match self {
            Self::Openings(round) => {
                step(round.next(run, inbox)?, Self::Multiplications, Self::Products)
            }
            Self::Multiplications(work) => {
                step(work.next(run, inbox)?, Self::Multiplications, Self::Products)
            }
            Self::Products(round) if round.signer.works_in_pieces(run) => {
                RoundOutcome::Work(Self::Additions(Additions::new(round)))
            }
            Self::Products(round) => RoundOutcome::round(round.next(run, inbox)?, Self::Sums),
            Self::Additions(work) => step(work.next(run, inbox)?, Self::Additions, Self::Sums),
            Self::Sums(round) => {
                let step = round.next(run, inbox)?;
                step.map(|round| Self::RedAlert(RedAlert::Decryptions(round)))
            }
            Self::Over(made) if run.round() < SUMMED => {
                let sent = run.recalled().ok_or_else(|| internal(run))?;
                RoundOutcome::Round(Self::Over(made), sent)
            }
            Self::Over(made) => RoundOutcome::Done(made),
            Self::RedAlert(state) => {
                state.next(run, inbox)?.within(Self::RedAlert, |never| match never {})?
            }
        })
    }

    fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<Self::Output> {
        match self {
            Self::Openings(round) => round.verify(run, inbox).into(),
            Self::Multiplications(work) => work.judge(run, inbox).into(),
            Self::Products(round) => round.verify(run, inbox).into(),
            Self::Additions(work) => work.judge(run, inbox).into(),
            Self::Sums(round) => round.verify(run, inbox).into(),
            // Only while a session is opened.
            Self::Over(_) => Judgement::default(),
            Self::RedAlert(state) => state.judge(run, inbox).abort.map_or(Ok(()), Err).into(),
        }
    }
}
