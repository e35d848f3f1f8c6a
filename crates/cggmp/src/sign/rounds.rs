//! The rounds of a session that signs.

mod shares;

use quorate_session::{Abort, Inbox, Judgement, Outbox, Run};

use self::shares::AwaitingShares;
use crate::presign::rounds::{Made, Presigning};
use crate::proofs::internal;
use crate::{EcdsaCurve, Presignature, RawDigest, Signature};
use quorate_session::rounds::{RoundOutcome, Rounds};

/// The state of a signer between rounds.
#[allow(clippy::large_enum_variant, reason = "one is alive at a time")]
pub enum State<C: EcdsaCurve> {
    Presigning { state: Presigning<C>, digest: RawDigest },
    Shares(AwaitingShares<C>),
}

impl<C: EcdsaCurve> Rounds for State<C> {
    type Output = Signature<C>;

    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<RoundOutcome<Self, Signature<C>>, Abort> {
        match self {
            Self::Presigning { state, digest } => state.next(run, inbox)?.within(
                |state| Self::Presigning { state, digest },
                |made| {
                    let checkpoint = Presignature::to_checkpoint(&made);
                    let one = Presignature::from_run(made).ok_or_else(|| internal(run))?;
                    let (round, outbox) = AwaitingShares::new(&one, digest, run)?;
                    Ok((Self::Shares(round), Outbox { checkpoint, ..outbox }))
                },
            ),
            Self::Shares(round) => round.finish(run, inbox).map(RoundOutcome::Done),
        }
    }

    fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<Signature<C>> {
        match self {
            Self::Presigning { state, .. } => {
                state.judge(run, inbox).abort.map_or(Ok(()), Err).into()
            }
            Self::Shares(round) => round.verify(inbox).into(),
        }
    }
}
