//! ethers and an EVM, unchanged, with a committee in the process.
#![allow(clippy::unwrap_used, clippy::std_instead_of_core, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use quorate::ecdsa::Level;
use quorate_purpose::Kind;
use sockets_backend::committee::Trial;
use sockets_backend::{AccessKeys, Backend as _, Committee, KeySpec, Limits, Scheme};
use sockets_ethereum::serve;
use sockets_testkit::{Folder, program, run};
use tokio::net::TcpListener;

const SECRET: &str = "a secret with : and é";
/// Payments of more than four ether are refused by every node.
const POLICY: &str = r#"
@id("keys") permit (principal == Caller::"owner", action in Action::"administer", resource);
@id("messages") permit (principal == Caller::"sockets", action == Action::"evm-message", resource)
when { context has on_behalf && context.on_behalf == "desk" && context has text && context.text like "app.example wants you to sign in*" };
@id("delegations") permit (principal == Caller::"sockets", action == Action::"evm-set-code", resource);
@id("others") permit (principal == Caller::"sockets", action in Action::"sign", resource);
@id("large") forbid (principal, action in [Action::"evm-transaction", Action::"evm-blobs", Action::"evm-set-code"], resource)
unless { context.holds.contains("value <= 4000000000000000000") };
"#;

async fn start(folder: &Folder) -> (Arc<Committee>, String) {
    let trial = Trial {
        level: Level::Toy,
        policies: vec![("policy".to_owned(), POLICY.to_owned())],
        ..Trial::new(folder.join("committee"))
    };
    let committee = Arc::new(Committee::start(trial).await.unwrap());
    let kinds =
        &[Kind::EvmTransaction, Kind::EvmBlobs, Kind::EvmSetCode, Kind::EvmMessage, Kind::Eip712];
    let spec = committee.spec("desk", Scheme::EcdsaSecp256k1, kinds);
    committee.create(&KeySpec { scope: "ethereum".to_owned(), ..spec }).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let access = AccessKeys::new().with("desk", SECRET.to_owned().into());
    let limits = Limits { within: Duration::from_secs(120), ..Limits::default() };
    tokio::spawn(serve(listener, None, committee.clone(), (Some(1), access), limits));
    (committee, url)
}

#[tokio::test(flavor = "multi_thread")]
async fn evm_executes_what_a_committee_signs_for_ethers() {
    let (Some(node), Some(npm)) = (program("node"), program("npm")) else { return };
    let folder = Folder::new();
    let client = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/client"));
    for file in ["package.json", "sign.mjs"] {
        folder.write(file, std::fs::read(client.join(file)).unwrap());
    }
    let mut install = Command::new(npm);
    install.args(["install", "--silent", "--no-audit", "--no-fund"]).current_dir(folder.path());
    let installed = tokio::task::spawn_blocking(move || run(&mut install)).await.unwrap();
    if !installed.status.success() {
        assert!(std::env::var_os("CI").is_none(), "ethers and an EVM could not be installed");
        return eprintln!("skipped: ethers and an EVM could not be installed");
    }
    let (committee, url) = start(&folder).await;
    let mut sign = Command::new(node);
    sign.arg("sign.mjs").args([&url, "desk", SECRET]).current_dir(folder.path());
    let output = tokio::task::spawn_blocking(move || run(&mut sign)).await.unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(text.trim(), "executed 7");
    let metrics = committee.gateway().unwrap().metrics().await.unwrap();
    // Seven transactions, one of which was asked for twice, typed data, and a message that was asked for twice.
    assert_eq!(metrics.signatures.values().sum::<u64>(), 9);
}
