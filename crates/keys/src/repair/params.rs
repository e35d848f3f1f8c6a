//! One party's part in a repair.

use core::fmt;

use quorate_curve::Secret;
use quorate_session::PartyId;

use super::plan::RepairPlan;
use crate::error::PlanError;
use crate::{Family, Scalar, SecretShare, ShareState};

/// The plan, and this party's part in it.
pub struct RepairParams<F: Family> {
    pub(super) plan: RepairPlan<F>,
    pub(super) me: PartyId,
    /// A helper's share.
    pub(super) share: Option<Secret<Scalar<F>>>,
}

impl<F: Family> RepairParams<F> {
    /// The part of a helper.
    ///
    /// # Errors
    /// [`PlanError`] if the plan names no such helper. Also if the share is unconfirmed, or belongs to another
    /// key, epoch or package.
    pub fn helper(plan: &RepairPlan<F>, share: &SecretShare<F>) -> Result<Self, PlanError> {
        let me = share.id();
        if !plan.helpers().contains(me) {
            return Err(PlanError::OtherPart(me));
        }
        share.check_belongs_to(plan.key())?;
        if share.state() == ShareState::Unconfirmed {
            return Err(PlanError::Unconfirmed);
        }
        let secret = Secret::new(*share.secret().expose());
        Ok(Self { plan: plan.clone(), me, share: Some(secret) })
    }

    /// The part of the target, which has lost its share.
    #[must_use]
    pub fn target(plan: &RepairPlan<F>) -> Self {
        Self { plan: plan.clone(), me: plan.target(), share: None }
    }
}

impl<F: Family> fmt::Debug for RepairParams<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RepairParams")
            .field("plan", &self.plan)
            .field("me", &self.me)
            .finish_non_exhaustive()
    }
}
