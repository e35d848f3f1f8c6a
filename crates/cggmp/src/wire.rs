//! Stored forms, which are [containers](quorate_session::container). Numbers are big-endian, points compressed, scalars
//! 32 bytes big-endian. See `docs/spec/stored.md`.

use alloc::vec::Vec;

use quorate_keys::Family;
use quorate_paillier::Level;
use quorate_session::container::{Kind, Label, NO_CURVE, SEALED};
use quorate_session::{Parties, PartyId, wire::Reader};

use crate::{DecodeError, Ecdsa, EcdsaCurve};

/// Bytes of an encoded point.
pub(crate) const POINT: usize = 33;
/// Bytes of an encoded scalar.
pub(crate) const SCALAR: usize = 32;

/// A kind of object that has had one version.
const fn kind(code: u8, name: &'static str) -> Kind {
    Kind { code, name, version: 1 }
}

pub(crate) const AUX_INFO: Kind = kind(35, "auxiliary information");
pub(crate) const PRESIGNATURE: Kind = kind(36, "a presignature");
pub(crate) const SEALED_PRESIGNATURE: Kind = kind(36 | SEALED, "a sealed presignature");
pub(crate) const SIGNATURE_SHARE: Kind = kind(37, "a share of a signature");
pub(crate) const PRESIGNATURE_INFO: Kind = kind(38, "the public side of a presignature");
/// Version 1 has no names of presignatures that are used or dropped.
pub(crate) const PRESIGNATURES: Kind =
    Kind { code: 39 | SEALED, name: "a sealed inventory of presignatures", version: 2 };
pub(crate) const AUX_PUBLIC: Kind = kind(40, "the public side of auxiliary information");
pub(crate) const PRESIGNATURE_LIST: Kind = kind(42, "a list of presignatures");
pub(crate) const AUX_SEARCH: Kind = kind(43, "a search for primes");

/// The label of evidence, which is the same for all curves and levels.
pub(crate) const EVIDENCE: Label =
    Label { kind: kind(41, "evidence"), curve: NO_CURVE, family: "quorate-cggmp", family_code: 0 };

/// The label of an object over a curve.
pub(crate) fn curve_label<C: EcdsaCurve>(kind: Kind) -> Label {
    Ecdsa::<C>::label(kind)
}

/// The label of an object that belongs to no curve, but has moduli of a level.
pub(crate) const fn level_label(kind: Kind, level: Level) -> Label {
    let family = match level {
        Level::Bits128 => "moduli of 3072 bits",
        Level::Bits112 => "moduli of 2048 bits",
        _ => "moduli of another length",
    };
    Label { kind, curve: NO_CURVE, family, family_code: 0x80 | level.code() }
}

/// Reads a body to its end.
pub(crate) fn read<'b, T>(
    mut reader: Reader<'b>,
    read: impl FnOnce(&mut Reader<'b>) -> Result<T, DecodeError>,
) -> Result<T, DecodeError> {
    let value = read(&mut reader)?;
    reader.finish()?;
    Ok(value)
}

/// Reads a byte that is 0 or 1.
pub(crate) fn read_flag(reader: &mut Reader<'_>) -> Result<bool, DecodeError> {
    match reader.u8()? {
        0 => Ok(false),
        1 => Ok(true),
        found => Err(DecodeError::BadFlag(found)),
    }
}

pub(crate) fn put_parties(bytes: &mut Vec<u8>, parties: &Parties) {
    bytes.extend_from_slice(&parties.count().to_be_bytes());
    parties.iter().for_each(|party| bytes.extend_from_slice(&party.get().to_be_bytes()));
}

pub(crate) fn read_party(reader: &mut Reader<'_>) -> Result<PartyId, DecodeError> {
    let number = reader.u16()?;
    PartyId::new(number).ok_or(DecodeError::BadIdentifier(number))
}

pub(crate) fn read_parties(reader: &mut Reader<'_>) -> Result<Parties, DecodeError> {
    let count = usize::from(reader.u16()?);
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
