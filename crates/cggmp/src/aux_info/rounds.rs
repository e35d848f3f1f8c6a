//! The rounds of the making of auxiliary information.

pub(super) mod digests;
pub(super) mod proofs;
pub(super) mod reveals;

use quorate_session::{Abort, Inbox, Judgement, Run};

use self::digests::AwaitingDigests;
use self::proofs::AwaitingProofs;
use self::reveals::AwaitingReveals;
use crate::AuxInfo;
use crate::proofs::digests;
use quorate_session::rounds::{AwaitingConfirmations, RoundOutcome, Rounds};

/// The state of a party between rounds.
#[allow(clippy::large_enum_variant, reason = "one is alive at a time")]
pub enum State {
    Digests(AwaitingDigests),
    Reveals(AwaitingReveals),
    Proofs(AwaitingProofs),
    Confirmations(AwaitingConfirmations<AuxInfo>),
}

impl Rounds for State {
    type Output = AuxInfo;

    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<RoundOutcome<Self, AuxInfo>, Abort> {
        Ok(match self {
            Self::Digests(round) => RoundOutcome::round(round.next(inbox)?, Self::Reveals),
            Self::Reveals(round) => RoundOutcome::round(round.next(run, inbox)?, Self::Proofs),
            Self::Proofs(round) => {
                RoundOutcome::round(round.next(run, inbox)?, Self::Confirmations)
            }
            Self::Confirmations(round) => round.finish(inbox, AuxInfo::confirm),
        })
    }

    fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<AuxInfo> {
        match self {
            Self::Digests(_) => digests(inbox).into(),
            Self::Reveals(round) => round.judge(run, inbox).into(),
            Self::Proofs(round) => round.verify(run, inbox).into(),
            Self::Confirmations(round) => round.judge(inbox),
        }
    }
}
