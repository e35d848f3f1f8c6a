//! Outputs of a Taproot account are spent by the key path. Bitcoin's library derives, tweaks, hashes and verifies.

use bitcoin::absolute::LockTime;
use bitcoin::bip32::{ChainCode, ChildNumber, DerivationPath, Fingerprint, Xpub};
use bitcoin::hashes::Hash as _;
use bitcoin::key::TapTweak as _;
use bitcoin::psbt::Psbt;
use bitcoin::secp256k1::schnorr::Signature;
use bitcoin::secp256k1::{Message, PublicKey, Secp256k1};
use bitcoin::sighash::{Prevouts, SighashCache, TapSighashType};
use bitcoin::transaction::Version;
use bitcoin::{
    Amount, NetworkKind, OutPoint, ScriptBuf, Sequence, Transaction, TxIn, TxOut, Txid, Witness,
};
use custody_core::Root;
use quorate_purpose::Kind;
use quorate_purpose::bitcoin::Spend;

use super::Service;

/// The account's extended key.
fn xpub(root: &Root) -> Xpub {
    Xpub {
        network: NetworkKind::Main,
        depth: 0,
        parent_fingerprint: Fingerprint::default(),
        child_number: ChildNumber::from_normal_idx(0).unwrap(),
        public_key: PublicKey::from_slice(&root.point).unwrap(),
        chain_code: ChainCode::from(root.chain_code),
    }
}

/// A transaction that spends an output of this script.
fn payment(script: ScriptBuf) -> Psbt {
    let input = TxIn {
        previous_output: OutPoint { txid: Txid::from_byte_array([7; 32]), vout: 1 },
        script_sig: ScriptBuf::new(),
        sequence: Sequence::ENABLE_RBF_NO_LOCKTIME,
        witness: Witness::new(),
    };
    let paid = ScriptBuf::from_bytes([&[0x51, 0x20][..], &[0x79; 32]].concat());
    let mut psbt = Psbt::from_unsigned_tx(Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: vec![input],
        output: vec![TxOut { value: Amount::from_sat(99_000), script_pubkey: paid }],
    })
    .unwrap();
    psbt.inputs[0].witness_utxo =
        Some(TxOut { value: Amount::from_sat(100_000), script_pubkey: script });
    psbt
}

#[tokio::test(flavor = "multi_thread")]
async fn outputs_of_an_account_are_spent() {
    let service = Service::start("acceptance-taproot", "taproot", Kind::BitcoinSpend).await;
    let described = service.describe("m").await;
    let (account, secp) = (xpub(&described.root.unwrap()), Secp256k1::verification_only());
    assert!(described.spki.is_none());
    for path in ["m", "m/0/7", "m/1/0"] {
        let derived: DerivationPath = path.parse().unwrap();
        let (internal, _) =
            account.derive_pub(&secp, &derived).unwrap().public_key.x_only_public_key();
        let (output, _) = internal.tap_tweak(&secp, None);
        let psbt = payment(ScriptBuf::new_p2tr_tweaked(output));
        let made = service.sign(Spend::from_psbt(&psbt.serialize(), 0).unwrap(), path).await;
        let key = output.to_x_only_public_key();
        assert_eq!(made.public_key, key.serialize());
        assert_eq!(service.describe(path).await.child.unwrap().public_key, key.serialize());

        let spent = psbt.inputs[0].witness_utxo.clone().unwrap();
        let mut cache = SighashCache::new(&psbt.unsigned_tx);
        let sighash = cache
            .taproot_key_spend_signature_hash(0, &Prevouts::All(&[spent]), TapSighashType::Default)
            .unwrap();
        let signature = Signature::from_slice(&made.signature).unwrap();
        let message = Message::from_digest(sighash.to_byte_array());
        secp.verify_schnorr(&signature, &message, &key).unwrap();
        // The untweaked key has signed nothing.
        assert!(secp.verify_schnorr(&signature, &message, &internal).is_err());
    }
}
