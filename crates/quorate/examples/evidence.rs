//! A party cheats while signatures are prepared: the others name it, and hold evidence that convinces
//! a judge who knows the public values alone.
//!
//! ```sh
//! cargo run --release -p quorate --example evidence
//! ```
#![allow(clippy::indexing_slicing, reason = "an example: one list for each party")]

use core::error::Error;
use std::sync::Arc;

use getrandom::SysRng;
use quorate::ecdsa::{
    AuxInfoGen, AuxInfoParams, AuxPublic, AuxSecrets, AuxStep, Evidence, Keygen, KeygenParams,
    Level, Presign, PresignParams, PublicKeyPackage, Secp256k1, SigningGoal, SigningRun,
};
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::session::sim::Network;
use quorate::{Abort, Parties, PartyId, SessionId};

const LEVEL: Level = Level::Bits112;

fn main() -> Result<(), Box<dyn Error>> {
    let mut rng = UnwrapErr(SysRng);
    let parties = Parties::numbered(3)?;
    let place = |party: PartyId| parties.position(party).unwrap_or_default();

    // Keys and auxiliary information, as in the example `ecdsa`.
    let made =
        Network::new(rng.next_u64())
            .run::<Keygen<Secp256k1>>(fresh(&mut rng), &parties, |_| KeygenParams::new(2))?;
    let keys: Vec<_> = made.results.into_values().collect::<Result<_, _>>()?;
    let keys: Vec<_> = keys.into_iter().map(Arc::new).collect();
    let mut secrets = Vec::new();
    for _ in parties.iter() {
        secrets.push(Arc::new(search(&mut rng)?));
    }
    let made =
        Network::new(rng.next_u64()).run::<AuxInfoGen>(fresh(&mut rng), &parties, |party| {
            AuxInfoParams::new(Arc::clone(&secrets[place(party)]))
        })?;
    let aux: Vec<_> = made.results.into_values().collect::<Result<_, _>>()?;
    let aux: Vec<_> = aux.into_iter().map(Arc::new).collect();

    // All three presign. The messages of party 2 to each other party in round 2 are wrong in the last
    // byte, which is part of a proof.
    let (sid, cheat) = (fresh(&mut rng), PartyId::new(2).ok_or("zero")?);
    let network = Network::new(rng.next_u64()).tamper(|mut frame| {
        if frame.from == cheat && frame.round.get() == 2 && !frame.broadcast {
            frame.bytes.iter_mut().rev().take(1).for_each(|byte| *byte ^= 1);
        }
        vec![frame]
    });
    let made = network.run::<Presign<Secp256k1>>(sid, &parties, |party| {
        PresignParams::new(Arc::clone(&keys[place(party)]), Arc::clone(&aux[place(party)]))
    })?;

    // Party 1 ends without a presignature, but with a name.
    let accuser = made.results.into_iter().find(|(party, _)| *party != cheat);
    let Some((accuser, Err(abort))) = accuser else {
        return Err("the cheat went unnoticed".into());
    };
    println!("party {accuser}: {abort}");
    let Abort::Misbehaviour(blames) = abort else { return Err("nobody was blamed".into()) };
    let evidence = Evidence::from_blame(&blames[0]).ok_or("no evidence")?.to_bytes();
    println!("evidence: {} bytes", evidence.len());

    // The judge has the public side of the key and of the moduli, and the evidence. The transport's
    // signatures have to show that party 2 sent the frames.
    judge(sid, &parties, keys[0].public(), aux[0].public(), &evidence)
}

fn judge(
    sid: SessionId,
    signers: &Parties,
    key: &PublicKeyPackage<Secp256k1>,
    aux: &AuxPublic,
    evidence: &[u8],
) -> Result<(), Box<dyn Error>> {
    let run = SigningRun {
        sid,
        signers: signers.clone(),
        key: key.clone(),
        aux: aux.clone(),
        goal: SigningGoal::Presignature,
    };
    let evidence = Evidence::from_bytes(evidence)?;
    let fault = evidence.verify(&run)?;
    println!("the judge: party {} did it, {fault}", evidence.culprit());
    Ok(())
}

fn fresh(rng: &mut impl Rng) -> SessionId {
    let mut bytes = [0; 32];
    rng.fill_bytes(&mut bytes);
    SessionId::new(bytes)
}

fn search(rng: &mut UnwrapErr<SysRng>) -> Result<AuxSecrets, Box<dyn Error>> {
    let mut search = AuxSecrets::generate(LEVEL, rng)?;
    loop {
        search = match search.step(256)? {
            AuxStep::Searching(search) => search,
            AuxStep::Done(secrets) => return Ok(secrets),
        };
    }
}
