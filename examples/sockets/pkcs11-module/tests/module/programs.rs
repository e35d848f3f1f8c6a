//! Programs that exist, with a committee in the process.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::Duration;

use custody_core::PartyId;
use quorate::ecdsa::Level;
use quorate_purpose::Kind;
use sockets_backend::committee::Trial;
use sockets_backend::{Backend, Committee, Key, Limits, UnixSocket};
use sockets_pkcs11::{Making, Settings, TokenPin, serve};
use sockets_testkit::{Folder, program, run};

use crate::client::path;

mod gnutls;
mod mldsa;
mod opensc;
mod openssl;
mod python;
mod ssh;

/// A backend behind the token, and programs that use it.
pub(crate) struct Trying {
    folder: Folder,
    backend: Arc<dyn Backend>,
    module: PathBuf,
}

impl Trying {
    /// A committee, with a PIN or without.
    async fn committee(pin: Option<&[u8]>) -> Self {
        let folder = Folder::new();
        let trial = Trial { level: Level::Toy, ..Trial::new(folder.join("committee")) };
        let committee = Arc::new(Committee::start(trial).await.unwrap());
        Self::start(folder, committee, pin)
    }

    fn start(folder: Folder, backend: Arc<dyn Backend>, pin: Option<&[u8]>) -> Self {
        let socket = UnixSocket::bind(folder.join("socket")).unwrap();
        let limits = Limits { within: Duration::from_secs(120), ..Limits::default() };
        let making = Making {
            threshold: 2,
            members: (1..=3).filter_map(PartyId::new).collect(),
            purposes: vec![
                Kind::OpaqueMessage,
                Kind::OpaqueDigest,
                Kind::Tls13CertificateVerify,
                Kind::SshUserAuth,
                Kind::X509Certificate,
            ],
            scope: "pkcs11".to_owned(),
        };
        let pin = pin.map(|pin| TokenPin::new(pin).unwrap());
        let settings = Settings { pin, making: Some(making), ..Settings::default() };
        tokio::spawn(serve(socket, backend.clone(), settings, limits));
        let module = path();
        Self { folder, backend, module }
    }

    /// A program with the module, and without the configuration of whoever runs the test.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path()).env("HOME", self.folder.path());
        command.env("QUORATE_PKCS11_SOCKET", self.folder.join("socket"));
        command.env_remove("SSH_AUTH_SOCK");
        command
    }

    /// Runs a program without holding the threads that the committee needs.
    async fn run(&self, program: &Path, arguments: &[&str]) -> Output {
        let mut command = self.command(program);
        command.args(arguments);
        tokio::task::spawn_blocking(move || run(&mut command)).await.unwrap()
    }

    /// Runs a program that succeeds, and gives what it prints.
    async fn succeed(&self, program: &Path, arguments: &[&str]) -> String {
        let output = self.run(program, arguments).await;
        let text = text(&output);
        assert!(output.status.success(), "{} {arguments:?}: {text}", program.display());
        text
    }

    async fn key(&self, name: &str) -> Key {
        let keys = self.backend.keys().await.unwrap();
        keys.into_iter().find(|key| key.name == name).unwrap()
    }

    fn module(&self) -> &str {
        self.module.to_str().unwrap()
    }
}

/// The output of a program.
fn text(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    format!("{out}{err}")
}

/// A program or file that this system cannot be expected to have.
fn skipped(what: &str) {
    eprintln!("skipped: {what} is missing");
}
