//! An existing key is dealt among three parties. Anyone who knew it still knows it. Make new keys with `Dkg`, which
//! reveals the key to nobody.
//!
//! ```sh
//! cargo run -p quorate-frost-p256 --example import
//! ```

use core::error::Error;

use getrandom::{SysRng, rand_core::UnwrapErr};
use quorate_frost::session::Parties;
use quorate_frost_p256::{Dealing, DealtShare, SigningPackage};

fn main() -> Result<(), Box<dyn Error>> {
    let mut rng = UnwrapErr(SysRng);
    // 32 bytes, big-endian, below the order of the group and not zero.
    let existing = [0x5a; 32];
    let dealing = Dealing::import(&existing, 2, &Parties::numbered(3)?, &mut rng)?;
    let public = dealing.public;

    // Each share goes to its party in confidence, which holds it to the package that all have.
    let (mut signers, mut commitments) = (Vec::new(), Vec::new());
    for sent in dealing.shares.into_iter().skip(1) {
        let share = DealtShare::from_bytes(&sent.to_bytes())?.accept(2, &public)?;
        let (nonces, own) = share.commit(&mut rng);
        commitments.push(own);
        signers.push((share, nonces));
    }
    let package = SigningPackage::new(&public, commitments, b"pay 5 to Carol")?;
    let mut shares = Vec::new();
    for (share, nonces) in signers {
        shares.push(share.sign(&package, nonces)?);
    }
    let signature = public.aggregate(&package, &shares)?;
    public.verifying_key().verify(b"pay 5 to Carol", &signature)?;
    println!("parties 2 and 3 signed with the key {:?}", public.verifying_key());

    // Zero is no key.
    let refused = Dealing::import(&[0; 32], 2, &Parties::numbered(3)?, &mut rng);
    println!("a key of zeros: {}", refused.err().ok_or("zero was taken")?);
    Ok(())
}
