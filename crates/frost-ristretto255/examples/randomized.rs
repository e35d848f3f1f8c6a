//! A signature under a key that nobody can link to the group's: rerandomised FROST. The seed goes
//! to the signers alone.
//!
//! ```sh
//! cargo run -p quorate-frost-ristretto255 --example randomized
//! ```

use core::error::Error;

use getrandom::{SysRng, rand_core::UnwrapErr};
use quorate_frost::RandomizerSeed;
use quorate_frost::session::Parties;
use quorate_frost_ristretto255::{Dealing, SigningPackage};

fn main() -> Result<(), Box<dyn Error>> {
    let mut rng = UnwrapErr(SysRng);
    let dealing = Dealing::new(2, &Parties::numbered(3)?, &mut rng)?;
    let public = dealing.public;

    let (mut signers, mut commitments) = (Vec::new(), Vec::new());
    for share in dealing.shares.into_iter().take(2) {
        let share = share.accept(2, &public)?;
        let (nonces, own) = share.commit(&mut rng);
        commitments.push(own);
        signers.push((share, nonces));
    }
    let message = b"one ballot";
    let package = SigningPackage::new(&public, commitments, message)?;

    // The coordinator draws a seed for this package, and sends it in confidence.
    let seed = RandomizerSeed::new::<quorate_frost_ristretto255::Ristretto255Sha512>(&mut rng);
    let mut shares = Vec::new();
    for (share, nonces) in signers {
        shares.push(share.sign_randomized(&package, nonces, &seed)?);
    }
    let randomized = public.randomized(&package, &seed)?;
    let signature = randomized.aggregate(&package, &shares)?;

    let key = randomized.verifying_key();
    key.verify(message, &signature)?;
    assert_ne!(key, public.verifying_key());
    assert!(public.verifying_key().verify(message, &signature).is_err());
    println!("the group's key: {:?}", public.verifying_key());
    println!("for this once:   {key:?}");
    Ok(())
}
