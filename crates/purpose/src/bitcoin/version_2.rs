//! Partially signed transactions of version 2 (BIP-370), whose transaction is in parts.

use alloc::vec::Vec;

use super::compact;
use super::map::{Map, map};
use super::transaction::{Input, Output, Transaction};
use crate::error::Malformed;
use crate::wire::Reader;

const UNSIGNED_TRANSACTION: &[u8] = &[0x00];
const TRANSACTION_VERSION: &[u8] = &[0x02];
const FALLBACK_LOCKTIME: &[u8] = &[0x03];
const INPUTS: &[u8] = &[0x04];
const OUTPUTS: &[u8] = &[0x05];
const PREVIOUS_TXID: &[u8] = &[0x0e];
const OUTPUT_INDEX: &[u8] = &[0x0f];
const SEQUENCE: &[u8] = &[0x10];
const TIME_LOCKTIME: &[u8] = &[0x11];
const HEIGHT_LOCKTIME: &[u8] = &[0x12];
const AMOUNT: &[u8] = &[0x03];
const SCRIPT: &[u8] = &[0x04];
/// Locktimes below are heights of blocks.
const FIRST_TIME: u32 = 500_000_000;

const MISSING: Malformed = Malformed("the PSBT has not all parts of the transaction");
const LENGTH: Malformed = Malformed("a part of the PSBT has another length");

/// The value of a key, as a whole array.
fn array<const N: usize>(map: &Map<'_>, key: &[u8]) -> Result<Option<[u8; N]>, Malformed> {
    map.get(key).map(|value| (*value).try_into().map_err(|_| LENGTH)).transpose()
}

fn u32(map: &Map<'_>, key: &[u8]) -> Result<Option<u32>, Malformed> {
    Ok(array(map, key)?.map(u32::from_le_bytes))
}

fn count(map: &Map<'_>, key: &[u8]) -> Result<usize, Malformed> {
    let mut reader = Reader::new(map.get(key).ok_or(MISSING)?);
    let count = compact::size(&mut reader)?;
    reader.end()?;
    Ok(count)
}

/// The transaction, and the maps of its inputs.
pub(super) fn read<'a>(
    global: &Map<'a>,
    reader: &mut Reader<'a>,
) -> Result<(Transaction, Vec<Map<'a>>), Malformed> {
    if global.contains_key(UNSIGNED_TRANSACTION) {
        return Err(Malformed("the PSBT has a transaction, and its parts"));
    }
    let version = u32(global, TRANSACTION_VERSION)?.ok_or(MISSING)?;
    // Each map takes a byte at least: the bytes bound the counts.
    let (mut maps, mut inputs, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..count(global, INPUTS)? {
        let map = map(reader)?;
        inputs.push(input(&map)?);
        maps.push(map);
    }
    for _ in 0..count(global, OUTPUTS)? {
        outputs.push(output(&map(reader)?)?);
    }
    let locktime = locktime(global, &maps)?;
    let transaction = Transaction { version, inputs, outputs, locktime };
    transaction.check()?;
    Ok((transaction, maps))
}

fn input(map: &Map<'_>) -> Result<Input, Malformed> {
    Ok(Input {
        txid: array(map, PREVIOUS_TXID)?.ok_or(MISSING)?,
        index: u32(map, OUTPUT_INDEX)?.ok_or(MISSING)?,
        sequence: u32(map, SEQUENCE)?.unwrap_or(u32::MAX),
    })
}

fn output(map: &Map<'_>) -> Result<Output, Malformed> {
    let amount = array(map, AMOUNT)?.map(u64::from_le_bytes).ok_or(MISSING)?;
    Ok(Output { amount, script: map.get(SCRIPT).ok_or(MISSING)?.to_vec() })
}

/// The highest locktime that inputs require, of the kind that all of them take: heights before times (BIP-370).
fn locktime(global: &Map<'_>, maps: &[Map<'_>]) -> Result<u32, Malformed> {
    let (mut height, mut time, mut required) = (Some(0), Some(0), false);
    for map in maps {
        let (asked_height, asked_time) = (u32(map, HEIGHT_LOCKTIME)?, u32(map, TIME_LOCKTIME)?);
        let fits = asked_height.is_none_or(|height| (1..FIRST_TIME).contains(&height))
            && asked_time.is_none_or(|time| time >= FIRST_TIME);
        if !fits {
            return Err(Malformed("a locktime is out of range"));
        }
        if asked_height.is_some() || asked_time.is_some() {
            required = true;
            height = height.zip(asked_height).map(|(one, other)| one.max(other));
            time = time.zip(asked_time).map(|(one, other)| one.max(other));
        }
    }
    if required {
        height.or(time).ok_or(Malformed("inputs require locktimes of both kinds"))
    } else {
        Ok(u32(global, FALLBACK_LOCKTIME)?.unwrap_or(0))
    }
}
