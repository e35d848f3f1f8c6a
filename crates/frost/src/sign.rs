//! Round two: a signature share (RFC 9591 §5.2).

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secret};
use quorate_declassify::declassify;
use quorate_session::{Parties, PartyId};
use quorate_sharing::lagrange;

use crate::binding::Binding;
use crate::error::{DecodeError, SignError};
use crate::keys::KeyShare;
use crate::nonces::Nonces;
use crate::package::SigningPackage;
use crate::signature::VerifyingKey;
use crate::suite::{Ciphersuite, Scalar, scalar_len};
use crate::wire::{Kind, Reader, put_id, start};

/// A signer's share of a signature, for the coordinator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SignatureShare<S: Ciphersuite> {
    pub(crate) id: PartyId,
    pub(crate) z: Scalar<S>,
}

impl<S: Ciphersuite> SignatureShare<S> {
    /// The signer.
    #[must_use]
    pub fn id(&self) -> PartyId {
        self.id
    }

    /// The suite's encoding of the scalar z_i.
    #[must_use]
    pub fn scalar(&self) -> Vec<u8> {
        S::Curve::encode_scalar(&self.z).as_ref().to_vec()
    }

    /// Takes a share made elsewhere from the suite's encoding of z_i.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is not canonical.
    pub fn from_parts(id: PartyId, z: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::bare(z);
        let z = reader.scalar::<S>()?;
        reader.finish()?;
        Ok(Self { id, z })
    }

    /// The share in its sent form.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = start::<S>(Kind::SignatureShare, scalar_len::<S>().saturating_add(2));
        put_id(&mut bytes, self.id);
        bytes.extend_from_slice(S::Curve::encode_scalar(&self.z).as_ref());
        bytes
    }

    /// Reads a share, strictly.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is not canonical.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::open::<S>(bytes, Kind::SignatureShare)?;
        let id = reader.id()?;
        let z = reader.scalar::<S>()?;
        reader.finish()?;
        Ok(Self { id, z })
    }
}

impl<S: Ciphersuite> fmt::Debug for SignatureShare<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SignatureShare({}, ", self.id)?;
        crate::signature::hex(f, &self.scalar())?;
        f.write_str(")")
    }
}

impl<S: Ciphersuite> KeyShare<S> {
    /// Round two (RFC 9591 §5.2): this party's share of the signature of `package`.
    ///
    /// The nonces are spent whether or not it succeeds. Look at [`SigningPackage::message`]
    /// first: a signer signs whatever the coordinator sends.
    ///
    /// # Errors
    /// A [`SignError`] that says why this package is not to be signed.
    pub fn sign(
        &self,
        package: &SigningPackage<S>,
        nonces: Nonces<S>,
    ) -> Result<SignatureShare<S>, SignError> {
        self.sign_as(package, nonces, &self.key, &self.secret)
    }

    /// The share for `key`, of which `secret` is this party's share: the group's own key, or one
    /// that was shifted for this signature.
    pub(crate) fn sign_as(
        &self,
        package: &SigningPackage<S>,
        nonces: Nonces<S>,
        key: &VerifyingKey<S>,
        secret: &Secret<Scalar<S>>,
    ) -> Result<SignatureShare<S>, SignError> {
        self.check(package, &nonces)?;
        let binding = Binding::new(package, key).ok_or(SignError::IdentityCommitment)?;
        let at = package.position(self.id).ok_or(SignError::NotASigner)?;
        let rho = binding.factors.get(at).ok_or(SignError::NotASigner)?;
        let lambda = lagrange::one_at_zero::<S::Curve>(&package.ids, self.id)
            .ok_or(SignError::NotASigner)?;
        // z_i = d_i + ρ_i·e_i + λ_i·s_i·c, with both nonces negated where R was.
        let nonce = *nonces.hiding.expose() + *rho * *nonces.binding.expose();
        let nonce = if binding.negated { -nonce } else { nonce };
        let z = nonce + lambda * *secret.expose() * binding.challenge;
        // Sent to the coordinator.
        Ok(SignatureShare { id: self.id, z: declassify(z) })
    }

    /// The checks of RFC 9591 §5.2 and §7 that a signer owes itself.
    fn check(&self, package: &SigningPackage<S>, nonces: &Nonces<S>) -> Result<(), SignError> {
        if nonces.signer != self.verifying_share {
            return Err(SignError::WrongKey);
        }
        match package.commitments_of(self.id) {
            None => return Err(SignError::NotASigner),
            Some(mine) if mine != nonces.commitments => return Err(SignError::CommitmentMismatch),
            Some(_) => {}
        }
        if package.ids.len() < usize::from(self.threshold) {
            return Err(SignError::TooFewSigners {
                got: package.ids.len(),
                need: usize::from(self.threshold),
            });
        }
        unknown(package, &self.parties).map_or(Ok(()), |party| Err(SignError::UnknownParty(party)))
    }
}

/// The first signer of a package that is none of the parties.
pub(crate) fn unknown<S: Ciphersuite>(
    package: &SigningPackage<S>,
    parties: &Parties,
) -> Option<PartyId> {
    package.ids.iter().copied().find(|id| !parties.contains(*id))
}
