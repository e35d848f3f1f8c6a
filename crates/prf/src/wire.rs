//! Points and scalars in messages, and the kinds of the containers.

use alloc::vec::Vec;

use quorate_curve::Curve;
use quorate_frost::{DecodeError, Frost, KeySuite, Point, PointBytes, Scalar};
use quorate_keys::{Family, PackageId};
use quorate_session::container::{DIGEST, HEADER, Kind, Label};
use quorate_session::wire::Reader;
use quorate_session::{PartyId, Transcript};

pub(crate) const EVALUATION_SHARE: Kind =
    Kind { code: 12, name: "an evaluation share", version: 1 };
pub(crate) const CONTRIBUTION: Kind =
    Kind { code: 13, name: "a contribution to a joint proof", version: 1 };
pub(crate) const PROOF_PACKAGE: Kind =
    Kind { code: 14, name: "the package of a joint proof", version: 1 };
pub(crate) const PROOF_SHARE: Kind =
    Kind { code: 15, name: "a share of a joint proof", version: 1 };

/// The label of a kind of keys.
pub(crate) fn label<K: KeySuite>(kind: Kind) -> Label {
    Frost::<K>::label(kind)
}

/// A point with its encoding.
pub(crate) struct Encoded<K: KeySuite> {
    pub(crate) point: Point<K>,
    pub(crate) bytes: PointBytes<K>,
}

impl<K: KeySuite> Clone for Encoded<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: KeySuite> Copy for Encoded<K> {}

impl<K: KeySuite> PartialEq for Encoded<K> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<K: KeySuite> Eq for Encoded<K> {}

impl<K: KeySuite> Encoded<K> {
    pub(crate) fn new(point: Point<K>) -> Self {
        Self { point, bytes: K::Curve::encode_point(&point) }
    }

    /// The points of a computation, which encode faster together.
    pub(crate) fn each(points: &[Point<K>]) -> Vec<Self> {
        let bytes = K::Curve::encode_points(points);
        points.iter().zip(bytes).map(|(point, bytes)| Self { point: *point, bytes }).collect()
    }

    /// Reads a canonical point other than the identity.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let bytes = reader.bytes(point_len::<K>())?;
        let point = K::Curve::decode_point(bytes).ok_or(DecodeError::BadPoint)?;
        let bytes = PointBytes::<K>::try_from(bytes).map_err(|_| DecodeError::BadPoint)?;
        Ok(Self { point, bytes })
    }

    /// Reads a number of points.
    pub(crate) fn read_many(
        reader: &mut Reader<'_>,
        count: usize,
    ) -> Result<Vec<Self>, DecodeError> {
        reader.expect(count, point_len::<K>())?;
        (0..count).map(|_| Self::read(reader)).collect()
    }

    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(self.bytes.as_ref());
    }
}

/// The points alone.
pub(crate) fn points<K: KeySuite>(encoded: &[Encoded<K>]) -> Vec<Point<K>> {
    encoded.iter().map(|one| one.point).collect()
}

pub(crate) const fn point_len<K: KeySuite>() -> usize {
    size_of::<PointBytes<K>>()
}

pub(crate) const fn scalar_len<K: KeySuite>() -> usize {
    size_of::<quorate_frost::ScalarBytes<K>>()
}

pub(crate) fn put_scalar<K: KeySuite>(bytes: &mut Vec<u8>, scalar: &Scalar<K>) {
    bytes.extend_from_slice(K::Curve::encode_scalar(scalar).as_ref());
}

/// Reads a canonical scalar.
pub(crate) fn read_scalar<K: KeySuite>(reader: &mut Reader<'_>) -> Result<Scalar<K>, DecodeError> {
    let bytes = reader.bytes(scalar_len::<K>())?;
    K::Curve::decode_scalar(bytes).ok_or(DecodeError::BadScalar)
}

pub(crate) fn put_id(bytes: &mut Vec<u8>, id: PartyId) {
    bytes.extend_from_slice(&id.get().to_be_bytes());
}

pub(crate) fn read_id(reader: &mut Reader<'_>) -> Result<PartyId, DecodeError> {
    let number = reader.u16()?;
    PartyId::new(number).ok_or(DecodeError::BadIdentifier(number))
}

/// Checks that a message is in its sender's name.
pub(crate) fn from_sender<T>(
    sender: PartyId,
    named: PartyId,
    message: T,
) -> Result<T, DecodeError> {
    if named == sender { Ok(message) } else { Err(DecodeError::NotTheSenders { sender, named }) }
}

/// Reads to the end.
pub(crate) fn whole<T>(
    bytes: &[u8],
    read: impl FnOnce(&mut Reader<'_>) -> Result<T, DecodeError>,
) -> Result<T, DecodeError> {
    let mut reader = Reader::new(bytes);
    let value = read(&mut reader)?;
    reader.finish()?;
    Ok(value)
}

/// The bytes of a container with a body of this length.
pub(crate) const fn container(body: usize) -> usize {
    body.saturating_add(HEADER + DIGEST)
}

/// Appends the name of a public key package.
pub(crate) fn append_package(transcript: &mut Transcript, package: &PackageId) {
    let mut bytes = Vec::with_capacity(PackageId::LENGTH);
    package.put(&mut bytes);
    transcript.append("package", &bytes);
}
