//! The key of a node's database is replaced while the node works, and the one before is destroyed.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::unwrap_in_result,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "tests"
)]

#[path = "common/databases.rs"]
mod databases;
#[path = "common/postgres.rs"]
mod postgres;
#[path = "common/world.rs"]
mod world;

use core::sync::atomic::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use databases::Databases;
use quorate::runner::RunTable as _;
use quorate::session::keyring::{KeyService as _, Keyring, SealKeyId};
use quorate_custody::request::Scheme;
use quorate_custody::reseal::{left, reseal};
use quorate_custody::sql::{Db, Settings, Sql};
use quorate_custody::{keyfile::KeyFiles, values};
use quorate_examples::failure::Failure;
use quorate_examples::verifiers;
use world::{World, signature};

/// The tables with sealed columns of a node, and how many rows have something there.
const SEALED: [&str; 6] = [
    "SELECT count(*) FROM secrets",
    "SELECT count(*) FROM keys",
    "SELECT count(*) FROM presignatures",
    "SELECT count(*) FROM nonces",
    "SELECT count(*) FROM runs",
    "SELECT count(*) FROM jobs",
];

fn database(world: &World, node: u16) -> Db {
    Db::open(&world.node_config(node).database, Settings::default()).unwrap()
}

fn counts(world: &World, node: u16) -> Vec<u64> {
    let mut db = database(world, node);
    SEALED.iter().map(|sql| db.one(sql, &[]).unwrap().number(0).unwrap()).collect()
}

/// Another key from now on; the node finds it by itself.
fn turn_key(world: &mut World, node: u16, number: u32) {
    world.rings[&node].current.store(number, Ordering::Relaxed);
    world.until("the new key", |world| {
        let sql = "SELECT 1 FROM sealing WHERE key = $1";
        database(world, node).first(sql, &values![number]).unwrap().is_some()
    });
}

fn destroy(world: &World, node: u16, number: u32) {
    world.rings[&node].destroyed.lock().unwrap().insert(number);
}

/// Reads the row of each run that has ended, as a worker does when a frame comes late.
fn read_ended_runs(world: &World, node: u16) {
    let config = world.node_config(node);
    let mut store = config.store().unwrap();
    let ring = Keyring::open(Arc::clone(&config.seal_key)).unwrap();
    store.seal_under(Rc::new(ring)).unwrap();
    let rows = database(world, node).query("SELECT context FROM runs WHERE ended <> 0", &[]);
    let rows = rows.unwrap();
    assert!(!rows.is_empty());
    for row in rows {
        assert!(store.run(&row.array(0).unwrap()).unwrap().is_some());
    }
}

/// Keys, a stock of both kinds: all of it moves under another key while requests are signed, by a job that is killed after
/// every piece; then the first key is destroyed, and everything is still there.
#[test]
fn a_key_is_replaced_piece_by_piece_and_destroyed() {
    let mut world = World::new("reseal", &[Scheme::Ecdsa, Scheme::Ed25519]);
    world.ready();
    let (ecdsa, ed25519) = (world.key(Scheme::Ecdsa), world.key(Scheme::Ed25519));
    let before = signature(world.sign(1, &ecdsa, b"pay 1 to Alice"));
    assert!(verifiers::ecdsa_secp256k1(&ecdsa.public_key, b"pay 1 to Alice", &before[..64]));
    world.ready();
    turn_key(&mut world, 1, 2);
    let config = world.node_config(1);
    let begun = left(&config).unwrap();
    assert!(begun >= 6, "{begun}");
    // The job is killed after each piece of one row, and begun anew.
    let (mut kills, mut before) = (0_u8, begun);
    loop {
        let mut pieces = 0;
        let killed = reseal(&config, 1, || {
            pieces += 1;
            if pieces <= 10 { Ok(()) } else { Err(Failure::new("killed")) }
        });
        let now = left(&config).unwrap();
        assert!(now < before || now == 0, "{now} of {before}");
        before = now;
        if killed.is_ok() {
            break;
        }
        kills += 1;
        let message = format!("pay {kills} to Alice");
        signature(world.sign(100 + kills, &ed25519, message.as_bytes()));
    }
    assert!(kills > 1, "it was never killed");
    assert_eq!(left(&config).unwrap(), 0);
    let there = counts(&world, 1);
    destroy(&world, 1, 1);
    world.start(1);
    assert_eq!(counts(&world, 1), there, "nothing was dropped");
    read_ended_runs(&world, 1);
    // Of the first two nodes, of which the first has the new key alone.
    world.stop(3);
    for (number, key) in [(2, &ecdsa), (3, &ed25519)] {
        let signed = signature(world.sign(number, key, b"pay 2 to Alice"));
        let good = match key.scheme {
            Scheme::Ecdsa => {
                verifiers::ecdsa_secp256k1(&key.public_key, b"pay 2 to Alice", &signed[..64])
            }
            _ => verifiers::ed25519(&key.public_key, b"pay 2 to Alice", &signed),
        };
        assert!(good);
    }
}

/// A key is destroyed too early: the node refuses to begin and names the key, drops nothing, and goes on when the key is
/// back.
#[test]
fn a_row_under_a_key_that_is_missing_names_it() {
    let mut world = World::new("early", &[Scheme::Ed25519]);
    world.ready();
    turn_key(&mut world, 1, 2);
    let there = counts(&world, 1);
    destroy(&world, 1, 1);
    world.stop(1);
    let config = world.node_config(1);
    let policy = Box::new(world.rules.clone());
    let why = quorate_custody::node::Node::start(config.clone(), policy).err().unwrap().to_string();
    assert_eq!(why, "the key service has no seal key 1, which is needed: give it back");
    let why = reseal(&config, 8, || Ok(())).unwrap_err().to_string();
    assert!(
        why.ends_with("the key service has no seal key 1, which is needed: give it back"),
        "{why}"
    );
    assert_eq!(counts(&world, 1), there);
    world.rings[&1].destroyed.lock().unwrap().clear();
    world.start(1);
    world.stop(3);
    let key = world.key(Scheme::Ed25519);
    signature(world.sign(1, &key, b"pay 1 to Alice"));
}

/// Rows from before there were stamps are under the first key; one that is damaged is counted, stays, and hinders no other.
#[test]
fn rows_without_a_stamp_are_of_the_first_key() {
    let mut world = World::new("stampless", &[Scheme::Ed25519]);
    world.ready();
    world.stop(1);
    let mut db = database(&world, 1);
    for sql in [
        "UPDATE keys SET sealed = substr(sealed, 17)",
        "UPDATE nonces SET sealed = substr(sealed, 17)",
        "UPDATE jobs SET outcome = substr(outcome, 17)",
    ] {
        assert!(db.execute(sql, &[]).unwrap() > 0);
    }
    world.start(1);
    world.stop(3);
    let key = world.key(Scheme::Ed25519);
    signature(world.sign(1, &key, b"pay 1 to Alice"));
    turn_key(&mut world, 1, 2);
    let damaged = "INSERT INTO presignatures (name, key_id, epoch, sealed) VALUES ($1, $1, 0, $1)";
    for name in [[1_u8; 32], [200; 32]] {
        db.execute(damaged, &values![&name]).unwrap();
    }
    let config = world.node_config(1);
    let moved = reseal(&config, 1, || Ok(())).unwrap();
    let of: BTreeMap<_, _> = moved.iter().map(|one| (one.name, (one.moved, one.damaged))).collect();
    assert_eq!(of["shares of keys"], (1, 0));
    assert_eq!(of["presignatures"], (0, 2));
    assert!(of["lists of nonces"].0 > 0 && of["results of sessions"].0 > 0, "{moved:?}");
    assert_eq!(left(&config).unwrap(), 2);
}

/// Sessions under way, their frames and messages: keys are made while the key changes again and again, and two jobs move
/// rows, one in the middle of the other; on SQLite and on PostgreSQL.
#[test]
fn what_is_under_way_goes_on() {
    Databases::each(|databases| {
        let mut world = World::new("under-way", &[]);
        world.stop(1);
        world.addresses.insert(1, databases.both(1));
        world.start(1);
        world.config.keys = vec![Scheme::Ed25519, Scheme::Ed25519];
        world.config.presignatures.low = 0;
        world.gateway = None;
        let open = quorate_custody::gateway::Gateway::open(world.config.clone(), world.now);
        world.gateway = Some(open.unwrap());
        world.faults = (100, 100, 400);
        let config = world.node_config(1);
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        let mut number = 1;
        for _ in 0..2_000 {
            world.step();
            if world.now.is_multiple_of(300) && number < 16 {
                number += 1;
                world.rings[&1].current.store(number, Ordering::Relaxed);
                let mut count = |moved: Vec<quorate_custody::reseal::Moved>| {
                    for one in moved {
                        *kinds.entry(one.name).or_default() += one.moved;
                    }
                };
                let mut inner = Vec::new();
                let outer = reseal(&config, 2, || {
                    inner.push(reseal(&config, 3, || Ok(()))?);
                    Ok(())
                });
                count(outer.unwrap());
                inner.into_iter().for_each(&mut count);
            }
            if number >= 16 && world.keys().len() == 2 {
                break;
            }
        }
        for kind in ["sessions", "jobs of open sessions", "frames", "messages", "shares of keys"] {
            assert!(kinds.get(kind).is_some_and(|moved| *moved > 0), "{kind}: {kinds:?}");
        }
        world.faults = (0, 0, 0);
        turn_key(&mut world, 1, 50);
        world.ready();
        reseal(&config, 100, || Ok(())).unwrap();
        assert_eq!(left(&config).unwrap(), 0);
        (1..50).for_each(|number| destroy(&world, 1, number));
        world.start(1);
        world.stop(3);
        let key = world.key(Scheme::Ed25519);
        signature(world.sign(1, &key, b"pay 1 to Alice"));
        // The totals of what waits to be sent are those of the rows.
        let mut db = database(&world, 1);
        let total = db.one("SELECT CAST(sum(outbox) AS BIGINT) FROM totals", &[]).unwrap();
        let sql = "SELECT CAST(coalesce(sum(length(sealed)), 0) AS BIGINT) FROM packets";
        assert_eq!(total.int(0).unwrap(), db.one(sql, &[]).unwrap().int(0).unwrap());
    });
}

#[test]
fn key_files_are_numbered_and_the_last_one_is_current() {
    let id = |number| SealKeyId::new(number).unwrap();
    let folder = std::env::temp_dir().join(quorate_examples::files::fresh_name("quorate-keys-"));
    std::fs::create_dir(&folder).unwrap();
    let first = folder.join("n1");
    let files = KeyFiles::open(&first).unwrap();
    std::fs::write(folder.join("n11"), "another node's").unwrap();
    assert_eq!((files.current().unwrap(), files.ids().unwrap()), (SealKeyId::FIRST, vec![id(1)]));
    assert_eq!((files.add().unwrap(), files.current().unwrap()), (id(2), id(2)));
    let [one, two] = [1, 2].map(|number| files.key(id(number)).unwrap().unwrap().to_secret_bytes());
    assert_ne!(*one, *two);
    assert!(files.key(id(3)).unwrap().is_none());
    // The first one is destroyed: none is made in its place.
    std::fs::remove_file(&first).unwrap();
    let files = KeyFiles::open(&first).unwrap();
    assert_eq!((files.current().unwrap(), files.path(id(2))), (id(2), folder.join("n1.2")));
    assert!(files.key(id(1)).unwrap().is_none() && !first.exists());
    std::fs::remove_dir_all(folder).unwrap();
}
