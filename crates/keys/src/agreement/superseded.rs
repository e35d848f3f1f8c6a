//! The values that permit deleting shares.

use super::guards::{Guard, Guards};
use crate::{Family, PackageId, SecretShare, SharedKey};

/// The proof that every member of a committee has committed this attempt. Only [`Agreement`](super::Agreement)
/// makes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Superseded {
    by: PackageId,
    guards: Guards,
}

impl Superseded {
    pub(super) const fn new(by: PackageId, guards: Guards) -> Self {
        Self { by, guards }
    }

    /// The attempt that superseded the shares before it.
    #[must_use]
    pub const fn by(&self) -> PackageId {
        self.by
    }

    /// Returns whether this share may be deleted. It has to be of the same key, and of an earlier epoch or of
    /// another attempt of the same epoch. The answer for a share of a child key is `false`; ask
    /// [`permits_deleting_child`](Self::permits_deleting_child).
    #[must_use]
    pub fn permits_deleting<F: Family>(&self, share: &SecretShare<F>) -> bool {
        self.covers(share.package_id())
    }

    /// Returns whether this share of a **child key** may be deleted: `key` is a child of `parent`, and the share of `parent`
    /// that it was derived from may be deleted.
    ///
    /// t stored shares of a child undo a refresh of the parent, so delete them together with the parent's.
    #[must_use]
    pub fn permits_deleting_child<F: Family, T: Family<Curve = F::Curve>>(
        &self,
        child: &SecretShare<T>,
        key: &SharedKey<T>,
        parent: &SharedKey<F>,
    ) -> bool {
        child.check_belongs_to(key).is_ok()
            && key.is_shift_of(parent)
            && self.covers(parent.package_id())
    }

    /// Returns whether shares of this attempt may be deleted, for a store that finds its rows by name.
    #[must_use]
    pub fn covers(&self, attempt: PackageId) -> bool {
        let later = attempt.epoch() > self.by.epoch() && self.guards.on(Guard::KeepLater);
        attempt.key_id() == self.by.key_id() && attempt != self.by && !later
    }
}

/// The proof that nobody counts on the share of this attempt. Only [`Agreement`](super::Agreement) makes it.
/// Delete the share before the party takes another step.
#[derive(PartialEq, Eq, Debug)]
#[must_use = "the share is still in the database: delete it"]
pub struct Discarded {
    attempt: PackageId,
}

impl Discarded {
    pub(super) const fn new(attempt: PackageId) -> Self {
        Self { attempt }
    }

    /// Returns whether this share may be deleted: it is the one that was discarded.
    #[must_use]
    pub fn permits_deleting<F: Family>(&self, share: &SecretShare<F>) -> bool {
        share.package_id() == self.attempt
    }
}
