//! The public side of a repair: the rules for each message, given the plan and the messages before it. The rounds
//! use it, and so does a party that judges afterwards.

use alloc::vec::Vec;

use quorate_curve::{Curve, Secret};
use quorate_session::{Fault, PartyId, PerParty, wire::Reader};
use quorate_sharing::Commitment;

use super::plan::RepairPlan;
use crate::deal::{
    self, Complaint, Deal, Decoded, Envelope, Finding, Keys, Label, View, convicted, until_lie,
};
use crate::evidence::Frames;
use crate::wire::{read_scalar, scalar_len};
use crate::{Family, Point, Scalar};

/// The first byte of a message of rounds 3 and 4.
pub(super) const GIVES: u8 = 0;
pub(super) const COMPLAINS: u8 = 1;

/// The masked shares that the helpers have sealed for the target, by helper.
pub(super) type Given<F> = PerParty<Scalar<F>>;

/// The opening keys and masks of a run, and the commitment to the sum of the masks.
pub(super) struct Masks<F: Family> {
    pub(super) plan: RepairPlan<F>,
    pub(super) view: View<F::Curve>,
    /// The digest of the view.
    digest: [u8; 32],
    pub(super) sum: Commitment<F::Curve>,
}

impl<F: Family> RepairPlan<F> {
    /// The points of these messages of round 2, decoded together.
    pub(super) fn decoded<'a>(
        &self,
        bodies: impl Iterator<Item = (PartyId, &'a [u8])>,
    ) -> Decoded<F::Curve> {
        let threshold = usize::from(self.key().threshold());
        let others = self.helpers().len().saturating_sub(1);
        let long = deal::length::<F::Curve>(threshold, others);
        Decoded::new(bodies, threshold, |from| (from != self.target()).then_some(long))
    }

    /// Round 2: a mask from each helper, with its form, its proof, and its zero. `points` are those of its body,
    /// if they are decoded already.
    pub(super) fn mask(
        &self,
        context: &[u8; 32],
        from: PartyId,
        body: &[u8],
        points: Option<Vec<Point<F>>>,
    ) -> Result<Option<Deal<F::Curve>>, Fault> {
        if from == self.target() {
            return if body.is_empty() { Ok(None) } else { Err(Fault::WrongLength) };
        }
        let threshold = usize::from(self.key().threshold());
        let helpers = self.helpers().as_slice();
        let deal = Deal::read(body, context, from, threshold, helpers, points)?;
        // Δ_k(r) = O
        let zero = F::Curve::is_identity(&deal.commitment.evaluate_vartime(self.target()));
        if zero { Ok(Some(deal)) } else { Err(Fault::InvalidSum) }
    }
}

impl<F: Family> RepairPlan<F> {
    /// A mask that was verified before the session was sealed.
    pub(super) fn known_mask(
        &self,
        from: PartyId,
        body: &[u8],
        points: Option<Vec<Point<F>>>,
    ) -> Result<Option<Deal<F::Curve>>, Fault> {
        if from == self.target() {
            return Ok(None);
        }
        let threshold = usize::from(self.key().threshold());
        let helpers = self.helpers().as_slice();
        Deal::read_known(body, from, threshold, helpers, points).map(Some)
    }
}

impl<F: Family> Masks<F> {
    /// `None` for a defect.
    pub(super) fn new(
        plan: RepairPlan<F>,
        context: [u8; 32],
        keys: Keys<F::Curve>,
        deals: Vec<(PartyId, Deal<F::Curve>)>,
    ) -> Option<Self> {
        let view = View { context, keys, recipients: plan.helpers().iter().collect(), deals };
        let (sum, digest) = (view.sum()?, view.digest());
        Some(Self { plan, view, digest, sum })
    }

    /// The purpose of the scalar that a helper seals to the target.
    pub(super) const fn label(&self) -> Label {
        Label::Masked(self.digest)
    }

    /// The envelope from a helper to the target.
    pub(super) fn envelope(&self, helper: PartyId) -> Option<Envelope<F::Curve>> {
        self.view.envelope(self.label(), helper, self.plan.target())
    }

    /// Checks `v_i·G = S_i + Σ Δ_k(i)`.
    pub(super) fn fits(&self, helper: PartyId, value: &Secret<Scalar<F>>) -> bool {
        self.plan.key().share_point(helper).is_some_and(|share| {
            F::Curve::mul_base(value.expose()) == *share + self.sum.evaluate_vartime(helper)
        })
    }

    /// Round 3: a helper's sealed masked share, nothing from the target, or the liars.
    pub(super) fn given(
        &self,
        from: PartyId,
        body: &[u8],
    ) -> Result<Option<Scalar<F>>, Vec<Finding>> {
        let lie = |fault| Vec::from([Finding::own(from, fault)]);
        let target = from == self.plan.target();
        match body.split_first() {
            None if target => Ok(None),
            Some(_) if target => Err(lie(Fault::WrongLength)),
            Some((&GIVES, sealed)) if sealed.len() == scalar_len::<F::Curve>() => {
                read_scalar::<F::Curve>(&mut Reader::new(sealed)).map(Some).map_err(lie)
            }
            Some((&COMPLAINS, rest)) => Err(self.view.judge(from, rest)),
            Some((&GIVES, _)) | None => Err(lie(Fault::WrongLength)),
            Some(_) => Err(lie(Fault::Malformed)),
        }
    }

    /// Round 4: the target has its share or complains; the helpers send nothing.
    pub(super) fn last(&self, given: &Given<F>, from: PartyId, body: &[u8]) -> Vec<Finding> {
        let lie = |fault| Vec::from([Finding::own(from, fault)]);
        if from != self.plan.target() {
            return if body.is_empty() { Vec::new() } else { lie(Fault::WrongLength) };
        }
        match body.split_first() {
            Some((&GIVES, [])) => Vec::new(),
            Some((&COMPLAINS, rest)) => until_lie(from, rest, |one| self.judge(given, one)),
            Some((&GIVES, _)) | None => lie(Fault::WrongLength),
            Some(_) => lie(Fault::Malformed),
        }
    }

    /// The party that a complaint of the target convicts: the accused helper, or the target.
    fn judge(&self, given: &Given<F>, complaint: &Complaint<F::Curve>) -> Finding {
        let (target, helper) = (self.plan.target(), complaint.against);
        let lie = |fault| Finding::own(target, fault);
        let sealed = given.get(helper);
        let Some((sealed, envelope)) = sealed.zip(self.envelope(helper)) else {
            return lie(Fault::Malformed);
        };
        match complaint.opened(&envelope, sealed) {
            Err(fault) => lie(fault),
            Ok(value) if self.fits(helper, &value) => lie(Fault::FalseComplaint),
            Ok(_) => Finding::accused(helper, target),
        }
    }

    /// The fault that messages of rounds 3 and 4 prove.
    pub(super) fn convicts(&self, frames: &Frames<'_>, party: PartyId) -> Option<Fault> {
        let parties = self.plan.parties();
        let spoken = |round: u8| {
            parties.iter().filter_map(move |from| Some((from, frames.by(round, from)?)))
        };
        let heard = frames.attests(3, party);
        let mut findings = Vec::new();
        let mut given = Given::<F>::new();
        for (from, body) in spoken(3) {
            match self.given(from, body) {
                Ok(Some(sealed)) => drop(given.insert(from, sealed)),
                Ok(None) => {}
                // The party's own messages are about the masks that it attests to.
                Err(more) if from != party || heard => findings.extend(more),
                Err(_) => {}
            }
        }
        // A helper sealed its masked share for the masks that it attests to. The messages of the target are about
        // the masked shares that it attests to.
        let target = party == self.plan.target();
        let complete = given.len() == self.plan.helpers().len() && frames.attests(4, party);
        if heard && (!target || complete) {
            findings.extend(spoken(4).flat_map(|(from, body)| self.last(&given, from, body)));
        }
        convicted(findings, party)
    }
}
