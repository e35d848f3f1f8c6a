//! Bytes: stored forms, and the parts of message bodies.
//!
//! A stored form is a [`container`](quorate_session::container): header, body, digest.

use alloc::vec::Vec;

use quorate_curve::{Curve, Secret};
use quorate_session::container::Kind;
use quorate_session::wire::{ReadError, Reader};
use quorate_session::{Fault, PartyId};
use zeroize::Zeroizing;

use crate::error::DecodeError;
use crate::{Family, Scalar};

pub(crate) const SECRET_SHARE: Kind = Kind { code: 65, name: "a share of a key", version: 1 };
pub(crate) const SHARED_KEY: Kind = Kind { code: 66, name: "the public side of a key", version: 1 };

pub(crate) const SHARE_HEALTH: Kind =
    Kind { code: 67, name: "a proof of a share's health", version: 1 };
pub(crate) const BACKUP: Kind = Kind { code: 68, name: "a backup of a share", version: 1 };
pub(crate) const BACKUP_KEY: Kind = Kind { code: 69, name: "a key that opens backups", version: 1 };
pub(crate) const BACKUP_RECIPIENT: Kind =
    Kind { code: 70, name: "a key that backups are sealed to", version: 1 };
pub(crate) const DRILL: Kind = Kind { code: 71, name: "a proof that a backup opens", version: 1 };

/// Opens a container of a kind that has had one version, and reads its body to the end.
pub(crate) fn open<F: Family, T>(
    bytes: &[u8],
    kind: Kind,
    read: impl FnOnce(&mut Reader<'_>) -> Result<T, DecodeError>,
) -> Result<T, DecodeError> {
    F::label(kind).read(bytes, read)
}

/// Reads a party's number.
pub(crate) fn read_party(reader: &mut Reader<'_>) -> Result<PartyId, DecodeError> {
    PartyId::new(reader.u16()?).ok_or(DecodeError::BadOrder)
}

/// Maps the fault of a function that reads messages to the error of a stored form.
pub(crate) fn decoded<T>(read: Result<T, Fault>) -> Result<T, DecodeError> {
    read.map_err(|fault| match fault {
        Fault::InvalidPoint => DecodeError::BadPoint,
        Fault::InvalidScalar => DecodeError::BadScalar,
        _ => ReadError::Truncated.into(),
    })
}

/// Bytes of an encoded point.
pub(crate) const fn point_len<C: Curve>() -> usize {
    size_of::<C::PointBytes>()
}

/// Bytes of an encoded scalar.
pub(crate) const fn scalar_len<C: Curve>() -> usize {
    size_of::<C::ScalarBytes>()
}

pub(crate) fn put_party(bytes: &mut Vec<u8>, party: PartyId) {
    bytes.extend_from_slice(&party.get().to_be_bytes());
}

/// Appends a scalar that is not secret, or whose bytes will be wiped.
pub(crate) fn put_scalar<C: Curve>(bytes: &mut Vec<u8>, scalar: &C::Scalar) {
    let encoded = Zeroizing::new(C::encode_scalar(scalar));
    bytes.extend_from_slice((*encoded).as_ref());
}

/// A point with its encoding, which is hashed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Encoded<C: Curve> {
    pub(crate) point: C::Point,
    pub(crate) bytes: C::PointBytes,
}

impl<C: Curve> Encoded<C> {
    pub(crate) fn new(point: C::Point) -> Self {
        Self { point, bytes: C::encode_point(&point) }
    }

    /// Reads a point that is not the neutral element.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Fault> {
        let bytes = reader.bytes(point_len::<C>())?;
        let point = C::decode_point(bytes).ok_or(Fault::InvalidPoint)?;
        let bytes = C::PointBytes::try_from(bytes).map_err(|_| Fault::InvalidPoint)?;
        Ok(Self { point, bytes })
    }

    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(self.bytes.as_ref());
    }
}

/// Reads a scalar, which may be zero.
pub(crate) fn read_scalar<C: Curve>(reader: &mut Reader<'_>) -> Result<C::Scalar, Fault> {
    C::decode_scalar(reader.bytes(scalar_len::<C>())?).ok_or(Fault::InvalidScalar)
}

/// Reads a secret scalar, which may be zero.
pub(crate) fn read_secret<C: Curve>(reader: &mut Reader<'_>) -> Option<Secret<C::Scalar>> {
    let bytes = reader.bytes(scalar_len::<C>()).ok()?;
    Secret::try_make(|| C::decode_scalar(bytes))
}

/// The bytes of a share, to be mixed into the seed of the run.
pub(crate) fn hedge<F: Family>(share: &Secret<Scalar<F>>) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(scalar_len::<F::Curve>()));
    put_scalar::<F::Curve>(&mut bytes, share.expose());
    bytes
}
