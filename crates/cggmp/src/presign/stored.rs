//! Stored forms of presignatures.

use alloc::vec::Vec;

use quorate_curve::Secret;
use quorate_keys::PackageId;
use quorate_session::{PerParty, Record, SealError, SealKey, wire::Reader};
use zeroize::Zeroizing;

use super::id::PresignatureId;
use super::presignature::{Parts, Presignature, PresignatureInfo};
use crate::wire::{
    self, POINT, PRESIGNATURE, PRESIGNATURE_INFO, SCALAR, SEALED_PRESIGNATURE, curve_label,
    put_parties, read_parties, read_party,
};
use crate::{DecodeError, EcdsaCurve, VerifyingKey};

impl<C: EcdsaCurve> PresignatureInfo<C> {
    fn encoded_len(&self) -> usize {
        let each = 2 + 2 * POINT;
        each * self.signers().len() + 2 + POINT + PackageId::LENGTH + PresignatureId::LENGTH + POINT
    }

    /// signers ‖ key ‖ package ‖ context ‖ index ‖ Γ ‖ Δ̃ and S̃ of each.
    fn encode_into(&self, bytes: &mut Vec<u8>) {
        let Parts { signers, key, package, nonce, points, .. } = self.parts();
        put_parties(bytes, signers);
        bytes.extend_from_slice(key.as_bytes());
        package.put(bytes);
        self.id().put(bytes);
        bytes.extend_from_slice(&C::encode_point(nonce));
        for points in points.values() {
            bytes.extend_from_slice(C::encode_points(points).as_flattened());
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let signers = read_parties(reader)?;
        let key = VerifyingKey::from_bytes(&reader.array()?)?;
        let package = PackageId::read(reader)?;
        let id = PresignatureId::read(reader)?;
        let (context, index) = (*id.run(), id.index());
        let mut point = || {
            let bytes = reader.bytes(POINT)?;
            C::decode_point(bytes).ok_or(DecodeError::BadPoint)
        };
        let nonce = point()?;
        let mut points = PerParty::with_capacity(signers.len());
        for signer in signers.iter() {
            points.insert(signer, [point()?, point()?]);
        }
        let parts = Parts { signers, key, package, context, index, nonce, points };
        Self::new(parts).ok_or(DecodeError::Inconsistent(
            "the points do not add up to the key, or it is not the package's",
        ))
    }

    /// The stored form, for a party that aggregates signatures without being a signer.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let label = curve_label::<C>(PRESIGNATURE_INFO);
        let mut bytes = label.start(self.encoded_len());
        self.encode_into(&mut bytes);
        label.end_public(bytes)
    }

    /// Opens a stored form, strictly, and checks that its points add up.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        curve_label::<C>(PRESIGNATURE_INFO).read(bytes, Self::read)
    }
}

/// The stored form. **Secret**.
impl<C: EcdsaCurve> Record for Presignature<C> {
    fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        self.to_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Self::from_bytes(bytes).ok()
    }
}

impl<C: EcdsaCurve> Presignature<C> {
    /// The stored form. **Secret**: with it and the signature that it becomes, a reader has
    /// this signer's share of the key. [`Self::seal`] encrypts it.
    ///
    /// This form can be read any number of times, but the presignature must be spent only once: see
    /// [`Claim::record`](crate::Claim::record).
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let label = curve_label::<C>(PRESIGNATURE);
        let mut bytes = label.start(self.encoded_len());
        self.encode_into(&mut bytes);
        label.end(&mut bytes);
        bytes
    }

    pub(super) fn encoded_len(&self) -> usize {
        self.info().encoded_len() + 2 + 32 + 2 * SCALAR
    }

    /// party ‖ public side ‖ digest of the run's results ‖ k̃ ‖ χ̃.
    pub(super) fn encode_into(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.party_id().get().to_be_bytes());
        self.info().encode_into(bytes);
        bytes.extend_from_slice(self.results());
        for secret in [self.k(), self.chi()] {
            let scalar = Zeroizing::new(C::encode_scalar(secret.expose()));
            bytes.extend_from_slice(scalar.as_slice());
        }
    }

    /// Opens a stored form and validates it: the points add up, and the secrets are those of this
    /// signer's points.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        curve_label::<C>(PRESIGNATURE).read(bytes, Self::read)
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let secrets = DecodeError::Inconsistent("the secrets are not those of the signer's points");
        Self::read_known(reader)?.check().ok_or(secrets)
    }

    /// Reads a form that this party wrote for itself and a seal vouches for. The secrets were checked against the points when
    /// it was made.
    fn read_known(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let party = read_party(reader)?;
        let info = PresignatureInfo::read(reader)?;
        let results = reader.array()?;
        let mut secret = || {
            let bytes = reader.bytes(SCALAR)?;
            C::decode_scalar(bytes).map(Secret::new).ok_or(DecodeError::BadScalar)
        };
        let (k, chi) = (secret()?, secret()?);
        Ok(Self::known(party, info, results, k, chi))
    }

    /// The presignatures of a run, for the checkpoint of its last round.
    pub(crate) fn to_checkpoint(made: &[Self]) -> Zeroizing<Vec<u8>> {
        let lengths = made.iter().map(Self::encoded_len);
        // Room for everything at once: growing would leave copies behind.
        let room = lengths.fold(0, usize::saturating_add);
        let mut checkpoint = Zeroizing::new(Vec::with_capacity(room));
        made.iter().for_each(|one| one.encode_into(&mut checkpoint));
        checkpoint
    }

    /// Undoes [`to_checkpoint`](Self::to_checkpoint).
    pub(crate) fn from_checkpoint(checkpoint: &[u8], count: u16) -> Option<Vec<Self>> {
        let mut reader = Reader::new(checkpoint);
        let made = (0..count).map(|_| Self::read_known(&mut reader).ok()).collect();
        reader.finish().ok()?;
        made
    }

    /// The stored form, encrypted under the caller's key: for a file, or a row of a database under
    /// [`Self::id`].
    #[must_use]
    pub fn seal(&self, key: &SealKey) -> Vec<u8> {
        let mut body = Zeroizing::new(Vec::with_capacity(self.encoded_len()));
        self.encode_into(&mut body);
        curve_label::<C>(SEALED_PRESIGNATURE).seal(key, &body)
    }

    /// Opens a sealed presignature.
    ///
    /// # Errors
    /// [`SealError::Container`] if the bytes are no sealed presignature over this curve or were altered,
    /// [`SealError::Unauthentic`] for another key.
    pub fn open(sealed: &[u8], key: &SealKey) -> Result<Self, SealError> {
        let (_, body) = curve_label::<C>(SEALED_PRESIGNATURE).unseal(key, sealed)?;
        wire::read(Reader::new(&body), Self::read).map_err(|_| SealError::Malformed)
    }
}
