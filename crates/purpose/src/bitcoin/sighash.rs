//! The digests that inputs sign.

use alloc::vec::Vec;

use sha2::{Digest as _, Sha256};

use super::compact;
use super::script;
use super::spend::{Path, Spend};
use super::transaction::{Input, Output, Transaction};
use crate::message::sha256;

/// The version of Tapscript's leaves (BIP-342).
const TAPSCRIPT: u8 = 0xc0;

/// BIP-340's tagged hash.
fn tagged(tag: &[u8], message: &[u8]) -> [u8; 32] {
    let tag = sha256(tag);
    Sha256::new().chain_update(tag).chain_update(tag).chain_update(message).finalize().into()
}

/// The hash of a leaf of Tapscript (BIP-341).
pub(super) fn leaf_hash(script: &[u8]) -> [u8; 32] {
    let mut leaf = alloc::vec![TAPSCRIPT];
    compact::put_bytes(&mut leaf, script);
    tagged(b"TapLeaf", &leaf)
}

/// The hash of a part of each item.
fn each<T>(items: &[T], put: impl Fn(&T, &mut Vec<u8>)) -> [u8; 32] {
    let mut bytes = Vec::new();
    items.iter().for_each(|item| put(item, &mut bytes));
    sha256(&bytes)
}

fn prevouts(transaction: &Transaction) -> [u8; 32] {
    each(&transaction.inputs, Input::put_outpoint)
}

fn sequences(transaction: &Transaction) -> [u8; 32] {
    each(&transaction.inputs, |input, to| to.extend_from_slice(&input.sequence.to_le_bytes()))
}

fn outputs(transaction: &Transaction) -> [u8; 32] {
    each(&transaction.outputs, Output::write)
}

/// `hash_TapSighash(0x00 || SigMsg(hash_type, ext_flag) || ext)` of BIP-341, and BIP-342's `ext`.
pub(super) fn taproot(spend: &Spend) -> [u8; 32] {
    let Spend { transaction, spent, input, path, sighash } = spend;
    let leaf = if let Path::TaprootScript(script) = path { Some(leaf_hash(script)) } else { None };
    let mut message = alloc::vec![0, sighash.code()];
    message.extend_from_slice(&transaction.version.to_le_bytes());
    message.extend_from_slice(&transaction.locktime.to_le_bytes());
    message.extend_from_slice(&prevouts(transaction));
    let amounts = each(spent, |output, to| to.extend_from_slice(&output.amount.to_le_bytes()));
    message.extend_from_slice(&amounts);
    message.extend_from_slice(&each(spent, |output, to| compact::put_bytes(to, &output.script)));
    message.extend_from_slice(&sequences(transaction));
    message.extend_from_slice(&outputs(transaction));
    message.push(if leaf.is_some() { 2 } else { 0 }); // ext_flag · 2, without an annex
    message.extend_from_slice(&input.to_le_bytes());
    if let Some(leaf) = leaf {
        message.extend_from_slice(&leaf);
        message.push(0); // the version of keys
        message.extend_from_slice(&u32::MAX.to_le_bytes()); // no OP_CODESEPARATOR before the signature's check
    }
    tagged(b"TapSighash", &message)
}

/// The SHA-256 of BIP-143's preimage. The digest that is signed is the SHA-256 of it.
pub(super) fn segwit(spend: &Spend) -> Option<[u8; 32]> {
    let Spend { transaction, path, .. } = spend;
    let (input, output) = spend.spends()?;
    let code = match path {
        Path::SegwitKey => {
            let hash = script::key_hash(&output.script)?;
            [&[0x76, 0xa9, 20], &hash[..], &[0x88, 0xac]].concat()
        }
        Path::SegwitScript(script) => script.clone(),
        Path::TaprootKey | Path::TaprootScript(_) => return None,
    };
    let mut preimage = transaction.version.to_le_bytes().to_vec();
    preimage.extend_from_slice(&sha256(&prevouts(transaction)));
    preimage.extend_from_slice(&sha256(&sequences(transaction)));
    input.put_outpoint(&mut preimage);
    compact::put_bytes(&mut preimage, &code);
    preimage.extend_from_slice(&output.amount.to_le_bytes());
    preimage.extend_from_slice(&input.sequence.to_le_bytes());
    preimage.extend_from_slice(&sha256(&outputs(transaction)));
    preimage.extend_from_slice(&transaction.locktime.to_le_bytes());
    preimage.extend_from_slice(&u32::from(spend.sighash.code()).to_le_bytes());
    Some(sha256(&preimage))
}
