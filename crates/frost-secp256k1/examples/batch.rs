//! A coordinator that finishes a hundred signatures at once, with one equation for all of them. If it does not
//! hold, each party that spoilt a signature is named.
//!
//! ```sh
//! cargo run -p quorate-frost-secp256k1 --example batch
//! ```

use core::error::Error;

use getrandom::{SysRng, rand_core::UnwrapErr};
use quorate_frost::session::Parties;
use quorate_frost::verify_batch;
use quorate_frost_secp256k1::{Coordinator, Dealing, SignatureShare};

fn main() -> Result<(), Box<dyn Error>> {
    let mut rng = UnwrapErr(SysRng);
    let dealing = Dealing::new(2, &Parties::numbered(2)?, &mut rng)?;
    let coordinator = Coordinator::new(dealing.public);
    let mut signers = Vec::new();
    for share in dealing.shares {
        signers.push(share.accept(2, coordinator.public())?);
    }

    // One hundred sessions; in the one at 42, party 1 sends a share of nothing.
    let messages: Vec<_> = (0..100).map(|number| format!("payment {number}")).collect();
    let mut sessions = Vec::new();
    for (place, message) in messages.iter().enumerate() {
        let (nonces, own): (Vec<_>, Vec<_>) =
            signers.iter().map(|signer| signer.commit(&mut rng)).unzip();
        let sent = own.iter().map(|one| (one.id(), one.to_bytes()));
        let mut session = coordinator.start(sent, message.as_bytes())?;
        for (signer, nonces) in signers.iter().zip(nonces) {
            let mut share = signer.sign(session.package(), nonces)?;
            if place == 42 && signer.id().get() == 1 {
                share = SignatureShare::from_parts(signer.id(), session.package(), &[1; 32])?;
            }
            session.receive(signer.id(), &share.to_bytes())?;
        }
        sessions.push(session);
    }

    let key = coordinator.public().verifying_key();
    let mut made = Vec::new();
    for (message, result) in messages.iter().zip(coordinator.aggregate_all(sessions)) {
        match result {
            Ok(signature) => made.push((message, signature)),
            Err(error) => {
                assert!(error.culprits().iter().map(|party| party.get()).eq([1]));
                println!("{message}: {error}");
            }
        }
    }
    let items: Vec<_> = made.iter().map(|(text, one)| (key, text.as_bytes(), one)).collect();
    verify_batch(&items)?;
    println!("{} signatures verified with one equation", items.len());
    assert_eq!(items.len(), 99);
    Ok(())
}
