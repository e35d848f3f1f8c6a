//! One party's part in a resharing.

use core::fmt;

use quorate_curve::Secret;
use quorate_session::PartyId;

use super::plan::ResharePlan;
use crate::error::PlanError;
use crate::{Family, Scalar, SecretShare, ShareState};

/// The plan, and this party's part in it.
pub struct ReshareParams<F: Family> {
    pub(super) plan: ResharePlan<F>,
    pub(super) me: PartyId,
    /// A dealer's share.
    pub(super) share: Option<Secret<Scalar<F>>>,
}

impl<F: Family> ReshareParams<F> {
    /// The part of a dealer, whether it stays in the committee or not. The share itself stays with the caller,
    /// and remains valid.
    ///
    /// # Errors
    /// [`PlanError`] if the plan names no such dealer. Also if the share is unconfirmed, or belongs to another
    /// key, epoch or package.
    pub fn dealer(plan: &ResharePlan<F>, share: &SecretShare<F>) -> Result<Self, PlanError> {
        let me = share.id();
        if !plan.dealers().contains(me) {
            return Err(PlanError::OtherPart(me));
        }
        share.check_belongs_to(plan.old())?;
        if share.state() == ShareState::Unconfirmed {
            return Err(PlanError::Unconfirmed);
        }
        let secret = Secret::new(*share.secret().expose());
        Ok(Self { plan: plan.clone(), me, share: Some(secret) })
    }

    /// The part of a member of the new committee that does not deal: it is new, or the plan does not use its
    /// share.
    ///
    /// # Errors
    /// [`PlanError::OtherPart`] if the party is not in the new committee, or is named as a dealer.
    pub fn member(plan: &ResharePlan<F>, me: PartyId) -> Result<Self, PlanError> {
        if plan.dealers().contains(me) || !plan.committee().contains(me) {
            return Err(PlanError::OtherPart(me));
        }
        Ok(Self { plan: plan.clone(), me, share: None })
    }
}

impl<F: Family> fmt::Debug for ReshareParams<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReshareParams")
            .field("plan", &self.plan)
            .field("me", &self.me)
            .field("deals", &self.share.is_some())
            .finish_non_exhaustive()
    }
}
