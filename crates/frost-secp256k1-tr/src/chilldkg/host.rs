//! Host keys: a participant's long-term identity, and the seed of all its shares.

use core::fmt;

use quorate_curve::{Curve, Secp256k1, Secret};
use quorate_declassify::declassify;
use quorate_frost::session::rand_core::CryptoRng;
use zeroize::Zeroizing;

use super::Scalar;
use super::error::Error;

/// A host public key: a compressed point.
pub type HostPublicKey = [u8; 33];

/// A host secret key: the one secret that a participant keeps, for any number of runs, one after the other or at
/// the same time. With the recovery data of a run it restores that run's share. So a backup of it is a backup of
/// all of them.
///
/// The key is wiped when dropped, and it is neither `Clone` nor printable.
pub struct HostKey {
    bytes: Secret<[u8; 32]>,
    scalar: Secret<Scalar>,
    public: HostPublicKey,
}

impl HostKey {
    /// Generates a new key. Store it before you publish its public key.
    ///
    /// # Errors
    /// [`Error::BadHostKey`] from a generator that is broken.
    pub fn generate(rng: &mut impl CryptoRng) -> Result<Self, Error> {
        let mut bytes = Secret::new([0; 32]);
        rng.fill_bytes(bytes.expose_mut());
        Self::of(bytes)
    }

    /// The key of these 32 bytes, as a backup has them.
    ///
    /// # Errors
    /// [`Error::BadHostKey`] for another length, zero, or a number that is not below the order of the group.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::of(Secret::try_make(|| bytes.try_into().ok()).ok_or(Error::BadHostKey)?)
    }

    fn of(bytes: Secret<[u8; 32]>) -> Result<Self, Error> {
        let scalar = Secret::try_make(|| Secp256k1::decode_scalar(bytes.expose()));
        let scalar = scalar.ok_or(Error::BadHostKey)?;
        let point = declassify(Secp256k1::mul_base(scalar.expose()));
        if Secp256k1::is_identity(&point) {
            return Err(Error::BadHostKey);
        }
        Ok(Self { bytes, scalar, public: Secp256k1::encode_point(&point) })
    }

    /// The key as it is backed up, 32 bytes big-endian. It is **secret**: together with the recovery data, which is
    /// not secret, it is the share.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(*self.bytes.expose())
    }

    /// The public key, 33 bytes: the draft's *hostpubkey_gen*.
    #[must_use]
    pub const fn public(&self) -> &HostPublicKey {
        &self.public
    }

    /// The bytes, as the draft hashes them.
    pub(super) fn seed(&self) -> &[u8; 32] {
        self.bytes.expose()
    }

    pub(super) const fn scalar(&self) -> &Secret<Scalar> {
        &self.scalar
    }
}

impl fmt::Debug for HostKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostKey").finish_non_exhaustive()
    }
}
