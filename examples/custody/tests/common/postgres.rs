//! A PostgreSQL server for the tests of a process, in a temporary folder, over a socket in it. It ends with the process.
#![allow(
    dead_code,
    clippy::unwrap_in_result,
    reason = "not every test uses all of it; a test fails by panicking"
)]

use core::sync::atomic::{AtomicU32, Ordering};
use core::time::Duration;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use quorate_custody::sql::{Address, Db, Settings};

/// The folder of the server's socket, or why there is none.
static SERVER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
static DATABASES: AtomicU32 = AtomicU32::new(0);

/// An empty database, or nothing, with the reason on the standard error, where PostgreSQL is missing.
pub(crate) fn database() -> Option<Address> {
    match SERVER.get_or_init(start) {
        Ok(socket) => {
            let name = format!("test{}", DATABASES.fetch_add(1, Ordering::Relaxed));
            let done = Command::new(programs().unwrap().join("createdb"))
                .args(["-h", socket.to_str().unwrap(), "-U", "postgres", &name])
                .status();
            assert!(done.unwrap().success());
            Some(address(socket, &name))
        }
        Err(why) => {
            eprintln!("skipped: {why}");
            None
        }
    }
}

fn address(socket: &Path, name: &str) -> Address {
    Address::Postgres(format!("host={} user=postgres dbname={name}", socket.display()))
}

fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok().into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    found.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = found.into_iter().rev().chain(std::env::split_paths(&path));
    found
        .into_iter()
        .find(|folder| ["initdb", "createdb"].iter().all(|name| folder.join(name).exists()))
}

fn start() -> Result<PathBuf, String> {
    let programs = programs().ok_or("PostgreSQL is missing: apt-get install postgresql")?;
    forget_older();
    let folder = std::env::temp_dir().join(format!("quorate-postgres-{}", std::process::id()));
    let data = folder.join("data");
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
    let options = ["--auth=trust", "--username=postgres", "--no-sync", "--no-locale", "-D"];
    let made =
        run("initdb").args(options).arg(&data).status().map_err(|error| error.to_string())?;
    assert!(made.success());
    let mut server = run("postgres");
    server.arg("-D").arg(&data).arg("-k").arg(&folder).args(["-c", "listen_addresses="]);
    server.stderr(std::fs::File::create(folder.join("log")).unwrap());
    // The server ends with the thread that has started it: with this process.
    std::thread::spawn(move || server.status());
    let settings = Settings { patience: Duration::from_secs(60), ..Settings::default() };
    let up = Db::open(&address(&folder, "postgres"), settings);
    up.map_err(|error| format!("PostgreSQL does not start: {error}"))?;
    Ok(folder)
}

/// Deletes the folders of processes that are gone.
fn forget_older() {
    for entry in std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if let Some(id) = name.strip_prefix("quorate-postgres-")
            && !Path::new("/proc").join(id).exists()
        {
            std::fs::remove_dir_all(entry.path()).ok();
        }
    }
}
