//! The parameters of presigning.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use quorate_bignum::Engine;
use quorate_session::{Binding, ParamError};
use zeroize::Zeroizing;

use super::id::MAX_PRESIGNATURES;
use super::messages::Sizes;
use crate::{AuxInfo, AuxPublic, Ecdsa, EcdsaCurve, KeyShare, PublicKeyPackage};

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
    /// Takes the share and the auxiliary information.
    #[must_use]
    pub fn new(key: Arc<KeyShare<C>>, aux: Arc<AuxInfo>) -> Self {
        Self { engine: Engine::detect(), key, aux }
    }

    /// Sets the engine, for comparisons. The default is the [fastest](Engine::detect) of this machine.
    #[must_use]
    pub const fn with_engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self
    }

    /// Binds all that the signers must agree on.
    pub(crate) fn bind(&self, binding: &mut Binding) {
        bind(self.key.public(), self.aux.public(), binding);
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
pub(crate) fn bind<C: EcdsaCurve>(
    key: &PublicKeyPackage<C>,
    aux: &AuxPublic,
    binding: &mut Binding,
) {
    key.package_id().bind::<Ecdsa<C>>(binding);
    binding.append("aux-info", &aux.digest());
}

/// Binds a run of [`PresignMany`](crate::PresignMany) to the number of its presignatures as well.
pub(crate) fn bind_count(count: u16, binding: &mut Binding) {
    binding.append("presignatures", &count.to_be_bytes());
}

/// The parameters of [`PresignMany`](crate::PresignMany) at a signer: those of presigning, how many presignatures the run
/// makes, which all signers have to agree on, and the most that this signer makes in one run, which is its own affair.
///
/// The number often comes from elsewhere, in an order of a coordinator that this signer does not trust. Time, memory and
/// the log of the session grow with it and with the number of signers, so the signer sets a bound of its own:
///
/// ```
/// # use quorate_cggmp::{PresignManyParams, PresignParams, Secp256k1 as C};
/// # fn order(presign: PresignParams<C>, ordered: u16) -> PresignManyParams<C> {
/// PresignManyParams::new(presign, ordered).at_most(32)
/// # }
/// ```
pub struct PresignManyParams<C: EcdsaCurve> {
    pub(super) presign: PresignParams<C>,
    pub(super) count: u16,
    most: u16,
}

impl<C: EcdsaCurve> PresignManyParams<C> {
    /// The most presignatures that a signer makes in one run unless it sets [another bound](Self::at_most).
    pub const DEFAULT_MOST: u16 = 128;

    /// This number of presignatures in one run: 1 to [`DEFAULT_MOST`](Self::DEFAULT_MOST), or to the bound that is
    /// [set](Self::at_most). A session with another number does not start.
    #[must_use]
    pub const fn new(presign: PresignParams<C>, count: u16) -> Self {
        Self { presign, count, most: Self::DEFAULT_MOST }
    }

    /// The most presignatures that this signer makes in one run, [`MAX_PRESIGNATURES`](crate::MAX_PRESIGNATURES) at the
    /// most. A session for more does not start ([`ParamError::TooMany`]); one that has started can be opened.
    #[must_use]
    pub fn at_most(self, most: u16) -> Self {
        Self { most, ..self }
    }

    /// Checks that a run for this number may begin.
    pub(super) fn check_count(&self) -> Result<(), ParamError> {
        let (got, most) = (self.count, self.most.min(MAX_PRESIGNATURES));
        let refused = ParamError::TooMany { got: got.into(), most: most.into() };
        if got > most { Err(refused) } else { Ok(()) }
    }
}

impl<C: EcdsaCurve> Clone for PresignManyParams<C> {
    fn clone(&self) -> Self {
        Self { presign: self.presign.clone(), count: self.count, most: self.most }
    }
}

impl<C: EcdsaCurve> fmt::Debug for PresignManyParams<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PresignManyParams")
            .field("presign", &self.presign)
            .field("count", &self.count)
            .field("most", &self.most)
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
        f.debug_struct("PresignParams").field("key", self.key.public()).finish_non_exhaustive()
    }
}
