//! The client: it sets three nodes up, orders signatures, and puts shares together. It has no share of any key.
#![allow(clippy::print_stdout, reason = "a demonstration")]

use core::time::Duration;
use std::path::Path;
use std::{env, fs};

use futures_util::future::{try_join_all, try_join3};
use getrandom::SysRng;
use k256::ecdsa::signature::Verifier as _;
use quorate::ecdsa::{
    DerivationPath, Level, MessageDigest, PresignatureInfo, PublicKeyPackage, Secp256k1,
};
use quorate::envelope::{Directory, Identity, Member, Name, TrustedDirectory};
use quorate::frost::ed25519::{Coordinator, PublicKeyPackage as EdKey};
use quorate::session::rand_core::UnwrapErr;
use quorate::{Parties, PartyId, SealKey};
use quorate_store::file;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::{Result, net::End};

type EcdsaKey = PublicKeyPackage<Secp256k1>;
type Ahead = PresignatureInfo<Secp256k1>;

pub(crate) async fn run(level: Level) -> Result<()> {
    let root = env::temp_dir().join(format!("quorate-service-{}", std::process::id()));
    let parties = Parties::numbered(3)?;
    let &[one, two, three] = parties.as_slice() else { return Err("there are three".into()) };
    let client = &set_up(&root)?;
    let start = |node| start(&root, node);
    let [mut node1, mut node2, mut node3] = [start(one)?, start(two)?, start(three)?];
    println!("Three nodes search for primes of {} bits, and make keys.", level.prime_bits());
    let ed25519 = &EdKey::from_bytes(&order(client, &parties, b"ed25519").await?.concat())?;
    let ecdsa = &EcdsaKey::from_bytes(&order(client, &parties, b"ecdsa").await?.concat())?;
    println!("The nodes have an Ed25519 key and a secp256k1 key, of which any two sign.");

    // Node 2 begins a run, in which it waits for node 1, and is killed.
    let begun = timeout(Duration::from_millis(300), client.ask(two, &[b"stock 1"])).await;
    begun.err().ok_or("node 2 has presigned alone")?;
    node2.kill().await?;
    println!("Node 2 is killed with SIGKILL, while it presigns.");
    sign_frost(client, ed25519, [one, three], "pay 5 to Carol").await?;
    node2 = start(two)?;
    let stock = order(client, &Parties::numbered(2)?, b"stock 1").await?;
    println!("Node 2 is back, and its run has continued: 4 presignatures are in stock.");
    let stock = stock.iter().map(|info| Ahead::from_bytes(info)).collect::<Result<Vec<_>, _>>()?;
    for (presignature, message) in stock.iter().zip(["pay 7 to Dave", "pay 100 to Carol"]) {
        sign_ecdsa(client, ecdsa, presignature, message).await?;
    }
    sign_frost(client, ed25519, [one, two], "pay 9 to Dave").await?;
    for (presignature, message) in stock.iter().skip(2).zip(["pay 101 to Carol", "pay 1 to Eve"]) {
        let signed = sign_ecdsa(client, ecdsa, presignature, message).await;
        let why = signed.err().ok_or("a node has signed what its policy forbids")?;
        println!("Node 1 does not sign {message:?}: {why}.");
    }
    try_join3(node1.kill(), node2.kill(), node3.kill()).await?;
    Ok(fs::remove_dir_all(&root)?)
}

/// Makes the members' folders and the directory. In production each member makes its own identity, and operators compare the
/// id of the directory.
pub(crate) fn set_up(root: &Path) -> Result<End> {
    let (mut directory, rng) = (Directory::first(Name::new("demo")?), &mut UnwrapErr(SysRng));
    let members = [("n1", 1), ("n2", 2), ("n3", 3), ("client", 0)];
    for (name, party) in members {
        let folder = root.join(name);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("policy"), "Carol 100\nDave 20\n")?;
        let (key, identity) = (SealKey::generate(rng)?, Identity::generate(Name::new(name)?, rng)?);
        file::replace(folder.join("seal.key"), key.to_secret_bytes().as_slice())?;
        file::replace(folder.join("identity"), &identity.seal(&key))?;
        let member = Member::new(identity.name().clone(), identity.public().clone());
        directory = directory.member(Member { party: PartyId::new(party), ..member });
    }
    let directory = directory.finish()?;
    for (name, _) in members {
        let (folder, id) = (root.join(name), directory.id());
        TrustedDirectory::confirm(directory.clone(), id)?.record(|new| {
            file::replace(folder.join("directory"), &new.directory)?;
            file::replace(folder.join("directory.id"), &new.id.to_bytes())
        })?;
    }
    End::open(root, "client")
}

/// Starts the process of a node, which is killed when the value is dropped.
fn start(root: &Path, party: PartyId) -> Result<Child> {
    let mut node = Command::new(env::current_exe()?);
    node.arg("node").arg(party.to_string()).arg(root).args(env::args().skip(2)); // perhaps `--real`
    Ok(node.kill_on_drop(true).spawn()?)
}

/// Gives an order to several nodes, whose answers have to be alike. A presignature that one node does not have, because it has
/// spent it or was killed, is dropped by the others: it would take a place in their stock for good.
async fn order(client: &End, nodes: &Parties, order: &[u8]) -> Result<Vec<Vec<u8>>> {
    let asked = nodes.iter().map(async |node| client.ask(node, &[order]).await);
    let answers = try_join_all(asked).await?;
    for (node, answer) in nodes.iter().zip(&answers) {
        for part in answer.iter().filter(|part| answers.iter().any(|all| !all.contains(part))) {
            let single = Ahead::from_bytes(part).map_err(|_| "the nodes do not agree")?;
            client.ask(node, &[b"drop", &single.id().to_bytes()]).await?;
        }
    }
    let in_all = |part: &Vec<u8>| answers.iter().all(|all| all.contains(part));
    Ok(answers.first().into_iter().flatten().filter(|part| in_all(part)).cloned().collect())
}

/// FROST, with the client as the coordinator.
async fn sign_frost(client: &End, key: &EdKey, by: [PartyId; 2], message: &str) -> Result<()> {
    let (coordinator, mut commitments) = (Coordinator::new(key.clone()), Vec::new());
    for signer in by {
        commitments.push((signer, client.ask(signer, &[b"commit"]).await?.concat()));
    }
    let mut session = coordinator.start(commitments.clone(), message.as_bytes())?;
    let package = session.package().to_bytes();
    for (signer, commitments) in commitments {
        let share = client.ask(signer, &[b"sign", &package, &commitments]).await?;
        session.receive(signer, &share.concat())?;
    }
    let signature = coordinator.aggregate(session)?.to_bytes();
    let key = ed25519_dalek::VerifyingKey::from_bytes(&key.verifying_key().to_bytes())?;
    key.verify_strict(message.as_bytes(), &ed25519_dalek::Signature::from_bytes(&signature))?;
    println!("Nodes {by:?} sign {message:?} with Ed25519, and ed25519-dalek verifies it.");
    Ok(())
}

/// ECDSA with a presignature: one message from each signer.
async fn sign_ecdsa(client: &End, key: &EcdsaKey, ahead: &Ahead, message: &str) -> Result<()> {
    let (id, mut shares) = (ahead.id().to_bytes(), Vec::new());
    for signer in ahead.signers().iter() {
        let share = client.ask(signer, &[b"spend", &id, message.as_bytes()]).await?;
        shares.push((signer, share.concat()));
    }
    let child = key.derivation(&DerivationPath::default())?;
    let signature = ahead.aggregate(&child, MessageDigest::sha256(message.as_bytes()), shares)?;
    let key = k256::ecdsa::VerifyingKey::from_sec1_bytes(&key.verifying_key().to_uncompressed())?;
    key.verify(message.as_bytes(), &k256::ecdsa::Signature::from_slice(&signature.to_compact())?)?;
    println!("Nodes 1 and 2 sign {message:?} with ECDSA, and k256 verifies it.");
    Ok(())
}
