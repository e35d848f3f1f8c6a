//! A NATS server in a folder: its configuration and certificates are made, it is started, and stopped.
//!
//! It listens on 127.0.0.1, and takes connections with a certificate of its own authority and an NKey of the directory
//! alone. Each of these may publish under its own name and read what is for it ([`permissions`]). What the server confirms
//! is on the disk.

use core::net::{Ipv4Addr, SocketAddr};
use core::time::Duration;
use std::fs::{self, File};
use std::io::Read as _;
use std::net::TcpStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;

use quorate::session::zeroize::Zeroizing;
use quorate_examples::failure::Failure;

use super::{certificates, process};
use crate::bus::Peer;
use crate::bus::nats::Access;
use crate::directory::Directory;
use crate::keyfile;

mod config;
pub mod permissions;

/// For how long the server is waited for.
const PATIENCE: Duration = Duration::from_secs(30);
/// The first release whose store keeps what it confirmed.
const OLDEST: (u32, u32) = (2, 12);
const MISSING: &str =
    "nats-server is not installed: go install github.com/nats-io/nats-server/v2@latest";
/// The name of the keeper's certificate.
const KEEPER: &str = "keeper";

/// A server in a folder.
#[derive(Clone, Debug)]
pub struct Nats {
    dir: PathBuf,
    port: u16,
    program: PathBuf,
}

impl Nats {
    /// The server of a folder, which is made if it is not there, for those of this directory. Nothing is started.
    ///
    /// # Errors
    /// A [`Failure`] if the server is not installed, with the line that does so, or too old, or if a file cannot be
    /// written.
    pub fn open(dir: &Path, port: u16, directory: &Directory) -> Result<Self, Failure> {
        let program = program()?;
        fs::create_dir_all(dir).map_err(Failure::file("create", dir))?;
        let dir = fs::canonicalize(dir).map_err(Failure::file("open", dir))?;
        let server = Self { dir, port, program };
        let names = directory.peers().map(|(peer, _)| peer.to_string());
        certificates::ensure(&server.dir, names.chain([KEEPER.to_owned()]))?;
        let keeper = nkeys::KeyPair::from_seed(&server.keeper_seed()?)?.public_key();
        let config = config::text(&server.dir, port, directory, &keeper)?;
        keyfile::write_private(&server.config(), config.as_bytes())?;
        super::note_port(&server.dir, port)?;
        Ok(server)
    }

    /// The server of a folder, if there is one, as it was made: to be looked at, started again or stopped.
    ///
    /// # Errors
    /// A [`Failure`] if the server is not installed, or its folder cannot be read.
    pub fn find(dir: &Path) -> Result<Option<Self>, Failure> {
        let Some(port) = super::noted_port(dir)? else { return Ok(None) };
        let dir = fs::canonicalize(dir).map_err(Failure::file("open", dir))?;
        Ok(Some(Self { dir, port, program: program()? }))
    }

    /// Starts the server, unless it runs, and waits until it takes connections.
    ///
    /// # Errors
    /// A [`Failure`] with the server's last words.
    pub fn start(&self) -> Result<(), Failure> {
        if self.pid().is_none() {
            let log = self.dir.join("start.log");
            let file = File::create(&log).map_err(Failure::file("write", &log))?;
            let mut command = Command::new(&self.program);
            command.arg("-c").arg(self.config()).current_dir(&self.dir).process_group(0);
            command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
            let mut child = command.spawn()?;
            fs::write(self.pid_file(), child.id().to_string())?;
            // Somebody has to wait for it when it ends.
            thread::spawn(move || child.wait());
        }
        let ready = process::wait_until(PATIENCE, || {
            if self.pid().is_none() {
                return Err(Failure::new("it has ended"));
            }
            Ok(self.ready())
        });
        let why = match ready {
            Ok(true) => return Ok(()),
            Ok(false) => format!("not ready after {PATIENCE:?}"),
            Err(error) => error.to_string(),
        };
        let words = ["start.log", "server.log"].map(|log| process::last_words(&self.dir.join(log)));
        Err(Failure::new(format!("nats-server: {why}\n{}", words.join("\n"))))
    }

    /// Stops the server of this folder, if it runs.
    ///
    /// # Errors
    /// A [`Failure`] if it does not stop.
    pub fn stop(&self) -> Result<(), Failure> {
        self.pid().map_or(Ok(()), |pid| process::stop(pid, PATIENCE))
    }

    /// The number of the server's process, if it runs. Another process may have got the number since.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        let pid = process::running(&self.pid_file())?;
        (process::folder(&pid.to_string()).as_ref() == Some(&self.dir)).then_some(pid)
    }

    /// The port.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Whether the server takes connections: it says so in clear before TLS begins.
    #[must_use]
    pub fn ready(&self) -> bool {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        let hear = || {
            let patience = Duration::from_secs(1);
            let mut stream = TcpStream::connect_timeout(&address, patience)?;
            stream.set_read_timeout(Some(patience))?;
            let mut word = [0; 5];
            stream.read_exact(&mut word)?;
            Ok::<_, std::io::Error>(word)
        };
        hear().is_ok_and(|word| word == *b"INFO ")
    }

    /// How a peer reaches the server.
    #[must_use]
    pub fn access(&self, peer: Peer) -> Access {
        self.access_of(&peer.to_string())
    }

    /// How the [keeper](crate::bus::nats::keeper) reaches it.
    #[must_use]
    pub fn keeper(&self) -> Access {
        self.access_of(KEEPER)
    }

    /// The seed of the keeper's NKey: a secret.
    ///
    /// # Errors
    /// A [`Failure`] if its file cannot be read, or made.
    pub fn keeper_seed(&self) -> Result<Zeroizing<String>, Failure> {
        let path = self.dir.join("keeper.nkey");
        if !path.exists() {
            let seed = Zeroizing::new(nkeys::KeyPair::new_user().seed()?);
            keyfile::write_private(&path, seed.as_bytes())?;
        }
        keyfile::check_owner(&path)?;
        let seed = fs::read_to_string(&path).map_err(Failure::file("read", &path))?;
        Ok(Zeroizing::new(seed))
    }

    /// The folder that holds everything that was published: whoever removes it has a new server.
    #[must_use]
    pub fn store(&self) -> PathBuf {
        self.dir.join(config::STORE)
    }

    fn access_of(&self, name: &str) -> Access {
        let files = certificates::Files::of(&self.dir, name);
        let url = format!("tls://127.0.0.1:{}", self.port);
        let authority = certificates::authority(&self.dir);
        Access { url, authority, certificate: files.certificate, key: files.key }
    }

    fn config(&self) -> PathBuf {
        self.dir.join("server.conf")
    }

    fn pid_file(&self) -> PathBuf {
        self.dir.join("server.pid")
    }
}

/// The program whose release was found late enough: nobody asks it again.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// The server's program, if its release is late enough.
fn program() -> Result<PathBuf, Failure> {
    if let Some(program) = PROGRAM.get() {
        return Ok(program.clone());
    }
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let folders = [home.join("go/bin"), PathBuf::from("/usr/local/go/bin")];
    let folder = process::find(&["nats-server"], &folders).ok_or_else(|| Failure::new(MISSING))?;
    let program = folder.join("nats-server");
    let told = Command::new(&program).arg("--version").output()?;
    let told = String::from_utf8_lossy(&told.stdout).trim().to_owned();
    match release(&told) {
        Some(release) if release >= OLDEST => Ok(PROGRAM.get_or_init(|| program).clone()),
        _ => Err(Failure::new(format!(
            "{}: {told}; at least {}.{} is needed: go install github.com/nats-io/nats-server/v2@latest",
            program.display(),
            OLDEST.0,
            OLDEST.1
        ))),
    }
}

/// The release of `nats-server: v2.12.1`.
fn release(told: &str) -> Option<(u32, u32)> {
    let mut numbers = told.rsplit('v').next()?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    #[test]
    fn releases_are_read() {
        let all =
            ["nats-server: v2.12.1", "nats-server: v2.9.25", "v3.0.0-beta", "", "nats-server"];
        let read = all.map(super::release);
        assert_eq!(read, [Some((2, 12)), Some((2, 9)), Some((3, 0)), None, None]);
        assert!(read[1] < Some(super::OLDEST) && read[0] >= Some(super::OLDEST));
    }
}
