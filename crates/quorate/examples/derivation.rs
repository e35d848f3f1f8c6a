//! Child keys of a threshold key (BIP-32 over secp256k1): every party derives its own share, and anyone
//! with the extended public key derives the same child. No messages are exchanged.
//!
//! ```sh
//! cargo run -p quorate --example derivation
//! ```
#![allow(clippy::indexing_slicing, reason = "an example: one list for each party")]

use core::error::Error;

use getrandom::SysRng;
use quorate::ecdsa::curves::Curve;
use quorate::ecdsa::keys::derive::{self, ExtendedKey};
use quorate::ecdsa::{DerivationPath, DeriveError, Keygen, KeygenParams, Secp256k1};
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::session::sim::Network;
use quorate::{Parties, SessionId};

fn main() -> Result<(), Box<dyn Error>> {
    let mut rng = UnwrapErr(SysRng);
    let parties = Parties::numbered(3)?;
    let mut sid = [0; 32];
    rng.fill_bytes(&mut sid);
    let made = Network::new(rng.next_u64()).run::<Keygen<Secp256k1>>(
        SessionId::new(sid),
        &parties,
        |_| KeygenParams::new(2),
    )?;
    let keys: Vec<_> = made.results.into_values().collect::<Result<_, _>>()?;

    // A shop that only receives: it has the extended public key, a text that wallets read too.
    let xpub = keys[0].public().extended_key().to_xpub(derive::Network::Main);
    println!("{xpub}");
    let shop = ExtendedKey::from_xpub(&xpub, derive::Network::Main)?;
    for index in 0..3 {
        let path: DerivationPath = format!("m/0/{index}").parse()?;
        let child = shop.derivation(&path)?;
        // Each party, when it is to sign for this address: its share of the child, which presigns
        // and signs as the share of any other key.
        for key in &keys {
            assert_eq!(*key.derive(&path)?.verifying_key().point(), child.key);
        }
        print!("m/0/{index}: ");
        Secp256k1::encode_point(&child.key).iter().for_each(|byte| print!("{byte:02x}"));
        println!();
    }

    // A hardened child needs the whole secret key, which no party has.
    let hardened = "m/44'/0".parse::<DerivationPath>();
    assert_eq!(hardened, Err(DeriveError::Hardened));
    println!("m/44'/0: {}", DeriveError::Hardened);
    Ok(())
}
