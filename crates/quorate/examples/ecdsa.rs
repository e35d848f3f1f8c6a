//! Threshold ECDSA, 2 of 3 over secp256k1, with presignatures: keys, primes, auxiliary information,
//! presigning before there is a message, and then one message from each signer.
//!
//! ```sh
//! cargo run --release -p quorate --example ecdsa
//! ```
#![allow(clippy::indexing_slicing, reason = "an example: one list for each party")]

use core::error::Error;
use std::io::{Write, stderr};
use std::sync::Arc;

use getrandom::SysRng;
use quorate::ecdsa::{
    AuxInfo, AuxInfoGen, AuxInfoParams, AuxSecrets, AuxStep, DerivationPath, Keygen, KeygenParams,
    Level, MessageDigest, Presign, PresignParams, Secp256k1,
};
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::session::{SpentInMemory, sim::Network};
use quorate::{Parties, PartyId, SessionId};

/// `Level::Bits128` is the default, and takes longer to find primes for.
const LEVEL: Level = Level::Bits112;

fn main() -> Result<(), Box<dyn Error>> {
    let mut rng = UnwrapErr(SysRng);
    let parties = Parties::numbered(3)?;

    // The key: four rounds, milliseconds. `Network` stands for three machines with a transport.
    let made =
        Network::new(rng.next_u64())
            .run::<Keygen<Secp256k1>>(fresh(&mut rng), &parties, |_| KeygenParams::new(2))?;
    let keys: Vec<_> = made.results.into_values().collect::<Result<_, _>>()?;
    let keys: Vec<_> = keys.into_iter().map(Arc::new).collect();
    println!("public key:\n{}", keys[0].verifying_key().to_spki_pem());

    let aux = auxiliary(&parties, &mut rng)?;
    let place = |party: PartyId| parties.position(party).unwrap_or_default();

    // Parties 1 and 3 presign: everything that takes long, before there is a message.
    let signers = Parties::new([1, 3].into_iter().filter_map(PartyId::new))?;
    let made = Network::new(rng.next_u64()).run::<Presign<Secp256k1>>(
        fresh(&mut rng),
        &signers,
        |party| PresignParams::new(Arc::clone(&keys[place(party)]), Arc::clone(&aux[place(party)])),
    )?;

    // A message, and a path: presignatures of a key serve all keys derived from it, and the key itself
    // by the empty path. Each signer spends its part: it is recorded first, and only then released and sent.
    let message = b"pay 5 to Carol";
    let path: DerivationPath = "m/0/7".parse()?;
    let (mut info, mut shares) = (None, Vec::new());
    for (party, presignature) in made.results {
        let presignature = presignature?;
        info = Some(presignature.info().clone());
        // Yours: a table in a database that outlives every restore.
        let mut spent = SpentInMemory::new();
        let claim =
            presignature.claim(&keys[place(party)], &path, MessageDigest::sha256(message))?;
        let receipt = claim.record().store(&mut spent)?;
        shares.push((party, claim.release(receipt)?.to_bytes()));
    }

    let child = keys[1].public().derivation(&path)?;
    // Anyone with all shares can aggregate them. `aggregate` verifies the signature, and names the
    // parties that sent a wrong share.
    let signature =
        info.ok_or("no signers")?.aggregate(&child, MessageDigest::sha256(message), shares)?;
    child.key.verify(message, &signature)?;
    print!("signature, in DER: ");
    signature.to_der().iter().for_each(|byte| print!("{byte:02x}"));
    println!();
    Ok(())
}

/// Auxiliary information: each party proves to the others that its moduli are well formed. It
/// serves any number of keys.
fn auxiliary(
    parties: &Parties,
    rng: &mut UnwrapErr<SysRng>,
) -> Result<Vec<Arc<AuxInfo>>, Box<dyn Error>> {
    // Every party searches for its primes, once in its life.
    let mut secrets = Vec::new();
    for party in parties.iter() {
        secrets.push(Arc::new(search(party, rng)?));
    }
    let place = |party: PartyId| parties.position(party).unwrap_or_default();
    let params = |party| AuxInfoParams::new(Arc::clone(&secrets[place(party)]));
    let made = Network::new(rng.next_u64()).run::<AuxInfoGen>(fresh(rng), parties, params)?;
    let aux: Vec<_> = made.results.into_values().collect::<Result<_, _>>()?;
    Ok(aux.into_iter().map(Arc::new).collect())
}

/// A session id that was never used: in life, all parties agree on it beforehand.
fn fresh(rng: &mut impl Rng) -> SessionId {
    let mut bytes = [0; 32];
    rng.fill_bytes(&mut bytes);
    SessionId::new(bytes)
}

/// Searches in steps, so that progress can be shown; `search.save()` would survive a crash.
fn search(party: PartyId, rng: &mut UnwrapErr<SysRng>) -> Result<AuxSecrets, Box<dyn Error>> {
    let mut search = AuxSecrets::generate(LEVEL, rng)?;
    loop {
        search = match search.step(64)? {
            AuxStep::Searching(search) => search,
            AuxStep::Done(secrets) => {
                eprintln!("\rparty {party}: all primes found     ");
                return Ok(secrets);
            }
        };
        eprint!("\rparty {party}: {}", search.progress());
        stderr().flush()?;
    }
}
