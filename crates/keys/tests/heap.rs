//! No share is left behind in memory that was freed.
//!
//! Every block that is freed or moved is searched for the shares of the run: the old ones, the values that the
//! dealers derive from them, and the new ones. A run is a function of its seed. So it is made once to learn the
//! shares, and again to be watched.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::integer_division_remainder_used,
    reason = "a test that fails stops"
)]
#![allow(dead_code, reason = "shared with other tests")]

#[path = "migrate/families.rs"]
mod families;
#[path = "keys/group.rs"]
mod group;
#[path = "keys/shown.rs"]
mod shown;

use families::{EcdsaP256, Fixture, FrostTaproot};
use group::{Key, Of, committee, id, parties, rng};
use quorate_curve::{Curve, Ed25519, P256, Secp256k1, Secret};
use quorate_keys::migrate::{cggmp24, frost};
use quorate_keys::session::container::{DIGEST, HEADER};
use quorate_keys::session::sim::Network;
use quorate_keys::single_point_of_failure::{export, import};
use quorate_keys::{Backup, BackupKey, HealthChallenge};
use quorate_sharing::lagrange;
use quorate_testkit::heap::{Summary, WatchingAllocator, Watchlist};
use quorate_testkit::unhex;

#[global_allocator]
static ALLOCATOR: WatchingAllocator = WatchingAllocator;

fn note<C: Curve>(list: &mut Watchlist, name: &str, scalar: &C::Scalar) {
    list.bytes(format!("{name}, encoded"), C::encode_scalar(scalar).as_ref());
    list.memory(format!("{name}, in memory"), scalar);
}

/// The shares of a key, those weighted for the dealers, and the whole key.
fn secrets<C: Curve>(list: &mut Watchlist, key: &Key<C>, dealers: &[u16]) {
    note::<C>(list, "the key", &key.x);
    for (party, share) in &key.shares {
        note::<C>(list, &format!("the share of {party}"), share.secret().expose());
        if dealers.contains(party) {
            let ids = parties(dealers);
            let lambda = lagrange::one_at_zero::<C>(ids.as_slice(), id(*party)).unwrap();
            note::<C>(list, &format!("λ·s of {party}"), &(lambda * *share.secret().expose()));
        }
    }
}

fn nothing_is_left<C: Curve>() {
    let key = Key::<C>::dealt(&[1, 2, 3, 5], 3, 4);
    let dealers = [1, 3, 5];
    let to = [2, 3, 4, 5];
    let new = key.reshared(&dealers, &to, 3, 2);
    let mut list = Watchlist::new();
    secrets(&mut list, &key, &dealers);
    secrets(&mut list, &new, &[]);
    assert!(list.len() > 40);
    let (again, found) = list.watch(|| key.reshared(&dealers, &to, 3, 2));
    assert!(again.public == new.public);
    assert!(found.is_empty(), "resharing over {}: {}", C::NAME, Summary(&found));
    let ((), found) = list.watch(|| {
        let report = key.repair(Network::new(3).crash(50), &[1, 2, 3], 5);
        assert!(report.results.values().all(Result::is_ok));
    });
    assert!(found.is_empty(), "repair over {}: {}", C::NAME, Summary(&found));
    let ((), found) = list.watch(|| {
        for share in new.shares.values() {
            drop(group::copy(share));
        }
    });
    assert!(found.is_empty(), "stored over {}: {}", C::NAME, Summary(&found));
}

/// The masks of a backup's hidden repetitions. Together with the values that the proof shows, each gives the
/// share.
fn masks<C: Curve>(list: &mut Watchlist, backup: &Backup<Of<C>>, share: &C::Scalar) {
    let bytes = backup.to_bytes();
    let body = &bytes[HEADER..bytes.len() - DIGEST];
    let (point, scalar) = (size_of::<C::PointBytes>(), size_of::<C::ScalarBytes>());
    for (_, at) in shown::repetitions::<C>(body, 0).into_iter().filter(|one| one.0) {
        let z = &body[at + point + scalar..at + point + 2 * scalar];
        note::<C>(list, "a mask", &(C::decode_scalar(z).unwrap() - *share));
    }
}

fn nothing_is_left_of_a_backup<C: Curve>() {
    let key = Key::<C>::dealt(&[1, 2, 3], 2, 4);
    let share = &key.shares[&2];
    let make = || BackupKey::<Of<C>>::generate(&mut rng(9)).unwrap();
    let offline = make();
    let seal = || Backup::seal(share, &key.public, offline.recipient(), b"", &mut rng(10)).unwrap();
    let sealed = seal();
    let mut list = Watchlist::new();
    secrets(&mut list, &key, &[]);
    masks(&mut list, &sealed, share.secret().expose());
    let stored = offline.to_bytes();
    let y = C::decode_scalar(&stored[HEADER..stored.len() - DIGEST]).unwrap();
    note::<C>(&mut list, "the offline key", &y);
    let (again, found) = list.watch(seal);
    assert!(again == sealed);
    assert!(found.is_empty(), "sealing over {}: {}", C::NAME, Summary(&found));
    let (y, found) = list.watch(|| {
        let offline = BackupKey::<Of<C>>::from_bytes(&make().to_bytes()).unwrap();
        let restored = offline.restore(&sealed, &key.public).unwrap();
        assert!(restored.verifying_share() == share.verifying_share());
        let asked = HealthChallenge::from_bytes([1; 32]);
        drop(restored.prove_health(&asked, &mut rng(1)));
        offline.drill(&sealed, &key.public, &asked, &mut rng(2)).unwrap()
    });
    assert!(y.id() == id(2));
    assert!(found.is_empty(), "opening over {}: {}", C::NAME, Summary(&found));
    let ((), found) = list.watch(|| {
        let shares: Vec<_> = key.shares.values().map(group::copy).collect();
        let whole = export(&key.public, &shares).unwrap();
        assert!(*whole.expose() == key.x);
        let x = Secret::new(*whole.expose());
        drop(import::<Of<C>>(x, committee(&[1, 2, 3], 2), [9; 32], &mut rng(4)).unwrap());
    });
    assert!(found.is_empty(), "export and import over {}: {}", C::NAME, Summary(&found));
}

/// A share that is read from another library's file: in digits, with the other sign, and times a coefficient.
fn nothing_is_left_of_migration() {
    let keys = ["dealer0", "sparse"].map(|key| {
        let public = FrostTaproot::FILE.bytes(&format!("{key}/public"));
        let own = [
            FrostTaproot::FILE.json(&format!("{key}/1")).into(),
            FrostTaproot::FILE.bytes(&format!("{key}/1")),
        ];
        (own, public)
    });
    let taproot =
        |own: &[u8], public: &[u8]| frost::key_package::<FrostTaproot>(own, public).unwrap().share;
    let ecdsa = |own: &str| cggmp24::key_share::<EcdsaP256>(own.as_bytes()).unwrap().share;
    let shares = ["threshold/1", "no-polynomial/1"].map(|name| EcdsaP256::FILE.line(name));
    let mut list = Watchlist::new();
    for ([text, _], public) in &keys {
        let secret = *taproot(text, public).secret().expose();
        note::<Secp256k1>(&mut list, "a share", &secret);
        note::<Secp256k1>(&mut list, "a share with the other sign", &-secret);
        digits(&mut list, text, "signing_share");
    }
    for share in shares {
        note::<P256>(&mut list, "a share", ecdsa(share).secret().expose());
        digits(&mut list, share.as_bytes(), "x");
    }
    let ((), found) = list.watch(|| {
        keys.iter().for_each(|(own, public)| own.iter().for_each(|own| drop(taproot(own, public))));
        shares.into_iter().for_each(|share| drop(ecdsa(share)));
    });
    assert!(found.is_empty(), "migration: {}", Summary(&found));
}

/// The secret as it stands in a file, and its bytes.
fn digits(list: &mut Watchlist, json: &[u8], field: &str) {
    let from = format!("\"{field}\":\"");
    let at = json.windows(from.len()).position(|window| window == from.as_bytes()).unwrap();
    let digits = &json[at + from.len()..][..64];
    list.bytes(format!("{field}, in digits"), digits);
    list.bytes(field.to_owned(), &unhex(core::str::from_utf8(digits).unwrap()));
}

/// The control: a share that is dropped in clear is found.
fn what_is_left_is_found() {
    let key = Key::<Ed25519>::dealt(&[1, 2, 3], 2, 4);
    let mut list = Watchlist::new();
    secrets(&mut list, &key, &[]);
    let ((), found) = list.watch(|| drop(key.shares[&1].to_bytes().to_vec()));
    assert!(!found.is_empty());
}

/// One test, since blocks freed by other threads are searched as well.
#[test]
fn no_share_is_left_in_freed_memory() {
    what_is_left_is_found();
    nothing_is_left::<Ed25519>();
    nothing_is_left::<Secp256k1>();
    nothing_is_left::<P256>();
    nothing_is_left_of_a_backup::<Ed25519>();
    nothing_is_left_of_a_backup::<Secp256k1>();
    nothing_is_left_of_a_backup::<P256>();
    nothing_is_left_of_migration();
}
