//! FROST over Ed25519, 2 of 3: a key that its parties make themselves, nonces made ahead of time,
//! and a signature that any Ed25519 verifier takes. Then a signer cheats, and is named.
//!
//! ```sh
//! cargo run -p quorate --example frost
//! ```
#![allow(clippy::indexing_slicing, reason = "an example: one list for each party")]

use core::error::Error;

use ed25519_dalek::{Signature, VerifyingKey};
use getrandom::SysRng;
use quorate::frost::ed25519::{
    Coordinator, Dkg, DkgParams, KeyShare, NonceBatch, SignatureShare, SigningPackage,
};
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::session::{SpentInMemory, sim::Network};
use quorate::{Parties, PartyId, SessionId};

fn main() -> Result<(), Box<dyn Error>> {
    let mut rng = UnwrapErr(SysRng);
    let parties = Parties::numbered(3)?;
    let mut sid = [0; 32]; // in life, all parties agree on it beforehand
    rng.fill_bytes(&mut sid);

    // The key: three rounds. `Network` stands for three machines with a transport.
    let network = Network::new(rng.next_u64());
    let made = network.run::<Dkg>(SessionId::new(sid), &parties, |_| DkgParams::new(2))?;
    let keys: Vec<_> = made.results.into_values().collect::<Result<_, _>>()?;
    let coordinator = Coordinator::new(keys[0].public.clone());
    let mut signers: Vec<_> =
        keys.into_iter().map(|key| Signer::new(key.share, &mut rng)).collect();

    // Parties 1 and 3 sign. The coordinator has had their commitments since they made them.
    let message = b"pay 5 to Carol";
    let sent = [&signers[0], &signers[2]].map(Signer::next_commitments);
    let mut session = coordinator.start(sent.into_iter().flatten(), message)?;
    for place in [0, 2] {
        let share = signers[place].sign(session.package())?;
        session.receive(signers[place].key.id(), &share.to_bytes())?;
    }
    let signature = coordinator.aggregate(session)?;

    // A verifier does not need to know that there are three parties.
    let key = VerifyingKey::from_bytes(coordinator.public().verifying_key().as_bytes())?;
    key.verify_strict(message, &Signature::from_bytes(&signature.to_bytes()))?;
    println!("signed by parties 1 and 3: {signature:?}");

    // Once more with all three, and party 2 sends the share of another message.
    let sent: Vec<_> = signers.iter().filter_map(Signer::next_commitments).collect();
    let mut session = coordinator.start(sent, message)?;
    for signer in &mut signers {
        let mut share = signer.sign(session.package())?;
        if signer.key.id() == id(2)? {
            share = SignatureShare::from_parts(id(2)?, session.package(), &[1; 32])?;
        }
        session.receive(signer.key.id(), &share.to_bytes())?;
    }
    let error = coordinator.aggregate(session).err().ok_or("the cheat went unnoticed")?;
    assert_eq!(error.culprits(), [id(2)?]);
    println!("{error}");
    Ok(())
}

/// A party with its share and its nonces.
struct Signer {
    key: KeyShare,
    /// In production in a store, sealed: `NonceBatch::seal`.
    nonces: NonceBatch,
    /// In production a table in a database that outlives every restore.
    spent: SpentInMemory,
}

impl Signer {
    fn new(key: KeyShare, rng: &mut UnwrapErr<SysRng>) -> Self {
        let nonces = key.precompute(10, rng);
        Self { key, nonces, spent: SpentInMemory::new() }
    }

    /// The commitments that it sent the coordinator ahead of time, with itself as the sender.
    fn next_commitments(&self) -> Option<(PartyId, Vec<u8>)> {
        let next = self.nonces.commitments().next()?;
        Some((self.key.id(), next.to_bytes()))
    }

    /// Looks at the message, takes the nonces, records what they are spent on, and only then signs.
    fn sign(&mut self, package: &SigningPackage) -> Result<SignatureShare, Box<dyn Error>> {
        if !package.message().starts_with(b"pay 5 ") {
            return Err("not what was agreed on".into());
        }
        let claim = self.nonces.claim_for(&self.key, package)?;
        let receipt = claim.record().store(&mut self.spent)?;
        Ok(self.key.sign(package, claim.release(receipt)?)?)
    }
}

fn id(party: u16) -> Result<PartyId, &'static str> {
    PartyId::new(party).ok_or("parties are numbered from 1")
}
