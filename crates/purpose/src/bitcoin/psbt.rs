//! Partially signed transactions (BIP-174, BIP-371), of which a spend takes what it needs.

use alloc::vec::Vec;

use super::map::{Map, map};
use super::spend::{Path, SighashType, Spend};
use super::transaction::{Input, Output, Transaction};
use super::{compact, previous, script, version_2};
use crate::error::Malformed;
use crate::wire::Reader;

const MAGIC: &[u8] = b"psbt\xff";
const UNSIGNED_TRANSACTION: &[u8] = &[0x00];
const VERSION: &[u8] = &[0xfb];
const PREVIOUS_TRANSACTION: &[u8] = &[0x00];
const SPENT_OUTPUT: &[u8] = &[0x01];
const SIGHASH_TYPE: &[u8] = &[0x03];
const WITNESS_SCRIPT: &[u8] = &[0x05];
/// The type of a key that a control block follows (BIP-371). The value is a script and the version of the leaf.
const TAPROOT_LEAF: u8 = 0x15;
const TAPSCRIPT: u8 = 0xc0;
/// Longer than any transaction with its previous ones that a wallet makes.
const MAX_BYTES: usize = 1 << 24;

impl Spend {
    /// Reads a partially signed transaction of version 0 (BIP-174) or 2 (BIP-370), with the fields of BIP-371, and takes the
    /// signature of an input: by the key path of Taproot, by P2WPKH, or by P2WSH.
    ///
    /// The outputs that are spent come from the PSBT. A whole previous transaction is compared with its hash.
    ///
    /// # Errors
    /// If a map has a key twice, the output of an input is missing, or [`new`](Self::new) refuses.
    pub fn from_psbt(psbt: &[u8], input: u32) -> Result<Self, Malformed> {
        spend(psbt, input, None)
    }

    /// Reads a partially signed transaction as [`from_psbt`](Self::from_psbt), and takes the signature of an input by a
    /// script path of Taproot.
    ///
    /// # Errors
    /// As [`from_psbt`](Self::from_psbt), and if the PSBT does not have this leaf.
    pub fn from_psbt_leaf(psbt: &[u8], input: u32, script: &[u8]) -> Result<Self, Malformed> {
        spend(psbt, input, Some(script))
    }
}

fn spend(psbt: &[u8], input: u32, leaf: Option<&[u8]>) -> Result<Spend, Malformed> {
    if psbt.len() > MAX_BYTES {
        return Err(Malformed("it is too long"));
    }
    let rest = psbt.strip_prefix(MAGIC).ok_or(Malformed("this is no PSBT"))?;
    let mut reader = Reader::new(rest);
    let global = map(&mut reader)?;
    let (transaction, mut maps) = match global.get(VERSION) {
        None | Some([0, 0, 0, 0]) => version_0(&global, &mut reader)?,
        Some([2, 0, 0, 0]) => version_2::read(&global, &mut reader)?,
        Some(_) => return Err(Malformed("PSBTs of this version are unknown")),
    };
    reader.end()?;
    let spent = transaction.inputs.iter().zip(&maps).map(|(each, map)| spent_output(map, each));
    let spent = spent.collect::<Result<Vec<_>, _>>()?;
    let own = usize::try_from(input).ok().filter(|input| *input < maps.len());
    let own = maps.swap_remove(own.ok_or(Malformed("no input has this number"))?);
    let output = usize::try_from(input).ok().and_then(|input| spent.get(input));
    let path = path(&own, output.map_or(&[], |output| &output.script), leaf)?;
    let sighash = sighash(&own, &path)?;
    Spend::new(transaction, spent, input, path, sighash)
}

/// The transaction, and the maps of its inputs.
fn version_0<'a>(
    global: &Map<'a>,
    reader: &mut Reader<'a>,
) -> Result<(Transaction, Vec<Map<'a>>), Malformed> {
    let transaction = global.get(UNSIGNED_TRANSACTION);
    let transaction =
        Transaction::from_bytes(transaction.ok_or(Malformed("the PSBT has no transaction"))?)?;
    let inputs = transaction.inputs.iter().map(|_| map(reader)).collect::<Result<_, _>>()?;
    for _ in &transaction.outputs {
        map(reader)?;
    }
    Ok((transaction, inputs))
}

/// The output that an input spends: as such, by its whole transaction, or as both, which must agree.
fn spent_output(map: &Map<'_>, input: &Input) -> Result<Output, Malformed> {
    let read = |bytes: &&[u8]| {
        let mut reader = Reader::new(bytes);
        let output = Output::read(&mut reader)?;
        reader.end()?;
        Ok(output)
    };
    let output = map.get(SPENT_OUTPUT).map(read).transpose()?;
    let whole = map.get(PREVIOUS_TRANSACTION).map(|bytes| previous::output(bytes, input));
    match (output, whole.transpose()?) {
        (Some(output), Some(other)) if output != other => {
            Err(Malformed("a previous transaction has another output than the PSBT"))
        }
        (Some(output), _) | (None, Some(output)) => Ok(output),
        (None, None) => Err(Malformed("not each input has the output that it spends")),
    }
}

fn path(map: &Map<'_>, output: &[u8], leaf: Option<&[u8]>) -> Result<Path, Malformed> {
    if let Some(leaf) = leaf {
        let has = map.iter().any(|(key, value)| {
            key.first() == Some(&TAPROOT_LEAF) && value.strip_suffix(&[TAPSCRIPT]) == Some(leaf)
        });
        return if has {
            Ok(Path::TaprootScript(leaf.into()))
        } else {
            Err(Malformed("the PSBT does not have this leaf"))
        };
    }
    if script::output_key(output).is_some() {
        return Ok(Path::TaprootKey);
    }
    if script::script_hash(output).is_none() {
        return Ok(Path::SegwitKey);
    }
    let script = map.get(WITNESS_SCRIPT).ok_or(Malformed("the PSBT has no witness script"))?;
    Ok(Path::SegwitScript((*script).into()))
}

fn sighash(map: &Map<'_>, path: &Path) -> Result<SighashType, Malformed> {
    match map.get(SIGHASH_TYPE) {
        Some(code) => {
            let mut reader = Reader::new(code);
            let code = compact::u32(&mut reader)?;
            reader.end()?;
            SighashType::from_code(code)
        }
        None if path.is_taproot() => Ok(SighashType::Default),
        None => Ok(SighashType::All),
    }
}
