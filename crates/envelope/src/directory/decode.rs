//! Strict reading of a directory: each has one encoding.

use alloc::collections::BTreeMap;

use quorate_session::PartyId;
use quorate_session::wire::Reader;

use super::{Administrators, DIRECTORY, Directory, Member};
use crate::directory::error::DirectoryError;
use crate::keys::PublicIdentity;
use crate::name::Name;

/// The shortest entry: a name of one byte and the keys.
const ENTRY: usize = 2 + PublicIdentity::LENGTH;

impl Directory {
    /// Reads the stored form.
    ///
    /// # Errors
    /// A [`DirectoryError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DirectoryError> {
        if bytes.len() > Self::MAX_BYTES {
            return Err(DirectoryError::TooLong(bytes.len()));
        }
        let (_, mut reader) = DIRECTORY.open(bytes)?;
        let directory = read(&mut reader)?;
        reader.finish().map_err(|_| DirectoryError::Malformed)?;
        if directory.version == 0 {
            return Err(DirectoryError::Version);
        }
        directory.check()
    }
}

fn read(reader: &mut Reader<'_>) -> Result<Directory, DirectoryError> {
    let deployment = name(reader)?;
    let version = reader.u64().map_err(malformed)?;
    let threshold = reader.u8().map_err(malformed)?;
    let mut keys = BTreeMap::new();
    let count = usize::from(reader.u8().map_err(malformed)?);
    reader.expect(count, ENTRY).map_err(malformed)?;
    for _ in 0..count {
        let name = name(reader)?;
        let key = key(reader, &name)?;
        append(&mut keys, name, key)?;
    }
    let mut members = BTreeMap::new();
    let count = usize::from(reader.u16().map_err(malformed)?);
    reader.expect(count, ENTRY).map_err(malformed)?;
    for _ in 0..count {
        let name = name(reader)?;
        let party = PartyId::new(reader.u16().map_err(malformed)?);
        let current = key(reader, &name)?;
        let previous = match reader.u8().map_err(malformed)? {
            0 => None,
            1 => Some(key(reader, &name)?),
            _ => return Err(DirectoryError::Malformed),
        };
        append(&mut members, name.clone(), Member { name, party, current, previous })?;
    }
    let mut signatures = BTreeMap::new();
    let count = usize::from(reader.u8().map_err(malformed)?);
    if count > Administrators::MAX {
        return Err(DirectoryError::TooMany);
    }
    for _ in 0..count {
        let name = name(reader)?;
        append(&mut signatures, name, reader.array().map_err(malformed)?)?;
    }
    let administrators = Administrators { threshold, keys };
    Ok(Directory { deployment, version, administrators, members, signatures })
}

/// Appends an entry, whose name comes after those before it.
fn append<T>(entries: &mut BTreeMap<Name, T>, name: Name, entry: T) -> Result<(), DirectoryError> {
    match entries.last_key_value() {
        Some((last, _)) if *last == name => Err(DirectoryError::SecondEntry(name)),
        Some((last, _)) if *last > name => Err(DirectoryError::Malformed),
        _ => {
            entries.insert(name, entry);
            Ok(())
        }
    }
}

fn name(reader: &mut Reader<'_>) -> Result<Name, DirectoryError> {
    Name::read(reader).ok_or(DirectoryError::Malformed)
}

fn key(reader: &mut Reader<'_>, name: &Name) -> Result<PublicIdentity, DirectoryError> {
    let bytes = reader.bytes(PublicIdentity::LENGTH).map_err(malformed)?;
    let refused = |error| DirectoryError::Key { name: name.clone(), error };
    PublicIdentity::from_bytes(bytes).map_err(refused)
}

fn malformed<E>(_: E) -> DirectoryError {
    DirectoryError::Malformed
}
