//! The signing package: what the coordinator sends to every signer (RFC 9591 §5.2).

use alloc::vec::Vec;
use core::fmt;

use quorate_session::PartyId;

use crate::error::{DecodeError, PackageError};
use crate::nonces::Commitments;
use crate::suite::{Ciphersuite, Point, PointBytes, point_len};
use crate::wire::{Kind, Reader, put_id, start};

/// The commitments of all signers, ascending by party, and the message.
///
/// The encodings of the points are kept beside them: they are hashed by every signer and by the
/// coordinator, and encoding a point costs an inversion.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningPackage<S: Ciphersuite> {
    pub(crate) ids: Vec<PartyId>,
    pub(crate) hiding: Vec<Point<S>>,
    pub(crate) binding: Vec<Point<S>>,
    pub(crate) bytes: Vec<[PointBytes<S>; 2]>,
    message: Vec<u8>,
}

impl<S: Ciphersuite> SigningPackage<S> {
    /// Puts a package together; the order in which the commitments come does not matter.
    ///
    /// # Errors
    /// [`PackageError`] if there are none, or two of one party, or the message is longer than
    /// 2^32 − 1 bytes.
    pub fn new(
        commitments: impl IntoIterator<Item = Commitments<S>>,
        message: &[u8],
    ) -> Result<Self, PackageError> {
        let mut commitments: Vec<_> = commitments.into_iter().collect();
        commitments.sort_unstable_by_key(Commitments::id);
        let twice = commitments
            .iter()
            .zip(commitments.iter().skip(1))
            .find_map(|(one, next)| (one.id == next.id).then_some(one.id));
        if let Some(party) = twice {
            return Err(PackageError::DuplicateParty(party));
        }
        if commitments.is_empty() {
            return Err(PackageError::Empty);
        }
        if u32::try_from(message.len()).is_err() {
            return Err(PackageError::MessageTooLong);
        }
        let mut package = Self::with_capacity(commitments.len(), message);
        commitments.into_iter().for_each(|one| package.push(one));
        Ok(package)
    }

    fn with_capacity(signers: usize, message: &[u8]) -> Self {
        Self {
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

    /// The message to be signed. Look at it before you sign: nobody else will.
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
            hiding: *self.hiding.get(at)?,
            binding: *self.binding.get(at)?,
            hiding_bytes,
            binding_bytes,
        })
    }

    /// The package in its sent form.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let each = point_len::<S>().saturating_mul(2).saturating_add(2);
        let body = self.ids.len().saturating_mul(each).saturating_add(self.message.len());
        let mut bytes = start::<S>(Kind::SigningPackage, body.saturating_add(6));
        let signers = u16::try_from(self.ids.len()).unwrap_or(u16::MAX);
        bytes.extend_from_slice(&signers.to_be_bytes());
        for (id, [hiding, binding]) in self.ids.iter().zip(&self.bytes) {
            put_id(&mut bytes, *id);
            bytes.extend_from_slice(hiding.as_ref());
            bytes.extend_from_slice(binding.as_ref());
        }
        let length = u32::try_from(self.message.len()).unwrap_or(u32::MAX);
        bytes.extend_from_slice(&length.to_be_bytes());
        bytes.extend_from_slice(&self.message);
        bytes
    }

    /// Reads a package, strictly: signers in ascending order, no commitment the identity.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is not canonical.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::open::<S>(bytes, Kind::SigningPackage)?;
        let signers = usize::from(reader.u16()?);
        if signers == 0 {
            return Err(DecodeError::BadLength);
        }
        reader.expect(signers, point_len::<S>().saturating_mul(2).saturating_add(2))?;
        let mut package = Self::with_capacity(signers, &[]);
        for _ in 0..signers {
            let one = Commitments::read(&mut reader)?;
            if package.ids.last().is_some_and(|last| *last >= one.id) {
                return Err(DecodeError::BadOrder);
            }
            package.push(one);
        }
        let length = usize::try_from(reader.u32()?).map_err(|_| DecodeError::BadLength)?;
        package.message = reader.bytes(length)?.to_vec();
        reader.finish()?;
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
