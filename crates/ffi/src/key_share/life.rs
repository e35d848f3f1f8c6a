//! The acknowledgement of all parties that they have stored their shares.

use std::sync::Arc;

use quorate::keys::StoredByAll as Acknowledged;

use super::{Held, KeyShare};
use crate::Scheme;
use crate::arguments::path;
use crate::error::Result;
use crate::family::Family;
use crate::scheme::{Shared, by_family, view};

/// The proof that all parties have acknowledged that they have stored their shares of one epoch. Only an acknowledging
/// session makes one.
#[cfg_attr(feature = "uniffi", derive(uniffi::Object))]
#[cfg_attr(feature = "uniffi", uniffi::export(Debug))]
pub struct StoredByAll {
    scheme: Scheme,
    /// The value of the scheme's family.
    value: Arc<Shared>,
}

impl StoredByAll {
    pub(crate) fn of<F: Family>(by: Acknowledged<F>) -> Arc<Self> {
        Arc::new(Self { scheme: F::SCHEME, value: Arc::new(by) })
    }

    fn view<F: Family>(&self) -> Result<&Acknowledged<F>> {
        view(&*self.value)
    }
}

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl StoredByAll {
    /// Returns whether this share may be deleted: it is of the same key, and of an epoch before the one that all have stored.
    ///
    /// # Errors
    /// `Mismatch` for a share of another scheme.
    pub fn permits_deleting(&self, share: Arc<KeyShare>) -> Result<bool> {
        by_family!(self.scheme, F => {
            Ok(self.view::<F>()?.permits_deleting(share.secret::<F>()?))
        })
    }
}

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl KeyShare {
    /// The share, ready since all parties have stored theirs. Seal and store it before older ones are deleted.
    ///
    /// # Errors
    /// `Mismatch` if they acknowledged another one.
    pub fn settled(&self, by: Arc<StoredByAll>) -> Result<Arc<Self>> {
        by_family!(self.scheme, F => {
            let by = by.view::<F>()?;
            self.changed::<F>(|share| Ok(share.settle(by)?))
        })
    }

    /// The share of the child key at a path such as `m/0/7`: see `PublicKeyPackage.child`.
    ///
    /// # Errors
    /// As `PublicKeyPackage.child`.
    pub fn child(&self, at: String) -> Result<Arc<Self>> {
        let at = path(&at)?;
        by_family!(self.scheme, F => {
            let Held { share, public } = self.view::<F>()?;
            let child = <F as Family>::child(public, &at)?;
            Ok(Self::of::<F>(<F as Family>::child_share(share, public, &at)?, child))
        })
    }
}
