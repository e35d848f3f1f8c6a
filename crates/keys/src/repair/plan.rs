//! The plan of a repair: the key, the helpers, and the target.

use core::fmt;

use quorate_session::{Binding, Parties, PartyId};

use crate::error::PlanError;
use crate::reshare::holders;
use crate::{Family, SharedKey};

/// The key, the helpers, and the target of a repair. All parties of a run have the same plan, and it is bound in the run.
#[derive(Clone, PartialEq, Eq)]
pub struct RepairPlan<F: Family> {
    key: SharedKey<F>,
    helpers: Parties,
    target: PartyId,
}

impl<F: Family> RepairPlan<F> {
    /// Plans to recover the share of `target` from `helpers`, at least t other parties of the key.
    ///
    /// # Errors
    /// [`PlanError`] if there are too few helpers, if one holds no share, or if the target holds none or is a
    /// helper.
    pub fn new(key: &SharedKey<F>, helpers: Parties, target: PartyId) -> Result<Self, PlanError> {
        holders(key, &helpers)?;
        if !key.parties().contains(target) {
            return Err(PlanError::NotAHolder(target));
        }
        if helpers.contains(target) {
            return Err(PlanError::OtherPart(target));
        }
        Ok(Self { key: key.clone(), helpers, target })
    }

    /// The key.
    #[must_use]
    pub const fn key(&self) -> &SharedKey<F> {
        &self.key
    }

    /// The helpers. Each gives a part of the share.
    #[must_use]
    pub const fn helpers(&self) -> &Parties {
        &self.helpers
    }

    /// The target: the party that has lost its share.
    #[must_use]
    pub const fn target(&self) -> PartyId {
        self.target
    }

    /// The parties of the run: the helpers and the target.
    #[must_use]
    pub fn parties(&self) -> Parties {
        // The target is not one of the helpers.
        Parties::new(self.helpers.iter().chain([self.target]))
            .unwrap_or_else(|_| self.helpers.clone())
    }

    pub(super) fn bind(&self, binding: &mut Binding) {
        self.key.package_id().bind::<F>(binding);
        binding.append_u64("target", self.target.get().into());
    }
}

impl<F: Family> fmt::Debug for RepairPlan<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RepairPlan")
            .field("key", &self.key.package_id())
            .field("helpers", &self.helpers)
            .field("target", &self.target)
            .finish()
    }
}
