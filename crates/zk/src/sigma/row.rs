//! One value for each component of a relation, by kind.

#![allow(
    clippy::indexing_slicing,
    reason = "relations with handles of others are refused before anything is looked up"
)]

use alloc::vec::Vec;
use core::ops::Index;

use super::handle::{ExponentVar, IntegerVar, ScalarVar, UnitVar};

/// Values of integers, units, scalars and exponents.
#[derive(PartialEq)]
pub(crate) struct Row<I, U, S, E> {
    pub(crate) integers: Vec<I>,
    pub(crate) units: Vec<U>,
    pub(crate) scalars: Vec<S>,
    pub(crate) exponents: Vec<E>,
}

impl<I, U, S, E> Default for Row<I, U, S, E> {
    fn default() -> Self {
        Self { integers: Vec::new(), units: Vec::new(), scalars: Vec::new(), exponents: Vec::new() }
    }
}

impl<I, U, S, E> Index<IntegerVar> for Row<I, U, S, E> {
    type Output = I;

    fn index(&self, var: IntegerVar) -> &I {
        &self.integers[var.at]
    }
}

impl<I, U, S, E> Index<UnitVar> for Row<I, U, S, E> {
    type Output = U;

    fn index(&self, var: UnitVar) -> &U {
        &self.units[var.at]
    }
}

impl<I, U, S, E> Index<ScalarVar> for Row<I, U, S, E> {
    type Output = S;

    fn index(&self, var: ScalarVar) -> &S {
        &self.scalars[var.at]
    }
}

impl<I, U, S, E> Index<ExponentVar> for Row<I, U, S, E> {
    type Output = E;

    fn index(&self, var: ExponentVar) -> &E {
        &self.exponents[var.at]
    }
}
