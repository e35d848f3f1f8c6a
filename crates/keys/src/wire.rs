//! Bytes: stored forms, and the parts of message bodies.
//!
//! A stored form is `version ‖ kind ‖ code of the family ‖ body ‖ digest`. The digest shows damage, not
//! malice: whoever can write the bytes can write the digest.

use alloc::vec::Vec;

use quorate_curve::{Curve, Secret};
use quorate_session::{Fault, PartyId, Transcript, wire::Reader};
use zeroize::Zeroizing;

use crate::Family;
use crate::error::DecodeError;

/// The version of every form of this release.
pub(crate) const VERSION: u8 = 1;
const HEADER: usize = 3;
const DIGEST: usize = 32;

/// The kind of a stored object. FROST has 1 to 32, threshold ECDSA 33 to 64.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    SecretShare = 65,
    SharedKey = 66,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::SecretShare => "a share of a key",
            Self::SharedKey => "the public side of a key",
        }
    }
}

/// Starts a form, with room for a body of `body` bytes at most: growing would leave copies.
pub(crate) fn start<F: Family>(kind: Kind, body: usize) -> Zeroizing<Vec<u8>> {
    let mut bytes = Vec::with_capacity(body.saturating_add(HEADER + DIGEST));
    bytes.extend_from_slice(&[VERSION, kind as u8, F::CODE]);
    Zeroizing::new(bytes)
}

/// Ends a form.
pub(crate) fn end<F: Family>(bytes: &mut Vec<u8>) {
    let digest = digest::<F>(bytes);
    bytes.extend_from_slice(&digest);
}

fn digest<F: Family>(bytes: &[u8]) -> [u8; DIGEST] {
    let mut transcript = Transcript::new("quorate-keys stored form");
    transcript.append("family", F::NAME.as_bytes());
    transcript.append("bytes", bytes);
    transcript.finish32()
}

/// Checks header and digest, and reads the body.
pub(crate) fn open<F: Family>(bytes: &[u8], kind: Kind) -> Result<Reader<'_>, DecodeError> {
    let ([version, found, code], rest) =
        bytes.split_first_chunk::<HEADER>().ok_or(DecodeError::Truncated)?;
    if *version != VERSION {
        return Err(DecodeError::UnknownVersion(*version));
    }
    if *found != kind as u8 {
        return Err(DecodeError::WrongKind { expected: kind.name(), found: *found });
    }
    if *code != F::CODE {
        return Err(DecodeError::WrongFamily { expected: F::NAME, found: *code });
    }
    let (body, end) = rest.split_last_chunk::<DIGEST>().ok_or(DecodeError::Truncated)?;
    let whole = bytes.get(..HEADER.saturating_add(body.len())).ok_or(DecodeError::Truncated)?;
    if digest::<F>(whole) != *end {
        return Err(DecodeError::Damaged);
    }
    Ok(Reader::new(body))
}

/// The error of a reader that ran out of bytes.
pub(crate) fn truncated<E>(_: E) -> DecodeError {
    DecodeError::Truncated
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

/// Appends a scalar that is not secret, or is for bytes that are wiped.
pub(crate) fn put_scalar<C: Curve>(bytes: &mut Vec<u8>, scalar: &C::Scalar) {
    let encoded = Zeroizing::new(C::encode_scalar(scalar));
    bytes.extend_from_slice((*encoded).as_ref());
}

/// A point that came with its encoding, which is hashed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Encoded<C: Curve> {
    pub(crate) point: C::Point,
    pub(crate) bytes: C::PointBytes,
}

impl<C: Curve> Encoded<C> {
    pub(crate) fn of(point: C::Point) -> Self {
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

/// Reads a scalar; zero is one.
pub(crate) fn read_scalar<C: Curve>(reader: &mut Reader<'_>) -> Result<C::Scalar, Fault> {
    C::decode_scalar(reader.bytes(scalar_len::<C>())?).ok_or(Fault::InvalidScalar)
}

/// Reads a secret scalar; zero is one.
pub(crate) fn read_secret<C: Curve>(reader: &mut Reader<'_>) -> Option<Secret<C::Scalar>> {
    let bytes = reader.bytes(scalar_len::<C>()).ok()?;
    Secret::try_make(|| C::decode_scalar(bytes))
}
