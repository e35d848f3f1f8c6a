//! The servers that the service stands on: they are found, started, waited for and stopped.
//!
//! Both listen on this machine alone. Everything that waits is bounded. What is started goes on when the process that has
//! started it ends: its folder says how to find it, and any process can stop it.

pub mod nats;
pub mod postgres;
pub mod process;

use std::net::TcpListener;

use quorate_examples::failure::Failure;

/// A port of this machine that nothing listens on at this moment.
///
/// # Errors
/// A [`Failure`] if there is none.
pub fn free_port() -> Result<u16, Failure> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
