//! A daemon for the module.

use std::path::PathBuf;
use std::sync::Arc;

use custody_core::PartyId;
use quorate_purpose::Kind;
use sockets_backend::{Limits, Scheme, UnixSocket};
use sockets_pkcs11::{Making, Settings, TokenPin, serve};
use sockets_testkit::{Folder, Local};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

use crate::client::Module;

/// A token over keys in memory, on a runtime of its own.
pub(crate) struct Served {
    pub(crate) folder: Folder,
    pub(crate) local: Arc<Local>,
    /// The name of the token.
    pub(crate) label: String,
    runtime: Runtime,
    serving: Option<JoinHandle<()>>,
}

const MESSAGES: &[Kind] = &[Kind::OpaqueMessage, Kind::SshSignature];
const DIGESTS: &[Kind] = &[Kind::OpaqueMessage, Kind::OpaqueDigest];

/// Keys of each scheme, one for digests, and one that signs no message of these tests.
pub(crate) fn local() -> Arc<Local> {
    let local = Local::new().with("ed25519", Scheme::Ed25519, 1, MESSAGES);
    let local = local.with("p256", Scheme::EcdsaP256, 2, MESSAGES);
    let local = local.with("secp256k1", Scheme::EcdsaSecp256k1, 3, MESSAGES);
    let local = local.with("digests", Scheme::EcdsaP256, 4, DIGESTS);
    let local = local.with("mldsa", Scheme::MlDsa65, 6, MESSAGES);
    Arc::new(local.with("validator", Scheme::Ed25519, 5, &[Kind::CometVote]))
}

impl Served {
    /// Starts the daemon of a token, with a PIN or without.
    pub(crate) fn start(pin: Option<&[u8]>) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let (folder, label) = (Folder::new(), "quorate".to_owned());
        let mut served = Self { folder, local: local(), label, runtime, serving: None };
        served.again(pin, Limits::default());
        served
    }

    /// Starts the daemon, after it was stopped.
    pub(crate) fn again(&mut self, pin: Option<&[u8]>, limits: Limits) {
        let pin = pin.map(|pin| TokenPin::new(pin).unwrap());
        let members = (1..=3).filter_map(PartyId::new).collect();
        let making = Making { threshold: 2, members, purposes: vec![], scope: String::new() };
        let settings = Settings { pin, making: Some(making), label: self.label.clone() };
        let _inside = self.runtime.enter();
        let socket = UnixSocket::bind(self.socket()).unwrap();
        let serving = serve(socket, self.local.clone(), settings, limits);
        self.serving = Some(self.runtime.spawn(serving));
    }

    /// Stops the daemon, with all connections.
    pub(crate) fn stop(&mut self) {
        let serving = self.serving.take().unwrap();
        serving.abort();
        assert!(self.runtime.block_on(serving).unwrap_err().is_cancelled());
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.join("socket")
    }

    /// The module of a program that uses the daemon.
    pub(crate) fn module(&self) -> Module {
        Module::start(&self.folder, &self.socket())
    }
}
