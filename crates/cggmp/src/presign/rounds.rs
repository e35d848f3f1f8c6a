//! The rounds of presigning.

pub(super) mod openings;
pub(super) mod products;
pub(super) mod sums;

use quorate_session::{Abort, Inbox, Judgement, ParamError, Run};

use self::openings::AwaitingOpenings;
use self::products::AwaitingProducts;
use self::sums::AwaitingSums;
use super::messages::CONFIRMATION;
use super::params::PresignParams;
use super::presignature::Presignature;
use super::red_alert::rounds::State as RedAlert;
use super::signer::Signer;
use crate::EcdsaCurve;
use quorate_session::rounds::{AwaitingConfirmations, Rounds, Step};

/// The state of a signer between rounds.
#[allow(clippy::large_enum_variant, reason = "one is alive at a time")]
pub enum State<C: EcdsaCurve> {
    Presigning(Presigning<C>),
    Confirmations(AwaitingConfirmations<Presignature<C>>),
}

impl<C: EcdsaCurve> Rounds for State<C> {
    type Output = Presignature<C>;

    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<Step<Self, Presignature<C>>, Abort> {
        match self {
            Self::Presigning(state) => state.next(run, inbox)?.within(Self::Presigning, |done| {
                let (round, outbox) = AwaitingConfirmations::new(done, CONFIRMATION);
                Ok((Self::Confirmations(round), outbox))
            }),
            // A peer that says by its echo that it saw the same sums has no cause for a red alert.
            Self::Confirmations(round) => {
                round.verify(inbox)?;
                Ok(Step::Done(round.into_result()))
            }
        }
    }

    fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<Presignature<C>> {
        match self {
            Self::Presigning(state) => state.judge(run, inbox),
            Self::Confirmations(round) => round.verify(inbox).into(),
        }
    }
}

/// The rounds up to the sums, and the red alert: alone, or within another protocol.
#[allow(clippy::large_enum_variant, reason = "one is alive at a time")]
pub enum Presigning<C: EcdsaCurve> {
    Openings(AwaitingOpenings<C>),
    Products(AwaitingProducts<C>),
    Sums(AwaitingSums<C>),
    RedAlert(RedAlert<C>),
}

/// The first round.
pub(crate) fn start<C: EcdsaCurve>(
    params: PresignParams<C>,
    run: &Run,
) -> Result<(Presigning<C>, quorate_session::Outbox), ParamError> {
    let (round, outbox) = AwaitingOpenings::new(Signer::new(params, run)?, run)?;
    Ok((Presigning::Openings(round), outbox))
}

impl<C: EcdsaCurve> Rounds for Presigning<C> {
    type Output = Presignature<C>;

    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<Step<Self, Presignature<C>>, Abort> {
        Ok(match self {
            Self::Openings(round) => Step::round(round.next(run, inbox)?, Self::Products),
            Self::Products(round) => Step::round(round.next(run, inbox)?, Self::Sums),
            Self::Sums(round) => {
                let step = round.next(run, inbox)?;
                step.map(|round| Self::RedAlert(RedAlert::Decryptions(round)))
            }
            Self::RedAlert(state) => {
                state.next(run, inbox)?.within(Self::RedAlert, |never| match never {})?
            }
        })
    }

    fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<Presignature<C>> {
        match self {
            Self::Openings(round) => round.verify(run, inbox).into(),
            Self::Products(round) => round.verify(run, inbox).into(),
            Self::Sums(round) => round.verify(run, inbox).into(),
            Self::RedAlert(state) => state.judge(run, inbox).abort.map_or(Ok(()), Err).into(),
        }
    }
}
