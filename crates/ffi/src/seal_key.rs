//! The key under which everything secret leaves this library.

use std::sync::Arc;

use quorate::session;
use quorate::session::zeroize::Zeroizing;

use crate::arguments::array32;
use crate::error::Result;

/// The key under which shares, presignatures, nonces, searches and sessions are sealed. Nothing secret crosses to the
/// foreign side in any other form.
#[cfg_attr(feature = "uniffi", derive(uniffi::Object))]
#[cfg_attr(feature = "uniffi", uniffi::export(Debug))]
pub struct SealKey(Arc<session::SealKey>);

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl SealKey {
    /// A key of 32 secret, uniformly random bytes. They are read in place, and copies that are made of them on this
    /// side are wiped. Wipe yours.
    ///
    /// # Errors
    /// `Arguments` for another length.
    #[cfg_attr(feature = "uniffi", uniffi::constructor)]
    pub fn new(secret: &[u8]) -> Result<Arc<Self>> {
        let secret = Zeroizing::new(array32("the key", secret)?);
        Ok(Arc::new(Self(Arc::new(session::SealKey::new(*secret)))))
    }
}

impl SealKey {
    pub(crate) fn inner(&self) -> &session::SealKey {
        &self.0
    }

    #[cfg(feature = "runner")]
    pub(crate) fn shared(&self) -> Arc<session::SealKey> {
        Arc::clone(&self.0)
    }
}
