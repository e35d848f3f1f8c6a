//! A deployment on one machine: the folder of a service, with everything that its processes need.
//!
//! ```text
//! DIR/deployment.json   what was chosen when it was made
//! DIR/directory.json    who takes part, with public keys
//! DIR/requester.key     the key of the one who asks for signatures
//! DIR/keys/n1           the key that seals node 1's database: apart from the database, never in one backup with it
//! DIR/n1/identity       node 1's own keys; n1/policy.json what it signs; n1/1.json the settings of its first worker
//! DIR/g1/, keeper/      the settings of the gateway, and of the keeper of the broker's streams
//! DIR/postgres, ledger, nats   the servers; the ledger of what was spent is in a server of its own
//! DIR/run, DIR/log      the numbers of processes, and what they say
//! ```

pub(crate) mod servers;
pub mod settings;
pub mod unit;

use core::net::{Ipv4Addr, SocketAddr};
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use ed25519_dalek::SigningKey;
use getrandom::SysRng;
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::session::zeroize::Zeroizing;
use quorate_examples::failure::Failure;
use serde::{Deserialize, Serialize};

use self::settings::Marks;
use crate::bus::Peer;
use crate::directory::{Directory, Identity};
use crate::http::form::hex;
use crate::keyfile;

const FORMAT: &str = "custody deployment 1";
/// The first ports that are tried: below those that systems give to clients.
const PORTS: core::ops::Range<u16> = 20_000..32_000;
/// The name of the requester.
const REQUESTER: &str = "operator";

/// What was chosen when a deployment was made.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    format: String,
    /// The name of the custody, 32 bytes in hexadecimal: the names of all its sessions come from it.
    pub custody: String,
    /// The number of nodes.
    pub nodes: u16,
    /// How many of them sign.
    pub threshold: u16,
    /// The workers of each node.
    pub workers: u16,
    /// The level of the moduli, 112 or 128.
    pub level: u32,
    /// The first of its ports.
    pub ports: u16,
    /// What may be changed at any time: it holds from the next `up` on, for processes that begin.
    #[serde(default)]
    pub tuning: Tuning,
}

/// What an operator may change in `deployment.json`.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Tuning {
    /// The marks of each key's presignatures.
    pub presignatures: Marks,
    /// The marks of each key's nonces.
    pub nonces: Marks,
    /// Whether workers note each frame that they send, for `audit`. The file grows without end.
    pub record: bool,
}

impl Default for Tuning {
    fn default() -> Self {
        let presignatures = Marks { low: 32, high: 64 };
        Self { presignatures, nonces: Marks { low: 1024, high: 4096 }, record: true }
    }
}

/// The folder of a deployment.
#[derive(Clone, Debug)]
pub struct Deployment {
    dir: PathBuf,
    choice: Choice,
}

/// What somebody asks of a deployment: what is not given is as it was made, and 3 nodes, of which 2 sign, with 2 workers each
/// and moduli of level 112 where there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Asked {
    /// The number of nodes.
    pub nodes: Option<u16>,
    /// How many of them sign.
    pub threshold: Option<u16>,
    /// The workers of each node.
    pub workers: Option<u16>,
    /// The level of the moduli, 112 or 128.
    pub level: Option<u32>,
}

impl Asked {
    /// The size, with these values where nothing is given.
    fn or(self, other: Size) -> Size {
        Size {
            nodes: self.nodes.unwrap_or(other.nodes),
            threshold: self.threshold.unwrap_or(other.threshold),
            workers: self.workers.unwrap_or(other.workers),
            level: self.level.unwrap_or(other.level),
        }
    }
}

impl From<Size> for Asked {
    fn from(Size { nodes, threshold, workers, level }: Size) -> Self {
        let [nodes, threshold, workers] = [nodes, threshold, workers].map(Some);
        Self { nodes, threshold, workers, level: Some(level) }
    }
}

/// The size of a deployment that nobody has asked for another one.
const USUAL: Size = Size { nodes: 3, threshold: 2, workers: 2, level: 112 };

/// What is chosen by whoever makes one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// The number of nodes.
    pub nodes: u16,
    /// How many of them sign.
    pub threshold: u16,
    /// The workers of each node.
    pub workers: u16,
    /// The level of the moduli, 112 or 128.
    pub level: u32,
}

impl Deployment {
    /// The deployment of a folder.
    ///
    /// # Errors
    /// A [`Failure`] if there is none.
    pub fn open(dir: &Path) -> Result<Self, Failure> {
        let path = dir.join("deployment.json");
        if !path.exists() {
            let text =
                format!("{} has no deployment: custody up --dir {0} makes one", dir.display());
            return Err(Failure::new(text));
        }
        let dir = fs::canonicalize(dir).map_err(Failure::file("open", dir))?;
        let text = fs::read_to_string(&path).map_err(Failure::file("read", &path))?;
        let broken = |why: String| Failure::new(format!("{}: {why}", path.display()));
        let choice: Choice = serde_json::from_str(&text).map_err(|why| broken(why.to_string()))?;
        if choice.format != FORMAT {
            return Err(broken(format!("expected the format {FORMAT:?}")));
        }
        Ok(Self { dir, choice })
    }

    /// The deployment of a folder, made if there is none; says whether it was there.
    ///
    /// # Errors
    /// A [`Failure`] if it is of another size than is asked for, the size makes no sense, or something cannot be written.
    pub fn make(dir: &Path, asked: impl Into<Asked>) -> Result<(Self, bool), Failure> {
        let asked = asked.into();
        if dir.join("deployment.json").exists() {
            let there = Self::open(dir)?;
            let Choice { nodes, threshold, workers, level, .. } = there.choice;
            let size = Size { nodes, threshold, workers, level };
            if asked.or(size) != size {
                let text = format!(
                    "{} is of {threshold} of {nodes} nodes, {workers} workers each, level {level}",
                    dir.display()
                );
                return Err(Failure::usage(text));
            }
            return Ok((there, true));
        }
        let Size { nodes, threshold, workers, level } = asked.or(USUAL);
        let fits = (2..=nodes).contains(&threshold) && nodes <= 16 && (1..=8).contains(&workers);
        if !fits {
            return Err(Failure::usage(
                "at most 16 nodes, of which 2 at least sign, and 1 to 8 workers",
            ));
        }
        fs::create_dir_all(dir).map_err(Failure::file("create", dir))?;
        let dir = fs::canonicalize(dir).map_err(Failure::file("open", dir))?;
        let count = nodes.saturating_mul(workers).saturating_add(5);
        let custody = hex(random().as_slice());
        let format = FORMAT.to_owned();
        let (ports, tuning) = (free_ports(count)?, Tuning::default());
        let choice = Choice { format, custody, nodes, threshold, workers, level, ports, tuning };
        let made = Self { dir, choice };
        made.make_keys()?;
        // The last file: what was interrupted before it is begun anew.
        made.write("deployment.json", &serde_json::to_string_pretty(&made.choice)?)?;
        Ok((made, false))
    }

    /// Changes what an operator may change. It holds from the next `up` on.
    ///
    /// # Errors
    /// A [`Failure`] if the file cannot be written.
    pub(crate) fn tune(&mut self, tuning: Tuning) -> Result<(), Failure> {
        self.choice.tuning = tuning;
        self.write("deployment.json", &serde_json::to_string_pretty(&self.choice)?)
    }

    /// Its folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What was chosen.
    #[must_use]
    pub const fn choice(&self) -> &Choice {
        &self.choice
    }

    /// A path in the folder.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// The port of PostgreSQL.
    #[must_use]
    pub const fn postgres(&self) -> u16 {
        self.choice.ports
    }

    /// The port of the ledger's PostgreSQL.
    #[must_use]
    pub const fn ledger(&self) -> u16 {
        self.choice.ports.saturating_add(1)
    }

    /// The port of the broker.
    #[must_use]
    pub const fn nats(&self) -> u16 {
        self.choice.ports.saturating_add(2)
    }

    /// Where the gateway listens.
    #[must_use]
    pub fn gateway(&self) -> SocketAddr {
        here(self.choice.ports.saturating_add(3))
    }

    /// Where the keeper of the broker's streams shows its probes.
    #[must_use]
    pub fn keeper(&self) -> SocketAddr {
        here(self.choice.ports.saturating_add(4))
    }

    /// Where a worker shows its probes.
    #[must_use]
    pub fn worker(&self, node: u16, worker: u16) -> SocketAddr {
        let before = node.saturating_sub(1).saturating_mul(self.choice.workers);
        here(self.choice.ports.saturating_add(4).saturating_add(before).saturating_add(worker))
    }

    /// The numbers of all workers with those of their nodes.
    pub fn workers(&self) -> impl Iterator<Item = (u16, u16)> + use<> {
        let workers = self.choice.workers;
        (1..=self.choice.nodes)
            .flat_map(move |node| (1..=workers).map(move |worker| (node, worker)))
    }

    /// The key of the one who asks for signatures.
    ///
    /// # Errors
    /// A [`Failure`] if the file cannot be read, or others may read it.
    pub fn requester(&self) -> Result<SigningKey, Failure> {
        let path = self.path("requester.key");
        let bytes = Zeroizing::new(fs::read(&path).map_err(Failure::file("read", &path))?);
        keyfile::check_owner(&path)?;
        let key = bytes.as_slice().try_into();
        let key = key.map_err(|_| Failure::new(format!("{}: not a key", path.display())))?;
        Ok(SigningKey::from_bytes(key))
    }

    /// Writes a file that its owner alone can read.
    ///
    /// # Errors
    /// A [`Failure`] if it cannot be written.
    pub fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.path(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(Failure::file("create", folder))?;
        }
        keyfile::write_private(&path, text.as_bytes())
    }

    /// Makes the keys of all, and the directory.
    fn make_keys(&self) -> Result<(), Failure> {
        let nodes = (1..=self.choice.nodes).filter_map(quorate::PartyId::new).map(Peer::Node);
        let mut public = Vec::new();
        for peer in nodes.chain([Peer::Gateway(1)]) {
            let folder = self.path(&peer.to_string());
            fs::create_dir_all(&folder).map_err(Failure::file("create", &folder))?;
            let path = folder.join("identity");
            // One that is left of an attempt before: nobody knows it yet.
            if path.exists() {
                fs::remove_file(&path).map_err(Failure::file("remove", &path))?;
            }
            public.push((peer, Identity::make(peer, &path, None)?.public()?));
            if matches!(peer, Peer::Node(_)) {
                fs::create_dir_all(self.path("keys"))?;
                keyfile::open(&self.path(&format!("keys/{peer}")))?;
            }
        }
        let key = Zeroizing::new(random());
        keyfile::write_private(&self.path("requester.key"), key.as_slice())?;
        let verifying = SigningKey::from_bytes(&key).verifying_key();
        let directory = Directory::new(public, [(REQUESTER.to_owned(), verifying)])?;
        self.write("directory.json", &directory.to_json())?;
        let policy = serde_json::json!({
            "sign": [{ "requester": hex(verifying.as_bytes()), "name": "whatever the operator asks for" }]
        });
        for node in 1..=self.choice.nodes {
            self.write(&format!("n{node}/policy.json"), &serde_json::to_string_pretty(&policy)?)?;
        }
        Ok(())
    }
}

fn random() -> [u8; 32] {
    let mut bytes = [0; 32];
    UnwrapErr(SysRng).fill_bytes(&mut bytes);
    bytes
}

const fn here(port: u16) -> SocketAddr {
    SocketAddr::new(core::net::IpAddr::V4(Ipv4Addr::LOCALHOST), port)
}

/// The first of so many ports that nothing listens on at this moment.
fn free_ports(count: u16) -> Result<u16, Failure> {
    let free = |first: u16| {
        let bound: Result<Vec<_>, _> =
            (0..count).map(|at| TcpListener::bind(here(first.saturating_add(at)))).collect();
        bound.is_ok()
    };
    let span = u64::from(PORTS.end - PORTS.start);
    let mut tries = (0..200).filter_map(|_| {
        let offset = UnwrapErr(SysRng).next_u64().checked_rem(span)?;
        Some(PORTS.start.saturating_add(u16::try_from(offset).ok()?))
    });
    tries.find(|first| free(*first)).ok_or_else(|| Failure::new("there are no free ports"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use quorate_examples::files::fresh_name;

    use super::*;

    const SIZE: Size = Size { nodes: 3, threshold: 2, workers: 2, level: 112 };

    #[test]
    fn what_is_tuned_stays_and_what_is_not_has_its_default() {
        let dir = std::env::temp_dir().join(fresh_name("quorate-deployment-"));
        let (made, _) = Deployment::make(&dir, SIZE).unwrap();
        assert_eq!(made.choice().tuning, Tuning::default());
        let path = dir.join("deployment.json");
        let mut file: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        file["tuning"] = serde_json::json!({ "presignatures": { "low": 5, "high": 9 } });
        fs::write(&path, file.to_string()).unwrap();
        let tuning = Deployment::make(&dir, SIZE).unwrap().0.choice().tuning;
        assert_eq!(tuning, Tuning { presignatures: Marks { low: 5, high: 9 }, ..tuning });
        assert_eq!((tuning.nonces, tuning.record), (Tuning::default().nonces, true));
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn a_folder_is_made_once() {
        let dir = std::env::temp_dir().join(fresh_name("quorate-deployment-"));
        assert!(Deployment::open(&dir).unwrap_err().to_string().contains("custody up"));
        let (made, there) = Deployment::make(&dir, SIZE).unwrap();
        assert!(!there);
        let (again, there) = Deployment::make(&dir, SIZE).unwrap();
        assert!(there);
        assert_eq!((made.choice(), made.dir()), (again.choice(), again.dir()));
        let other = Deployment::make(&dir, Size { nodes: 4, ..SIZE }).unwrap_err().to_string();
        assert!(other.contains("2 of 3 nodes"), "{other}");
        // The requester of the directory is the one whose key is there.
        let directory = Directory::read(&dir.join("directory.json")).unwrap();
        let requester = made.requester().unwrap().verifying_key();
        assert_eq!(directory.requester(REQUESTER), Some(&requester));
        assert_eq!(directory.peers().count(), 4);
        let ports: BTreeSet<u16> = made.workers().map(|(n, w)| made.worker(n, w).port()).collect();
        assert_eq!(ports.len(), 6);
        assert!(ports.iter().all(|port| *port > made.keeper().port()));
        fs::remove_dir_all(dir).unwrap();
    }

    /// A deployment that is there has its own size; what is given has to be that.
    #[test]
    fn what_is_not_asked_for_is_as_it_was_made() {
        let dir = std::env::temp_dir().join(fresh_name("quorate-deployment-"));
        let made = Size { nodes: 5, threshold: 3, workers: 1, level: 128 };
        Deployment::make(&dir, made).unwrap();
        let five = Asked { nodes: Some(5), ..Asked::default() };
        for asked in [Asked::default(), five, made.into()] {
            let (there, _) = Deployment::make(&dir, asked).unwrap();
            let Choice { nodes, threshold, workers, level, .. } = *there.choice();
            assert_eq!(Size { nodes, threshold, workers, level }, made);
        }
        for asked in [
            Asked { nodes: Some(3), ..Asked::default() },
            Asked { threshold: Some(2), ..five },
            Asked { workers: Some(2), ..five },
            Asked { level: Some(112), ..five },
        ] {
            let refused = Deployment::make(&dir, asked).unwrap_err().to_string();
            assert!(refused.contains("3 of 5 nodes, 1 workers each, level 128"), "{refused}");
        }
        fs::remove_dir_all(&dir).unwrap();
        let (new, _) = Deployment::make(&dir, Asked::default()).unwrap();
        assert_eq!((new.choice().nodes, new.choice().threshold), (3, 2));
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn sizes_without_sense_are_refused() {
        let dir = std::env::temp_dir().join(fresh_name("quorate-deployment-"));
        for size in [
            Size { threshold: 1, ..SIZE },
            Size { threshold: 4, ..SIZE },
            Size { nodes: 17, ..SIZE },
            Size { workers: 0, ..SIZE },
        ] {
            assert!(Deployment::make(&dir, size).is_err(), "{size:?}");
        }
        assert!(!dir.exists());
    }
}
