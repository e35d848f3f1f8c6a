//! An operator of the database who moves rows, or puts old ones back.

use custody_core::{KeyId, Material, Reason};
use quorate_store::{AnyStore, SqliteStore};

use crate::common::{Cluster, opaque, sign};

/// Spaces of rows: keys, shares, and what is made ahead.
const KEYS: u8 = 1;
const SHARES: u8 = 2;
const MATERIAL: u8 = 3;
/// Auxiliary information, sealed.
const AUX: u8 = 4;
/// The space of the ledger that says what was spent on which request.
const REQUESTS: u8 = 49;
/// The same in format 1.
const OLD_REQUESTS: u8 = 33;

/// Opens the databases of a node that is down.
fn store(cluster: &Cluster, number: u8) -> AnyStore {
    let options = SqliteStore::options().spent(cluster.file(number, "spent"));
    options.open(cluster.file(number, "node")).unwrap().into_any()
}

#[tokio::test(flavor = "multi_thread")]
async fn nonces_that_were_put_back_are_not_spent_twice_although_the_share_is_forgotten() {
    let mut cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    let material = Material::Nonces { package: cluster.package(key, &[1, 2], b"one").await };
    cluster.down(1).await;
    let rows = |rows: &mut quorate_store::Records<'_>| rows.list(MATERIAL, &[], None, 100);
    let before = store(&cluster, 1).read_records(rows).unwrap();
    cluster.up(1).await.unwrap();
    cluster.shares(&[1], &sign(key, &opaque(false, b"one")), &[], &material).await.unwrap();
    cluster.down(1).await;
    let mut opened = store(&cluster, 1);
    opened
        .records(|rows| {
            before.iter().try_for_each(|row| rows.put(MATERIAL, &row.name, &row.content))
        })
        .unwrap();
    opened.spend(|rows| rows.remove_all(REQUESTS, &[])).unwrap();
    drop(opened);
    cluster.up(1).await.unwrap();
    let again = sign(key, &opaque(false, b"one"));
    let refused = cluster.shares(&[1], &again, &[], &material).await.unwrap_err();
    assert_eq!(refused.reason, Reason::UnknownMaterial);
}

/// Puts the content of one key's row in the place of another's.
fn swap(cluster: &Cluster, space: u8, from: KeyId, to: KeyId) {
    let mut opened = store(cluster, 1);
    let swap = |rows: &mut quorate_store::Records<'_>| {
        let one = rows.list(space, from.as_bytes(), None, 1)?;
        let other = rows.list(space, to.as_bytes(), None, 1)?;
        rows.put(space, &other[0].name, &one[0].content)
    };
    opened.records(swap).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn node_does_not_open_with_the_share_or_the_purposes_of_another_key() {
    for space in [SHARES, KEYS] {
        let mut cluster = Cluster::start(2).await;
        let spec = |purpose: &str| {
            format!(
                r#"{{"scheme":"ed25519","threshold":2,"members":[1,2],"purposes":["{purpose}"]}}"#
            )
        };
        let votes = cluster.make_key_as(&spec("cometbft-vote")).await;
        let test = cluster.make_key_as(&spec("opaque-message")).await;
        cluster.down(1).await;
        swap(&cluster, space, test, votes);
        let opened = cluster.up(1).await;
        assert_eq!(opened.map_err(|why| why.reason), Err(Reason::Internal), "{space}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nonces_of_one_key_are_worth_nothing_under_another() {
    let mut cluster = Cluster::start(2).await;
    let (one, other) = (cluster.make_key("ed25519", 2).await, cluster.make_key("ed25519", 2).await);
    let material = Material::Nonces { package: cluster.package(one, &[1, 2], b"one").await };
    cluster.package(other, &[1, 2], b"one").await;
    cluster.down(1).await;
    let mut opened = store(&cluster, 1);
    opened
        .records(|rows| {
            let to = rows.list(MATERIAL, other.as_bytes(), None, 1)?;
            let place = to[0].name[..64].to_vec();
            for row in rows.list(MATERIAL, one.as_bytes(), None, 100)? {
                rows.put(MATERIAL, &[&place, &row.name[64..]].concat(), &row.content)?;
            }
            Ok(())
        })
        .unwrap();
    drop(opened);
    cluster.up(1).await.unwrap();
    // One pair gives one share at most, for whichever key.
    let mut shares = 0;
    for key in [other, one, other] {
        let request = sign(key, &opaque(false, b"one"));
        shares += usize::from(cluster.shares(&[1], &request, &[], &material).await.is_ok());
    }
    assert!(shares <= 1, "{shares}");
}

#[tokio::test(flavor = "multi_thread")]
async fn row_that_does_not_open_stops_a_change_of_the_seal_key_before_anything_is_changed() {
    let mut cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    cluster.package(key, &[1, 2], b"one").await;
    cluster.down(1).await;
    let old = std::sync::Arc::clone(&cluster.settings(1).seal_key);
    let new = quorate::SealKey::new([77; 32]);
    let all = |cluster: &Cluster| {
        let mut opened = store(cluster, 1);
        [KEYS, SHARES, MATERIAL]
            .map(|space| opened.read_records(|rows| rows.list(space, &[], None, 100)).unwrap())
    };
    // Auxiliary information is resealed after the shares.
    store(&cluster, 1).records(|rows| rows.put(AUX, &[7; 32], b"damaged")).unwrap();
    let before = all(&cluster);
    assert!(before.iter().all(|rows| !rows.is_empty()));
    assert!(custody_node::reseal(&mut store(&cluster, 1), &old, &new).is_err());
    assert_eq!(all(&cluster), before);
    store(&cluster, 1).records(|rows| rows.remove(AUX, &[7; 32])).unwrap();
    cluster.up(1).await.unwrap();
    cluster.sign_frost(key, &[1, 2], b"two").await.unwrap();
    cluster.down(1).await;
    assert!(custody_node::reseal(&mut store(&cluster, 1), &old, &new).unwrap() > 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn node_does_not_open_a_ledger_of_the_format_before() {
    let mut cluster = Cluster::start(2).await;
    let key = cluster.make_key("ed25519", 2).await;
    cluster.down(1).await;
    store(&cluster, 1).spend(|rows| rows.put(OLD_REQUESTS, &[7; 32], b"a request")).unwrap();
    let refused = cluster.up(1).await.unwrap_err();
    assert_eq!(refused.reason, Reason::Unsupported);
    assert!(
        refused.detail.contains("format 1") && refused.detail.contains("format 2"),
        "{refused}"
    );
    // It has changed nothing.
    store(&cluster, 1).spend(|rows| rows.remove_all(OLD_REQUESTS, &[])).unwrap();
    cluster.up(1).await.unwrap();
    cluster.sign_frost(key, &[1, 2], b"pay 5").await.unwrap();
}
