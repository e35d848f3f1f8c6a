//! The rounds of a red alert. Each step makes or verifies one proof.

pub(crate) mod decryptions;
pub(crate) mod product_proofs;

use core::convert::Infallible;
use core::ops::ControlFlow;

use quorate_session::{Abort, Inbox, Judgement, Run};

use self::decryptions::AwaitingDecryptions;
use self::product_proofs::{AwaitingProductProofs, ProvingProducts};
use crate::EcdsaCurve;
use quorate_session::rounds::{RoundOutcome, Rounds};

/// The state of a party between steps. A red alert ends in an [`Abort`].
#[allow(clippy::large_enum_variant, reason = "one is alive at a time")]
pub enum State<C: EcdsaCurve> {
    Decryptions(AwaitingDecryptions<C>),
    ProvingProducts(ProvingProducts<C>),
    ProductProofs(AwaitingProductProofs<C>),
}

impl<C: EcdsaCurve> Rounds for State<C> {
    type Output = Infallible;

    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<RoundOutcome<Self, Infallible>, Abort> {
        Ok(match self {
            Self::Decryptions(round) => RoundOutcome::Work(match round.next(run, inbox)? {
                ControlFlow::Continue(round) => Self::Decryptions(round),
                ControlFlow::Break(round) => Self::ProvingProducts(round),
            }),
            Self::ProvingProducts(round) => match round.next(run)? {
                ControlFlow::Continue(round) => RoundOutcome::Work(Self::ProvingProducts(round)),
                ControlFlow::Break(next) => RoundOutcome::round(next, Self::ProductProofs),
            },
            Self::ProductProofs(round) => {
                RoundOutcome::Work(Self::ProductProofs(round.next(run, inbox)?))
            }
        })
    }

    fn judge(self, _: &Run, inbox: Inbox<'_>) -> Judgement<Infallible> {
        match self {
            Self::Decryptions(round) => round.judge(inbox).into(),
            // All proofs of this round are verified.
            Self::ProvingProducts(_) => Judgement::default(),
            Self::ProductProofs(round) => round.judge(inbox).into(),
        }
    }
}
