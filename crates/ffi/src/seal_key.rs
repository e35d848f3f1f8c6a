//! The key under which everything secret leaves this library.

use std::sync::Arc;

use quorate::session;
use quorate::session::zeroize::Zeroizing;

use crate::arguments::array32;
use crate::error::Result;

/// The key under which shares, presignatures, nonces, searches and sessions are sealed. Nothing secret crosses to the
/// foreign side in any other form.
#[derive(uniffi::Object)]
pub struct SealKey(session::SealKey);

#[uniffi::export]
impl SealKey {
    /// A key of 32 secret, uniformly random bytes. They are read where they lie, and copies that are made of them on this
    /// side are wiped. Wipe yours.
    ///
    /// # Errors
    /// `Arguments` for another length.
    #[uniffi::constructor]
    pub fn new(secret: &[u8]) -> Result<Arc<Self>> {
        let secret = Zeroizing::new(array32("the key", secret)?);
        Ok(Arc::new(Self(session::SealKey::new(*secret))))
    }
}

impl SealKey {
    pub(crate) const fn inner(&self) -> &session::SealKey {
        &self.0
    }
}
