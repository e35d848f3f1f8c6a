//! The verdict of a third party on the frames of a resharing.

use alloc::vec::Vec;

use quorate_session::{Evidence, Fault, PartyId, Protocol, Session, SessionId};

use super::{Reshare, ResharePlan};
use crate::deal::{Keys, convicted};
use crate::evidence::Frames;
use crate::{KeyTypes, Point};

impl<F: KeyTypes> ResharePlan<F> {
    /// The fault of `party` that these frames prove, in the run `sid` of this plan.
    ///
    /// A pure function of public data, for third parties. The transport's signatures have to show that the frames
    /// are their senders'. An honest party is never convicted, whatever frames the others have made. For
    /// contradictions, use [`Evidence::proves_equivocation`].
    ///
    /// One fault has a condition: [`Fault::IdentityCommitment`] in round 3, for a member that confirms a neutral
    /// verifying share of its own. Only somebody who can compute the secret key could bring an honest member into
    /// that position.
    #[must_use]
    pub fn convicts(&self, sid: SessionId, evidence: &Evidence, party: PartyId) -> Option<Fault> {
        let parties = self.parties();
        let context =
            Session::<Reshare<F>>::bound(sid, &parties, |binding| self.bind(binding)).context();
        let frames =
            Frames::read(evidence, (Reshare::<F>::CODE, Reshare::<F>::ROUNDS), context, &parties)?;
        let opened = frames.by(1, party).map(|body| self.opening_key(party, body));
        if let Some(Err(fault)) = opened {
            return Some(fault);
        }
        let constants = self.constants();
        let dealt =
            frames.by(2, party).map(|body| self.deal(&context, &constants, party, body, None));
        if let Some(Err(fault)) = dealt {
            return Some(fault);
        }
        self.convicts_last(&frames, context, &constants, party)
    }

    /// The fault proved by a message of round 3: the party's own, or a complaint of another party about its deal.
    fn convicts_last(
        &self,
        frames: &Frames<'_>,
        context: [u8; 32],
        constants: &[Point<F>],
        party: PartyId,
    ) -> Option<Fault> {
        let keys = frames
            .round(1)?
            .into_iter()
            .filter_map(|(from, body)| Some((from, self.opening_key(from, body).ok()??)));
        let dealt = frames.round(2)?;
        let mut decoded = self.decoded(dealt.iter().copied());
        let deals = dealt.into_iter().filter_map(|(from, body)| {
            Some((from, self.deal(&context, constants, from, body, decoded.take(from)).ok()??))
        });
        let (keys, deals): (Keys<F::Curve>, Vec<_>) = (keys.collect(), deals.collect());
        // If keys or deals were malformed, such a run has no message that rests on them.
        if keys.len() != self.committee().parties().len() || deals.len() != self.dealers().len() {
            return None;
        }
        let view = self.view(context, keys, deals);
        let (_, expected) = self.outcome(&view, &view.sum()?);
        let of = |from| Some(Self::last(&view, &expected, from, frames.by(3, from)?));
        // The party sent and dealt for these keys, and its last message is about these deals.
        if !frames.attests(2, party) {
            return None;
        }
        let own = if frames.attests(3, party) { of(party) } else { None };
        let parties = self.parties();
        let theirs = parties.iter().filter(|from| *from != party).filter_map(of);
        convicted(own.into_iter().chain(theirs).flatten(), party)
    }
}
