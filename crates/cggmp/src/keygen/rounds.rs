//! The rounds of a key generation.

pub(super) mod digests;
pub(super) mod proofs;
pub(super) mod reveals;

use quorate_session::{Abort, Inbox, Judgement, Run};

use self::digests::AwaitingDigests;
use self::proofs::AwaitingProofs;
use self::reveals::AwaitingReveals;
use crate::proofs::digests;
use crate::{EcdsaCurve, KeyShare};
use quorate_session::rounds::{AwaitingConfirmations, Rounds, Step};

/// The state of a party between rounds.
#[allow(clippy::large_enum_variant, reason = "one is alive at a time")]
pub enum State<C: EcdsaCurve> {
    Digests(AwaitingDigests<C>),
    Reveals(AwaitingReveals<C>),
    Proofs(AwaitingProofs<C>),
    Confirmations(AwaitingConfirmations<KeyShare<C>>),
}

impl<C: EcdsaCurve> Rounds for State<C> {
    type Output = KeyShare<C>;

    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<Step<Self, KeyShare<C>>, Abort> {
        Ok(match self {
            Self::Digests(round) => Step::round(round.next(run, inbox)?, Self::Reveals),
            Self::Reveals(round) => Step::round(round.next(run, inbox)?, Self::Proofs),
            Self::Proofs(round) => Step::round(round.next(run, inbox)?, Self::Confirmations),
            Self::Confirmations(round) => round.finish(inbox, KeyShare::confirm),
        })
    }

    fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<KeyShare<C>> {
        match self {
            Self::Digests(_) => digests(inbox).into(),
            Self::Reveals(round) => round.verify(run, inbox).into(),
            Self::Proofs(round) => round.verify(inbox).into(),
            Self::Confirmations(round) => round.judge(inbox),
        }
    }
}
