//! Bitcoin, Taproot: two outputs of a key of three parties, one with a script root and one without, are spent by the key path.
//! A PSBT goes from signer to signer; Bitcoin's own library verifies.

use bitcoin::hashes::Hash;
use bitcoin::key::TapTweak;
use bitcoin::psbt::Psbt;
use bitcoin::secp256k1::{Message, Secp256k1, XOnlyPublicKey};
use bitcoin::sighash::{Prevouts, SighashCache, TapSighashType};
use bitcoin::taproot::{LeafVersion, Signature, TapNodeHash};
use bitcoin::{Amount, Script, ScriptBuf, Transaction, TxOut, Witness};
use quorate::PartyId;
use quorate::frost::secp256k1_tr::{XOnly, internal};
use quorate_cookbook::coin::{carol, spend};
use quorate_cookbook::mesh::{self, Mesh};
use quorate_cookbook::run::run;
use quorate_cookbook::{Failure, frost};

fn main() -> Result<(), Failure> {
    mesh::main(3, party)
}

fn party(mesh: &mut Mesh) -> Result<(), Failure> {
    // The internal key, which does not sign: it is tweaked first (BIP-341).
    let parties = mesh.parties.clone();
    let made = run::<internal::Dkg>(mesh, 1, &parties, internal::DkgParams::new(2))?;
    let x = XOnlyPublicKey::from_slice(&made.public.x_only())?;
    let script = Script::builder().push_opcode(bitcoin::opcodes::OP_TRUE).into_script();
    let roots = [None, Some(TapNodeHash::from_script(&script, LeafVersion::TapScript))];
    for (root, other) in roots.into_iter().zip([2, 3]) {
        let bytes = root.map(TapNodeHash::to_byte_array);
        let public = made.public.tweak(bytes)?;
        let key = frost::Key { share: made.share.tweak(&made.public, bytes)?, public };
        if mesh.me.get() == other {
            key.cosign_one(mesh, |psbt| look(psbt, x, root))?;
        } else if mesh.me.get() == 1 {
            let psbt = payment(x, root)?;
            let message = sighash(&psbt)?;
            let other = PartyId::new(other).ok_or("zero")?;
            let signature = key.sign(mesh, other, &psbt.serialize(), message.as_ref())?;
            let transaction = finish(psbt, &signature.to_bytes())?;
            println!("taproot: {} vbytes, script root {root:?}", transaction.vsize());
        }
    }
    Ok(())
}

/// An output of the key, spent to Carol.
fn payment(x: XOnlyPublicKey, root: Option<TapNodeHash>) -> Result<Psbt, Failure> {
    let spent = TxOut { value: Amount::from_sat(100_000), script_pubkey: script_of(x, root) };
    let mut psbt = spend(spent)?;
    psbt.inputs[0].tap_internal_key = Some(x);
    psbt.inputs[0].tap_merkle_root = root;
    Ok(psbt)
}

/// A signer looks at the transaction itself: whose output is spent, to whom, and what it costs.
fn look(psbt: &[u8], x: XOnlyPublicKey, root: Option<TapNodeHash>) -> Result<Vec<u8>, Failure> {
    let psbt = Psbt::deserialize(psbt)?;
    let ours = psbt.inputs[0]
        .witness_utxo
        .as_ref()
        .is_some_and(|spent| spent.script_pubkey == script_of(x, root));
    let to_carol = psbt.unsigned_tx.output.iter().all(|output| output.script_pubkey == carol());
    if !ours || !to_carol || psbt.fee()? > Amount::from_sat(2_000) {
        return Err("not the payment to Carol".into());
    }
    Ok(sighash(&psbt)?.as_ref().to_vec())
}

fn sighash(psbt: &Psbt) -> Result<Message, Failure> {
    let spent = psbt.inputs[0].witness_utxo.clone().ok_or("no output to spend")?;
    let mut cache = SighashCache::new(&psbt.unsigned_tx);
    Ok(cache
        .taproot_key_spend_signature_hash(0, &Prevouts::All(&[spent]), TapSighashType::Default)?
        .into())
}

/// Puts the signature in, verifies as a node does, and takes the transaction out.
fn finish(mut psbt: Psbt, signature: &[u8; 64]) -> Result<Transaction, Failure> {
    let message = sighash(&psbt)?;
    let signature = bitcoin::secp256k1::schnorr::Signature::from_slice(signature)?;
    let spent = psbt.inputs[0].witness_utxo.as_ref().ok_or("no output to spend")?;
    let output = XOnlyPublicKey::from_slice(&spent.script_pubkey.as_bytes()[2..])?;
    Secp256k1::verification_only().verify_schnorr(&signature, &message, &output)?;
    let signature = Signature { signature, sighash_type: TapSighashType::Default };
    psbt.inputs[0].final_script_witness = Some(Witness::p2tr_key_spend(&signature));
    Ok(psbt.extract_tx()?)
}

fn script_of(x: XOnlyPublicKey, root: Option<TapNodeHash>) -> ScriptBuf {
    let (output, _) = x.tap_tweak(&Secp256k1::verification_only(), root);
    ScriptBuf::new_p2tr_tweaked(output)
}
