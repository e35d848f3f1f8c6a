//! The verdict of a third party on the frames of a repair.

use quorate_session::{Evidence, Fault, PartyId, Protocol, Session, SessionId};

use super::view::Masks;
use super::{Repair, RepairPlan};
use crate::KeyTypes;
use crate::deal::opening_key;
use crate::evidence::Frames;

impl<F: KeyTypes> RepairPlan<F> {
    /// The fault of `party` that these frames prove, in the run `sid` of this plan, as for
    /// [`ResharePlan::convicts`](crate::ResharePlan::convicts).
    #[must_use]
    pub fn convicts(&self, sid: SessionId, evidence: &Evidence, party: PartyId) -> Option<Fault> {
        let parties = self.parties();
        let context =
            Session::<Repair<F>>::bound(sid, &parties, |binding| self.bind(binding)).context();
        let frames =
            Frames::read(evidence, (Repair::<F>::CODE, Repair::<F>::ROUNDS), context, &parties)?;
        let opened = frames.by(1, party).map(|body| opening_key::<F::Curve>(true, body));
        if let Some(Err(fault)) = opened {
            return Some(fault);
        }
        let masked = frames.by(2, party).map(|body| self.mask(&context, party, body, None));
        if let Some(Err(fault)) = masked {
            return Some(fault);
        }
        let keys = frames
            .round(1)?
            .into_iter()
            .map(|(from, body)| Some((from, opening_key(true, body).ok()??)));
        let dealt = frames.round(2)?;
        let mut decoded = self.decoded(dealt.iter().copied());
        let masks = dealt.into_iter().filter(|(from, _)| *from != self.target());
        let masks = masks.map(|(from, body)| {
            Some((from, self.mask(&context, from, body, decoded.take(from)).ok()??))
        });
        // If keys or masks were malformed, such a run has no message that rests on them.
        let masks = Masks::new(
            self.clone(),
            context,
            keys.collect::<Option<_>>()?,
            masks.collect::<Option<_>>()?,
        )?;
        // The party sent and dealt for these keys.
        if frames.attests(2, party) { masks.convicts(&frames, party) } else { None }
    }
}
