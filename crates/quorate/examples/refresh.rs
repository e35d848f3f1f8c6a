//! New shares of the same key, so that a stolen share is worth nothing. A party may delete its old share
//! only when **all** parties have said that they stored the new ones.
//!
//! ```sh
//! cargo run -p quorate --example refresh
//! ```
#![allow(
    clippy::indexing_slicing,
    clippy::expect_used,
    reason = "an example: a map with an entry for each party"
)]

use core::error::Error;
use std::collections::BTreeMap;

use getrandom::SysRng;
use quorate::frost::PackageId;
use quorate::frost::ed25519::{
    Acknowledge, AcknowledgeParams, Coordinator, Dkg, DkgParams, KeyShare, PublicKeyPackage,
    Reshare, ReshareParams, ResharePlan,
};
use quorate::frost::generic::SecretShare;
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::session::sim::Network;
use quorate::{Abort, Parties, PartyId, SessionId};

/// The store of each party: its shares and their packages, by name. In production each store is on the
/// party's own disk, and the shares are encrypted.
type Stores = BTreeMap<PartyId, BTreeMap<PackageId, Stored>>;

struct Stored {
    share: Vec<u8>,
    public: Vec<u8>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let parties = Parties::numbered(3)?;
    let mut stores = Stores::new();

    let made = network().run::<Dkg>(fresh(), &parties, |_| DkgParams::new(2))?;
    let made = made.results.into_iter();
    let old =
        store(&mut stores, made.map(|(me, key)| (me, key.map(|key| (key.share, key.public)))))?;

    // The refresh. Any two of the three can deal. Each party stores its new share BESIDE the old one:
    // when one party has ended, the others may not have.
    let plan = ResharePlan::refresh(old.shared(), parties.clone())?;
    let shares = load(&stores, &old)?;
    let made = network().run::<Reshare>(fresh(), &parties, |party| {
        let share = shares[&party].secret_share();
        ReshareParams::dealer(&plan, share).expect("a dealer, with a share of this package")
    })?;
    let made = made.results.into_iter();
    let new = store(
        &mut stores,
        made.filter_map(|(me, key)| match key {
            Ok(key) => Some((me, Ok((key.share?, key.public)))),
            Err(abort) => Some((me, Err(abort))),
        }),
    )?;
    assert_eq!(old.verifying_key(), new.verifying_key());
    println!("stored beside the shares of epoch {}: those of epoch {}", old.epoch(), new.epoch());

    // The acknowledgement. The messages of party 3 never reach party 1, which keeps both shares. The
    // key signs as before.
    let mute = network().tamper(|frame| {
        let lost = (frame.from.get(), frame.to.get()) == (3, 1);
        if lost { vec![] } else { vec![frame] }
    });
    acknowledge(mute, &parties, &mut stores, &new)?;
    let kept: Vec<_> = stores.values().map(BTreeMap::len).collect();
    assert_eq!(kept, [2, 1, 1]);
    println!("party 1 has not heard from all, and keeps its old share");
    sign(&stores, &new)?;

    // Again, in a new session, as often as it takes.
    acknowledge(network(), &parties, &mut stores, &new)?;
    assert!(stores.values().all(|store| store.keys().eq([&new.package_id()])));
    println!("all have acknowledged: no old share is left");
    sign(&stores, &new)
}

/// Stores every party's new share, and gives the package that they have in common.
fn store(
    stores: &mut Stores,
    made: impl Iterator<Item = (PartyId, Result<(KeyShare, PublicKeyPackage), Abort>)>,
) -> Result<PublicKeyPackage, Box<dyn Error>> {
    let mut common = None;
    for (party, made) in made {
        let (share, public) = made?;
        let stored = Stored { share: share.to_bytes().to_vec(), public: public.to_bytes() };
        stores.entry(party).or_default().insert(public.package_id(), stored);
        common = Some(public);
    }
    common.ok_or_else(|| "no parties".into())
}

/// Every party's share of a package, from its store.
fn load(
    stores: &Stores,
    public: &PublicKeyPackage,
) -> Result<BTreeMap<PartyId, KeyShare>, Box<dyn Error>> {
    let mut shares = BTreeMap::new();
    for (party, store) in stores {
        let stored = store.get(&public.package_id()).ok_or("this share is not stored")?;
        shares.insert(*party, KeyShare::from_bytes(&stored.share, public)?);
    }
    Ok(shares)
}

/// One session of `Acknowledge`. A party that has heard from all settles its new share and stores it, and
/// only then deletes the old shares that it may delete.
fn acknowledge(
    network: Network<'_>,
    parties: &Parties,
    stores: &mut Stores,
    new: &PublicKeyPackage,
) -> Result<(), Box<dyn Error>> {
    let mut params = BTreeMap::new();
    for (party, store) in &*stores {
        // Read back from the disk: only a durable share may be acknowledged.
        let read_back = store.get(&new.package_id()).ok_or("this share is not stored")?;
        params.insert(*party, AcknowledgeParams::from_stored(&read_back.share, &read_back.public)?);
    }
    let report = network.run::<Acknowledge>(fresh(), parties, |party| params[&party].clone())?;
    let mut shares = load(stores, new)?;
    for (party, result) in report.results {
        let Ok(by_all) = result else { continue };
        let (Some(store), Some(share)) = (stores.get_mut(&party), shares.get_mut(&party)) else {
            continue;
        };
        share.settle(&by_all)?;
        let stored = Stored { share: share.to_bytes().to_vec(), public: new.to_bytes() };
        store.insert(new.package_id(), stored);
        store.retain(|_, stored| match SecretShare::from_bytes(&stored.share) {
            Ok(share) => !by_all.permits_deleting(&share),
            Err(_) => true,
        });
    }
    Ok(())
}

/// Parties 1 and 2 sign with their shares of this package.
fn sign(stores: &Stores, public: &PublicKeyPackage) -> Result<(), Box<dyn Error>> {
    let signers: Vec<_> = load(stores, public)?.into_values().take(2).collect();
    let mut rng = UnwrapErr(SysRng);
    let (nonces, commitments): (Vec<_>, Vec<_>) =
        signers.iter().map(|share| share.commit(&mut rng)).unzip();
    let sent = commitments.iter().map(|one| (one.id(), one.to_bytes()));
    let coordinator = Coordinator::new(public.clone());
    let mut session = coordinator.start(sent, b"pay 5 to Carol")?;
    for (share, nonces) in signers.iter().zip(nonces) {
        let signed = share.sign(session.package(), nonces)?;
        session.receive(share.id(), &signed.to_bytes())?;
    }
    let signature = coordinator.aggregate(session)?;
    public.verifying_key().verify(b"pay 5 to Carol", &signature)?;
    Ok(())
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
