//! Three nodes in processes of their own, and the members of the directory in the hands of an attacker.

use core::time::Duration;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command};

use quorate::PartyId;
use quorate::ecdsa::{PresignatureInfo, Secp256k1};
use tokio::time::{sleep, timeout};

use crate::demo;
use crate::net::End;

/// The time for what has to happen.
const SOON: Duration = Duration::from_secs(60);

/// The answer of a node, or its refusal.
pub(crate) type Answer = Result<Vec<Vec<u8>>, String>;

/// The name of a presignature, of which a node has given the public side.
pub(crate) fn presignature(info: &[u8]) -> Vec<u8> {
    PresignatureInfo::<Secp256k1>::from_bytes(info).unwrap().id().to_bytes().to_vec()
}

/// Nodes, which are killed at the end, and their folders, which are removed.
pub(crate) struct Cluster {
    pub(crate) root: PathBuf,
    nodes: BTreeMap<u16, Child>,
}

impl Cluster {
    /// The folders of all members. No node runs.
    pub(crate) fn new(name: &str) -> Self {
        let root = format!("quorate-attack-{name}-{}", std::process::id());
        let root = std::env::temp_dir().join(root);
        drop(fs::remove_dir_all(&root));
        demo::set_up(&root).unwrap();
        Self { root, nodes: BTreeMap::new() }
    }

    /// Three nodes that are up and have made their keys.
    pub(crate) async fn with_keys(name: &str) -> Self {
        let mut cluster = Self::new(name);
        (1..=3).for_each(|node| cluster.start(node));
        for node in 1..=3 {
            cluster.ask(node, &[b"ecdsa"]).await.unwrap();
        }
        cluster
    }

    pub(crate) fn folder(&self, node: u16) -> PathBuf {
        self.root.join(format!("n{node}"))
    }

    /// Makes a folder a copy of another one.
    pub(crate) fn copy(&self, from: &str, to: &str) {
        let (from, to) = (self.root.join(from), self.root.join(to));
        drop(fs::remove_dir_all(&to));
        fs::create_dir_all(&to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }

    fn command(&self, node: u16) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quorate-service"));
        command.arg("node").arg(node.to_string()).arg(&self.root);
        command
    }

    pub(crate) fn start(&mut self, node: u16) {
        let log = File::options().create(true).append(true).open(self.log(node)).unwrap();
        let child = self.command(node).stderr(log).spawn().unwrap();
        assert!(self.nodes.insert(node, child).is_none(), "node {node} was up");
    }

    /// Starts a node that has to stop by itself. Gives what it says.
    pub(crate) fn start_in_vain(&self, node: u16) -> String {
        let output = self.command(node).output().unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    }

    /// Kills a node with SIGKILL.
    pub(crate) fn kill(&mut self, node: u16) {
        let mut child = self.nodes.remove(&node).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    fn log(&self, node: u16) -> PathBuf {
        self.root.join(format!("n{node}.log"))
    }

    /// The error output of a node.
    pub(crate) fn said(&self, node: u16) -> String {
        fs::read_to_string(self.log(node)).unwrap()
    }

    /// The address of a node, once it has one.
    pub(crate) async fn address(&self, node: u16) -> String {
        loop {
            if let Ok(address) = fs::read_to_string(self.folder(node).join("address")) {
                return address;
            }
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// A member's end of the network, in the hands of the test.
    pub(crate) fn member(&self, name: &str) -> End {
        End::open(&self.root, name).unwrap()
    }

    /// Gives an order as the client.
    pub(crate) async fn ask(&self, node: u16, order: &[&[u8]]) -> Answer {
        let client = self.member("client");
        let answer = timeout(SOON, client.ask(PartyId::new(node).unwrap(), order)).await;
        answer.map_err(|_| "no answer".to_owned())?.map_err(|why| why.to_string())
    }

    /// Has nodes 1 and 2 presign.
    pub(crate) async fn presign(&self, name: &str) -> [Answer; 2] {
        let word = format!("stock {name}");
        let order: &[&[u8]] = &[word.as_bytes()];
        let (one, two) = tokio::join!(self.ask(1, order), self.ask(2, order));
        [one, two]
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for child in self.nodes.values_mut() {
            drop(child.kill());
            drop(child.wait());
        }
        if std::thread::panicking() {
            for node in 1..=3 {
                let said = fs::read_to_string(self.log(node)).unwrap_or_default();
                eprintln!("node {node}: {said}");
            }
        }
        drop(fs::remove_dir_all(&self.root));
    }
}
