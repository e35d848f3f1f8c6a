//! Reading and writing of every stored and sent form: `version ‖ kind ‖ suite ‖ body`, numbers
//! big-endian, points and scalars in the suite's own encoding. See `docs/wire.md`.

use alloc::vec::Vec;

use quorate_curve::{Curve, Secret};
use quorate_session::wire::Reader;
use quorate_session::{Fault, PartyId};
use zeroize::Zeroizing;

use crate::error::DecodeError;
use crate::suite::{KeySuite, Point, PointBytes, Scalar, point_len, scalar_len};
use crate::version::VERSION;

/// Bytes of the header.
const HEADER: usize = 3;

/// The kind of an object, its second byte. Shares and packages are stored as `quorate-keys` stores
/// them, in containers.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    DealtShare = 3,
    Commitments = 4,
    SigningPackage = 5,
    SignatureShare = 6,
    NonceBatch = 7,
}

/// The name of a kind in a sentence.
const fn name(kind: u8) -> &'static str {
    match kind {
        3 => "a dealt share",
        4 => "commitments",
        5 => "a signing package",
        6 => "a signature share",
        7 => "a nonce batch",
        _ => "another object",
    }
}

/// Starts an encoding, with room for `body` bytes.
pub(crate) fn start<S: KeySuite>(kind: Kind, body: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER.saturating_add(body));
    bytes.extend_from_slice(&[VERSION, kind as u8, S::CODE]);
    bytes
}

/// Appends a party's number.
pub(crate) fn put_id(bytes: &mut Vec<u8>, id: PartyId) {
    bytes.extend_from_slice(&id.get().to_be_bytes());
}

/// Reads the header of a form; the reader that it returns is at the body.
pub(crate) fn open<S: KeySuite>(bytes: &[u8], kind: Kind) -> Result<Reader<'_>, DecodeError> {
    let mut reader = Reader::new(bytes);
    let [version, found, suite] = reader.array()?;
    if version != VERSION {
        return Err(DecodeError::UnknownVersion { found: version });
    }
    if found != kind as u8 {
        return Err(DecodeError::WrongKind { expected: name(kind as u8), found: name(found) });
    }
    if suite != S::CODE {
        return Err(DecodeError::WrongSuite { expected: S::CONTEXT, found: suite });
    }
    Ok(reader)
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

/// Reads a canonical point other than the identity, with its bytes.
pub(crate) fn read_point<S: KeySuite>(
    reader: &mut Reader<'_>,
) -> Result<(Point<S>, PointBytes<S>), DecodeError> {
    let bytes = reader.bytes(point_len::<S>())?;
    let point = S::Curve::decode_point(bytes).ok_or(DecodeError::BadPoint)?;
    let canonical = PointBytes::<S>::try_from(bytes).map_err(|_| DecodeError::BadPoint)?;
    Ok((point, canonical))
}

/// Reads bytes that are one scalar and nothing else.
pub(crate) fn only_scalar<S: KeySuite>(bytes: &[u8]) -> Result<Scalar<S>, DecodeError> {
    let mut reader = Reader::new(bytes);
    let scalar = read_scalar::<S>(&mut reader)?;
    reader.finish()?;
    Ok(scalar)
}

/// Reads bytes that are one point and nothing else.
pub(crate) fn only_point<S: KeySuite>(
    bytes: &[u8],
) -> Result<(Point<S>, PointBytes<S>), DecodeError> {
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
