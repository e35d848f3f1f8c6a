//! The stub that kube-apiserver has, and go-jose, with a committee in the process.
#![allow(clippy::unwrap_used, clippy::std_instead_of_core, reason = "a test fails by panicking")]

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use quorate::ecdsa::Level;
use quorate_purpose::Kind;
use sockets_backend::committee::Trial;
use sockets_backend::{Backend as _, Committee, KeySpec, Limits, Scheme, UnixSocket};
use sockets_kubernetes::{Settings, serve};
use sockets_testkit::{Folder, program, run};

/// A committee behind a signer.
struct Trying {
    folder: Folder,
    committee: Arc<Committee>,
}

impl Trying {
    async fn start(policy: Option<String>) -> Self {
        let folder = Folder::new();
        let mut trial = Trial { level: Level::Toy, ..Trial::new(folder.join("committee")) };
        if let Some(policy) = policy {
            trial.policies = vec![("policy".to_owned(), policy)];
        }
        let committee = Arc::new(Committee::start(trial).await.unwrap());
        for name in ["now", "next"] {
            let spec = committee.spec(name, Scheme::EcdsaP256, &[Kind::JwtClaims]);
            committee.create(&KeySpec { scope: "kubernetes".to_owned(), ..spec }).await.unwrap();
        }
        let socket = UnixSocket::bind(folder.join("socket")).unwrap();
        let limits = Limits { within: Duration::from_secs(120), ..Limits::default() };
        let settings = Settings::new("now").publish(["next".to_owned()]);
        tokio::spawn(serve(socket, committee.clone(), settings, limits));
        Self { folder, committee }
    }

    /// Runs the client without holding the threads that the committee needs, and gives the lines that it prints.
    async fn client(&self, client: PathBuf, what: &'static str) -> Vec<String> {
        let mut command = Command::new(client);
        command.arg(self.folder.join("socket")).arg(what);
        let output = tokio::task::spawn_blocking(move || run(&mut command)).await.unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        text.lines().map(str::to_owned).collect()
    }

    /// The number of signatures that the committee has made.
    async fn made(&self) -> u64 {
        let metrics = self.committee.gateway().unwrap().metrics().await.unwrap();
        metrics.signatures.values().sum()
    }
}

/// The client in Go, unless it cannot be built here.
async fn client(folder: &Folder) -> Option<PathBuf> {
    let go = program("go")?;
    let binary = folder.join("client");
    let mut build = Command::new(go);
    build.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/client"));
    build.args(["build", "-o"]).arg(&binary).arg(".");
    let built = tokio::task::spawn_blocking(move || run(&mut build)).await.unwrap();
    if !built.status.success() {
        let why = String::from_utf8_lossy(&built.stderr);
        assert!(std::env::var_os("CI").is_none(), "the client could not be built: {why}");
        eprintln!("skipped: k8s.io/externaljwt and go-jose could not be had or built: {why}");
        return None;
    }
    Some(binary)
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_verify_and_malformed_requests_have_errors() {
    let own = Folder::new();
    let Some(client) = client(&own).await else { return };
    let trying = Trying::start(None).await;
    let lines = trying.client(client, "tokens").await;
    assert_eq!(lines, ["keys 2", "verified", "again", "v1alpha1", "malformed", "done"]);
    // The first claims were asked for three times, and spent one signature.
    assert_eq!(trying.made().await, 2);
}

/// The policy that ships for a cluster: issuer, audiences, subject and expiry.
#[tokio::test(flavor = "multi_thread")]
async fn policy_of_a_cluster_refuses_other_tokens() {
    let own = Folder::new();
    let Some(client) = client(&own).await else { return };
    let rules = include_str!("../../../custody/policies/kubernetes.cedar");
    let rules = rules.replace("Caller::\"kubernetes\"", "Caller::\"sockets\"");
    let keys = r#"@id("keys") permit (principal, action == Action::"create-key", resource);"#;
    let trying = Trying::start(Some(format!("{rules}\n{keys}"))).await;
    let lines = trying.client(client, "policy").await;
    assert_eq!(lines, ["allowed", "refused 6"]);
    assert_eq!(trying.made().await, 2);
}
