//! A family's own types for its keys.

use quorate_session::MaybeSend;

use crate::{Family, SecretShare, SharedKey};

/// The types that users of a family have for its keys. The protocols return them.
pub trait KeyTypes: Family {
    /// The family's own public value, made by [`public`](Self::public).
    type Public: MaybeSend;

    /// The family's own share, made by [`key_share`](Self::key_share).
    type Share: MaybeSend;

    /// The family's own form of a public value.
    fn public(shared: SharedKey<Self>) -> Self::Public;

    /// The family's own form of a share of `shared`.
    fn key_share(share: SecretShare<Self>, shared: &SharedKey<Self>) -> Self::Share;
}
