//! The folder of a committee: its secrets, its directory and its databases.

use core::net::SocketAddr;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use custody_client::{CallerSecret, Client, Endpoint};
use custody_core::{Caller, Callers, PartyId, Role, Scheme};
use custody_node::{Limits, Settings};
use custody_policy::Policies;
use getrandom::SysRng;
use getrandom::rand_core::TryRng as _;
use quorate::SealKey;
use quorate::ecdsa::Level;
use quorate_envelope::{Directory, Identity, Member, Name, TrustedDirectory};
use quorate_store::file;
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use super::{CLUSTER, broken};
use crate::failure::Failure;

/// The callers: one makes keys, and the other asks for signatures.
const CALLERS: [(&str, Role); 2] = [("owner", Role::Administer), ("sockets", Role::Request)];
/// The name of the gateway.
const GATEWAY: &str = "gateway";
/// The time after which a run of a protocol is given up, in milliseconds.
const RUN: u64 = 60_000;

/// The secrets and the directory of a committee.
pub(super) struct Folder {
    path: PathBuf,
    nodes: u16,
    /// Of which identities and seal keys are made.
    seed: Zeroizing<[u8; 32]>,
    directory: TrustedDirectory,
    callers: Callers,
    /// No other process has the folder.
    _lock: fs::File,
}

impl Folder {
    /// Opens a folder, or makes one.
    pub(super) fn open(path: PathBuf, nodes: u16) -> Result<Self, Failure> {
        if !(2..=64).contains(&nodes) {
            return Err(broken("expected 2 to 64 nodes"));
        }
        fs::create_dir_all(&path).map_err(broken)?;
        let lock = file::lock(path.join("lock")).map_err(broken)?;
        let seed = kept(&path.join(format!("seed-of-{nodes}")), random_seed)?;
        let seed: [u8; 32] =
            seed.as_slice().try_into().map_err(|_| broken("the seed has not 32 bytes"))?;
        let seed = Zeroizing::new(seed);
        let directory = directory(&seed, nodes)?;
        let caller = |(name, role)| {
            let keys = vec![secret(&path, name)?.public()];
            Ok(Caller { name: name.to_owned(), roles: vec![role], keys })
        };
        let callers = CALLERS.into_iter().map(caller).collect::<Result<_, Failure>>()?;
        let callers = Callers::new(callers).map_err(broken)?;
        Ok(Self { path, nodes, seed, directory, callers, _lock: lock })
    }

    pub(super) const fn nodes(&self) -> u16 {
        self.nodes
    }

    pub(super) const fn directory(&self) -> &TrustedDirectory {
        &self.directory
    }

    pub(super) fn callers(&self) -> Callers {
        self.callers.clone()
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub(super) fn gateway(&self) -> Result<Identity, Failure> {
        identity(&self.seed, GATEWAY)
    }

    /// A client of the gateway at an address, as one of the callers.
    pub(super) fn client(&self, caller: &str, address: SocketAddr) -> Result<Client, Failure> {
        let endpoint = Endpoint::plain(&format!("http://{address}")).map_err(broken)?;
        Ok(Client::new(endpoint, secret(&self.path, caller)?, CLUSTER))
    }

    /// The settings of a node.
    pub(super) fn settings(
        &self,
        number: u16,
        policies: Arc<Policies>,
        level: Level,
    ) -> Result<Settings, Failure> {
        let me = PartyId::new(number).filter(|_| number <= self.nodes);
        let me = me.ok_or_else(|| broken("the committee has no such node"))?;
        let name = node(number);
        Ok(Settings {
            me,
            seal_key: Arc::new(SealKey::new(derive(&self.seed, &format!("seal {name}")))),
            identity: Arc::new(identity(&self.seed, &name)?),
            directory: self.directory.clone(),
            callers: Arc::new(self.callers()),
            policy_digest: policies.digest(),
            policy: policies,
            level,
            experimental: vec![Scheme::MlDsa65],
            limits: Limits { run_time: RUN, ..Limits::default() },
        })
    }
}

/// The name of the gateway in the directory.
pub(super) fn gateway_name() -> Result<Name, Failure> {
    Name::new(GATEWAY).map_err(broken)
}

fn node(number: u16) -> String {
    format!("node-{number}")
}

fn directory(seed: &[u8; 32], nodes: u16) -> Result<TrustedDirectory, Failure> {
    let mut draft = Directory::first(Name::new(CLUSTER).map_err(broken)?);
    for number in 1..=nodes {
        let identity = identity(seed, &node(number))?;
        let member = Member::new(identity.name().clone(), identity.public().clone());
        let party = PartyId::new(number).ok_or_else(|| broken("expected a node from 1"))?;
        draft = draft.member(member.with_party(party));
    }
    let gateway = identity(seed, GATEWAY)?;
    draft = draft.member(Member::new(gateway.name().clone(), gateway.public().clone()));
    let directory = draft.finish().map_err(broken)?;
    // The whole committee is this process: nobody else has to compare the id, and the seed is the record.
    let id = directory.id();
    let confirmed = TrustedDirectory::confirm(directory, id).map_err(broken)?;
    confirmed.record(|_| Ok::<_, Failure>(()))
}

fn identity(seed: &[u8; 32], name: &str) -> Result<Identity, Failure> {
    let seed = Zeroizing::new(derive(seed, &format!("identity {name}")));
    Ok(Identity::from_seed(Name::new(name).map_err(broken)?, &seed))
}

fn derive(seed: &[u8; 32], name: &str) -> [u8; 32] {
    let hash = Sha256::new_with_prefix(b"quorate sockets trial v1\0").chain_update(seed);
    hash.chain_update(name).finalize().into()
}

/// The secret key of a caller, which is made with the folder.
fn secret(folder: &std::path::Path, caller: &str) -> Result<CallerSecret, Failure> {
    let make = || {
        let pem = CallerSecret::generate().and_then(|secret| secret.to_pem()).map_err(broken)?;
        Ok(Zeroizing::new(pem.as_bytes().to_vec()))
    };
    let pem = kept(&folder.join(format!("{caller}.pem")), make)?;
    CallerSecret::from_pem(core::str::from_utf8(&pem).map_err(broken)?).map_err(broken)
}

fn random_seed() -> Result<Zeroizing<Vec<u8>>, Failure> {
    let mut seed = Zeroizing::new(vec![0; 32]);
    SysRng.try_fill_bytes(&mut seed).map_err(|_| broken("no randomness"))?;
    Ok(seed)
}

/// The content of a file, which is made if there is none.
fn kept(
    path: &std::path::Path,
    make: impl FnOnce() -> Result<Zeroizing<Vec<u8>>, Failure>,
) -> Result<Zeroizing<Vec<u8>>, Failure> {
    if let Some(content) = file::read(path).map_err(broken)? {
        return Ok(content);
    }
    let made = make()?;
    file::replace(path, &made).map_err(broken)?;
    Ok(made)
}

impl core::fmt::Debug for Folder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Folder({})", self.path.display())
    }
}
