//! Threshold ECDSA the way a service embeds it: on `quorate-runner`, over SQLite.
//!
//! Three [nodes](node), each with a database of its own, make a key of which any two can sign, and two of them keep a stock
//! of presignatures and sign what is asked for. The whole process may be killed at any moment, with `kill -9`; started again
//! on its folder, it goes on where it was. The parts to read, in this order:
//!
//! 0. [`sql`]: one face over SQLite and PostgreSQL.
//! 1. [`runs`]: the contract of `quorate-runner` over SQLite, a ledger of what was spent that lies where backups do not
//!    reach, and the refusal of a database that was put back.
//! 2. [`vault`]: what a node keeps besides its runs, and the one place where a presignature is spent.
//! 3. [`apps`]: parameters and results of the four protocols; [`signing`], one of our own, of one round.
//! 4. [`node`]: a runner for each protocol, orders, a policy. [`lane`] is a runner without its type.
//! 5. [`gateway`]: requests by number, orders that are given until all have answered, and water marks for the stock.
//! 6. [`net`]: what the network has to do: deliver, or lose, but never lie about the sender. [`greeting`]: how the nodes
//!    are configured, for operators to compare.
//! 7. [`service`]: the threads and the folders. [`keyfile`]: the key that seals a database, apart from it.
//!
//! # What it does not do
//!
//! - **See both files put back at once.** The ledger witnesses its database. A snapshot of the whole machine brings both
//!   back: put the ledger on another machine, or let the peers witness each other.
//! - **Send over a network.** Channels between threads stand for one; encrypt and authenticate yours.
//! - **Bring a node back whose database was put back.** It refuses, and its share has to be repaired on a new one
//!   (`quorate_cggmp::Repair`).

pub mod apps;
pub mod args;
pub mod bus;
pub mod caller;
pub mod demo;
pub mod directory;
pub mod engines;
pub mod envelope;
pub mod gateway;
pub mod greeting;
pub mod http;
pub mod keyfile;
pub mod lane;
pub mod load;
pub mod logs;
pub mod metrics;
pub mod net;
pub mod node;
pub mod orders;
pub mod page;
pub mod plan;
pub mod records;
pub mod request;
pub mod runs;
pub mod service;
pub mod signing;
pub mod sql;
pub mod store;
pub mod usage;
pub mod vault;
pub mod wire;

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
        Command::Demo(settings) => demo::run(&settings, out),
    }
}
