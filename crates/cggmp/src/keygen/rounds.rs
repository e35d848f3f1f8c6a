//! The rounds of a key generation.

pub(super) mod digests;
pub(super) mod proofs;
pub(super) mod reveals;

use quorate_session::{Abort, Inbox, Judgement, Outbox, ParamError, PerParty, Round, Run};

use self::digests::AwaitingDigests;
use self::proofs::AwaitingProofs;
use self::reveals::AwaitingReveals;
use super::messages::Shown;
use super::view::{PROOFS, View, checkpoint};
use crate::proofs::{digests, internal};
use crate::{EcdsaCurve, KeyShare};
use quorate_session::rounds::{AwaitingConfirmations, RoundOutcome, Rounds};

/// The state of a party between rounds.
#[allow(clippy::large_enum_variant, reason = "one is alive at a time")]
pub enum State<C: EcdsaCurve> {
    Digests(AwaitingDigests<C>),
    Reveals(AwaitingReveals<C>),
    Proofs(AwaitingProofs<C>),
    Confirmations(AwaitingConfirmations<KeyShare<C>>),
    /// The state of a session that is opened after the reveals.
    Passing(Passing<C>),
}

/// The last.
const LAST: Round = Round(4);

impl<C: EcdsaCurve> State<C> {
    /// Round 1.
    pub(super) fn start(threshold: u16, run: &Run) -> Result<(Self, Outbox), ParamError> {
        if run.recalls(PROOFS)
            && let Some(sent) = run.recalled()
        {
            let view = View::new(run.into(), run.parties(), threshold);
            return Ok((Self::Passing(Passing { view, own: None }), sent));
        }
        let first = AwaitingDigests::new(threshold, run).map_err(|_| ParamError::Randomness)?;
        let (round, outbox) = first;
        Ok((Self::Digests(round), outbox))
    }
}

/// The path of a session that is opened in the round of the proofs or in the last, where the polynomials are not needed.
pub struct Passing<C: EcdsaCurve> {
    view: View<C>,
    own: Option<Shown<C>>,
}

impl<C: EcdsaCurve> Passing<C> {
    fn next(mut self, run: &Run, inbox: Inbox<'_>) -> Option<RoundOutcome<State<C>, KeyShare<C>>> {
        let sent = run.recalled()?;
        match (run.round(), self.own.take()) {
            (PROOFS, _) => {
                let last = AwaitingConfirmations::recall(checkpoint(run)?, run)?;
                Some(RoundOutcome::round(last, State::Confirmations))
            }
            (_, Some(own)) if !run.recalls(LAST) => {
                let known = inbox.each();
                let known =
                    known.map(|message| Some((message.from, Shown::new(message.broadcast)?)));
                let known = known.collect::<Option<PerParty<_>>>()?.with(run.party_id(), own);
                let proofs = AwaitingProofs::recall(run, View { known, ..self.view })?;
                Some(RoundOutcome::round(proofs, State::Proofs))
            }
            _ => {
                self.own = Shown::new(sent.broadcast.as_deref()?);
                Some(RoundOutcome::Round(State::Passing(self), sent))
            }
        }
    }
}

impl<C: EcdsaCurve> Rounds for State<C> {
    type Output = KeyShare<C>;

    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<RoundOutcome<Self, KeyShare<C>>, Abort> {
        Ok(match self {
            Self::Digests(round) => RoundOutcome::round(round.next(run, inbox)?, Self::Reveals),
            Self::Reveals(round) => RoundOutcome::round(round.next(run, inbox)?, Self::Proofs),
            Self::Proofs(round) => {
                RoundOutcome::round(round.next(run, inbox)?, Self::Confirmations)
            }
            Self::Confirmations(round) => round.finish(inbox, KeyShare::confirm),
            Self::Passing(passing) => passing.next(run, inbox).ok_or_else(|| internal(run))?,
        })
    }

    fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<KeyShare<C>> {
        match self {
            Self::Digests(_) => digests(inbox).into(),
            Self::Reveals(round) => round.verify(run, inbox).into(),
            Self::Proofs(round) => round.verify(inbox).into(),
            Self::Confirmations(round) => round.judge(inbox),
            // Only while a session is opened.
            Self::Passing(_) => Judgement::default(),
        }
    }
}
