//! PostgreSQL in a folder: made, started, given databases, stopped.
//!
//! Each database has a role of its own with a password of its own, and no other role may connect to it. The server listens
//! on 127.0.0.1, and takes connections by TLS 1.3 alone, with a certificate of an authority of the folder's own. A second
//! server for the ledgers is a second folder.

use core::fmt::Write;
use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use getrandom::SysRng;
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::session::zeroize::Zeroizing;
use quorate_examples::failure::Failure;
use quorate_examples::files::hex;

use super::{certificates, process};
use account::Account;

mod account;

/// For how long a command of the server is waited for.
const PATIENCE: Duration = Duration::from_secs(60);
/// The superuser's name, who makes roles and databases and does nothing else.
const ADMIN: &str = "keeper";
const MISSING: &str = "PostgreSQL is not installed: apt-get install postgresql";

/// What the server is told besides its defaults. Data that it has confirmed is on the disk; it never logs what a statement
/// held.
const SETTINGS: &str = "
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
fsync = on
synchronous_commit = on
full_page_writes = on
max_connections = 100
shared_buffers = 64MB
deadlock_timeout = 100ms
log_min_error_statement = panic
log_parameter_max_length = 0
log_parameter_max_length_on_error = 0
";

/// What it is told for TLS, and who may connect: nobody in the clear.
const TLS: &str = "
ssl = on
ssl_cert_file = 'server.crt'
ssl_key_file = 'server.key'
ssl_min_protocol_version = 'TLSv1.3'
";
const CLIENTS: &str = "hostssl all all 127.0.0.1/32 scram-sha-256\n";

/// From release 14 on: after a crash the file system is synced as a whole, instead of file by file.
const SYNC_AT_ONCE: (u32, &str) = (14, "recovery_init_sync_method = syncfs\n");

/// A server in a folder.
#[derive(Clone, Debug)]
pub struct Postgres {
    dir: PathBuf,
    port: u16,
    programs: PathBuf,
    account: Account,
}

impl Postgres {
    /// The server of a folder, which is made if it is not there. Nothing is started.
    ///
    /// # Errors
    /// A [`Failure`] if PostgreSQL is not installed, with the line that does so, or if it refuses the folder.
    pub fn open(dir: &Path, port: u16) -> Result<Self, Failure> {
        fs::create_dir_all(dir).map_err(Failure::file("create", dir))?;
        let server = Self::at(dir, port)?;
        if !server.data().join("PG_VERSION").exists() {
            server.make()?;
        }
        super::note_port(&server.dir, port)?;
        Ok(server)
    }

    /// The server of a folder, if there is one: to be looked at, started again or stopped.
    ///
    /// # Errors
    /// A [`Failure`] if PostgreSQL is not installed, or the folder cannot be read.
    pub fn find(dir: &Path) -> Result<Option<Self>, Failure> {
        super::noted_port(dir)?.map(|port| Self::at(dir, port)).transpose()
    }

    fn at(dir: &Path, port: u16) -> Result<Self, Failure> {
        let programs = programs().ok_or_else(|| Failure::new(MISSING))?;
        let dir = fs::canonicalize(dir).map_err(Failure::file("open", dir))?;
        Ok(Self { dir, port, programs, account: Account::of_servers()? })
    }

    /// Starts the server, unless it runs, and waits until it is ready.
    ///
    /// # Errors
    /// A [`Failure`] with the server's last words.
    pub fn start(&self) -> Result<(), Failure> {
        self.secure()?;
        // One that runs may be recovering, or about to end.
        let settled = process::wait_until(PATIENCE, || Ok(self.pid().is_none() || self.ready()))?;
        if settled && self.pid().is_some() {
            return Ok(());
        }
        self.clear()?;
        let log = self.account.writable(&self.dir.join("server.log"))?;
        let mut command = self.tool("pg_ctl");
        command.args(["start", "-w", "-t", "60", "-D"]).arg(self.data());
        command.arg("-l").arg(&log).args(["-o", &format!("-p {}", self.port)]);
        process::run(&mut command, "", (&self.log("start"), PATIENCE))
            .map_err(|error| Failure::new(format!("{error}\n{}", process::last_words(&log))))
    }

    /// Gives the server its certificate and lets it take connections by TLS alone, if that was not done before.
    fn secure(&self) -> Result<(), Failure> {
        certificates::ensure(&self.dir, core::iter::empty())?;
        let data = self.data();
        let ours = certificates::Files::of(&self.dir, certificates::SERVER);
        let certificate =
            fs::read(&ours.certificate).map_err(Failure::file("read", &ours.certificate))?;
        if fs::read(data.join("server.crt")).is_ok_and(|there| there == certificate) {
            return Ok(());
        }
        let key = Zeroizing::new(fs::read(&ours.key).map_err(Failure::file("read", &ours.key))?);
        self.put("server.key", &key)?;
        self.put("pg_hba.conf", CLIENTS.as_bytes())?;
        let file = data.join("postgresql.conf");
        let settings = fs::read_to_string(&file).map_err(Failure::file("read", &file))?;
        if !settings.contains(TLS) {
            self.put("postgresql.conf", (settings + TLS).as_bytes())?;
        }
        // The last file: what was interrupted before it is done again.
        self.put("server.crt", &certificate)?;
        if self.pid().is_none() {
            return Ok(());
        }
        let mut command = self.tool("pg_ctl");
        command.arg("reload").arg("-D").arg(&data);
        process::run(&mut command, "", (&self.log("reload"), PATIENCE))
    }

    /// Writes a file of the data folder, which the server's account alone can read.
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let (path, new) = (self.data().join(name), self.data().join(format!("{name}.new")));
        crate::keyfile::write_private(&new, bytes)?;
        self.account.keep_to(&new)?;
        fs::rename(&new, &path).map_err(Failure::file("write", &path))
    }

    /// Removes the lock of a server that was killed, once its children have seen that. The server itself takes a process that
    /// has ended, and that nobody has waited for, for one that runs.
    fn clear(&self) -> Result<(), Failure> {
        let lock = self.data().join("postmaster.pid");
        if !lock.exists() || self.pid().is_some() {
            return Ok(());
        }
        if !process::wait_until(PATIENCE, || Ok(!process::works_in(&self.data())))? {
            return Err(Failure::new(format!("processes of {} do not end", self.dir.display())));
        }
        fs::remove_file(&lock).map_err(Failure::file("remove", &lock))
    }

    /// Stops the server of this folder, if it runs: clients are disconnected.
    ///
    /// # Errors
    /// A [`Failure`] if it does not stop.
    pub fn stop(&self) -> Result<(), Failure> {
        if self.pid().is_none() {
            return Ok(());
        }
        let mut command = self.tool("pg_ctl");
        command.args(["stop", "-w", "-t", "30", "-m", "fast", "-D"]).arg(self.data());
        process::run(&mut command, "", (&self.log("stop"), PATIENCE))
    }

    /// The number of the server's process, if it runs. Another process may have got the number since.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        let data = self.data();
        let pid = process::running(&data.join("postmaster.pid"))?;
        (process::folder(&pid.to_string()).as_ref() == Some(&data)).then_some(pid)
    }

    /// The port.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Whether the server takes connections.
    #[must_use]
    pub fn ready(&self) -> bool {
        let mut command = self.tool("pg_isready");
        command.args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string()]);
        process::run(&mut command, "", (&self.log("ready"), PATIENCE)).is_ok()
    }

    /// A database and its role, made if they are not there: how to connect, in the form that `tokio-postgres` reads. It has
    /// the password.
    ///
    /// # Errors
    /// A [`Failure`] if the name is not of small letters, digits and underscores, or of the server.
    pub fn database(&self, name: &str) -> Result<String, Failure> {
        let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        let starts = name.starts_with(|first: char| first.is_ascii_lowercase());
        if !starts || name.len() > 40 || !name.bytes().all(fits) || name == ADMIN {
            return Err(Failure::new(format!("{name:?} cannot be a database's name")));
        }
        let password = self.password(name)?;
        self.sql(&[
            format!("SELECT 'CREATE ROLE {name} LOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{name}') \\gexec"),
            format!("ALTER ROLE {name} PASSWORD '{password}';"),
            format!("SELECT 'CREATE DATABASE {name} OWNER {name}' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = '{name}') \\gexec"),
            format!("REVOKE ALL ON DATABASE {name} FROM PUBLIC;"),
        ])?;
        let port = self.port;
        let authority = self.authority()?;
        Ok(format!(
            "host=127.0.0.1 port={port} user={name} password={password} dbname={name} sslrootcert='{authority}'"
        ))
    }

    /// The file of the authority, as a part of addresses.
    fn authority(&self) -> Result<String, Failure> {
        let path = certificates::authority(&self.dir);
        let text = path.to_str().filter(|text| !text.contains('\''));
        let text =
            text.ok_or_else(|| Failure::new("the folder's name has a quote, or is no text"))?;
        Ok(text.to_owned())
    }

    /// Writes out what is only in the log so far: a start after a crash has less to do.
    ///
    /// # Errors
    /// A [`Failure`] of the server.
    pub fn checkpoint(&self) -> Result<(), Failure> {
        self.sql(&["CHECKPOINT;".to_owned()])
    }

    /// Makes a database a copy of another one, with its owner: for trials. Whoever uses either of them is disconnected.
    pub(crate) fn copy(&self, from: &str, to: &str) -> Result<(), Failure> {
        let fits =
            |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !fits(from) || !fits(to) {
            return Err(Failure::new("not the name of a database"));
        }
        let owner = from.split('_').next().unwrap_or(from);
        self.sql(&[
            format!("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname IN ('{from}', '{to}') \\g /dev/null"),
            format!("DROP DATABASE IF EXISTS {to} WITH (FORCE);"),
            format!("CREATE DATABASE {to} TEMPLATE {from} OWNER {owner};"),
            format!("REVOKE ALL ON DATABASE {to} FROM PUBLIC;"),
        ])
    }

    /// Runs statements as the superuser.
    fn sql(&self, statements: &[String]) -> Result<(), Failure> {
        let mut command = Command::new(self.programs.join("psql"));
        command.args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-U", ADMIN]);
        command.args(["-d", "postgres", "-p", &self.port.to_string()]);
        command.env("PGPASSWORD", self.password(ADMIN)?).env("PGCONNECT_TIMEOUT", "10");
        command.env("PGSSLMODE", "verify-ca");
        command.env("PGSSLROOTCERT", certificates::authority(&self.dir));
        let mut text = String::from("SET client_min_messages = warning;\n");
        for statement in statements {
            writeln!(text, "{statement}")?;
        }
        process::run(&mut command, &text, (&self.log("psql"), PATIENCE))
    }

    /// Makes the data folder. It has its name when it is whole.
    fn make(&self) -> Result<(), Failure> {
        let new = self.dir.join("data.new");
        if new.exists() {
            fs::remove_dir_all(&new).map_err(Failure::file("remove", &new))?;
        }
        self.account.own(&new)?;
        let pass = self.dir.join("initdb.pass");
        fs::write(&pass, self.password(ADMIN)?).map_err(Failure::file("write", &pass))?;
        self.account.keep_to(&pass)?;
        let mut command = self.tool("initdb");
        command.args(["-U", ADMIN, "-A", "scram-sha-256", "-E", "UTF8", "--no-locale", "-k"]);
        command.arg("--pwfile").arg(&pass).arg("-D").arg(&new);
        let made = process::run(&mut command, "", (&self.log("initdb"), PATIENCE));
        fs::remove_file(&pass).map_err(Failure::file("remove", &pass))?;
        made?;
        let file = new.join("postgresql.conf");
        let settings = fs::read_to_string(&file).map_err(Failure::file("read", &file))?;
        let version = fs::read_to_string(new.join("PG_VERSION"))?;
        let (since, line) = SYNC_AT_ONCE;
        let at_once = version.trim().parse::<u32>().is_ok_and(|release| release >= since);
        let line = if at_once { line } else { "" };
        fs::write(&file, settings + SETTINGS + line).map_err(Failure::file("write", &file))?;
        fs::rename(&new, self.data()).map_err(Failure::file("rename", &new))
    }

    /// The password of a role, in a file that its owner alone can read.
    fn password(&self, role: &str) -> Result<String, Failure> {
        let path = self.dir.join(format!("{role}.password"));
        if let Ok(password) = fs::read_to_string(&path) {
            return Ok(password);
        }
        let mut bytes = [0; 24];
        UnwrapErr(SysRng).fill_bytes(&mut bytes);
        crate::keyfile::write_private(&path, hex(&bytes).as_bytes())?;
        Ok(hex(&bytes))
    }

    /// A program of the server, as the account that servers run as.
    fn tool(&self, name: &str) -> Command {
        let mut command = self.account.command(&self.programs.join(name));
        command.current_dir("/").env("LC_ALL", "C");
        command
    }

    fn data(&self) -> PathBuf {
        self.dir.join("data")
    }

    fn log(&self, of: &str) -> PathBuf {
        self.dir.join(format!("{of}.log"))
    }
}

/// Where the programs are: in `PATH`, or where Debian puts them, the newest release first.
fn programs() -> Option<PathBuf> {
    let debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let release = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.and_then(|name| name.parse::<u32>().ok())
    };
    let mut releases: Vec<PathBuf> = debian.map(|entry| entry.path()).collect();
    releases.sort_by_key(|path| core::cmp::Reverse(release(path)));
    let folders: Vec<PathBuf> = releases.iter().map(|path| path.join("bin")).collect();
    process::find(&["initdb", "pg_ctl", "psql", "pg_isready"], &folders)
}
