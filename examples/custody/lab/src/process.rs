//! Processes, their ports, and the NATS server.

use core::sync::atomic::{AtomicU16, Ordering};
use std::fs::OpenOptions;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result};

/// A process that is killed with the value.
#[derive(Debug)]
pub struct Process(Child);

impl Process {
    /// Starts a process, with its standard error at the end of a file.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn spawn(command: &mut Command, log: &Path) -> Result<Self> {
        let log = OpenOptions::new().create(true).append(true).open(log)?;
        let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        Ok(Self(command.spawn().with_context(|| format!("{:?}", command.get_program()))?))
    }

    /// The number of the process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Returns `true` if it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.0.try_wait(), Ok(None))
    }

    /// Kills it with SIGKILL, and waits for its end.
    pub fn kill(self) {
        drop(self);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// A free port of this machine, below those that outgoing connections take.
///
/// # Errors
/// If there is none.
pub fn port() -> Result<u16> {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = u16::try_from(std::process::id().wrapping_mul(37) & 0x1fff)?.saturating_add(20_000);
    let ports = core::iter::repeat_with(|| NEXT.fetch_add(1, Ordering::Relaxed)).take(2000);
    let mut ports = ports.map(|next| first.saturating_add(next));
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    ports.find(is_free).context("no port is free")
}

/// The NATS server, if it is installed; otherwise a message says that the test is skipped.
#[must_use]
#[allow(clippy::print_stderr, reason = "the reader of a test's output is told")]
pub fn nats_server() -> Option<PathBuf> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let go = std::env::var_os("HOME").map(|home| PathBuf::from(home).join("go/bin"));
    let found = std::env::split_paths(&paths)
        .chain(go)
        .map(|path| path.join("nats-server"))
        .find(|path| path.is_file());
    if found.is_none() {
        eprintln!(
            "nats-server is not installed: skipped (go install github.com/nats-io/nats-server/v2@latest)"
        );
    }
    found
}
