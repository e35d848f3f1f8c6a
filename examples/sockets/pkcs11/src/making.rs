//! New keys.

use custody_core::{KeySpec, PartyId, Scheme};
use quorate_purpose::Kind;
use sockets_backend::Key;

/// The rules for keys that a token makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Making {
    /// The number of members that sign together.
    pub threshold: u16,
    /// The members.
    pub members: Vec<PartyId>,
    /// The kinds of purposes that a key signs. Empty for every kind that is not opaque.
    pub purposes: Vec<Kind>,
    /// The part of the policy that decides about a key.
    pub scope: String,
}

impl Making {
    /// The specification of a key. One with an empty name is named by its id.
    pub(crate) fn spec(&self, scheme: Scheme, name: &str) -> KeySpec {
        let mut purposes = self.purposes.clone();
        purposes.sort();
        purposes.dedup();
        let labels = (!name.is_empty()).then(|| (Key::NAME.to_owned(), name.to_owned()));
        KeySpec {
            scheme,
            threshold: self.threshold,
            members: self.members.clone(),
            purposes,
            scope: self.scope.clone(),
            labels: labels.into_iter().collect(),
        }
    }
}
