//! The parameters of presigning.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use quorate_bignum::Engine;
use quorate_paillier::Level;
use quorate_session::Binding;
use zeroize::Zeroizing;

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

    pub(crate) fn level(&self) -> Level {
        self.aux.level()
    }
}

/// Binds a run to the public side of a key, with its epoch and derivation, and of auxiliary information.
pub(crate) fn bind<C: EcdsaCurve>(key: &KeyInfo<C>, aux: &AuxPublic, binding: &mut Binding) {
    key.package_id().bind::<Ecdsa<C>>(binding);
    binding.append("aux-info", &aux.digest());
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
