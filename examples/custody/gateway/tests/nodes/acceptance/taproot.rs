//! Outputs of a Taproot account are spent by the key path. Bitcoin's library derives, tweaks, hashes and verifies.

use bitcoin::absolute::LockTime;
use bitcoin::bip32::{ChainCode, ChildNumber, DerivationPath, Fingerprint, Xpub};
use bitcoin::hashes::Hash as _;
use bitcoin::key::{TapTweak as _, XOnlyPublicKey};
use bitcoin::opcodes::all::OP_CHECKSIG;
use bitcoin::psbt::Psbt;
use bitcoin::script::Builder;
use bitcoin::secp256k1::schnorr::Signature;
use bitcoin::secp256k1::{self, Message, PublicKey, Secp256k1, VerifyOnly};
use bitcoin::sighash::{Prevouts, SighashCache, TapSighashType};
use bitcoin::taproot::{LeafVersion, TaprootBuilder, TaprootSpendInfo};
use bitcoin::transaction::Version;
use bitcoin::{
    Address, Amount, KnownHrp, NetworkKind, OutPoint, ScriptBuf, Sequence, Transaction, TxIn,
    TxOut, Txid, Witness,
};
use custody_client::{Asked, ClientError};
use custody_core::{Child, MerkleRoot, Root, Service as _};
use quorate_purpose::Kind;
use quorate_purpose::bitcoin::Spend;

use super::Service;
use crate::served;

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

/// The internal key at a path of the account.
fn internal(secp: &Secp256k1<VerifyOnly>, account: &Xpub, path: &str) -> XOnlyPublicKey {
    let path: DerivationPath = path.parse().unwrap();
    account.derive_pub(secp, &path).unwrap().public_key.x_only_public_key().0
}

/// Verifies a signature by the key path of the transaction's one input.
fn verify(psbt: &Psbt, signature: &[u8], key: &XOnlyPublicKey) -> Result<(), secp256k1::Error> {
    let spent = psbt.inputs[0].witness_utxo.clone().unwrap();
    let sighash = SighashCache::new(&psbt.unsigned_tx)
        .taproot_key_spend_signature_hash(0, &Prevouts::All(&[spent]), TapSighashType::Default)
        .unwrap();
    let signature = Signature::from_slice(signature).unwrap();
    let message = Message::from_digest(sighash.to_byte_array());
    Secp256k1::verification_only().verify_schnorr(&signature, &message, key)
}

/// Scripts that let one of two other keys spend.
fn scripts() -> [ScriptBuf; 2] {
    [7, 8].map(|seed| {
        let secret = secp256k1::SecretKey::from_slice(&[seed; 32]).unwrap();
        let (key, _) = secret.x_only_public_key(&Secp256k1::new());
        Builder::new().push_x_only_key(&key).push_opcode(OP_CHECKSIG).into_script()
    })
}

/// An output with a tree of these two scripts.
fn tree(secp: &Secp256k1<VerifyOnly>, internal: XOnlyPublicKey) -> TaprootSpendInfo {
    let [first, second] = scripts();
    let tree = TaprootBuilder::new().add_leaf(1, first).unwrap().add_leaf(1, second).unwrap();
    tree.finalize(secp, internal).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn output_that_commits_to_scripts_is_spent_by_its_key() {
    let service = Service::start("acceptance-scripts", "taproot", Kind::BitcoinSpend).await;
    let world = &service.cluster.world;
    let (_server, client) = served::client(&service.gateway, &world.requester).await;
    let pinned = client.pin(service.key, world.directory.directory()).await.unwrap();
    let account = xpub(&service.describe("m").await.root.unwrap());
    let secp = Secp256k1::verification_only();
    for path in ["m", "m/0/7"] {
        let internal = internal(&secp, &account, path);
        let tree = tree(&secp, internal);
        let (output, root) = (tree.output_key(), tree.merkle_root().unwrap());
        let address = Address::p2tr(&secp, internal, Some(root), KnownHrp::Mainnet);
        assert!(address.to_string().starts_with("bc1p"));
        assert_eq!(address.script_pubkey(), ScriptBuf::new_p2tr_tweaked(output));
        for script in scripts() {
            let leaf = tree.control_block(&(script.clone(), LeafVersion::TapScript)).unwrap();
            let output = output.to_x_only_public_key();
            assert!(leaf.verify_taproot_commitment(&secp, output, &script));
        }

        let psbt = payment(address.script_pubkey());
        let purpose = Spend::from_psbt(&psbt.serialize(), 0).unwrap().into();
        let merkle_root = Some(MerkleRoot(root.to_byte_array()));
        let plain = Asked { path: path.parse().ok(), ..Asked::default() };
        let made =
            client.sign(&pinned, &purpose, &Asked { merkle_root, ..plain.clone() }).await.unwrap();
        let key = output.to_x_only_public_key();
        assert_eq!(made.public_key, key.serialize());
        let child = Child { path: path.parse().unwrap(), merkle_root };
        let described =
            service.gateway.key(service.key, Some(child.clone())).await.unwrap().child.unwrap();
        assert_eq!((described.merkle_root, described.public_key), (merkle_root, made.public_key));
        verify(&psbt, &made.bytes, &key).unwrap();
        let (of_no_scripts, _) = internal.tap_tweak(&secp, None);
        for other in [of_no_scripts.to_x_only_public_key(), internal] {
            assert!(verify(&psbt, &made.bytes, &other).is_err());
        }
        assert_eq!(pinned.internal_key(&child).unwrap(), Some(internal.serialize()));
        // Without the root the service would sign for the output without scripts: the client does not ask.
        let refused = client.sign(&pinned, &purpose, &plain).await.unwrap_err();
        assert!(matches!(refused, ClientError::Key(_)), "{refused}");
        let made = service.sign(Spend::from_psbt(&psbt.serialize(), 0).unwrap(), path).await;
        verify(&psbt, &made.signature, &of_no_scripts.to_x_only_public_key()).unwrap();
        assert!(verify(&psbt, &made.signature, &key).is_err());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn outputs_of_an_account_are_spent() {
    let service = Service::start("acceptance-taproot", "taproot", Kind::BitcoinSpend).await;
    let described = service.describe("m").await;
    let (account, secp) = (xpub(&described.root.unwrap()), Secp256k1::verification_only());
    assert!(described.spki.is_none());
    for path in ["m", "m/0/7", "m/1/0"] {
        let internal = internal(&secp, &account, path);
        let (output, _) = internal.tap_tweak(&secp, None);
        let psbt = payment(ScriptBuf::new_p2tr_tweaked(output));
        let made = service.sign(Spend::from_psbt(&psbt.serialize(), 0).unwrap(), path).await;
        let key = output.to_x_only_public_key();
        assert_eq!(made.public_key, key.serialize());
        assert_eq!(service.describe(path).await.child.unwrap().public_key, key.serialize());

        verify(&psbt, &made.signature, &key).unwrap();
        // The untweaked key has signed nothing.
        assert!(verify(&psbt, &made.signature, &internal).is_err());
    }
}
