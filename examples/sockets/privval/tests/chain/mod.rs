//! Chains of unmodified CometBFT nodes on this machine.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sockets_privval::Address;
use sockets_testkit::{Folder, Running, free_port, run};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::common::CHAIN;

/// The nodes with a vote. Two more have none, unless a test gives them a signer.
pub(crate) const VALIDATORS: usize = 4;
const ALL: usize = 6;

/// A chain with its nodes, of which some run.
pub(crate) struct Chain {
    program: PathBuf,
    pub(crate) folder: Folder,
    running: Vec<Option<Running>>,
    peers: Vec<(u16, u16, String)>,
}

impl Chain {
    /// A chain whose first validators have these public keys.
    pub(crate) fn new(program: &Path, keys: &[[u8; 32]]) -> Self {
        let folder = Folder::new();
        let mut command = Command::new(program);
        let out = folder.path().display().to_string();
        command.args([
            "testnet",
            "--v",
            "4",
            "--n",
            "2",
            "--populate-persistent-peers=false",
            "--o",
        ]);
        let made = run(command.arg(&out).env("HOME", &out));
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let path = |node: usize, file: &str| folder.join(&format!("node{node}/config/{file}"));
        let genesis = std::fs::read(path(0, "genesis.json")).unwrap();
        let mut genesis: Value = serde_json::from_slice(&genesis).unwrap();
        genesis["chain_id"] = json!(CHAIN);
        for (validator, key) in genesis["validators"].as_array_mut().unwrap().iter_mut().zip(keys) {
            validator["address"] = json!(address(key));
            validator["pub_key"]["value"] = json!(BASE64_STANDARD.encode(key));
        }
        // The chain has vote extensions, which its application leaves empty: 1.0 has the switch elsewhere than 0.38.
        let consensus = &mut genesis["consensus_params"];
        let place = if consensus["feature"].is_object() { "feature" } else { "abci" };
        consensus[place]["vote_extensions_enable_height"] = json!("1");
        let peers = (0..ALL).map(|node| {
            std::fs::write(path(node, "genesis.json"), genesis.to_string()).unwrap();
            let config = std::fs::read_to_string(path(node, "config.toml")).unwrap();
            let config = config.replace("timeout_commit = \"1s\"", "timeout_commit = \"100ms\"");
            std::fs::write(path(node, "config.toml"), config).unwrap();
            let home = folder.join(&format!("node{node}")).display().to_string();
            let id = run(Command::new(program).args(["show-node-id", "--home", &home]));
            let id = String::from_utf8(id.stdout).unwrap();
            (free_port(), free_port(), id.trim().to_owned())
        });
        let peers = peers.collect();
        let running = (0..ALL).map(|_| None).collect();
        Self { program: program.to_owned(), folder, running, peers }
    }

    /// Starts a node, with a signer at this address or with the key in its file.
    pub(crate) fn start(&mut self, node: usize, signer: Option<&Address>) {
        let (p2p, rpc, _) = &self.peers[node];
        let others = self.peers.iter().enumerate().filter(|(number, _)| *number != node);
        let others: Vec<_> =
            others.map(|(_, (p2p, _, id))| format!("{id}@127.0.0.1:{p2p}")).collect();
        let mut command = Command::new(&self.program);
        command.args(["node", "--proxy_app", "kvstore", "--log_level", "error", "--p2p.pex=false"]);
        command.arg("--home").arg(self.folder.join(&format!("node{node}")));
        command.arg(format!("--p2p.laddr=tcp://127.0.0.1:{p2p}"));
        command.arg(format!("--rpc.laddr=tcp://127.0.0.1:{rpc}"));
        command.arg(format!("--p2p.persistent_peers={}", others.join(",")));
        if let Some(signer) = signer {
            // A node that was killed leaves its socket behind, and does not start over it.
            if let Address::Unix(path) = signer {
                std::fs::remove_file(path).ok();
            }
            command.arg(format!("--priv_validator_laddr={signer}"));
        }
        let log = File::create(self.folder.join(&format!("node{node}.log"))).unwrap();
        command.env("HOME", self.folder.path()).stdin(Stdio::null());
        command.stderr(log.try_clone().unwrap()).stdout(log);
        self.running[node] = Some(Running(command.spawn().unwrap()));
    }

    /// Kills a node.
    pub(crate) fn kill(&mut self, node: usize) {
        self.running[node] = None;
    }

    async fn get(&self, node: usize, path: &str) -> Option<Value> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.peers[node].1)).await.ok()?;
        let request = format!("GET /{path} HTTP/1.0\r\nHost: localhost\r\n\r\n");
        stream.write_all(request.as_bytes()).await.ok()?;
        let mut answer = vec![];
        stream.read_to_end(&mut answer).await.ok()?;
        let at = answer.windows(4).position(|end| end == b"\r\n\r\n")?;
        let mut answer: Value = serde_json::from_slice(&answer[at + 4..]).ok()?;
        Some(answer["result"].take())
    }

    /// The height of the last block that a node has; zero if it does not answer.
    pub(crate) async fn height(&self, node: usize) -> u64 {
        let status = self.get(node, "status").await.unwrap_or_default();
        let height = status["sync_info"]["latest_block_height"].as_str();
        height.and_then(|height| height.parse().ok()).unwrap_or_default()
    }

    /// Waits until a node has a block at this height.
    pub(crate) async fn reach(&self, node: usize, height: u64) {
        let since = Instant::now();
        while self.height(node).await < height {
            if since.elapsed() > Duration::from_secs(120) {
                let log = std::fs::read_to_string(self.folder.join(&format!("node{node}.log")));
                let log = log.unwrap_or_default();
                let end: Vec<_> = log.lines().rev().take(20).collect();
                panic!("node {node} is at {}, not {height}: {end:#?}", self.height(node).await);
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Waits for this many blocks, and gives the height after them.
    pub(crate) async fn blocks(&self, node: usize, count: u64) -> u64 {
        let height = self.height(node).await + count;
        self.reach(node, height).await;
        height
    }

    /// Waits until a validator has a vote in the commit of a block after this height, and gives the height of that block.
    pub(crate) async fn commits_of(&self, node: usize, key: &[u8; 32], after: u64) -> u64 {
        for height in after + 1..after + 40 {
            self.reach(node, height + 1).await;
            if self.signers(node, height).await.contains(&address(key)) {
                return height;
            }
        }
        panic!("the validator {} has no vote after {after}", address(key));
    }

    /// The addresses of the validators whose votes for a block are in its commit.
    pub(crate) async fn signers(&self, node: usize, height: u64) -> Vec<String> {
        let commit = self.get(node, &format!("commit?height={height}")).await.unwrap();
        let votes = commit["signed_header"]["commit"]["signatures"].as_array().unwrap().clone();
        let signed = votes.iter().filter(|vote| vote["block_id_flag"] == json!(2));
        signed.map(|vote| vote["validator_address"].as_str().unwrap().to_owned()).collect()
    }

    /// Returns whether some block has evidence that a validator has contradicted itself.
    pub(crate) async fn has_evidence(&self, node: usize) -> bool {
        for height in 1..=self.height(node).await {
            let block = self.get(node, &format!("block?height={height}")).await.unwrap();
            let evidence = &block["block"]["evidence"]["evidence"];
            if evidence.as_array().is_some_and(|all| !all.is_empty()) {
                return true;
            }
        }
        false
    }
}

/// The address of a validator, as CometBFT writes it.
pub(crate) fn address(key: &[u8; 32]) -> String {
    Sha256::digest(key).iter().take(20).map(|byte| format!("{byte:02X}")).collect()
}
