//! The settings of processes, as files. A path that is not absolute begins at the file's folder.

use core::net::SocketAddr;
use std::fs;
use std::path::{Path, PathBuf};

use quorate_examples::failure::Failure;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::bus::nats::Access;
use crate::chaos::disturb::Disturb;
use crate::chaos::misbehave::Misbehave;
use crate::http::Listen;

/// What all nodes and gateways of a custody have the same.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Common {
    /// The name of the custody, 32 bytes in hexadecimal.
    pub custody: String,
    /// The nodes.
    pub nodes: Vec<u16>,
    /// The gateways.
    pub gateways: Vec<u16>,
    /// How many nodes sign.
    pub threshold: u16,
    /// The level of the moduli, 112 or 128.
    pub level: u32,
    /// The file of the directory.
    pub directory: PathBuf,
}

/// What every process has.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Process {
    /// Where it listens.
    pub http: SocketAddr,
    /// Whether that may be another address than this machine's own.
    #[serde(default)]
    pub beyond_this_machine: bool,
    /// What is logged, as in `RUST_LOG`.
    #[serde(default = "info")]
    pub log: String,
    /// For how many milliseconds it goes on with what it has begun when it is asked to end.
    #[serde(default = "drain")]
    pub drain_ms: u64,
    /// What makes its life harder, in a trial.
    #[serde(default)]
    pub chaos: Option<Chaos>,
}

/// What makes the life of a process harder. For trials, and nothing else.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Chaos {
    /// How bad its bus is.
    #[serde(default)]
    pub bus: Option<Disturb>,
    /// A file with the milliseconds that its clock is ahead.
    #[serde(default)]
    pub clock: Option<PathBuf>,
    /// The nodes whose workers know of no leases: all of them work on everything.
    #[serde(default)]
    pub without_leases: Vec<u16>,
    /// A node whose workers cheat on purpose.
    #[serde(default)]
    pub misbehave: Option<Misbehave>,
}

fn info() -> String {
    "info".to_owned()
}

const fn drain() -> u64 {
    15_000
}

/// How the broker is reached.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Broker {
    /// Its address.
    pub url: String,
    /// The file of the certificate that signs the others.
    pub authority: PathBuf,
    /// The file of this end's certificate.
    pub certificate: PathBuf,
    /// The file of its key.
    pub key: PathBuf,
}

/// A counter outside of a node.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Counter {
    /// A file, on a disk that is put back with nothing else.
    File(PathBuf),
    /// A program with its first arguments, which [follows](crate::counter::CounterCommand) a protocol of two words.
    Command(Vec<String>),
}

/// A worker of a node.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// The node.
    pub node: u16,
    /// The number of the worker, from 1.
    pub worker: u16,
    /// The number of workers of the node. They share the kinds of jobs by leases; each of them signs.
    pub workers: u16,
    /// The file of the node's keys.
    pub identity: PathBuf,
    /// The file of the key that seals the database.
    pub seal_key: PathBuf,
    /// The file of what the node signs.
    pub policy: PathBuf,
    /// The database: a server's address, with the password, or a file.
    pub database: String,
    /// The ledger of what was spent.
    pub ledger: String,
    /// The number of peers that have to vouch for this node's history before it uses what it had made ahead.
    pub witnesses: usize,
    /// Whether a node whose database was put back begins a new epoch, without what it had made ahead; it refuses otherwise.
    pub rejoins: bool,
    /// What remembers how far the node has come, where no backup of it reaches.
    #[serde(default)]
    pub counter: Option<Counter>,
    /// A file to note each frame in that is sent, for an audit.
    #[serde(default)]
    pub record: Option<PathBuf>,
    /// What all have the same.
    pub common: Common,
    /// The broker.
    pub broker: Broker,
    /// The process.
    pub process: Process,
}

/// The marks of a stock: filled up to the high one when it has fallen below the low one.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Marks {
    /// The low mark.
    pub low: usize,
    /// The high mark.
    pub high: usize,
}

/// A gateway.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Gateway {
    /// Its number.
    pub gateway: u16,
    /// The file of its keys.
    pub identity: PathBuf,
    /// The database.
    pub database: String,
    /// The keys that are made if they are not there, by the names of their schemes.
    pub keys: Vec<String>,
    /// The presignatures of each key.
    pub presignatures: Marks,
    /// The nonces of each key and node.
    pub nonces: Marks,
    /// The most open requests.
    pub open: usize,
    /// What all have the same.
    pub common: Common,
    /// The broker.
    pub broker: Broker,
    /// The process.
    pub process: Process,
}

/// The keeper of the broker's streams.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Keeper {
    /// The file of its NKey's seed.
    pub seed: PathBuf,
    /// The copies of each stream that the servers of the broker keep: 1 for a single server, 3 or 5 for a cluster.
    #[serde(default)]
    pub replicas: Replicas,
    /// What all have the same.
    pub common: Common,
    /// The broker.
    pub broker: Broker,
    /// The process.
    pub process: Process,
}

/// The copies of a stream: 1, 3 or 5. An even number survives no more failures than the number below it.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(try_from = "u8", into = "u8")]
pub struct Replicas(u8);

impl Default for Replicas {
    fn default() -> Self {
        Self(1)
    }
}

impl TryFrom<u8> for Replicas {
    type Error = String;

    fn try_from(count: u8) -> Result<Self, String> {
        match count {
            1 | 3 | 5 => Ok(Self(count)),
            _ => Err(format!(
                "{count} replicas: expected 1 for a single server, or 3 or 5 for a cluster"
            )),
        }
    }
}

impl From<Replicas> for u8 {
    fn from(replicas: Replicas) -> Self {
        replicas.0
    }
}

/// Reads settings.
///
/// # Errors
/// A [`Failure`] with the place in the file.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    let text = fs::read_to_string(path).map_err(Failure::file("read", path))?;
    let broken = |error| Failure::new(format!("{}: {error}", path.display()));
    serde_json::from_str(&text).map_err(broken)
}

/// A path of the settings in this file.
#[must_use]
pub fn beside(file: &Path, path: &Path) -> PathBuf {
    file.parent().map_or_else(|| path.to_owned(), |folder| folder.join(path))
}

impl Process {
    /// Where it listens.
    #[must_use]
    pub const fn listen(&self) -> Listen {
        Listen { address: self.http, beyond_this_machine: self.beyond_this_machine }
    }
}

impl Broker {
    /// The broker of this access.
    #[must_use]
    pub fn new(access: Access) -> Self {
        let Access { url, authority, certificate, key } = access;
        Self { url, authority, certificate, key }
    }

    /// The access, for the settings in this file.
    #[must_use]
    pub fn access(&self, file: &Path) -> Access {
        Access {
            url: self.url.clone(),
            authority: beside(file, &self.authority),
            certificate: beside(file, &self.certificate),
            key: beside(file, &self.key),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails stops")]
mod tests {
    use super::Replicas;

    #[test]
    fn replicas_are_an_odd_number_of_servers_that_form_a_cluster() {
        for count in [1_u8, 3, 5] {
            let read: Replicas = serde_json::from_str(&count.to_string()).unwrap();
            assert_eq!(u8::from(read), count);
        }
        for count in ["0", "2", "4", "7"] {
            assert!(serde_json::from_str::<Replicas>(count).is_err(), "{count}");
        }
        assert_eq!(u8::from(Replicas::default()), 1);
    }
}
