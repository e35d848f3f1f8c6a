//! Violations of the contract.

use core::fmt;

/// A violation of the contract by a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Violation<E> {
    /// The store breaks this rule.
    Rule(&'static str),
    /// The store failed, where nothing was wrong.
    Failed(E),
}

impl<E: fmt::Display> fmt::Display for Violation<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(rule) => write!(f, "the store breaks a rule: {rule}"),
            Self::Failed(error) => write!(f, "the store failed: {error}"),
        }
    }
}

impl<E: core::error::Error> core::error::Error for Violation<E> {}
