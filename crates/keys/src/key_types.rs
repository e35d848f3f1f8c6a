//! The types that a family has for its keys.

use crate::{Family, SecretShare, SharedKey};

/// The types in which a family's users have its keys. The protocols give them out.
pub trait KeyTypes: Family {
    /// The family's own public value, made by [`public`](Self::public).
    type Public;

    /// The family's own share, made by [`share`](Self::share).
    type Share;

    /// The family's own form of a public value.
    fn public(shared: SharedKey<Self>) -> Self::Public;

    /// The family's own form of a share of `shared`.
    fn share(share: SecretShare<Self>, shared: &SharedKey<Self>) -> Self::Share;
}
