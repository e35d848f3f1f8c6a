//! Databases that were restored from an older copy: of one node, one of its two alone, of all nodes at once.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use core::time::Duration;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use custody_client::{Asked, ClientError, PinnedKey};
use custody_core::Scheme;
use custody_lab::{Cluster, Options, message, nats_server, payment};
use quorate_purpose::Kind;

const NODES: [&str; 3] = ["n1", "n2", "n3"];

/// The cluster, its keys of FROST and ECDSA, and the points R of all signatures: none may come twice.
struct World {
    cluster: Cluster,
    keys: [PinnedKey; 2],
    points: BTreeSet<Vec<u8>>,
    number: u32,
}

impl World {
    async fn new(name: &str) -> Option<Self> {
        let nats = nats_server()?;
        let options = Options::new(name, env!("CARGO_BIN_EXE_custody-lab"), nats);
        let cluster = Cluster::start(options).unwrap();
        let keys = [
            cluster.make(Scheme::Ed25519, Kind::OpaqueMessage).await.unwrap(),
            cluster.make(Scheme::EcdsaSecp256k1, Kind::EvmTransaction).await.unwrap(),
        ];
        Some(Self { cluster, keys, points: BTreeSet::new(), number: 0 })
    }

    /// Signs with the keys in turn.
    async fn attempt(&mut self, within: u64) -> Result<(), ClientError> {
        self.number += 1;
        let number = self.number;
        let (key, purpose) = match number & 1 {
            0 => (&self.keys[0], message(&format!("message {number}"))),
            _ => (&self.keys[1], payment(1, number.into())),
        };
        let asked = Asked { within: Duration::from_secs(within), ..Asked::default() };
        let signature = self.cluster.requester.sign(key, &purpose.unwrap(), &asked).await?;
        let point = signature.bytes[..32].to_vec();
        assert!(self.points.insert(point), "a nonce was spent twice");
        Ok(())
    }

    async fn sign(&mut self, count: usize) {
        for _ in 0..count {
            let signed = self.attempt(90).await;
            assert_eq!(signed, Ok(()), "{}", self.cluster.logs());
        }
    }

    fn copy(&self, who: &str) {
        let (folder, copy) = (self.cluster.place.path(who), self.cluster.place.path("copies"));
        fs::create_dir_all(&copy).unwrap();
        drop(fs::remove_dir_all(copy.join(who)));
        copied(&folder, &copy.join(who));
    }

    /// Puts files of a copy back; the whole folder if the name is empty.
    fn put_back(&self, who: &str, file: &str) {
        let (folder, copy) = (self.cluster.place.path(who), self.cluster.place.path("copies"));
        if file.is_empty() {
            fs::remove_dir_all(&folder).unwrap();
            return copied(&copy.join(who), &folder);
        }
        for end in ["", "-wal", "-shm"] {
            let name = format!("{file}{end}");
            drop(fs::remove_file(folder.join(&name)));
            let old = copy.join(who).join(&name);
            if old.exists() {
                fs::copy(old, folder.join(&name)).unwrap();
            }
        }
    }
}

fn copied(from: &Path, to: &Path) {
    let status = Command::new("cp").arg("-a").arg(from).arg(to).status();
    assert!(status.unwrap().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn restored_node_signs_nothing_until_it_has_rejoined() {
    let Some(mut world) = World::new("restored-one").await else { return };
    world.sign(2).await;
    for file in ["", "data.db", "spent/spent.db"] {
        world.cluster.kill("n1");
        world.copy("n1");
        world.cluster.up("n1").unwrap();
        world.cluster.ready("n1").await.unwrap();
        // Node 1 gives shares that its copy knows nothing of, and its peers hear of them.
        world.cluster.kill("n2");
        world.sign(3).await;
        tokio::time::sleep(Duration::from_secs(3)).await;
        world.cluster.kill("n1");
        world.put_back("n1", file);
        fs::remove_file(world.cluster.place.path("n1.log")).unwrap();
        world.cluster.up("n1").unwrap();
        let refused = async || {
            let log = fs::read_to_string(world.cluster.place.path("n1.log")).unwrap_or_default();
            if log.contains("restored to an older copy") { Ok(()) } else { Err("it says nothing") }
        };
        world.cluster.until(file, refused).await.unwrap();
        world.attempt(6).await.unwrap_err();
        world.cluster.up("n2").unwrap();
        world.sign(2).await;
        world.cluster.kill("n1");
        let mut command = world.cluster.command("n1");
        command.arg("--rejoin");
        world.cluster.spawn("n1", command).unwrap();
        world.cluster.ready("n1").await.unwrap();
        world.cluster.kill("n2");
        world.sign(2).await;
        world.cluster.up("n2").unwrap();
        world.cluster.ready("n2").await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_that_are_restored_together_spend_nothing_of_before() {
    let Some(mut world) = World::new("restored-all").await else { return };
    world.sign(2).await;
    // One after the other, so that each keeps what it has made ahead, and the copies have it.
    for who in NODES {
        world.cluster.kill(who);
        world.copy(who);
        world.cluster.up(who).unwrap();
        world.cluster.ready(who).await.unwrap();
    }
    world.cluster.kill("g1");
    world.copy("g1");
    world.cluster.up("g1").unwrap();
    world.sign(8).await;
    // First the gateway stays as it is: it has lists of what the nodes had. Then it is restored, too.
    for machines in [&NODES[..], &["n1", "n2", "n3", "g1"][..]] {
        for who in machines {
            world.cluster.kill(who);
            world.put_back(who, "");
        }
        for who in machines {
            world.cluster.up(who).unwrap();
        }
        world.sign(12).await;
    }
}
