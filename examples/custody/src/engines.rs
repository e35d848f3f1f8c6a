//! The servers that the service stands on: they are found, started, waited for and stopped.
//!
//! Both listen on this machine alone. Everything that waits is bounded. What is started goes on when the process that has
//! started it ends: its folder says how to find it, and any process can stop it.

mod certificates;
pub mod nats;
pub mod postgres;
pub mod process;

use std::fs;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::path::Path;

use quorate_examples::failure::Failure;

/// A port of this machine that nothing listens on at this moment.
///
/// # Errors
/// A [`Failure`] if there is none.
pub fn free_port() -> Result<u16, Failure> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

/// The file of a server's folder that says its port.
const PORT: &str = "port";

fn note_port(dir: &Path, port: u16) -> Result<(), Failure> {
    let path = dir.join(PORT);
    fs::write(&path, port.to_string()).map_err(Failure::file("write", &path))
}

fn noted_port(dir: &Path) -> Result<Option<u16>, Failure> {
    let path = dir.join(PORT);
    match fs::read_to_string(&path) {
        Ok(text) => Ok(Some(text.trim().parse()?)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::file("read", &path)(error)),
    }
}
