//! Reading and writing of stored and sent forms, which are [containers](quorate_session::container): numbers
//! big-endian, points and scalars in the suite's own encoding. See `docs/spec/frost.md`.

use alloc::vec::Vec;

use quorate_curve::{Curve, Secret};
use quorate_keys::Family;
use quorate_session::container::{Kind, SEALED};
use quorate_session::wire::Reader;
use quorate_session::{Fault, PartyId};
use quorate_sharing::decode_points_vartime;
use zeroize::Zeroizing;

use crate::error::DecodeError;
use crate::family::Frost;
use crate::suite::{KeySuite, Point, PointBytes, Scalar, point_len, scalar_len};

pub(crate) const DEALT_SHARE: Kind = Kind { code: 3, name: "a dealt share", version: 1 };
pub(crate) const COMMITMENTS: Kind = Kind { code: 4, name: "commitments", version: 1 };
pub(crate) const SIGNING_PACKAGE: Kind = Kind { code: 5, name: "a signing package", version: 1 };
pub(crate) const SIGNATURE_SHARE: Kind = Kind { code: 6, name: "a signature share", version: 1 };
pub(crate) const PUBLISHED_NONCES: Kind =
    Kind { code: 8, name: "the commitments of a batch", version: 1 };
pub(crate) const NONCE_BATCH: Kind =
    Kind { code: 7 | SEALED, name: "a sealed batch of nonces", version: 1 };

pub(crate) const ROAST_ANSWER: Kind =
    Kind { code: 9, name: "a signer's message of ROAST", version: 1 };
pub(crate) const ROAST_REQUEST: Kind =
    Kind { code: 10, name: "a coordinator's message of ROAST", version: 1 };
pub(crate) const ROAST_SIGNER: Kind =
    Kind { code: 11 | SEALED, name: "a sealed signer of ROAST", version: 1 };

/// Appends a party's number.
pub(crate) fn put_id(bytes: &mut Vec<u8>, id: PartyId) {
    bytes.extend_from_slice(&id.get().to_be_bytes());
}

/// Opens a container of a kind that has had one version, and reads its body to the end.
pub(crate) fn open<S: KeySuite, T>(
    bytes: &[u8],
    kind: Kind,
    read: impl FnOnce(&mut Reader<'_>) -> Result<T, DecodeError>,
) -> Result<T, DecodeError> {
    Frost::<S>::label(kind).read(bytes, read)
}

/// Reads a party's number.
pub(crate) fn read_id(reader: &mut Reader<'_>) -> Result<PartyId, DecodeError> {
    let number = reader.u16()?;
    PartyId::new(number).ok_or(DecodeError::BadIdentifier(number))
}

/// Reads a canonical scalar.
pub(crate) fn read_scalar<S: KeySuite>(reader: &mut Reader<'_>) -> Result<Scalar<S>, DecodeError> {
    let bytes = reader.bytes(scalar_len::<S>())?;
    S::Curve::decode_scalar(bytes).ok_or(DecodeError::BadScalar)
}

/// A point with its encoding.
pub(crate) type Encoded<S> = (Point<S>, PointBytes<S>);

/// Reads a canonical point other than the identity.
pub(crate) fn read_point<S: KeySuite>(reader: &mut Reader<'_>) -> Result<Encoded<S>, DecodeError> {
    let bytes = reader.bytes(point_len::<S>())?;
    let point = S::Curve::decode_point(bytes).ok_or(DecodeError::BadPoint)?;
    let canonical = PointBytes::<S>::try_from(bytes).map_err(|_| DecodeError::BadPoint)?;
    Ok((point, canonical))
}

/// The points of encodings, one after the other, as [`read_point`] reads each. Together they take less time, and it varies.
pub(crate) fn read_points_vartime<S: KeySuite>(
    encodings: &[u8],
) -> Result<Vec<Encoded<S>>, DecodeError> {
    let points = decode_points_vartime::<S::Curve>(encodings).ok_or(DecodeError::BadPoint)?;
    let bytes = encodings.chunks_exact(point_len::<S>());
    let with_bytes = points.into_iter().zip(bytes).map(|(point, bytes)| {
        let canonical = PointBytes::<S>::try_from(bytes).map_err(|_| DecodeError::BadPoint)?;
        Ok((point, canonical))
    });
    with_bytes.collect()
}

/// Reads bytes that are one scalar and nothing else.
pub(crate) fn only_scalar<S: KeySuite>(bytes: &[u8]) -> Result<Scalar<S>, DecodeError> {
    let mut reader = Reader::new(bytes);
    let scalar = read_scalar::<S>(&mut reader)?;
    reader.finish()?;
    Ok(scalar)
}

/// Reads bytes that are one point and nothing else.
pub(crate) fn only_point<S: KeySuite>(bytes: &[u8]) -> Result<Encoded<S>, DecodeError> {
    let mut reader = Reader::new(bytes);
    let point = read_point::<S>(&mut reader)?;
    reader.finish()?;
    Ok(point)
}

/// The encoding of a secret scalar as a message of its own.
pub(crate) fn share_bytes<S: KeySuite>(share: &Scalar<S>) -> Vec<u8> {
    let share = Zeroizing::new(S::Curve::encode_scalar(share));
    (*share).as_ref().to_vec()
}

/// Reads a message that is one secret scalar.
pub(crate) fn read_share<S: KeySuite>(body: &[u8]) -> Result<Secret<Scalar<S>>, Fault> {
    if body.len() != scalar_len::<S>() {
        return Err(Fault::WrongLength);
    }
    Secret::try_make(|| S::Curve::decode_scalar(body)).ok_or(Fault::InvalidScalar)
}
