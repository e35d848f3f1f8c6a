//! A whole key, dealt to three parties, and reconstructed from two of them: for imports and exports.
//! While it is whole, anyone who sees it has it.
//!
//! ```sh
//! cargo run -p quorate-cggmp --example imported_key --features single-point-of-failure
//! ```

use core::error::Error;

use getrandom::{SysRng, rand_core::UnwrapErr};
use quorate_cggmp::curves::{Curve, Secret, random_nonzero_scalar};
use quorate_cggmp::{KeyShare, P256, PublicKeyPackage, VerifyingKey, single_point_of_failure};
use quorate_session::Parties;

fn main() -> Result<(), Box<dyn Error>> {
    let mut rng = UnwrapErr(SysRng);
    // In production, from the key store that is given up: 32 bytes that `P256::decode_scalar` reads.
    let secret = Secret::new(random_nonzero_scalar::<P256>(&mut rng)?);
    let public = VerifyingKey::<P256>::new(P256::mul_base(secret.expose())).ok_or("no key")?;

    let parties = Parties::numbered(3)?;
    let mut shares = single_point_of_failure::import::<P256>(secret, None, 2, &parties, &mut rng)?;
    for share in &shares {
        // Each goes to its party over a confidential channel, and is stored encrypted. The public side goes to all.
        let (sent, info) =
            (share.to_bytes(), PublicKeyPackage::from_bytes(&share.public().to_bytes())?);
        let received = KeyShare::<P256>::from_bytes(&sent, &info)?;
        assert!(*received.verifying_key() == public);
        println!("party {}: {} bytes", received.id(), sent.len());
    }

    shares.remove(1);
    let again = single_point_of_failure::export(&shares)?;
    assert!(P256::mul_base(again.expose()) == *public.point());
    print!("parties 1 and 3 have the secret of:\n{}", public.to_spki_pem());
    Ok(())
}
