//! Claims: nonces that are taken out of a batch and not yet released.

use alloc::boxed::Box;
use core::fmt;

use quorate_session::{ClaimRecord, SpendReceipt};

use super::pair::{NonceId, Nonces};
use crate::error::ReceiptError;
use crate::suite::Ciphersuite;

/// A pair of nonces that is taken for one signing package and not yet released.
///
/// The record has to be stored first, in a table that outlives every restore of the batch:
/// [`ClaimRecord::store`] gives the receipt that [`Claim::release`] takes. The same pair for the
/// same package gets a receipt again, and makes the same share: nothing is lost in a crash between
/// recording and sending.
pub struct Claim<S: Ciphersuite> {
    nonces: Nonces<S>,
    digest: [u8; 32],
}

impl<S: Ciphersuite> Claim<S> {
    /// `digest` is [`SigningPackage::digest`](crate::SigningPackage::digest).
    pub(super) fn new(nonces: Nonces<S>, digest: [u8; 32]) -> Self {
        Self { nonces, digest }
    }

    /// The name of the pair.
    #[must_use]
    pub fn id(&self) -> NonceId {
        self.nonces.id()
    }

    /// The record to store before the nonces are released: their name, and the digest of the package.
    #[must_use]
    pub fn record(&self) -> ClaimRecord {
        ClaimRecord { id: self.id().0, digest: self.digest }
    }

    /// The nonces, only for this package: [`KeyShare::sign`](crate::KeyShare::sign) refuses any other.
    ///
    /// # Errors
    /// [`ReceiptError`] if the receipt is for another record than [`Self::record`].
    pub fn release(self, receipt: SpendReceipt) -> Result<Nonces<S>, ReceiptError> {
        if *receipt.record() == self.record() {
            Ok(Nonces { released_for: Some(Box::new(self.digest)), ..self.nonces })
        } else {
            Err(ReceiptError)
        }
    }
}

impl<S: Ciphersuite> fmt::Debug for Claim<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Claim").field(&self.id()).finish()
    }
}
