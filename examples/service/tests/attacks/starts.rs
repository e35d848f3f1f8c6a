//! The first hour, and starts that come twice.

use core::time::Duration;
use std::time::SystemTime;

use quorate::frost::ed25519::Dkg;
use quorate::runner::{Kind, RunTable as _};
use quorate_store::SqliteStore;
use tokio::time::sleep;

use crate::cluster::Cluster;

#[tokio::test]
async fn node_that_starts_a_day_before_the_others_still_waits_for_them() {
    let mut cluster = Cluster::new("first");
    cluster.start(1);
    cluster.address(1).await;
    sleep(Duration::from_secs(1)).await;
    cluster.kill(1);
    let folder = cluster.folder(1);
    let options = SqliteStore::options().spent(folder.join("spent.db"));
    let mut store = options.open(folder.join("node.db")).unwrap();
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap() + Duration::from_secs(24 * 3600);
    let (kinds, day) = ([Kind::of::<Dkg>()], u64::try_from(now.as_millis()).unwrap());
    assert_eq!(store.open(&kinds, None, 2).unwrap().len(), 1, "its key generation is open");
    assert_eq!(store.expired(&kinds, day, 2), Ok(Vec::new()), "and not over in a day");
}

#[tokio::test]
async fn second_process_of_a_node_stops_and_says_why() {
    let mut cluster = Cluster::new("twice");
    cluster.start(1);
    cluster.address(1).await;
    let why = cluster.start_in_vain(1);
    assert!(why.contains("n1/lock: another process has locked it"), "{why}");
}
