//! A node whose disk is full, and one whose clock jumps: the others sign, and afterwards it signs again.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test fails by panicking")]

use core::time::Duration;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use custody_client::{Asked, PinnedKey};
use custody_core::Scheme;
use custody_lab::{Cluster, Options, message, nats_server};
use quorate_purpose::Kind;

fn cluster(name: &str) -> Option<Cluster> {
    let options = Options::new(name, env!("CARGO_BIN_EXE_custody-lab"), nats_server()?);
    Some(Cluster::start(options).unwrap())
}

async fn sign(cluster: &Cluster, key: &PinnedKey, text: &str) {
    let asked = Asked { within: Duration::from_secs(60), ..Asked::default() };
    let purpose = message(text).unwrap();
    let sign = async || cluster.requester.sign(key, &purpose, &asked).await;
    cluster.until(text, sign).await.unwrap();
}

fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// A file system of a few megabytes, which is unmounted at the end.
struct Small(PathBuf);

impl Small {
    /// Mounts it, if this user may.
    fn mount(path: PathBuf) -> Option<Self> {
        fs::create_dir_all(&path).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=16m,mode=700", "tmpfs"]).arg(&path);
        if succeeds(&mut mount) {
            return Some(Self(path));
        }
        eprintln!("no file system can be mounted: skipped (it takes root)");
        None
    }

    /// Fills it to the last byte.
    fn fill(&self) {
        let mut file = fs::File::create(self.0.join("filler")).unwrap();
        for size in [1 << 16, 1 << 10, 1] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
    }

    fn empty(&self) {
        fs::remove_file(self.0.join("filler")).unwrap();
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        succeeds(Command::new("umount").arg("-l").arg(&self.0));
    }
}

/// Moves the folder of a machine that is down onto a small file system.
fn onto(cluster: &Cluster, who: &str) -> Option<Small> {
    let folder = cluster.place.path(who);
    let small = Small::mount(cluster.place.path(format!("small-{who}")))?;
    assert!(succeeds(Command::new("cp").arg("-a").arg(folder.join(".")).arg(&small.0)));
    fs::remove_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink(&small.0, &folder).unwrap();
    Some(small)
}

#[tokio::test(flavor = "multi_thread")]
async fn full_disk_of_a_node_or_the_gateway_loses_nothing() {
    let Some(mut cluster) = cluster("full") else { return };
    let key = cluster.make(Scheme::Ed25519, Kind::OpaqueMessage).await.unwrap();
    sign(&cluster, &key, "before").await;
    for who in ["n1", "g1"] {
        cluster.kill(who);
        let Some(small) = onto(&cluster, who) else { return };
        cluster.up(who).unwrap();
        cluster.ready(who).await.unwrap();
        sign(&cluster, &key, &format!("{who} has moved")).await;
        small.fill();
        if who == "n1" {
            for number in 0..5 {
                sign(&cluster, &key, &format!("without n1, {number}")).await;
            }
        } else {
            // Nothing can be stored, so nothing is accepted.
            let asked = Asked { within: Duration::from_secs(5), ..Asked::default() };
            let refused = cluster.requester.sign(&key, &message("nowhere").unwrap(), &asked).await;
            eprintln!("{}", refused.unwrap_err());
        }
        small.empty();
        // A supervisor starts a process again that has given up.
        if cluster.process(who).is_none() {
            eprintln!("{who} had ended");
            cluster.up(who).unwrap();
        }
        cluster.ready(who).await.unwrap();
        sign(&cluster, &key, &format!("{who} has room again")).await;
        keep(&mut cluster, who, small);
    }
    // With node 1, on its own databases.
    cluster.kill("n3");
    sign(&cluster, &key, "with n1").await;
    cluster.up("n3").unwrap();
    let compared = cluster.audit().await.unwrap();
    assert!(compared.starts_with("3 logs"), "{compared}");
}

/// Moves the folder of a machine back.
fn keep(cluster: &mut Cluster, who: &str, small: Small) {
    cluster.kill(who);
    let folder = cluster.place.path(who);
    fs::remove_file(&folder).unwrap();
    assert!(succeeds(Command::new("cp").arg("-a").arg(&small.0).arg(&folder)));
    drop(small);
    cluster.up(who).unwrap();
}

/// The library that sets a process's clock, if it can be compiled.
fn clock(cluster: &Cluster) -> Option<PathBuf> {
    let library = cluster.place.path("clock.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clock.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).arg("-ldl");
    if succeeds(&mut compiler) {
        return Some(library);
    }
    eprintln!("there is no C compiler: skipped");
    None
}

#[tokio::test(flavor = "multi_thread")]
async fn clock_of_a_node_may_jump_and_jump_back() {
    let Some(mut cluster) = cluster("clock") else { return };
    let Some(library) = clock(&cluster) else { return };
    let file = cluster.place.path("ahead");
    fs::write(&file, "0").unwrap();
    cluster.kill("n1");
    let mut command = cluster.command("n1");
    command.env("LD_PRELOAD", &library).env("CUSTODY_LAB_CLOCK", &file);
    cluster.spawn("n1", command).unwrap();
    let key = cluster.make(Scheme::Ed25519, Kind::OpaqueMessage).await.unwrap();
    for ahead in [7200, -7200, 400_000_000] {
        fs::write(&file, ahead.to_string()).unwrap();
        for number in 0..4 {
            sign(&cluster, &key, &format!("{ahead} s ahead, {number}")).await;
        }
        fs::write(&file, "0").unwrap();
        // Now it is needed.
        cluster.kill("n3");
        sign(&cluster, &key, &format!("after {ahead} s")).await;
        cluster.up("n3").unwrap();
        cluster.ready("n3").await.unwrap();
    }
    let compared = cluster.audit().await;
    eprintln!("{compared:?}");
}
