//! The public side of a resharing: the rules for each message, given the plan and the messages before it. The
//! rounds use it, and so does a party that judges afterwards.

use alloc::vec::Vec;

use quorate_curve::Curve;
use quorate_declassify::declassify;
use quorate_session::{Fault, PartyId, frame};
use quorate_sharing::{Commitment, lagrange};

use super::plan::ResharePlan;
use crate::deal::{self, Deal, Decoded, Finding, Keys, View, opening_key};
use crate::wire::Encoded;
use crate::{Family, Point, SharedKey};

/// The first byte of a message of round 3.
pub(super) const CONFIRMS: u8 = 0;
pub(super) const COMPLAINS: u8 = 1;

/// The values against which a message of round 3 is checked.
pub(super) struct Expected {
    /// The digest that a party confirms.
    pub(super) digest: [u8; 32],
    /// The members whose verifying shares would be the neutral element. If there are any, there is no result.
    pub(super) neutral: Vec<PartyId>,
}

impl<F: Family> ResharePlan<F> {
    /// Round 1: an opening key from each member of the new committee.
    pub(super) fn opening_key(
        &self,
        from: PartyId,
        body: &[u8],
    ) -> Result<Option<Encoded<F::Curve>>, Fault> {
        opening_key(self.committee().contains(from), body)
    }

    /// `λ_i·S_i` of each dealer. The list is empty if there are no such coefficients.
    pub(super) fn constants(&self) -> Vec<Point<F>> {
        let dealers = self.dealers();
        let lambdas = lagrange::all_at_zero::<F::Curve>(dealers.as_slice()).unwrap_or_default();
        let each = dealers.iter().zip(lambdas).filter_map(|(dealer, lambda)| {
            Some(F::Curve::msm_vartime(&[lambda], &[*self.old().share_point(dealer)?]))
        });
        each.collect()
    }

    /// The points of these messages of round 2, decoded together.
    pub(super) fn decoded<'a>(
        &self,
        bodies: impl Iterator<Item = (PartyId, &'a [u8])>,
    ) -> Decoded<F::Curve> {
        let (threshold, members) = (self.committee().points(), self.committee().parties());
        Decoded::new(bodies, threshold, |from| {
            let others = members.len().saturating_sub(usize::from(members.contains(from)));
            let dealer = self.dealers().contains(from);
            dealer.then(|| deal::length::<F::Curve>(threshold, others))
        })
    }

    /// Round 2: a deal from each dealer, with its form, its proof, and its constant. `points` are those of its
    /// body, if they are decoded already.
    pub(super) fn deal(
        &self,
        context: &[u8; 32],
        constants: &[Point<F>],
        from: PartyId,
        body: &[u8],
        points: Option<Vec<Point<F>>>,
    ) -> Result<Option<Deal<F::Curve>>, Fault> {
        let Some(place) = self.dealers().position(from) else {
            return if body.is_empty() { Ok(None) } else { Err(Fault::WrongLength) };
        };
        let recipients = self.committee().parties().as_slice();
        let threshold = self.committee().points();
        let deal = Deal::read(body, context, from, threshold, recipients, points)?;
        // F_i(0) = λ_i·S_i
        if constants.get(place) == Some(deal.commitment.constant()) {
            Ok(Some(deal))
        } else {
            Err(Fault::InvalidSum)
        }
    }

    /// A deal that was verified before the session was sealed.
    pub(super) fn known_deal(
        &self,
        from: PartyId,
        body: &[u8],
        points: Option<Vec<Point<F>>>,
    ) -> Result<Option<Deal<F::Curve>>, Fault> {
        if !self.dealers().contains(from) {
            return Ok(None);
        }
        let (recipients, threshold) =
            (self.committee().parties().as_slice(), self.committee().points());
        Deal::read_known(body, from, threshold, recipients, points).map(Some)
    }

    pub(super) fn view(
        &self,
        context: [u8; 32],
        keys: Keys<F::Curve>,
        deals: Vec<(PartyId, Deal<F::Curve>)>,
    ) -> View<F::Curve> {
        View { context, keys, recipients: self.committee().parties().iter().collect(), deals }
    }

    /// The new public value, by the commitment to the sum of all polynomials. `None` if a point of it is neutral.
    /// Complaints are judged before that. If a dealer made a neutral coefficient from those of the others, it
    /// cannot know the matching shares, so the complaints about its shares expose it.
    fn result(&self, sum: Commitment<F::Curve>) -> Option<SharedKey<F>> {
        let epoch = self.old().epoch().checked_add(1)?;
        let extra = self.old().extra().clone();
        let public = SharedKey::new(self.committee().clone(), epoch, sum, extra).ok()?;
        (public.key() == self.old().key()).then_some(public)
    }

    /// The new public value, if there is one, and the values against which round 3 is checked.
    pub(super) fn outcome(
        &self,
        view: &View<F::Curve>,
        sum: &Commitment<F::Curve>,
    ) -> (Option<SharedKey<F>>, Expected) {
        let public = self.result(sum.clone());
        let neutral = if public.is_some() { Vec::new() } else { self.neutral(sum) };
        let digest = confirmation(view, public.as_ref());
        (public, Expected { digest, neutral })
    }

    /// The members at whose places the sum of all polynomials is zero.
    fn neutral(&self, sum: &Commitment<F::Curve>) -> Vec<PartyId> {
        let members = self.committee().parties();
        let shares = sum.evaluate_all_vartime(members.as_slice());
        let each = members.iter().zip(&shares);
        each.filter(|(_, share)| F::Curve::is_identity(share)).map(|(member, _)| member).collect()
    }

    /// Round 3: the digest, or complaints. The digest follows from the broadcasts of rounds 1 and 2. The echo in
    /// this one shows that its sender saw the same, so a different digest is the sender's fault. An unfounded
    /// complaint is the sender's fault too; a right one is the dealer's.
    ///
    /// A member that confirms although its verifying share is neutral is at fault. Dealers do not commit to deals
    /// before they show them, so a corrupt dealer that deals last can aim at any place. At an honest member's
    /// place, it has to seal the negative of what the honest dealers sealed there. It does not know that value,
    /// so the member complains.
    pub(super) fn last(
        view: &View<F::Curve>,
        Expected { digest, neutral }: &Expected,
        from: PartyId,
        body: &[u8],
    ) -> Vec<Finding> {
        let lie = |fault| Vec::from([Finding::own(from, fault)]);
        match body.split_first() {
            Some((&CONFIRMS, said)) if said.len() != digest.len() => lie(Fault::WrongLength),
            Some((&CONFIRMS, said)) if said != digest => lie(Fault::InvalidConfirmation),
            Some((&CONFIRMS, _)) if neutral.contains(&from) => lie(Fault::IdentityCommitment),
            Some((&CONFIRMS, _)) => Vec::new(),
            Some((&COMPLAINS, rest)) => view.judge(from, rest),
            Some(_) => lie(Fault::Malformed),
            None => lie(Fault::WrongLength),
        }
    }
}

/// The digest of the data that all parties must agree on: the deals and the new public value.
fn confirmation<F: Family>(view: &View<F::Curve>, public: Option<&SharedKey<F>>) -> [u8; 32] {
    let mut transcript = frame::transcript(&view.context, "quorate-keys reshare confirm");
    transcript.append("deals", &view.digest());
    transcript.append_list("package", public.iter().map(|public| public.to_bytes()));
    // The digest of broadcasts only.
    declassify(transcript.finish32())
}
