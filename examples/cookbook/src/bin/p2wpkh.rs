//! Bitcoin, P2WPKH: an output of a child key (BIP-32) is spent from a presignature that was made before there was a transaction.
//! A PSBT goes to the other signer; Bitcoin's own library verifies.

use bitcoin::bip32::Xpub;
use bitcoin::ecdsa::Signature;
use bitcoin::hashes::Hash;
use bitcoin::psbt::Psbt;
use bitcoin::secp256k1::{Message, Secp256k1};
use bitcoin::sighash::{EcdsaSighashType, SighashCache};
use bitcoin::{Amount, PublicKey, ScriptBuf, Transaction, TxOut, Witness};
use quorate::ecdsa::keys::derive::Network;
use quorate::ecdsa::{DerivationPath, MessageDigest, Secp256k1 as Curve};
use quorate_cookbook::coin::{carol, spend};
use quorate_cookbook::mesh::{self, Mesh};
use quorate_cookbook::{Failure, ecdsa};

fn main() -> Result<(), Failure> {
    mesh::main(3, party)
}

fn party(mesh: &mut Mesh) -> Result<(), Failure> {
    let mut key = ecdsa::Key::<Curve>::make(mesh, 1)?;
    let path: DerivationPath = "m/0/7".parse()?;
    // The child, as any wallet with the extended public key derives it.
    let xpub: Xpub = key.share.public().extended_key().to_xpub(Network::Main).parse()?;
    let steps: bitcoin::bip32::DerivationPath = "m/0/7".parse()?;
    let child =
        PublicKey::new(xpub.derive_pub(&Secp256k1::verification_only(), &steps)?.public_key);
    if mesh.me.get() != 1 {
        return key.cosign(mesh, |psbt| {
            let psbt = Psbt::deserialize(psbt)?;
            let to_carol =
                psbt.unsigned_tx.output.iter().all(|output| output.script_pubkey == carol());
            if !to_carol || psbt.fee()? > Amount::from_sat(2_000) {
                return Err("not the payment to Carol".into());
            }
            Ok((path.clone(), MessageDigest::sha256d(&preimage(&psbt)?)))
        });
    }
    let psbt = payment(child)?;
    let digest = MessageDigest::sha256d(&preimage(&psbt)?);
    let signature = key.sign(mesh, (&psbt.serialize(), &path), digest)?;
    let transaction = finish(psbt, child, &signature.to_compact(), digest.as_bytes())?;
    println!("p2wpkh: {} vbytes, spent by the child m/0/7", transaction.vsize());
    Ok(())
}

/// An output of the child, spent to Carol.
fn payment(child: PublicKey) -> Result<Psbt, Failure> {
    let spent = TxOut {
        value: Amount::from_sat(100_000),
        script_pubkey: ScriptBuf::new_p2wpkh(&child.wpubkey_hash()?),
    };
    spend(spent)
}

/// The preimage of BIP-143. The signers hash it themselves.
fn preimage(psbt: &Psbt) -> Result<Vec<u8>, Failure> {
    let spent = psbt.inputs[0].witness_utxo.as_ref().ok_or("no output to spend")?;
    let code = spent.script_pubkey.p2wpkh_script_code().ok_or("not P2WPKH")?;
    let mut bytes = Vec::new();
    let mut cache = SighashCache::new(&psbt.unsigned_tx);
    cache.segwit_v0_encode_signing_data_to(
        &mut bytes,
        0,
        &code,
        spent.value,
        EcdsaSighashType::All,
    )?;
    Ok(bytes)
}

/// Puts the signature in, verifies as a node does, and takes the transaction out.
fn finish(
    mut psbt: Psbt,
    child: PublicKey,
    compact: &[u8; 64],
    digest: &[u8; 32],
) -> Result<Transaction, Failure> {
    let signature = bitcoin::secp256k1::ecdsa::Signature::from_compact(compact)?;
    let spent = psbt.inputs[0].witness_utxo.as_ref().ok_or("no output to spend")?;
    let mut cache = SighashCache::new(&psbt.unsigned_tx);
    let sighash =
        cache.p2wpkh_signature_hash(0, &spent.script_pubkey, spent.value, EcdsaSighashType::All)?;
    assert_eq!(sighash.to_byte_array(), *digest);
    Secp256k1::verification_only().verify_ecdsa(
        &Message::from(sighash),
        &signature,
        &child.inner,
    )?;
    let signature = Signature { signature, sighash_type: EcdsaSighashType::All };
    psbt.inputs[0].final_script_witness = Some(Witness::p2wpkh(&signature, &child.inner));
    Ok(psbt.extract_tx()?)
}
