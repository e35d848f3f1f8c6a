//! A range proof: a Paillier ciphertext and an ElGamal commitment hide one and the same short number
//! (Πenc-elg of CGGMP24). The verifier learns nothing else about it.
//!
//! ```sh
//! cargo run --release -p quorate-zk --example range
//! ```

use core::error::Error;

use getrandom::{SysRng, rand_core::UnwrapErr};
use quorate_bignum::{BlumPrimeSearch, Engine, SafePrimeSearch};
use quorate_curve::{Curve, Secp256k1 as C, random_nonzero_scalar};
use quorate_paillier::{DecryptionKey, Level, PedersenTrapdoor, Randomizer};
use quorate_session::{PartyId, SessionId};
use quorate_zk::{
    Own, ProofContext, Prover, ReceivedProof, centred, pi_enc_elg, prove_many, verify_many,
};

const LEVEL: Level = Level::Bits112;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut rng, engine) = (UnwrapErr(SysRng), Engine::detect());
    let (key, verifier) = keys(&engine, &mut rng)?;

    // The prover's secrets: k, and the randomness of both its commitments to it.
    let [k, a, y] = [
        random_nonzero_scalar::<C>(&mut rng)?,
        random_nonzero_scalar::<C>(&mut rng)?,
        random_nonzero_scalar::<C>(&mut rng)?,
    ];
    let (x, rho) = (centred::<C>(&k), Randomizer::random(&mut rng, key.encryption_key())?);
    let ciphertext = key.encrypt_many(&engine, &[(&x, &rho)])?.pop().ok_or("no ciphertext")?;

    // The values that both know.
    let y = C::mul_base(&y);
    let statement = pi_enc_elg::Statement::<C> {
        setup: verifier.pedersen(),
        ciphertext: &ciphertext,
        a: y,
        b: C::mul_base(&a),
        x: C::mul(&y, &a) + C::mul_base(&k),
    };
    let party = |number| PartyId::new(number).ok_or("zero is no party");
    let context = ProofContext::new(SessionId::new([1; 32]), party(1)?, b"example").to(party(2)?);

    let mine = Own { key: Some(&key), setup: None };
    let witness = pi_enc_elg::Witness { x: &x, rho: &rho, b: &a };
    let begun = Prover::new(&statement, witness, context, mine, &mut rng)?;
    let proof = prove_many(&engine, vec![begun])?.pop().ok_or("no proof")?;
    println!("a proof of {} bytes", proof.as_bytes().len());

    // The verifier, for whom the proof was made.
    let yours = Own { key: None, setup: Some(&verifier) };
    let claim = |bytes| ReceivedProof::new(&statement, bytes, context, yours);
    assert_eq!(verify_many(&engine, vec![claim(proof.as_bytes())]), [Ok(())]);
    let mut altered = proof.as_bytes().to_vec();
    altered.iter_mut().rev().take(1).for_each(|byte| *byte ^= 1);
    let verdict = verify_many(&engine, vec![claim(&altered)]);
    println!("verified; with a bit turned: {verdict:?}");
    assert!(verdict.iter().all(Result::is_err));
    Ok(())
}

/// The prover's Paillier key and the verifier's setup, from fresh primes.
fn keys(
    engine: &Engine,
    rng: &mut UnwrapErr<SysRng>,
) -> Result<(DecryptionKey, PedersenTrapdoor), Box<dyn Error>> {
    let mut blum = BlumPrimeSearch::new(LEVEL.prime_bits(), engine, rng)?;
    let mut safe = SafePrimeSearch::new(LEVEL.prime_bits(), engine, rng)?;
    let (mut found, mut found_safe) = (Vec::new(), Vec::new());
    while found.len() < 2 {
        found.extend(blum.step(64)?);
    }
    while found_safe.len() < 2 {
        found_safe.extend(safe.step(64)?);
    }
    let ([p, q], [safe_p, safe_q]) = (found.as_slice(), found_safe.as_slice()) else {
        return Err("two of each".into());
    };
    let key = DecryptionKey::from_primes(engine, LEVEL, p, q)?;
    Ok((key, PedersenTrapdoor::generate(engine, LEVEL, safe_p, safe_q, rng)?))
}
