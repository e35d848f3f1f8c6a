//! Stored forms of presignatures.

use alloc::vec::Vec;

use quorate_curve::Secret;
use quorate_keys::PackageId;
use quorate_session::{PerParty, SealError, SealKey, wire::Reader};
use zeroize::Zeroizing;

use super::presignature::{Parts, Presignature, PresignatureInfo};
use crate::wire::{self, Kind, POINT, SCALAR, put_parties, read_parties, read_party, truncated};
use crate::{DecodeError, EcdsaCurve, VerifyingKey};

const SEAL: &str = "quorate-cggmp presignature";

impl<C: EcdsaCurve> PresignatureInfo<C> {
    fn encoded_len(&self) -> usize {
        let each = 2 + 2 * POINT;
        each.saturating_mul(self.signers().len())
            .saturating_add(2 + POINT + PackageId::LENGTH + 32 + POINT)
    }

    /// signers ‖ key ‖ package ‖ context ‖ Γ ‖ Δ̃ and S̃ of each.
    fn encode_into(&self, bytes: &mut Vec<u8>) {
        let Parts { signers, key, package, context, nonce, points } = self.parts();
        put_parties(bytes, signers);
        bytes.extend_from_slice(key.as_bytes());
        package.put(bytes);
        bytes.extend_from_slice(context);
        bytes.extend_from_slice(&C::encode_point(nonce));
        for points in points.values() {
            bytes.extend_from_slice(C::encode_points(points).as_flattened());
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let signers = read_parties(reader)?;
        let key = VerifyingKey::from_bytes(&reader.array().map_err(truncated)?)?;
        let package = PackageId::read(reader)?;
        let context = reader.array().map_err(truncated)?;
        let mut point = || {
            let bytes = reader.bytes(POINT).map_err(truncated)?;
            C::decode_point(bytes).ok_or(DecodeError::BadPoint)
        };
        let nonce = point()?;
        let mut points = PerParty::with_capacity(signers.len());
        for signer in signers.iter() {
            points.insert(signer, [point()?, point()?]);
        }
        let parts = Parts { signers, key, package, context, nonce, points };
        Self::new(parts).ok_or(DecodeError::Inconsistent(
            "the points do not add up to the key, or it is not the package's",
        ))
    }

    /// The stored form, for a party that puts signatures together without being a signer.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = wire::start::<C>(Kind::PresignatureInfo, self.encoded_len());
        self.encode_into(&mut bytes);
        wire::end_public(bytes)
    }

    /// Opens a stored form, strictly, and checks that its points add up.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        wire::read(wire::open::<C>(bytes, Kind::PresignatureInfo)?, Self::read)
    }
}

impl<C: EcdsaCurve> Presignature<C> {
    /// The stored form. **Secret**: with it and the signature that it becomes, a reader has
    /// this signer's share of the key. [`Self::seal`] encrypts it.
    ///
    /// It can be read any number of times, and must be spent once: see
    /// [`Claim::record`](crate::Claim::record).
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let body = self.info().encoded_len().saturating_add(2 + 2 * SCALAR);
        let mut bytes = wire::start::<C>(Kind::Presignature, body);
        bytes.extend_from_slice(&self.party().get().to_be_bytes());
        self.info().encode_into(&mut bytes);
        for secret in [self.k(), self.chi()] {
            let scalar = Zeroizing::new(C::encode_scalar(secret.expose()));
            bytes.extend_from_slice(scalar.as_slice());
        }
        wire::end(&mut bytes);
        bytes
    }

    /// Opens a stored form and validates it: the points add up, and the secrets are those of this
    /// signer's points.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = wire::open::<C>(bytes, Kind::Presignature)?;
        let party = read_party(&mut reader)?;
        let info = PresignatureInfo::read(&mut reader)?;
        let mut secret = || {
            let bytes = reader.bytes(SCALAR).map_err(truncated)?;
            C::decode_scalar(bytes).map(Secret::new).ok_or(DecodeError::BadScalar)
        };
        let (k, chi) = (secret()?, secret()?);
        reader.finish().map_err(|_| DecodeError::TrailingBytes)?;
        let secrets = DecodeError::Inconsistent("the secrets are not those of the signer's points");
        Self::checked(party, info, k, chi).ok_or(secrets)
    }

    /// The stored form, encrypted under the caller's key: for a file, or a row of a database under
    /// [`Self::id`].
    #[must_use]
    pub fn seal(&self, key: &SealKey) -> Vec<u8> {
        key.seal_bytes(SEAL, &self.to_bytes())
    }

    /// Opens a sealed presignature.
    ///
    /// # Errors
    /// [`SealError`] if the key is wrong or the bytes were altered, or what they hold is no
    /// presignature over this curve.
    pub fn open(sealed: &[u8], key: &SealKey) -> Result<Self, SealError> {
        let bytes = key.open_bytes(SEAL, sealed)?;
        Self::from_bytes(&bytes).map_err(|_| SealError::Malformed)
    }
}
