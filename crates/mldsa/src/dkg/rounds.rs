//! The rounds of a key generation, each named after what it waits for.

mod commitments;
mod confirmations;
mod images;
mod keys;
mod reveals;

use quorate_session::rounds::{RoundOutcome, Rounds};
use quorate_session::{Abort, Inbox, Judgement, Run};

use self::commitments::AwaitingCommitments;
use self::confirmations::AwaitingConfirmations;
use self::images::AwaitingImages;
pub(crate) use self::keys::AwaitingKeys;
use self::reveals::AwaitingReveals;
use crate::share::KeyShare;

/// The state of a party between rounds.
pub enum State {
    Keys(AwaitingKeys),
    Reveals(AwaitingReveals),
    Commitments(AwaitingCommitments),
    Images(AwaitingImages),
    Confirmations(AwaitingConfirmations),
}

impl Rounds for State {
    type Output = KeyShare;

    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<RoundOutcome<Self, KeyShare>, Abort> {
        Ok(match self {
            Self::Keys(round) => RoundOutcome::round(round.next(run, inbox)?, Self::Reveals),
            Self::Reveals(round) => RoundOutcome::round(round.next(run, inbox)?, Self::Commitments),
            Self::Commitments(round) => RoundOutcome::round(round.next(run, inbox)?, Self::Images),
            Self::Images(round) => {
                RoundOutcome::round(round.next(run, inbox)?, Self::Confirmations)
            }
            Self::Confirmations(round) => return round.finish(run, inbox),
        })
    }

    fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<KeyShare> {
        match self {
            Self::Keys(round) => round.verify(run, inbox).into(),
            Self::Reveals(round) => round.settle(run, inbox).into(),
            Self::Commitments(round) => round.verify(inbox).into(),
            Self::Images(round) => round.verify(run, inbox).into(),
            Self::Confirmations(round) => round.judge(run, inbox),
        }
    }
}
