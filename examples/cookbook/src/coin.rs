//! A payment in bitcoins that both recipes of Bitcoin make.

use bitcoin::absolute::LockTime;
use bitcoin::hashes::Hash;
use bitcoin::psbt::Psbt;
use bitcoin::transaction::Version;
use bitcoin::{
    Amount, OutPoint, ScriptBuf, Sequence, Transaction, TxIn, TxOut, Txid, WPubkeyHash, Witness,
};

use crate::Failure;

/// The script that pays Carol.
#[must_use]
pub fn carol() -> ScriptBuf {
    ScriptBuf::new_p2wpkh(&WPubkeyHash::from_byte_array([0xca; 20]))
}

/// An unsigned transaction that pays 99 000 satoshi to Carol, from this output.
///
/// # Errors
/// None for a transaction without signatures, which this is.
pub fn spend(output: TxOut) -> Result<Psbt, Failure> {
    let input = TxIn {
        previous_output: OutPoint { txid: Txid::all_zeros(), vout: 1 },
        script_sig: ScriptBuf::new(),
        sequence: Sequence::ENABLE_RBF_NO_LOCKTIME,
        witness: Witness::new(),
    };
    let paid = TxOut { value: Amount::from_sat(99_000), script_pubkey: carol() };
    let unsigned = Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: vec![input],
        output: vec![paid],
    };
    let mut psbt = Psbt::from_unsigned_tx(unsigned)?;
    psbt.inputs[0].witness_utxo = Some(output);
    Ok(psbt)
}
