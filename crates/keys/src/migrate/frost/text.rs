//! JSON, as serde writes it: scalars and points in hexadecimal digits.

use alloc::vec::Vec;

use super::super::MigrateError;
use super::super::encoded::Encoded;
use super::super::json::{Json, need, set};
use super::package::{FrostCore, Own, Public};

pub(super) fn public<F: FrostCore>(stored: &[u8]) -> Result<Public<'_>, MigrateError> {
    let (mut head, mut shares, mut verifying_key, mut min_signers) = (None, None, None, None);
    let mut json = Json::new(stored);
    json.object(|json, name| match name {
        b"header" => set(&mut head, "header", header::<F>(json)?),
        b"verifying_shares" => set(&mut shares, "verifying_shares", pairs(json)?),
        b"verifying_key" => set(&mut verifying_key, "verifying_key", hex(json)?),
        b"min_signers" => {
            let threshold = if json.null()? { None } else { Some(json.number("min_signers")?) };
            set(&mut min_signers, "min_signers", threshold)
        }
        _ => Err(json.unknown_field()),
    })?;
    json.end()?;
    need(head, "header")?;
    Ok(Public {
        shares: need(shares, "verifying_shares")?,
        verifying_key: need(verifying_key, "verifying_key")?,
        min_signers: min_signers.flatten(),
    })
}

pub(super) fn own<F: FrostCore>(stored: &[u8]) -> Result<Own<'_>, MigrateError> {
    let (mut head, mut identifier, mut min_signers) = (None, None, None);
    let (mut signing_share, mut verifying_share, mut verifying_key) = (None, None, None);
    let mut json = Json::new(stored);
    json.object(|json, name| match name {
        b"header" => set(&mut head, "header", header::<F>(json)?),
        b"identifier" => set(&mut identifier, "identifier", hex(json)?),
        b"signing_share" => set(&mut signing_share, "signing_share", hex(json)?),
        b"verifying_share" => set(&mut verifying_share, "verifying_share", hex(json)?),
        b"verifying_key" => set(&mut verifying_key, "verifying_key", hex(json)?),
        b"min_signers" => set(&mut min_signers, "min_signers", json.number("min_signers")?),
        _ => Err(json.unknown_field()),
    })?;
    json.end()?;
    need(head, "header")?;
    Ok(Own {
        identifier: need(identifier, "identifier")?,
        signing_share: need(signing_share, "signing_share")?,
        verifying_share: need(verifying_share, "verifying_share")?,
        verifying_key: need(verifying_key, "verifying_key")?,
        min_signers: need(min_signers, "min_signers")?,
    })
}

fn header<F: FrostCore>(json: &mut Json<'_>) -> Result<(), MigrateError> {
    let (mut version, mut ciphersuite) = (None, None);
    json.object(|json, name| match name {
        b"version" => set(&mut version, "version", json.number("version")?),
        b"ciphersuite" => set(&mut ciphersuite, "ciphersuite", json.string()?),
        _ => Err(json.unknown_field()),
    })?;
    match need(version, "version")? {
        0 => {}
        found => return Err(MigrateError::UnknownVersion(found.into())),
    }
    if need(ciphersuite, "ciphersuite")? != F::CIPHERSUITE.as_bytes() {
        return Err(MigrateError::WrongSuite { expected: F::CIPHERSUITE });
    }
    Ok(())
}

/// Identifiers with their verifying shares.
fn pairs<'a>(json: &mut Json<'a>) -> Result<Vec<(Encoded<'a>, Encoded<'a>)>, MigrateError> {
    let mut pairs = Vec::new();
    json.object(|json, name| {
        pairs.push((Encoded::Hex(name), hex(json)?));
        Ok(())
    })?;
    Ok(pairs)
}

fn hex<'a>(json: &mut Json<'a>) -> Result<Encoded<'a>, MigrateError> {
    json.string().map(Encoded::Hex)
}
