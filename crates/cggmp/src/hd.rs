//! Descendants of a key: without hardening, by `quorate_keys::derive` (BIP-32 over secp256k1, SLIP-10 over P-256); and those of
//! hardened children.

pub use quorate_keys::derive::{DerivationPath, DeriveError};

use quorate_curve::Secret;
use quorate_keys::derive::{self, Shifted};
use quorate_keys::{PackageId, SharedKey};

use crate::{Ecdsa, EcdsaCurve, VerifyingKey};

/// A descendant of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Derived<C: EcdsaCurve> {
    /// The shift of the secret key. As public as the key and the chain code.
    pub tweak: C::Scalar,
    /// The descendant's public key.
    pub key: VerifyingKey<C>,
    /// The descendant's chain code.
    pub chain_code: [u8; 32],
}

impl<C: EcdsaCurve> Derived<C> {
    /// The descendant at `path` of a key with a chain code.
    ///
    /// # Errors
    /// [`DeriveError::NoSuchChild`] where the standard has no child.
    pub fn at(
        key: &VerifyingKey<C>,
        chain_code: &[u8; 32],
        path: &DerivationPath,
    ) -> Result<Self, DeriveError> {
        // Its encoding is at hand, and another one costs an inversion.
        if path.indices().is_empty() {
            let tweak = C::Scalar::default();
            return Ok(Self { tweak, key: *key, chain_code: *chain_code });
        }
        let found = derive::Derived::<C>::at(key.point(), chain_code, path)?;
        let key = VerifyingKey::new(found.key).ok_or(DeriveError::Identity)?;
        Ok(Self { tweak: found.tweak, key, chain_code: found.chain_code })
    }
}

impl<C: EcdsaCurve> core::fmt::Debug for Derived<C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Derived").field("key", &self.key).finish_non_exhaustive()
    }
}

/// A hardened child of a key, or a descendant of one: what a presignature of the key is spent on by
/// [`claim_hardened`](crate::Presignature::claim_hardened).
///
/// **The difference of the two keys is a secret of the signers.** Together with the child's secret key it gives the
/// parent's. It is wiped when dropped, and neither `Clone` nor printable.
pub struct HardenedChild<C: EcdsaCurve> {
    parent: PackageId,
    tweak: Secret<C::Scalar>,
    key: VerifyingKey<C>,
}

impl<C: EcdsaCurve> HardenedChild<C> {
    /// The descendant, at a path without hardening, of a child that `quorate-prf` derives (`ChildTweak::shifted`). The empty path is
    /// the child itself.
    ///
    /// The shift has to be **the output of a hash function** as it is there. Somebody who may choose it can have a signature of one key
    /// made that is valid for another.
    ///
    /// # Errors
    /// [`DeriveError::NoSuchChild`] where the standard has no descendant at this path.
    pub fn new(child: &Shifted<Ecdsa<C>>, path: &DerivationPath) -> Result<Self, DeriveError> {
        let shared: &SharedKey<_> = child.key();
        let key = VerifyingKey::new(*shared.key()).ok_or(DeriveError::Identity)?;
        let below = Derived::at(&key, &shared.extra().chain_code, path)?;
        let tweak = Secret::make(|| *child.number() + below.tweak);
        Ok(Self { parent: child.from(), tweak, key: below.key })
    }

    /// The key that signs.
    #[must_use]
    pub const fn verifying_key(&self) -> &VerifyingKey<C> {
        &self.key
    }

    /// The name of the key whose presignatures serve it.
    pub(crate) const fn parent(&self) -> &PackageId {
        &self.parent
    }
}

impl<C: EcdsaCurve> core::fmt::Debug for HardenedChild<C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("HardenedChild").field("key", &self.key).finish_non_exhaustive()
    }
}

/// A key for which presignatures of another are spent: a [`Derived`] one, or a [`HardenedChild`].
pub trait Descendant<C: EcdsaCurve>: sealed::Tweaked<C> {}

impl<C: EcdsaCurve> Descendant<C> for Derived<C> {}
impl<C: EcdsaCurve> Descendant<C> for HardenedChild<C> {}

pub(crate) mod sealed {
    use super::{Derived, HardenedChild};
    use crate::{EcdsaCurve, VerifyingKey};

    /// X' = X + eG
    pub trait Tweaked<C: EcdsaCurve> {
        /// e
        fn tweak(&self) -> &C::Scalar;

        /// X'
        fn child(&self) -> &VerifyingKey<C>;
    }

    impl<C: EcdsaCurve> Tweaked<C> for Derived<C> {
        fn tweak(&self) -> &C::Scalar {
            &self.tweak
        }

        fn child(&self) -> &VerifyingKey<C> {
            &self.key
        }
    }

    impl<C: EcdsaCurve> Tweaked<C> for HardenedChild<C> {
        fn tweak(&self) -> &C::Scalar {
            self.tweak.expose()
        }

        fn child(&self) -> &VerifyingKey<C> {
            &self.key
        }
    }
}
