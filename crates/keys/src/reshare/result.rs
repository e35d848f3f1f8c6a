//! The result of a resharing for one party.

use core::fmt;

use crate::{KeyTypes, SecretShare, SharedKey};

/// The result of a resharing for one party.
pub struct Reshared<F: KeyTypes> {
    /// The new public value.
    pub public: F::Public,
    /// The new share, for a member of the new committee.
    pub share: Option<F::Share>,
}

impl<F: KeyTypes> Reshared<F> {
    pub(super) fn new(public: SharedKey<F>, share: Option<SecretShare<F>>) -> Self {
        let share = share.map(|share| F::key_share(share, &public));
        Self { public: F::public(public), share }
    }
}

impl<F: KeyTypes> fmt::Debug for Reshared<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reshared").field("share", &self.share.is_some()).finish_non_exhaustive()
    }
}
