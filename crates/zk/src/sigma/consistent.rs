//! The check that a relation's handles are its own, and that the values behind them belong together.

use super::group::Group;
use super::handle::CommitmentVar;
use super::relation::{Component, Map, Relation};

impl<C: Group> Relation<'_, C> {
    /// Notes whether a component is this relation's own.
    pub(super) fn uses(&mut self, component: impl Into<Component>) {
        let component = component.into();
        self.consistent &= self.order.get(component.place()) == Some(&component);
    }

    /// Notes whether a commitment is this relation's own.
    pub(super) fn uses_commitment(&mut self, var: CommitmentVar) {
        let own = self.commitments.get(var.at).is_some_and(|one| one.mu == var.mu);
        self.consistent &=
            own && matches!(self.maps.get(var.map), Some(Map::Commitment(one)) if *one == var);
    }

    /// Notes whether components of one map are folded together.
    pub(super) fn together(&mut self, one: impl Into<Component>, other: impl Into<Component>) {
        let alike = self.is_folded(one) == self.is_folded(other);
        self.consistent &= alike;
    }

    /// Notes whether a component is outside the fold.
    pub(super) fn alone(&mut self, component: impl Into<Component>) {
        self.consistent &= !self.is_folded(component);
    }

    /// Returns whether the last map is folded.
    pub(super) fn folded_map(&self) -> bool {
        self.maps.last().is_some_and(|map| self.fold_of(map).is_some())
    }
}
