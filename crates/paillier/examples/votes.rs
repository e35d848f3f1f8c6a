//! Votes added up under encryption. The owner of the key sees only the sum.
//!
//! ```sh
//! cargo run --release -p quorate-paillier --example votes
//! ```

use core::error::Error;

use getrandom::{SysRng, rand_core::UnwrapErr};
use quorate_bignum::{BlumPrimeSearch, Engine, Integer, Natural, SecretInteger, SecretNatural};
use quorate_paillier::{Ciphertext, DecryptionKey, Level, Randomizer};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut rng, engine, level) = (UnwrapErr(SysRng), Engine::detect(), Level::Bits128);
    let mut search = BlumPrimeSearch::new(level.prime_bits(), &engine, &mut rng)?;
    let mut prime = || -> Result<SecretNatural, quorate_bignum::Error> {
        loop {
            if let Some(prime) = search.step(64)? {
                return Ok(prime);
            }
        }
    };
    let secret_key = DecryptionKey::from_primes(&engine, level, &prime()?, &prime()?)?;
    let key = secret_key.encryption_key();

    // Each voter encrypts 1 or 0, with a randomizer that is used once.
    let votes = [true, false, true, true];
    let mut sent = Vec::new();
    for vote in votes {
        let vote = SecretInteger::classify(&Integer::from(Natural::from(u64::from(vote))), 1)?;
        let randomizer = Randomizer::random(&mut rng, key)?;
        let ciphertexts = key.encrypt_many(&engine, &[(&vote, &randomizer)])?;
        sent.extend(ciphertexts.iter().map(Ciphertext::to_bytes));
    }

    // Anybody adds them up. (A real vote needs proofs that each is 1 or 0: see `quorate-zk`.)
    let mut sum: Option<Ciphertext> = None;
    for bytes in &sent {
        let vote = Ciphertext::from_bytes(key, bytes)?;
        sum = Some(match sum {
            Some(sum) => sum.add(&vote)?,
            None => vote,
        });
    }
    let sum = sum.ok_or("no votes")?;
    let opened = secret_key.decrypt_many(&engine, &[&sum])?.pop().ok_or("no plaintext")?;
    assert_eq!(opened.declassify(), Integer::from(Natural::from(3)));
    println!("{} votes of {} bytes each: 3 in favour", sent.len(), level.ciphertext_bytes());
    Ok(())
}
