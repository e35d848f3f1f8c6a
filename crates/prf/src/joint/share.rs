//! Round two: a party's answer.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::Curve;
use quorate_declassify::declassify;
use quorate_frost::{DecodeError, KeyShare, Scalar};
use quorate_keys::PackageId;
use quorate_session::PartyId;

use super::{ProofNonces, ProofPackage, Provable};
use crate::error::{EvaluateError, ProveError};
use crate::wire::{
    PROOF_SHARE, from_sender, label, put_id, put_scalar, read_id, read_scalar, scalar_len,
};

/// A party's share of a joint proof.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ProofShare<K: Provable> {
    pub(super) id: PartyId,
    pub(super) of: PackageId,
    /// The digest of the package of contributions.
    pub(super) package: [u8; 32],
    pub(super) s: Scalar<K>,
}

impl<K: Provable> ProofPackage<K> {
    /// Round two: this party's share of the proof. Constant time in the key share and the nonces.
    ///
    /// The nonces are spent whether or not it succeeds.
    ///
    /// # Errors
    /// A [`ProveError`] that says why this package is not to be signed.
    pub fn prove(
        &self,
        share: &KeyShare<K>,
        nonces: ProofNonces<K>,
    ) -> Result<ProofShare<K>, ProveError> {
        self.query.check(share).map_err(|why| match why {
            EvaluateError::Unconfirmed => ProveError::Unconfirmed,
            EvaluateError::Mismatch(why) => ProveError::Mismatch(why),
        })?;
        let at = self.position(share.id()).ok_or(ProveError::NotAContributor)?;
        let own = self.contributions.get(at).ok_or(ProveError::NotAContributor)?;
        // The package is for this party's nonces, and binds this party's own commitments.
        if own.digest() != nonces.digest {
            return Err(ProveError::OtherContribution);
        }
        let rho = self.factors.get(at).ok_or(ProveError::NotAContributor)?;
        let shift = self.shifts.get(at).ok_or(ProveError::NotAContributor)?;
        // s_i = d_i + ρ_i·e_i ± c·λ_i·x_i
        let nonce = *nonces.hiding.expose() + *rho * *nonces.binding.expose();
        let s = nonce + *shift * *share.secret_share().secret().expose();
        // Sent to the others.
        Ok(ProofShare { id: share.id(), of: self.query.of, package: self.digest, s: declassify(s) })
    }
}

impl<K: Provable> ProofShare<K> {
    /// The party.
    #[must_use]
    pub const fn id(&self) -> PartyId {
        self.id
    }

    /// The digest of the package of contributions that it is for: [`ProofPackage::digest`].
    #[must_use]
    pub const fn package_digest(&self) -> [u8; 32] {
        self.package
    }

    /// The share in its sent form.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let length = scalar_len::<K>().saturating_add(PackageId::LENGTH + 2 + 32);
        label::<K>(PROOF_SHARE).encode_into(&mut bytes, length, |bytes| {
            put_id(bytes, self.id);
            self.of.put(bytes);
            bytes.extend_from_slice(&self.package);
            put_scalar::<K>(bytes, &self.s);
        });
        bytes
    }

    /// Reads a share that `sender` sent, strictly. The **authenticated** transport names the sender.
    ///
    /// # Errors
    /// A [`DecodeError`] if the form is not canonical, or if the share is in another party's name. Either is the sender's
    /// fault, unless it is another kind of object, or one of another suite or release.
    pub fn from_bytes(sender: PartyId, bytes: &[u8]) -> Result<Self, DecodeError> {
        let share = label::<K>(PROOF_SHARE).read::<_, DecodeError>(bytes, |reader| {
            let id = read_id(reader)?;
            let of = PackageId::read(reader)?;
            let package = reader.array()?;
            Ok(Self { id, of, package, s: read_scalar::<K>(reader)? })
        })?;
        from_sender(sender, share.id, share)
    }
}

impl<K: Provable> fmt::Debug for ProofShare<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProofShare").field("id", &self.id).finish_non_exhaustive()
    }
}

/// The bytes of a share's scalar.
pub(super) fn scalar_bytes<K: Provable>(share: &ProofShare<K>) -> Vec<u8> {
    K::Curve::encode_scalar(&share.s).as_ref().to_vec()
}
