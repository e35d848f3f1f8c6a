//! The maps of a partially signed transaction (BIP-174).

use alloc::collections::BTreeMap;

use super::compact;
use crate::error::Malformed;
use crate::wire::Reader;

pub(super) type Map<'a> = BTreeMap<&'a [u8], &'a [u8]>;

/// Keys and their values, up to the empty key.
pub(super) fn map<'a>(reader: &mut Reader<'a>) -> Result<Map<'a>, Malformed> {
    let mut map = Map::new();
    loop {
        let key = compact::bytes(reader)?;
        if key.is_empty() {
            return Ok(map);
        }
        if map.insert(key, compact::bytes(reader)?).is_some() {
            return Err(Malformed("a map of the PSBT has a key twice"));
        }
    }
}
