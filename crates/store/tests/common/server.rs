//! A PostgreSQL server for the tests of a process, in a temporary folder, over a socket in it. It ends with the process.
#![allow(dead_code, unreachable_pub, reason = "each test file uses some of it")]
#![allow(clippy::unwrap_used, clippy::unwrap_in_result, reason = "tests")]

use core::sync::atomic::{AtomicU32, Ordering};
use core::time::Duration;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use postgres::{Client, NoTls};

/// The folder of the server's socket, or why there is none.
static SERVER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
static DATABASES: AtomicU32 = AtomicU32::new(0);

/// How to connect to an empty database; or nothing, with the reason on the standard error, where PostgreSQL is missing.
pub fn database() -> Option<String> {
    match SERVER.get_or_init(start) {
        Ok(socket) => {
            let name = format!("test{}", DATABASES.fetch_add(1, Ordering::Relaxed));
            let mut admin = Client::connect(&address(socket, "postgres"), NoTls).unwrap();
            admin.batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
            Some(address(socket, &name))
        }
        Err(why) => {
            eprintln!("skipped: {why}");
            None
        }
    }
}

fn address(socket: &Path, name: &str) -> String {
    format!("host={} user=postgres dbname={name}", socket.display())
}

/// Where the programs are: where Debian puts them, the newest release first, or in `PATH`.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    found.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut all = found.into_iter().rev().chain(std::env::split_paths(&path));
    all.find(|folder| ["initdb", "postgres"].iter().all(|name| folder.join(name).exists()))
}

fn start() -> Result<PathBuf, String> {
    let programs = programs().ok_or("PostgreSQL is missing: apt-get install postgresql")?;
    let name = format!("quorate-store-server-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    forget_older();
    std::fs::create_dir_all(&folder).unwrap();
    // It refuses to run as root.
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    if is_root {
        let owned = Command::new("chown").arg("postgres").arg(&folder).status();
        assert!(owned.unwrap().success());
    }
    let run = |program: &str| {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL"]);
        if is_root {
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
        }
        command.arg(programs.join(program)).current_dir("/").stdout(Stdio::null());
        command
    };
    let data = folder.join("data");
    let options = ["--auth=trust", "--username=postgres", "--no-sync", "--no-locale", "-D"];
    let made = run("initdb").args(options).arg(&data).status();
    assert!(made.map_err(|error| error.to_string())?.success());
    let mut server = run("postgres");
    server.arg("-D").arg(&data).arg("-k").arg(&folder).args(["-c", "listen_addresses="]);
    server.args(["-c", "fsync=off"]);
    server.stderr(std::fs::File::create(folder.join("log")).unwrap());
    // The server ends with the thread that has started it: with this process.
    std::thread::spawn(move || server.status());
    for _ in 0..600 {
        if Client::connect(&address(&folder, "postgres"), NoTls).is_ok() {
            return Ok(folder);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Err(format!("PostgreSQL does not start: see {}", folder.join("log").display()))
}

/// Deletes the folders of processes that are gone.
fn forget_older() {
    for entry in std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if let Some(id) = name.strip_prefix("quorate-store-server-")
            && !Path::new("/proc").join(id).exists()
        {
            std::fs::remove_dir_all(entry.path()).ok();
        }
    }
}
