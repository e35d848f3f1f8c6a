//! Threshold ECDSA the way a service embeds it.
//!
//! Three [nodes](node), each with a database of its own, make a key of which any two can sign, and
//! two of them sign a message. A node may die at any moment, with nothing left of it but its
//! database; started again, it goes on where it was. The parts to read, in this order:
//!
//! 1. [`store`]: the tables, and the two rules that everything hangs on. A sealed session is
//!    replaced only by the one that follows it (compare and swap on its slot), and a presignature
//!    is spent by a row under a unique key.
//! 2. [`runner`]: a session on top of it. Persist, then send.
//!    [`runs`] has the contract of `quorate-runner` over SQLite, for a service with many runs.
//! 3. [`node`]: what a node does from its start to a signature, each time asking the database what
//!    is done already.
//! 4. [`mail`]: what the network has to do: deliver, or lose, but never lie about the sender.
//! 5. [`service`]: the three threads, the one that is killed, and its restart.

pub mod args;
mod demo;
pub mod mail;
pub mod node;
pub mod runner;
pub mod runs;
pub mod service;
pub mod step;
pub mod store;

use std::ffi::OsString;

use args::{Cli, Command};
use quorate_examples::failure::Failure;
use quorate_examples::out::Out;

/// Runs one command; what it prints goes to `out`, up to the point where it fails.
///
/// # Errors
/// A [`Failure`] with the text for the user.
pub fn run(args: impl Iterator<Item = OsString>, out: &mut Out) -> Result<(), Failure> {
    let Some(cli) = quorate_examples::args::parse::<Cli>(args, out)? else { return Ok(()) };
    match cli.command {
        Command::Steps => step::ALL.iter().for_each(|step| out.line(step)),
        Command::Run { crash, settings } => demo::once(&crash, settings, out)?,
        Command::Demo(settings) => demo::every_step(&settings, out)?,
    }
    Ok(())
}
