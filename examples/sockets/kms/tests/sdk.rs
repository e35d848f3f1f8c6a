//! The SDKs of AWS, unchanged, with a committee in the process.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::std_instead_of_core,
    reason = "a test fails by panicking"
)]

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use p256::ecdsa::signature::Verifier as _;
use p256::pkcs8::DecodePublicKey as _;
use quorate::ecdsa::Level;
use quorate_purpose::Kind;
use serde_json::{Value, json};
use sockets_backend::committee::Trial;
use sockets_backend::{AccessKeys, Backend as _, Committee, KeySpec, Limits, Scheme};
use sockets_kms::{Place, serve};
use sockets_testkit::{Folder, program, run};
use tokio::net::TcpListener;

const SECRET: &str = "a secret with / and +";

/// A committee behind the interface, and the address of it.
struct Trying {
    folder: Folder,
    committee: Arc<Committee>,
    endpoint: String,
}

async fn start() -> Trying {
    let folder = Folder::new();
    let trial = Trial { level: Level::Toy, ..Trial::new(folder.join("committee")) };
    let committee = Arc::new(Committee::start(trial).await.unwrap());
    let opaque = &[Kind::OpaqueMessage, Kind::OpaqueDigest][..];
    let keys = [
        ("p256", Scheme::EcdsaP256, opaque),
        ("ed25519", Scheme::Ed25519, opaque),
        ("git", Scheme::Ed25519, &[Kind::SshSignature]),
    ];
    for (name, scheme, purposes) in keys {
        let spec = committee.spec(name, scheme, purposes);
        committee.create(&KeySpec { scope: "kms".to_owned(), ..spec }).await.unwrap();
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let access = AccessKeys::new().with("AKID", SECRET.to_owned().into());
    let limits = Limits { within: Duration::from_secs(120), ..Limits::default() };
    let backend = committee.clone();
    tokio::spawn(serve(listener, None, backend, (Place::default(), access), limits));
    Trying { folder, committee, endpoint }
}

/// Runs a program without holding the threads that the committee needs, and gives what it prints.
async fn printed(mut command: Command) -> String {
    let output = tokio::task::spawn_blocking(move || run(&mut command)).await.unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

fn skipped(why: &str) {
    assert!(std::env::var_os("CI").is_none(), "{why}");
    eprintln!("skipped: {why}");
}

fn sdk() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sdk"))
}

#[tokio::test(flavor = "multi_thread")]
async fn boto3_signs_and_knows_the_errors() {
    let Some(python) = program("python3") else { return };
    if !run(Command::new(&python).args(["-c", "import boto3"])).status.success() {
        return skipped("boto3 is missing, and this test needs it");
    }
    let trying = start().await;
    let mut command = Command::new(python);
    command.arg(sdk().join("sdk.py")).args([&trying.endpoint, SECRET]);
    let printed = printed(command).await;
    let answers: Value = serde_json::from_str(&printed).unwrap();
    let bytes = |name: &str| BASE64_STANDARD.decode(answers[name].as_str().unwrap()).unwrap();
    let message = bytes("message");
    let public = p256::ecdsa::VerifyingKey::from_public_key_der(&bytes("p256")).unwrap();
    let signature = p256::ecdsa::Signature::from_der(&bytes("raw")).unwrap();
    public.verify(&message, &signature).unwrap();
    let of_digest = p256::ecdsa::Signature::from_der(&bytes("digest")).unwrap();
    public.verify(&message, &of_digest).unwrap();
    assert_ne!(signature, of_digest);
    let public = ed25519_dalek::VerifyingKey::from_public_key_der(&bytes("ed25519")).unwrap();
    let signature = bytes("eddsa").as_slice().try_into().unwrap();
    public.verify_strict(&message, &signature).unwrap();
    let errors = [
        "InvalidSignatureException",
        "UnrecognizedClientException",
        "NotFoundException",
        "ValidationException",
        "InvalidKeyUsageException",
        "InvalidKeyUsageException",
        "UnknownOperationException",
    ];
    assert_eq!(answers["errors"], json!(errors));
    let metrics = trying.committee.gateway().unwrap().metrics().await.unwrap();
    // The message and its digest were asked for twice, and spent one signature each.
    assert_eq!(metrics.signatures.values().sum::<u64>(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn sdk_for_go_signs_and_verifies() {
    let Some(go) = program("go") else { return };
    let folder = Folder::new();
    let binary = folder.join("sdk");
    let mut build = Command::new(go);
    build.current_dir(sdk().join("go")).args(["build", "-o"]).arg(&binary).arg(".");
    let built = tokio::task::spawn_blocking(move || run(&mut build)).await.unwrap();
    if !built.status.success() {
        let why = String::from_utf8_lossy(&built.stderr);
        return skipped(&format!("the AWS SDK for Go could not be built: {why}"));
    }
    let trying = start().await;
    let mut command = Command::new(binary);
    command.args([&trying.endpoint, SECRET]).current_dir(trying.folder.path());
    let printed = printed(command).await;
    for line in ["ecdsa", "digest", "ed25519", "not found"] {
        assert!(printed.lines().any(|printed| printed == line), "{line}: {printed}");
    }
    assert!(printed.contains("refused"), "the key of git signs no opaque bytes: {printed}");
}

/// A program that knows AWS KMS, and nothing else of us. It is built for minutes, so this test runs where somebody has installed it.
#[tokio::test(flavor = "multi_thread")]
async fn cosign_signs_and_verifies() {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join("cosign"));
    let Some(cosign) = found.into_iter().find(|path| path.is_file()) else {
        return eprintln!("skipped: cosign is missing");
    };
    let trying = start().await;
    let message = trying.folder.write("message", "a release");
    let endpoint = trying.endpoint.clone();
    let folder = trying.folder.path().to_owned();
    let command = move |arguments: &[&str]| {
        let mut command = Command::new(&cosign);
        command.current_dir(&folder).env("HOME", &folder).args(arguments).arg(&message);
        command.env("AWS_ENDPOINT_URL_KMS", &endpoint).env("AWS_REGION", "us-east-1");
        command.env("AWS_ACCESS_KEY_ID", "AKID").env("AWS_SECRET_ACCESS_KEY", SECRET);
        command
    };
    let key = ["--key", "awskms:///alias/p256"];
    let sign = ["sign-blob", "--yes", "--tlog-upload=false", "--output-signature", "signature"];
    printed(command(&[&sign[..], &key].concat())).await;
    let verify = ["verify-blob", "--insecure-ignore-tlog", "--signature", "signature"];
    printed(command(&[&verify[..], &key].concat())).await;
    // And by the public key that the committee has.
    let keys = trying.committee.keys().await.unwrap();
    let public = keys.iter().find(|key| key.name == "p256").unwrap();
    let public = p256::ecdsa::VerifyingKey::from_sec1_bytes(&public.public_key).unwrap();
    let signature = std::fs::read_to_string(trying.folder.join("signature")).unwrap();
    let signature = BASE64_STANDARD.decode(signature.trim()).unwrap();
    let signature = p256::ecdsa::Signature::from_der(&signature).unwrap();
    public.verify(b"a release", &signature).unwrap();
}
