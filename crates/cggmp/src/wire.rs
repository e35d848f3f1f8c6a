//! Stored forms: `version ‖ kind ‖ curve ‖ body ‖ digest`. Numbers are big-endian, points
//! compressed, scalars 32 bytes big-endian.
//!
//! The digest shows damage, not malice: a writer of the bytes can write the digest.

use alloc::vec::Vec;

use quorate_paillier::Level;
use quorate_session::{Parties, PartyId, Transcript, wire::Reader};
use zeroize::Zeroizing;

use crate::{DecodeError, EcdsaCurve};

/// The version of every form of this release.
pub(crate) const VERSION: u8 = 1;
/// Bytes of the header.
pub(crate) const HEADER: usize = 3;
/// Bytes of the digest at the end.
pub(crate) const DIGEST: usize = 32;
/// Bytes of an encoded point.
pub(crate) const POINT: usize = 33;
/// Bytes of an encoded scalar.
pub(crate) const SCALAR: usize = 32;

/// The kind of the body. Those of FROST's objects are 1 to 32; keys and their shares are in containers of
/// `quorate-keys`. 33 and 34 are free.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    AuxInfo = 35,
    Presignature = 36,
    PartialSignature = 37,
    PresignatureInfo = 38,
    Presignatures = 39,
    AuxPublic = 40,
    Evidence = 41,
    PresignatureList = 42,
    AuxSearch = 43,
}

/// Starts a form, with room for a body of exactly `body` bytes: growing would leave copies.
pub(crate) fn start<C: EcdsaCurve>(kind: Kind, body: usize) -> Zeroizing<Vec<u8>> {
    start_with(kind, C::CODE, body)
}

/// The header of a stored form that belongs to no curve and has another code in its place.
pub(crate) fn start_with(kind: Kind, code: u8, body: usize) -> Zeroizing<Vec<u8>> {
    let mut bytes = Vec::with_capacity(body.saturating_add(HEADER + DIGEST));
    bytes.extend_from_slice(&[VERSION, kind as u8, code]);
    Zeroizing::new(bytes)
}

/// Ends a form.
pub(crate) fn end(bytes: &mut Vec<u8>) {
    let digest = digest(bytes);
    bytes.extend_from_slice(&digest);
}

/// Ends a form that holds no secret.
pub(crate) fn end_public(mut bytes: Zeroizing<Vec<u8>>) -> Vec<u8> {
    end(&mut bytes);
    core::mem::take(&mut *bytes)
}

/// An object in a sentence.
const fn name(kind: u8) -> &'static str {
    match kind {
        35 => "auxiliary information",
        36 => "a presignature",
        37 => "a share of a signature",
        38 => "the public side of a presignature",
        39 => "an inventory of presignatures",
        40 => "the public side of auxiliary information",
        41 => "evidence",
        42 => "a list of presignatures",
        43 => "a search for primes",
        1..=32 => "an object of FROST",
        _ => "none of the objects that are known",
    }
}

/// The curve or level of an object, in a sentence.
const fn curve_name(code: u8) -> &'static str {
    match code {
        0 => "no curve",
        4 => "P-256",
        5 => "secp256k1",
        0x81 => "moduli of 3072 bits",
        0x82 => "moduli of 2048 bits",
        _ => "a curve that is not known",
    }
}

fn digest(bytes: &[u8]) -> [u8; DIGEST] {
    let mut transcript = Transcript::new("quorate-cggmp stored form");
    transcript.append("bytes", bytes);
    transcript.finish32()
}

/// Checks header and digest, and reads the body.
pub(crate) fn open<C: EcdsaCurve>(bytes: &[u8], kind: Kind) -> Result<Reader<'_>, DecodeError> {
    open_with(bytes, kind, C::CODE)
}

/// Opens a stored form that belongs to no curve.
pub(crate) fn open_with(bytes: &[u8], kind: Kind, code: u8) -> Result<Reader<'_>, DecodeError> {
    let ([version, found, curve], rest) =
        bytes.split_first_chunk::<HEADER>().ok_or(DecodeError::Truncated)?;
    if *version != VERSION {
        return Err(DecodeError::UnknownVersion { found: *version });
    }
    if *found != kind as u8 {
        return Err(DecodeError::WrongKind { expected: name(kind as u8), found: name(*found) });
    }
    if *curve != code {
        let (expected, found) = (curve_name(code), curve_name(*curve));
        return Err(DecodeError::WrongCurve { expected, found });
    }
    let (body, end) = rest.split_last_chunk::<DIGEST>().ok_or(DecodeError::Truncated)?;
    let whole = bytes.get(..HEADER.saturating_add(body.len())).ok_or(DecodeError::Truncated)?;
    if digest(whole) != *end {
        return Err(DecodeError::Damaged);
    }
    Ok(Reader::new(body))
}

/// The byte of the level, where others have the code of a curve.
pub(crate) const fn level_code(level: Level) -> u8 {
    0x80 | level.code()
}

/// Reads a body to its end.
pub(crate) fn read<'b, T>(
    mut reader: Reader<'b>,
    read: impl FnOnce(&mut Reader<'b>) -> Result<T, DecodeError>,
) -> Result<T, DecodeError> {
    let value = read(&mut reader)?;
    reader.finish().map_err(|_| DecodeError::TrailingBytes)?;
    Ok(value)
}

/// The error of a reader that ran out of bytes.
pub(crate) fn truncated<E>(_: E) -> DecodeError {
    DecodeError::Truncated
}

/// Reads a byte that is 0 or 1.
pub(crate) fn read_flag(reader: &mut Reader<'_>) -> Result<bool, DecodeError> {
    match reader.u8().map_err(truncated)? {
        0 => Ok(false),
        1 => Ok(true),
        found => Err(DecodeError::BadFlag(found)),
    }
}

pub(crate) fn put_parties(bytes: &mut Vec<u8>, parties: &Parties) {
    // No more than `MAX_PARTIES`.
    let count = u16::try_from(parties.len()).unwrap_or(u16::MAX);
    bytes.extend_from_slice(&count.to_be_bytes());
    parties.iter().for_each(|party| bytes.extend_from_slice(&party.get().to_be_bytes()));
}

pub(crate) fn read_party(reader: &mut Reader<'_>) -> Result<PartyId, DecodeError> {
    let number = reader.u16().map_err(truncated)?;
    PartyId::new(number).ok_or(DecodeError::BadIdentifier(number))
}

pub(crate) fn read_parties(reader: &mut Reader<'_>) -> Result<Parties, DecodeError> {
    let count = usize::from(reader.u16().map_err(truncated)?);
    if !(2..=crate::MAX_PARTIES).contains(&count) {
        return Err(DecodeError::BadParties { got: count });
    }
    let mut ids = Vec::with_capacity(count);
    for _ in 0..count {
        let id = read_party(reader)?;
        if ids.last().is_some_and(|last| *last >= id) {
            return Err(DecodeError::BadOrder);
        }
        ids.push(id);
    }
    Parties::new(ids).map_err(|_| DecodeError::BadParties { got: count })
}
