//! The two kinds of keys of BIP-341: an internal key, and the output keys that it is tweaked to. The
//! witness of a script-path spend needs the internal key and the parity of the output key.
//!
//! ```sh
//! cargo run -p quorate-frost-secp256k1-tr --example output
//! ```

use core::error::Error;

use getrandom::{SysRng, rand_core::UnwrapErr};
use quorate_frost::session::Parties;
use quorate_frost_secp256k1_tr::{SigningPackage, XOnly, internal};

fn main() -> Result<(), Box<dyn Error>> {
    let mut rng = UnwrapErr(SysRng);
    let dealing = internal::Dealing::new(2, &Parties::numbered(3)?, &mut rng)?;
    let internal = dealing.public;

    // One internal key, two outputs: one that only the key spends, one with scripts beside it.
    let root = [0x11; 32]; // of the script tree, by BIP-341
    let (plain, scripts) = (internal.tweak(None)?, internal.tweak(Some(root))?);
    show("internal key", internal.x_only());
    show("output without scripts", plain.x_only());
    show("output with scripts", scripts.x_only());

    // Each share is tweaked as its output is, and signs for that one alone.
    let (mut signers, mut commitments) = (Vec::new(), Vec::new());
    for share in dealing.shares.into_iter().take(2) {
        let share = share.accept(2, &internal)?.tweak(&internal, Some(root))?;
        let (nonces, own) = share.commit(&mut rng);
        commitments.push(own);
        signers.push((share, nonces));
    }
    let sighash = [0x5a; 32];
    let other = SigningPackage::new(&plain, commitments.clone(), &sighash);
    println!("for the other output: {}", other.err().ok_or("two keys mixed")?);
    let package = SigningPackage::new(&scripts, commitments, &sighash)?;
    let mut shares = Vec::new();
    for (share, nonces) in signers {
        shares.push(share.sign(&package, nonces)?);
    }
    let signature = scripts.aggregate(&package, &shares)?;
    scripts.verifying_key().verify(&sighash, &signature)?;
    assert!(plain.verifying_key().verify(&sighash, &signature).is_err());
    println!("signed: {} bytes", signature.to_bytes().len());
    Ok(())
}

fn show(what: &str, x: [u8; 32]) {
    print!("{what}: ");
    x.iter().for_each(|byte| print!("{byte:02x}"));
    println!();
}
