//! New shares of an ECDSA key: two of three parties deal, and all three get a share of the next epoch. The old shares are
//! deleted when every party has stored its new one. Auxiliary information stays valid, so no new primes are needed.
//!
//! ```sh
//! cargo run -p quorate --example refresh_ecdsa
//! ```
#![allow(
    clippy::indexing_slicing,
    clippy::expect_used,
    reason = "an example: a map with an entry for each party"
)]

use core::error::Error;
use std::collections::BTreeMap;

use getrandom::SysRng;
use quorate::ecdsa::{
    Acknowledge, AcknowledgeParams, DecodeError, KeyShare, Keygen, KeygenParams, Mismatch,
    PublicKeyPackage, Reshare, ReshareParams, ResharePlan, Secp256k1, ShareState,
};
use quorate::keys::HealthChallenge;
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::session::sim::Network;
use quorate::{Parties, PartyId, SessionId};

type Shares = BTreeMap<PartyId, KeyShare<Secp256k1>>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut rng = UnwrapErr(SysRng);
    let parties = Parties::numbered(3)?;
    let made = network().run::<Keygen<Secp256k1>>(fresh(), &parties, |_| KeygenParams::new(2))?;
    let old: Shares = all(made.results)?;
    let before = old[&parties.as_slice()[0]].public().clone();

    // Any two deal. Party 3 may have no access to its share, and gets a new one all the same.
    let plan = ResharePlan::<Secp256k1>::refresh(before.shared(), Parties::numbered(2)?)?;
    let report = network().run::<Reshare<Secp256k1>>(fresh(), &plan.parties(), |party| {
        if plan.dealers().contains(party) {
            ReshareParams::dealer(&plan, old[&party].secret_share())
                .expect("a share of this package")
        } else {
            ReshareParams::member(&plan, party).expect("a member that deals nothing")
        }
    })?;
    // Stored beside the old ones; in production on each party's own disk, encrypted.
    let mut stored = BTreeMap::new();
    let mut after = before.clone();
    for (party, made) in all(report.results)? {
        let share = made.share.ok_or("a member has no share")?;
        assert_eq!(share.state(), ShareState::Pending);
        stored.insert(party, (share.to_bytes(), made.public.to_bytes()));
        after = made.public;
    }
    assert_eq!(after.verifying_key(), before.verifying_key());
    assert_eq!(after.chain_code(), before.chain_code());
    println!(
        "the same key, and every party has two shares: epochs {} and {}",
        before.epoch(),
        after.epoch()
    );

    // They do not mix: the refusal names both epochs.
    let first = parties.as_slice()[0];
    let mixed = KeyShare::from_bytes(&old[&first].to_bytes(), &after).err();
    let mixed = mixed.ok_or("a share of the old epoch was taken for one of the new")?;
    assert_eq!(mixed, DecodeError::Mismatch(Mismatch::WrongEpoch { expected: 1, got: 0 }));
    println!("an old share beside the new key: {mixed}");

    // Each party acknowledges the share that it has read back from the disk. Only then the old shares are deleted.
    let report = network().run::<Acknowledge<Secp256k1>>(fresh(), &parties, |party| {
        let (share, info) = &stored[&party];
        AcknowledgeParams::from_stored(share, info).expect("what was stored")
    })?;
    let by_all = all(report.results)?;
    for (party, old) in old {
        let (share, info) = &stored[&party];
        let mut new = KeyShare::from_bytes(share, &PublicKeyPackage::from_bytes(info)?)?;
        new.settle(&by_all[&party])?;
        assert!(
            new.state() == ShareState::Ready && by_all[&party].permits_deleting(old.secret_share())
        );
        drop(old);

        // Each party shows that the share it keeps belongs to the key, and signs nothing.
        let asked = HealthChallenge::new(&mut rng)?;
        let answer = new.secret_share().prove_health(&asked, &mut rng);
        answer.verify(after.shared(), party, &asked)?;
        println!(
            "party {party}: the new share is stored and belongs to the key, the old one is gone"
        );
    }
    Ok(())
}

/// The results of a run that every party has finished.
fn all<T, E: Error + 'static>(
    results: impl IntoIterator<Item = (PartyId, Result<T, E>)>,
) -> Result<BTreeMap<PartyId, T>, Box<dyn Error>> {
    let results = results.into_iter().map(|(party, result)| Ok((party, result?)));
    results.collect()
}

/// Three machines with a transport; here in memory.
fn network() -> Network<'static> {
    Network::new(UnwrapErr(SysRng).next_u64())
}

/// A session id that was never used: in production, all parties agree on it beforehand.
fn fresh() -> SessionId {
    let mut bytes = [0; 32];
    UnwrapErr(SysRng).fill_bytes(&mut bytes);
    SessionId::new(bytes)
}
