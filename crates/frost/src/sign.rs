//! Round two: a signature share (RFC 9591 §5.2).

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secret};
use quorate_declassify::declassify;
use quorate_keys::{Family, PackageId, ShareState};
use quorate_session::{Parties, PartyId};
use quorate_sharing::lagrange;

use crate::binding::SigningContext;
use crate::error::{DecodeError, SignError};
use crate::family::Frost;
use crate::key::KeyShare;
use crate::nonces::{Commitments, Nonces};
use crate::package::SigningPackage;
use crate::signature::VerifyingKey;
use crate::suite::{Ciphersuite, Scalar, ScalarBytes, scalar_len};
use crate::wire::{SIGNATURE_SHARE, only_scalar, open, put_id, read_id, read_scalar};

/// A signer's share of a signature, for the coordinator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SignatureShare<S: Ciphersuite> {
    pub(crate) id: PartyId,
    /// The public key package.
    pub(crate) of: PackageId,
    /// [`SigningPackage::digest`]
    pub(crate) package: [u8; 32],
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
    pub fn scalar(&self) -> ScalarBytes<S> {
        S::Curve::encode_scalar(&self.z)
    }

    /// The name of the public key package whose share made it.
    #[must_use]
    pub fn package_id(&self) -> PackageId {
        self.of
    }

    /// The digest of the signing package that it is for: [`SigningPackage::digest`].
    #[must_use]
    pub fn package_digest(&self) -> [u8; 32] {
        self.package
    }

    /// Takes a share of the signature of `package` made elsewhere from the suite's encoding of
    /// z_i.
    ///
    /// # Errors
    /// A [`DecodeError`] for a form that is not canonical.
    pub fn from_parts(
        id: PartyId,
        package: &SigningPackage<S>,
        z: &[u8],
    ) -> Result<Self, DecodeError> {
        let z = only_scalar::<S>(z)?;
        Ok(Self { id, of: package.of, package: package.digest(None), z })
    }

    /// The share in its sent form.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.encode_into(&mut bytes);
        bytes
    }

    /// Appends the sent form to the caller's buffer, which is not reallocated while it has room.
    pub fn encode_into(&self, out: &mut Vec<u8>) {
        let body = scalar_len::<S>().saturating_add(PackageId::LENGTH).saturating_add(34);
        Frost::<S>::label(SIGNATURE_SHARE).encode_into(out, body, |bytes| {
            put_id(bytes, self.id);
            self.of.put(bytes);
            bytes.extend_from_slice(&self.package);
            bytes.extend_from_slice(S::Curve::encode_scalar(&self.z).as_ref());
        });
    }

    /// Reads a share that `sender` sent, strictly. The **authenticated** transport
    /// names the sender.
    ///
    /// # Errors
    /// A [`DecodeError`] if the form is not canonical, or if the share is in another party's name. Either is the
    /// sender's fault, unless it is another kind of object, or one of another suite or release.
    pub fn from_bytes(sender: PartyId, bytes: &[u8]) -> Result<Self, DecodeError> {
        let share = open::<S, _>(bytes, SIGNATURE_SHARE, |reader| {
            let id = read_id(reader)?;
            let of = PackageId::read(reader)?;
            let package = reader.array()?;
            Ok(Self { id, of, package, z: read_scalar::<S>(reader)? })
        })?;
        let named = share.id;
        if named == sender { Ok(share) } else { Err(DecodeError::NotTheSenders { sender, named }) }
    }
}

impl<S: Ciphersuite> fmt::Debug for SignatureShare<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SignatureShare({}, ", self.id)?;
        crate::signature::hex(f, self.scalar().as_ref())?;
        f.write_str(")")
    }
}

impl<S: Ciphersuite> KeyShare<S> {
    /// Round two (RFC 9591 §5.2): this party's share of the signature of `package`.
    ///
    /// The nonces are spent whether or not it succeeds. Those of a batch come from [`NonceBatch::claim_for`](crate::NonceBatch::claim_for),
    /// which makes the same checks before it takes them. Check [`SigningPackage::message`] first: a signer signs the message that the
    /// coordinator sends.
    ///
    /// # Errors
    /// A [`SignError`] that says why this package is not to be signed.
    pub fn sign(
        &self,
        package: &SigningPackage<S>,
        nonces: Nonces<S>,
    ) -> Result<SignatureShare<S>, SignError> {
        let digest = package.digest(None);
        self.sign_as(package, digest, nonces, &self.key, self.secret())
    }

    /// The share for `key`, of which `secret` is this party's share: the group's own key, or one
    /// that was shifted for this signature. `digest` is that of the package.
    pub(crate) fn sign_as(
        &self,
        package: &SigningPackage<S>,
        digest: [u8; 32],
        nonces: Nonces<S>,
        key: &VerifyingKey<S>,
        secret: &Secret<Scalar<S>>,
    ) -> Result<SignatureShare<S>, SignError> {
        self.check(package, &nonces.commitments)?;
        // The same nonces give only the same share again.
        if nonces.released_for.is_some_and(|released| *released != digest) {
            return Err(SignError::OtherPackage);
        }
        let binding = SigningContext::new(package, key).ok_or(SignError::IdentityCommitment)?;
        let at = package.position(self.id()).ok_or(SignError::NotASigner)?;
        let rho = binding.factors.get(at).ok_or(SignError::NotASigner)?;
        let lambda = lagrange::one_at_zero::<S::Curve>(&package.ids, self.id())
            .ok_or(SignError::NotASigner)?;
        // z_i = d_i + ρ_i·e_i + λ_i·s_i·c, with both nonces negated where R was.
        let nonce = *nonces.hiding.expose() + *rho * *nonces.binding.expose();
        let nonce = if binding.negated { -nonce } else { nonce };
        let z = nonce + lambda * *secret.expose() * binding.challenge;
        // Sent to the coordinator.
        Ok(SignatureShare { id: self.id(), of: package.of, package: digest, z: declassify(z) })
    }

    /// The checks of RFC 9591 §5.2 and §7 that a signer makes before it signs. `mine` are the commitments to the
    /// nonces that will be spent.
    pub(crate) fn check(
        &self,
        package: &SigningPackage<S>,
        mine: &Commitments<S>,
    ) -> Result<(), SignError> {
        if self.state() == ShareState::Unconfirmed {
            return Err(SignError::Unconfirmed);
        }
        mine.package.check_belongs_to(&self.package_id()).map_err(SignError::Mismatch)?;
        package.of.check_belongs_to(&self.package_id()).map_err(SignError::Mismatch)?;
        match package.commitments_of(self.id()) {
            None => return Err(SignError::NotASigner),
            Some(listed) if listed != *mine => return Err(SignError::CommitmentMismatch),
            Some(_) => {}
        }
        if package.ids.len() < usize::from(self.threshold()) {
            return Err(SignError::TooFewSigners {
                got: package.ids.len(),
                need: usize::from(self.threshold()),
            });
        }
        unknown(package, self.parties()).map_or(Ok(()), |party| Err(SignError::UnknownParty(party)))
    }
}

/// The first signer of a package that is not one of the parties.
pub(crate) fn unknown<S: Ciphersuite>(
    package: &SigningPackage<S>,
    parties: &Parties,
) -> Option<PartyId> {
    package.ids.iter().copied().find(|id| !parties.contains(*id))
}
