//! The signing package, which the coordinator sends to every signer (RFC 9591 §5.2).

use alloc::vec::Vec;
use core::fmt;

use quorate_keys::{Family, PackageId};
use quorate_session::wire::{Reader, bounded, index};
use quorate_session::{PartyId, Transcript};

use crate::error::{DecodeError, PackageError};
use crate::family::Frost;
use crate::key::PublicKeyPackage;
use crate::nonces::Commitments;
use crate::randomizer::RandomizerSeed;
use crate::suite::{Ciphersuite, Point, PointBytes, point_len};
use crate::wire::{SIGNING_PACKAGE, open, put_id, read_id, read_points_vartime};

/// The commitments of all signers, ascending by party, and the message.
///
/// The encodings of the points are kept beside them: they are hashed by every signer and by the
/// coordinator, and encoding a point costs an inversion.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningPackage<S: Ciphersuite> {
    pub(crate) of: PackageId,
    pub(crate) ids: Vec<PartyId>,
    pub(crate) hiding: Vec<Point<S>>,
    pub(crate) binding: Vec<Point<S>>,
    pub(crate) bytes: Vec<[PointBytes<S>; 2]>,
    message: Vec<u8>,
}

impl<S: Ciphersuite> SigningPackage<S> {
    /// Puts a package together for the key of `public`. The order of the commitments does not matter.
    ///
    /// # Errors
    /// A [`PackageError`]: no commitments, fewer signers than the threshold, an unknown or repeated signer,
    /// commitments for another key or epoch, or a message longer than 2^32 − 2^24 bytes.
    pub fn new(
        public: &PublicKeyPackage<S>,
        commitments: impl IntoIterator<Item = Commitments<S>>,
        message: &[u8],
    ) -> Result<Self, PackageError> {
        let mut commitments: Vec<_> = commitments.into_iter().collect();
        commitments.sort_unstable_by_key(Commitments::id);
        for one in &commitments {
            let party = one.id;
            one.package
                .check_belongs_to(&public.package_id())
                .map_err(|why| PackageError::Mismatch { party, why })?;
            if !public.parties().contains(party) {
                return Err(PackageError::UnknownParty(party));
            }
        }
        let mut pairs = commitments.iter().zip(commitments.iter().skip(1));
        if let Some((party, _)) = pairs.find(|(one, next)| one.id == next.id) {
            return Err(PackageError::DuplicateParty(party.id));
        }
        let (got, need) = (commitments.len(), usize::from(public.threshold()));
        if commitments.is_empty() {
            return Err(PackageError::Empty);
        }
        if got < need {
            return Err(PackageError::TooFewSigners { got, need });
        }
        fits(message.len())?;
        let mut package = Self::with_capacity(public.package_id(), got, message);
        commitments.into_iter().for_each(|one| package.push(one));
        Ok(package)
    }

    fn with_capacity(of: PackageId, signers: usize, message: &[u8]) -> Self {
        Self {
            of,
            ids: Vec::with_capacity(signers),
            hiding: Vec::with_capacity(signers),
            binding: Vec::with_capacity(signers),
            bytes: Vec::with_capacity(signers),
            message: message.to_vec(),
        }
    }

    fn push(&mut self, one: Commitments<S>) {
        self.ids.push(one.id);
        self.hiding.push(one.hiding);
        self.binding.push(one.binding);
        self.bytes.push([one.hiding_bytes, one.binding_bytes]);
    }

    /// The name of the public key package that it is for.
    #[must_use]
    pub fn package_id(&self) -> PackageId {
        self.of
    }

    /// A digest of all the public data on which a signer's share depends: the public key package, the signers and
    /// their commitments, the message, and the seed if the key is randomised. It is in every share, and in the
    /// record of the package on which nonces were spent.
    #[must_use]
    pub fn digest(&self, seed: Option<&RandomizerSeed>) -> [u8; 32] {
        let mut transcript = Transcript::new("quorate-frost signing package");
        transcript.append("suite", S::CONTEXT.as_bytes());
        let mut body = Vec::with_capacity(self.encoded_len());
        self.encode_body_into(&mut body);
        transcript.append("package", &body);
        transcript.append_list("seed", seed.iter().map(|seed| seed.as_bytes()));
        transcript.finish32()
    }

    /// The message to be signed. Check it before you sign, because nobody else will.
    #[must_use]
    pub fn message(&self) -> &[u8] {
        &self.message
    }

    /// The signers, ascending.
    #[must_use]
    pub fn signers(&self) -> &[PartyId] {
        &self.ids
    }

    /// A signer's place in the package.
    pub(crate) fn position(&self, id: PartyId) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    /// A signer's commitments.
    #[must_use]
    pub fn commitments_of(&self, id: PartyId) -> Option<Commitments<S>> {
        let at = self.position(id)?;
        let [hiding_bytes, binding_bytes] = *self.bytes.get(at)?;
        Some(Commitments {
            id,
            package: self.of,
            hiding: *self.hiding.get(at)?,
            binding: *self.binding.get(at)?,
            hiding_bytes,
            binding_bytes,
        })
    }

    /// The package in its sent form.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.encode_into(&mut bytes);
        bytes
    }

    /// Appends the sent form to the caller's buffer, which is not reallocated while it has room.
    pub fn encode_into(&self, out: &mut Vec<u8>) {
        let label = Frost::<S>::label(SIGNING_PACKAGE);
        label.encode_into(out, self.encoded_len(), |bytes| self.encode_body_into(bytes));
    }

    pub(crate) fn encoded_len(&self) -> usize {
        let each = point_len::<S>().saturating_mul(2).saturating_add(2);
        let body = self.ids.len() * each + self.message.len();
        body.saturating_add(PackageId::LENGTH).saturating_add(6)
    }

    /// package ‖ number of signers ‖ for each its number ‖ D ‖ E ‖ length of the message ‖ message.
    pub(crate) fn encode_body_into(&self, bytes: &mut Vec<u8>) {
        self.of.put(bytes);
        // Distinct numbers of two bytes.
        let signers: u16 = bounded(self.ids.len());
        bytes.extend_from_slice(&signers.to_be_bytes());
        for (id, [hiding, binding]) in self.ids.iter().zip(&self.bytes) {
            put_id(bytes, *id);
            bytes.extend_from_slice(hiding.as_ref());
            bytes.extend_from_slice(binding.as_ref());
        }
        // `fits` has bounded it.
        let length: u32 = bounded(self.message.len());
        bytes.extend_from_slice(&length.to_be_bytes());
        bytes.extend_from_slice(&self.message);
    }

    /// Reads a package, strictly: signers in ascending order, no commitment the identity.
    ///
    /// # Errors
    /// A [`DecodeError`] for a form that is not canonical.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        open::<S, _>(bytes, SIGNING_PACKAGE, Self::read)
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let of = PackageId::read(reader)?;
        let signers = usize::from(reader.u16()?);
        if signers == 0 {
            return Err(DecodeError::NoSigners);
        }
        reader.expect(signers, point_len::<S>().saturating_mul(2).saturating_add(2))?;
        let mut package = Self::with_capacity(of, signers, &[]);
        let pair = point_len::<S>().saturating_mul(2);
        let mut encodings = Vec::with_capacity(signers.saturating_mul(pair));
        for _ in 0..signers {
            let id = read_id(reader)?;
            if package.ids.last().is_some_and(|last| *last >= id) {
                return Err(DecodeError::BadOrder);
            }
            package.ids.push(id);
            encodings.extend_from_slice(reader.bytes(pair)?);
        }
        let points = read_points_vartime::<S>(&encodings)?;
        for [(hiding, hiding_bytes), (binding, binding_bytes)] in points.as_chunks().0 {
            package.hiding.push(*hiding);
            package.binding.push(*binding);
            package.bytes.push([*hiding_bytes, *binding_bytes]);
        }
        let length = index(reader.u32()?);
        fits(length).map_err(|_| DecodeError::Truncated)?;
        package.message = reader.bytes(length)?.to_vec();
        Ok(package)
    }
}

impl<S: Ciphersuite> fmt::Debug for SigningPackage<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningPackage")
            .field("signers", &self.ids)
            .field("message", &format_args!("{} bytes", self.message.len()))
            .finish_non_exhaustive()
    }
}

/// The longest message. With it, a package of 65 535 signers is shorter than the 2^32 bytes that a container can hold:
/// each signer takes at most 2 + 2·57 bytes.
const MAX_MESSAGE: usize = 0xff00_0000;

/// Checks that a package can contain a message of this length.
pub(crate) const fn fits(length: usize) -> Result<(), PackageError> {
    if length > MAX_MESSAGE { Err(PackageError::MessageTooLong) } else { Ok(()) }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::{PackageError, fits};

    #[test]
    fn a_message_longer_than_a_container_can_hold_is_refused() {
        assert_eq!(fits(0xff00_0000), Ok(()));
        assert_eq!(fits(0xff00_0001), Err(PackageError::MessageTooLong));
        assert_eq!(fits(0x1_0000_0000), Err(PackageError::MessageTooLong));
    }
}
