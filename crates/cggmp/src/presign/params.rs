//! The parameters of presigning.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use quorate_bignum::Engine;
use quorate_session::Binding;
use zeroize::Zeroizing;

use super::messages::Sizes;
use crate::{AuxInfo, AuxPublic, Ecdsa, EcdsaCurve, KeyInfo, KeyShare};

/// The parameters of presigning at a signer: its share of the key, and its auxiliary information.
///
/// A presignature serves the key and all keys derived from it. The share of a derived key does as well, for that one
/// and all derived from it; [`Sign`](crate::Sign) takes the share of the key that signs.
pub struct PresignParams<C: EcdsaCurve> {
    pub(super) engine: Engine,
    pub(super) key: Arc<KeyShare<C>>,
    pub(super) aux: Arc<AuxInfo>,
}

impl<C: EcdsaCurve> PresignParams<C> {
    /// The share, the auxiliary information, and the engine to work with.
    #[must_use]
    pub const fn new(engine: Engine, key: Arc<KeyShare<C>>, aux: Arc<AuxInfo>) -> Self {
        Self { engine, key, aux }
    }

    /// Binds all that the signers must agree on.
    pub(crate) fn bind(&self, binding: &mut Binding) {
        bind(self.key.info(), self.aux.public(), binding);
    }

    pub(crate) fn hedge(&self) -> Zeroizing<Vec<u8>> {
        self.key.to_bytes()
    }

    /// The numbers that the lengths of messages follow from.
    pub(crate) fn sizes(&self, count: u16) -> Sizes {
        Sizes { level: self.aux.level(), count: count.into() }
    }
}

/// Binds a run to the public side of a key, with its epoch and derivation, and of auxiliary information.
pub(crate) fn bind<C: EcdsaCurve>(key: &KeyInfo<C>, aux: &AuxPublic, binding: &mut Binding) {
    key.package_id().bind::<Ecdsa<C>>(binding);
    binding.append("aux-info", &aux.digest());
}

/// Binds a run of [`PresignMany`](crate::PresignMany) to the number of its presignatures as well.
pub(crate) fn bind_count(count: u16, binding: &mut Binding) {
    binding.append("presignatures", &count.to_be_bytes());
}

/// The parameters of [`PresignMany`](crate::PresignMany) at a signer: those of presigning, and how many presignatures the
/// run makes, which all signers have to agree on.
pub struct PresignManyParams<C: EcdsaCurve> {
    pub(super) presign: PresignParams<C>,
    pub(super) count: u16,
}

impl<C: EcdsaCurve> PresignManyParams<C> {
    /// So many presignatures in one run: 1 to [`MAX_PRESIGNATURES`](crate::MAX_PRESIGNATURES). A session with another number does not start.
    #[must_use]
    pub const fn new(presign: PresignParams<C>, count: u16) -> Self {
        Self { presign, count }
    }
}

impl<C: EcdsaCurve> Clone for PresignManyParams<C> {
    fn clone(&self) -> Self {
        Self { presign: self.presign.clone(), count: self.count }
    }
}

impl<C: EcdsaCurve> fmt::Debug for PresignManyParams<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PresignManyParams")
            .field("presign", &self.presign)
            .field("count", &self.count)
            .finish()
    }
}

impl<C: EcdsaCurve> Clone for PresignParams<C> {
    fn clone(&self) -> Self {
        Self { engine: self.engine, key: Arc::clone(&self.key), aux: Arc::clone(&self.aux) }
    }
}

impl<C: EcdsaCurve> fmt::Debug for PresignParams<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PresignParams").field("key", self.key.info()).finish_non_exhaustive()
    }
}
