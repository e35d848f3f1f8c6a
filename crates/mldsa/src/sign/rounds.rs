//! The rounds of an attempt, each named after what it waits for.

#[cfg(not(target_has_atomic = "ptr"))]
use alloc::rc::Rc as Shared;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc as Shared;
use alloc::vec::Vec;

use quorate_session::rounds::{RoundOutcome, Rounds};
use quorate_session::{Abort, BodyDigest, Check, Inbox, Judgement, Outbox, PerParty, Run};

use crate::packing::all_full;
use crate::poly::Poly;
use crate::secret::Seed;
use crate::share::KeyShare;
use crate::sign::aggregate::{Attempted, aggregate};
use crate::sign::mask::Masks;
use crate::sign::terms::{COMMITMENT, Terms};
use crate::sign::view::{Response, View, commitment, read_commitment, read_opening};

/// The state of a signer between rounds.
pub enum State {
    Commitments(AwaitingCommitments),
    Openings(AwaitingOpenings),
    Responses(AwaitingResponses),
}

/// The values that a signer withholds until all have committed.
struct Held {
    share: Shared<KeyShare>,
    terms: Terms,
    masks: Masks,
}

/// Round 1: h_j are on their way.
pub struct AwaitingCommitments {
    held: Held,
    opening: Vec<u8>,
    digest: BodyDigest,
}

/// Round 2: w_j are on their way.
pub struct AwaitingOpenings {
    held: Held,
    commitments: PerParty<[u8; COMMITMENT]>,
}

/// Round 3: responses are on their way.
pub struct AwaitingResponses {
    terms: Terms,
    view: View,
    own: Response,
}

/// A defect of this library, not a fault of any party.
const fn internal(run: &Run) -> Abort {
    Abort::unattributed(run.round(), Check::Internal)
}

impl AwaitingCommitments {
    /// Commits to the masks that follow from a seed.
    pub(crate) fn new(
        share: Shared<KeyShare>,
        terms: Terms,
        seed: Seed,
        run: &Run,
    ) -> (Self, Outbox) {
        let masks = Masks::new(terms.set(), seed);
        let opening = masks.commitments(&terms.a);
        let digest = BodyDigest::of(&opening);
        let own = commitment(&run.context(), run.party_id(), digest);
        let held = Held { share, terms, masks };
        (Self { held, opening, digest }, Outbox::broadcast(own.to_vec()))
    }

    fn read(inbox: Inbox<'_>) -> Result<PerParty<[u8; COMMITMENT]>, Abort> {
        inbox.verify(|_, message| read_commitment(message.broadcast))
    }

    fn next(self, inbox: Inbox<'_>) -> Result<(AwaitingOpenings, Outbox), Abort> {
        let commitments = Self::read(inbox)?;
        let Self { held, opening, digest } = self;
        let outbox = Outbox { digest: Some(digest), ..Outbox::broadcast(opening) };
        Ok((AwaitingOpenings { held, commitments }, outbox))
    }
}

impl AwaitingOpenings {
    fn verify(&self, run: &Run, inbox: Inbox<'_>) -> Result<PerParty<Vec<Poly>>, Abort> {
        let (set, context) = (self.held.terms.set(), run.context());
        // All commitments have arrived in the round before, so each peer has one.
        let none = [0; COMMITMENT];
        inbox.verify(|from, message| {
            let committed = self.commitments.get(from).unwrap_or(&none);
            read_opening(set, &context, from, committed, (message.broadcast, inbox.digest(from)))
        })
    }

    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<(AwaitingResponses, Outbox), Abort> {
        let openings = self.verify(run, inbox)?;
        let Held { share, terms, masks } = self.held;
        let own = all_full(inbox.own_broadcast()).ok_or_else(|| internal(run))?;
        let openings = openings.with(run.party_id(), own);
        let view = View::new(&terms, openings).ok_or_else(|| internal(run))?;
        let own = masks.respond(&share, &terms, &view.slots);
        // When the responses are sent, nothing is left of the masks.
        drop(masks);
        let outbox = Outbox::broadcast(own.to_bytes(terms.set()));
        Ok((AwaitingResponses { terms, view, own }, outbox))
    }
}

impl AwaitingResponses {
    fn verify(&self, inbox: Inbox<'_>) -> Result<PerParty<Response>, Abort> {
        inbox
            .verify(|from, message| self.view.verify_response(&self.terms, from, message.broadcast))
    }

    fn finish(self, run: &Run, inbox: Inbox<'_>) -> Result<Attempted, Abort> {
        let responses = self.verify(inbox)?.with(run.party_id(), self.own);
        Ok(aggregate(&self.terms, &self.view, &responses))
    }
}

impl Rounds for State {
    type Output = Attempted;

    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<RoundOutcome<Self, Attempted>, Abort> {
        Ok(match self {
            Self::Commitments(round) => RoundOutcome::round(round.next(inbox)?, Self::Openings),
            Self::Openings(round) => RoundOutcome::round(round.next(run, inbox)?, Self::Responses),
            Self::Responses(round) => RoundOutcome::Done(round.finish(run, inbox)?),
        })
    }

    fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<Attempted> {
        match self {
            Self::Commitments(_) => AwaitingCommitments::read(inbox).into(),
            Self::Openings(round) => round.verify(run, inbox).into(),
            Self::Responses(round) => round.verify(inbox).into(),
        }
    }
}
