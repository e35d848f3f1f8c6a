//! A Taproot output that 2 of 3 parties spend: an internal key, tweaked with the root of a script
//! tree (BIP-341), and a key-path signature that verifies as BIP-340 under the output key.
//!
//! ```sh
//! cargo run -p quorate --example taproot
//! ```
#![allow(clippy::indexing_slicing, reason = "an example: one list for each party")]

use core::error::Error;

use getrandom::SysRng;
use k256::schnorr::signature::hazmat::PrehashVerifier;
use k256::schnorr::{Signature, VerifyingKey};
use quorate::frost::secp256k1_tr::{Coordinator, XOnly, internal};
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::session::sim::Network;
use quorate::{Parties, SessionId};

fn main() -> Result<(), Box<dyn Error>> {
    let mut rng = UnwrapErr(SysRng);
    let parties = Parties::numbered(3)?;
    let mut sid = [0; 32]; // in life, all parties agree on it beforehand
    rng.fill_bytes(&mut sid);

    // The internal key. Its type does not sign: it is tweaked first.
    let network = Network::new(rng.next_u64());
    let made = network
        .run::<internal::Dkg>(SessionId::new(sid), &parties, |_| internal::DkgParams::new(2))?;
    let keys: Vec<_> = made.results.into_values().collect::<Result<_, _>>()?;
    let internal = &keys[0].public;

    // The output key commits to scripts too: here to one leaf, whose hash is the tree's root.
    // `tweak(None)` makes an output without any.
    let root = leaf_hash(&[0x51])?;
    let output = internal.tweak(Some(root))?;
    assert_ne!(internal.x_only(), output.x_only());
    print!("scriptPubKey: 5120");
    output.x_only().iter().for_each(|byte| print!("{byte:02x}"));
    println!();

    // Parties 2 and 3 tweak their shares alike, and spend the output: the message is the
    // transaction's signature hash.
    let sighash = [0x5a; 32];
    let signers = [&keys[1].share, &keys[2].share];
    let signers =
        [signers[0].tweak(internal, Some(root))?, signers[1].tweak(internal, Some(root))?];
    let mut nonces = Vec::new();
    let mut sent = Vec::new();
    for signer in &signers {
        let (own, commitments) = signer.commit(&mut rng);
        nonces.push(own);
        sent.push((signer.id(), commitments.to_bytes()));
    }
    let coordinator = Coordinator::new(output);
    let mut session = coordinator.start(sent, &sighash)?;
    for (signer, nonces) in signers.iter().zip(nonces) {
        let share = signer.sign(session.package(), nonces)?;
        session.receive(signer.id(), &share.to_bytes())?;
    }
    let signature = coordinator.aggregate(session)?;

    // The network verifies these 64 bytes under the output key alone.
    let signature = Signature::try_from(signature.to_bytes().as_slice())?;
    let verify = |x: [u8; 32]| VerifyingKey::from_slice(&x)?.verify_prehash(&sighash, &signature);
    verify(coordinator.public().x_only())?;
    assert!(verify(keys[0].public.x_only()).is_err(), "the internal key does not spend");
    println!("witness: {} bytes, valid under BIP-340", signature.to_bytes().len());
    Ok(())
}

/// The hash of a leaf of BIP-341 with a short script: the tagged hash of its version, its length
/// and itself.
fn leaf_hash(script: &[u8]) -> Result<[u8; 32], Box<dyn Error>> {
    use sha2::{Digest, Sha256};
    let tag = Sha256::digest("TapLeaf");
    // Longer scripts have a length of more bytes.
    let length = u8::try_from(script.len()).ok().filter(|length| *length < 0xfd);
    let length = length.ok_or("expected a script of at most 252 bytes")?;
    let leaf = Sha256::new().chain_update(tag).chain_update(tag);
    Ok(leaf.chain_update([0xc0, length]).chain_update(script).finalize().into())
}
