//! The plan of a resharing: the key, the dealers, and the new committee.

use alloc::vec::Vec;
use core::fmt;

use quorate_session::{Binding, Parties, PartyId};

use crate::error::{CommitteeError, PlanError};
use crate::{Committee, Family, SharedKey};

/// The key, the dealers, and the new committee of a resharing. All parties of a run have the same plan, and the
/// run binds it.
///
/// A party that joins has no share with which to check the old public value. It takes that value from the source
/// of the key's name: see the *Misuse* section of the crate.
#[derive(Clone, PartialEq, Eq)]
pub struct ResharePlan<F: Family> {
    old: SharedKey<F>,
    dealers: Parties,
    committee: Committee,
}

impl<F: Family> ResharePlan<F> {
    /// Plans to move the key `old` from `dealers`, at least t of its parties, to `committee`. The new committee
    /// may overlap, be disjoint or be equal, and have any size and threshold.
    ///
    /// A party keeps its number. A party that joins takes a number that the key has never had, so that logs and
    /// backups stay unambiguous.
    ///
    /// # Errors
    /// [`PlanError`] if there are too few dealers, if one holds no share, or if the family allows no such
    /// committee.
    pub fn new(
        old: &SharedKey<F>,
        dealers: Parties,
        committee: Committee,
    ) -> Result<Self, PlanError> {
        holders(old, &dealers)?;
        let (most, got) = (F::MAX_PARTIES, committee.parties().len());
        if got > most {
            return Err(CommitteeError::TooMany { most, got }.into());
        }
        old.epoch().checked_add(1).ok_or(PlanError::LastEpoch)?;
        Ok(Self { old: old.clone(), dealers, committee })
    }

    /// Plans a refresh: the committee and the threshold stay.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new).
    pub fn refresh(old: &SharedKey<F>, dealers: Parties) -> Result<Self, PlanError> {
        Self::new(old, dealers, old.committee().clone())
    }

    /// The key before the resharing.
    #[must_use]
    pub const fn old(&self) -> &SharedKey<F> {
        &self.old
    }

    /// The dealers.
    #[must_use]
    pub const fn dealers(&self) -> &Parties {
        &self.dealers
    }

    /// The new committee.
    #[must_use]
    pub const fn committee(&self) -> &Committee {
        &self.committee
    }

    /// The parties of the run: the dealers and the new committee.
    #[must_use]
    pub fn parties(&self) -> Parties {
        let joining =
            self.committee.parties().iter().filter(|party| !self.dealers.contains(*party));
        // Two disjoint sets of distinct parties.
        Parties::new(self.dealers.iter().chain(joining)).unwrap_or_else(|_| self.dealers.clone())
    }

    pub(super) fn bind(&self, binding: &mut Binding) {
        self.old.package_id().bind::<F>(binding);
        binding.append_list("dealers", self.dealers.iter().map(|party| party.get().to_be_bytes()));
        binding.append("new committee", &self.committee.to_bytes());
    }
}

/// Checks that these are at least t parties of the key.
pub(crate) fn holders<F: Family>(key: &SharedKey<F>, named: &Parties) -> Result<(), PlanError> {
    if let Some(stranger) = named.iter().find(|party| !key.parties().contains(*party)) {
        return Err(PlanError::NotAHolder(stranger));
    }
    let (need, got) = (key.threshold(), named.len());
    if got < usize::from(need) { Err(PlanError::TooFew { need, got }) } else { Ok(()) }
}

impl<F: Family> fmt::Debug for ResharePlan<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = |parties: &Parties| -> Vec<PartyId> { parties.iter().collect() };
        f.debug_struct("ResharePlan")
            .field("old", &self.old.package_id())
            .field("dealers", &ids(&self.dealers))
            .field("committee", &self.committee)
            .finish()
    }
}
