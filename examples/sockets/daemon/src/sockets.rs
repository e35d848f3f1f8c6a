//! The sockets of this build.
//!
//! A socket is a crate with a function `serve`, which takes a listener or a path, a backend and limits. To add one:
//!
//! 1. a feature of its name in `Cargo.toml`, which brings the crate;
//! 2. a module here with its section of the configuration, which implements [`Socket`];
//! 3. a line in [`Sections`], in [`Sections::into_sockets`], in [`Chosen`] and in [`Chosen::into_sections`].

#[cfg(feature = "agent")]
pub(crate) mod agent;
#[cfg(feature = "ethereum")]
pub(crate) mod ethereum;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "kms")]
pub(crate) mod kms;
#[cfg(feature = "kubernetes")]
pub(crate) mod kubernetes;
#[cfg(feature = "pkcs11")]
pub(crate) mod pkcs11;
#[cfg(feature = "privval")]
pub(crate) mod privval;

use core::pin::Pin;
use core::time::Duration;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Error, Result};
use custody_core::Scheme;
use quorate_purpose::Kind;
use serde::Deserialize;
use sockets_backend::{Backend, Limits, Only};

/// Work that comes to its end later.
pub(crate) type Task<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A section of the configuration: a socket that can be opened.
pub(crate) trait Socket: Send {
    /// The keys that a trial makes for the socket.
    #[cfg_attr(not(feature = "trial"), allow(dead_code, reason = "no trial makes keys"))]
    fn trial_keys(&self) -> Vec<TrialKey>;

    /// The names of the keys that the section lists. Sections without a list do not have them.
    fn listed(&self) -> Vec<String>;

    /// Opens the socket.
    fn open(self: Box<Self>, host: Host) -> Task<Result<Open>>;
}

/// The things that a socket gets of the daemon.
#[derive(Clone)]
pub(crate) struct Host {
    pub(crate) backend: Arc<dyn Backend>,
    /// The folder in which relative paths begin.
    #[cfg_attr(
        not(any(feature = "agent", feature = "http", feature = "kubernetes", feature = "pkcs11")),
        allow(dead_code, reason = "this build has no socket with files")
    )]
    pub(crate) folder: PathBuf,
    /// The names that the sections list.
    pub(crate) listed: Arc<BTreeSet<String>>,
    /// The number of nodes of a trial.
    #[cfg_attr(not(feature = "pkcs11"), allow(dead_code, reason = "no other socket makes keys"))]
    pub(crate) nodes: Option<u16>,
}

impl Host {
    #[cfg_attr(
        not(any(feature = "agent", feature = "http", feature = "kubernetes", feature = "pkcs11")),
        allow(dead_code, reason = "this build has no socket with files")
    )]
    pub(crate) fn path(&self, path: &Path) -> PathBuf {
        self.folder.join(path)
    }

    /// The backend with the keys that a section lists, or with all that no section lists.
    pub(crate) fn keys(&self, names: Option<Vec<String>>) -> Arc<dyn Backend> {
        let backend = Arc::clone(&self.backend);
        Arc::new(match names {
            Some(names) => Only::new(backend, names),
            None => Only::without(backend, self.listed.iter().cloned()),
        })
    }
}

/// The names of keys that sections list.
pub(crate) fn listed(sockets: &[Box<dyn Socket>]) -> BTreeSet<String> {
    sockets.iter().flat_map(|socket| socket.listed()).collect()
}

/// A key that a trial makes for a socket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(
    not(feature = "trial"),
    allow(dead_code, reason = "a build without trials makes no keys")
)]
pub(crate) struct TrialKey {
    pub(crate) name: &'static str,
    pub(crate) scheme: Scheme,
    pub(crate) purposes: &'static [Kind],
    /// The part of the policy that decides about it.
    pub(crate) scope: &'static str,
}

/// A socket that is open.
pub(crate) struct Open {
    /// How a consumer is told of the socket, as a line for the shell.
    pub(crate) hint: String,
    /// The work of the socket, which ends if it cannot go on.
    pub(crate) serving: Task<Error>,
}

/// The sections of sockets in the configuration.
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sections {
    #[cfg(feature = "agent")]
    agent: Option<agent::Section>,
    #[cfg(feature = "ethereum")]
    ethereum: Option<ethereum::Section>,
    #[cfg(feature = "kms")]
    kms: Option<kms::Section>,
    #[cfg(feature = "kubernetes")]
    kubernetes: Option<kubernetes::Section>,
    #[cfg(feature = "pkcs11")]
    pkcs11: Option<pkcs11::Section>,
    #[cfg(feature = "privval")]
    privval: Option<privval::Section>,
}

impl Sections {
    /// The sockets that have a section.
    pub(crate) fn into_sockets(self) -> Vec<Box<dyn Socket>> {
        let mut sockets: Vec<Box<dyn Socket>> = vec![];
        #[cfg(feature = "agent")]
        sockets.extend(self.agent.map(|section| Box::new(section) as Box<dyn Socket>));
        #[cfg(feature = "ethereum")]
        sockets.extend(self.ethereum.map(|section| Box::new(section) as Box<dyn Socket>));
        #[cfg(feature = "kms")]
        sockets.extend(self.kms.map(|section| Box::new(section) as Box<dyn Socket>));
        #[cfg(feature = "kubernetes")]
        sockets.extend(self.kubernetes.map(|section| Box::new(section) as Box<dyn Socket>));
        #[cfg(feature = "pkcs11")]
        sockets.extend(self.pkcs11.map(|section| Box::new(section) as Box<dyn Socket>));
        #[cfg(feature = "privval")]
        sockets.extend(self.privval.map(|section| Box::new(section) as Box<dyn Socket>));
        sockets
    }
}

/// The arguments of a trial that choose sockets.
#[cfg(feature = "trial")]
#[derive(clap::Args, Debug)]
pub(crate) struct Chosen {
    /// Serve an SSH agent at this path
    #[cfg(feature = "agent")]
    #[arg(long, value_name = "PATH")]
    agent: Option<PathBuf>,
    /// Serve the signer of Ethereum at this address of the machine, such as 127.0.0.1:9000
    #[cfg(feature = "ethereum")]
    #[arg(long, value_name = "ADDRESS")]
    ethereum: Option<core::net::SocketAddr>,
    /// Serve the interface of AWS KMS at this address of the machine, such as 127.0.0.1:8090
    #[cfg(feature = "kms")]
    #[arg(long, value_name = "ADDRESS")]
    kms: Option<core::net::SocketAddr>,
    /// Serve the external signer of Kubernetes' tokens at this path
    #[cfg(feature = "kubernetes")]
    #[arg(long, value_name = "PATH")]
    kubernetes: Option<PathBuf>,
    /// Serve the token of the PKCS#11 module at this path
    #[cfg(feature = "pkcs11")]
    #[arg(long, value_name = "PATH")]
    pkcs11: Option<PathBuf>,
    /// Sign for the CometBFT node at this address, such as tcp://127.0.0.1:26659 or unix:///tmp/privval.sock
    #[cfg(feature = "privval")]
    #[arg(long, value_name = "ADDRESS")]
    privval: Option<sockets_privval::Address>,
}

#[cfg(feature = "trial")]
impl Chosen {
    pub(crate) fn into_sections(self) -> Sections {
        Sections {
            #[cfg(feature = "agent")]
            agent: self.agent.map(agent::Section::new),
            #[cfg(feature = "ethereum")]
            ethereum: self.ethereum.map(ethereum::Section::new),
            #[cfg(feature = "kms")]
            kms: self.kms.map(kms::Section::new),
            #[cfg(feature = "kubernetes")]
            kubernetes: self.kubernetes.map(kubernetes::Section::new),
            #[cfg(feature = "pkcs11")]
            pkcs11: self.pkcs11.map(pkcs11::Section::new),
            #[cfg(feature = "privval")]
            privval: self.privval.map(privval::Section::new),
        }
    }
}

/// The limits of a section, for sockets that listen.
#[cfg_attr(
    not(any(feature = "agent", feature = "http", feature = "kubernetes", feature = "pkcs11")),
    allow(dead_code, reason = "this build has no socket that listens")
)]
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct LimitsSection {
    /// The most connections at a time.
    connections: Option<usize>,
    /// The longest time for a signature, in seconds.
    within: Option<u64>,
}

impl LimitsSection {
    #[cfg_attr(
        not(any(feature = "agent", feature = "http", feature = "kubernetes", feature = "pkcs11")),
        allow(dead_code, reason = "this build has no socket that listens")
    )]
    pub(crate) fn limits(&self) -> Limits {
        let own = Limits::default();
        let connections = self.connections.unwrap_or(own.connections);
        let within = self.within.map_or(own.within, Duration::from_secs);
        Limits { connections, within, ..own }
    }
}
