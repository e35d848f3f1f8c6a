//! The verdict of a third party on the frames of a resharing.

use alloc::vec::Vec;

use quorate_session::{Evidence, Fault, PartyId, Protocol, Session, SessionId};

use super::view::confirmation;
use super::{Reshare, ResharePlan};
use crate::deal::{Keys, convicted};
use crate::evidence::Frames;
use crate::{KeyTypes, Point};

impl<F: KeyTypes> ResharePlan<F> {
    /// The fault of `party` that these frames prove, in the run `sid` of this plan.
    ///
    /// A pure function of public data, for third parties; that the frames are their senders' is for the transport's
    /// signatures to show. An honest party is never convicted, whatever frames the others have made. Contradictions are
    /// for [`Evidence::proves_equivocation`].
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

    /// By a message of round 3: the party's own, or another's complaint about its deal.
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
        // What stands on keys or deals that were not in order is no message of such a run.
        if keys.len() != self.committee().parties().len() || deals.len() != self.dealers().len() {
            return None;
        }
        let view = self.view(context, keys, deals);
        let digest = confirmation(&view, self.result(view.sum()?).as_ref());
        let of = |from| Some(Self::last(&view, &digest, from, frames.by(3, from)?));
        // The party spoke and dealt to these keys, and its last word is about these deals.
        if !frames.attests(2, party) {
            return None;
        }
        let own = if frames.attests(3, party) { of(party) } else { None };
        let parties = self.parties();
        let theirs = parties.iter().filter(|from| *from != party).filter_map(of);
        convicted(own.into_iter().chain(theirs).flatten(), party)
    }
}
