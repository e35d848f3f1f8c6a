//! Threshold signatures as a service: requests come in, signers look at each of them, and signatures come out.
//!
//! Three [nodes](node), each with a database of its own, hold shares of keys of which any two can sign: ECDSA over secp256k1,
//! from presignatures, and Ed25519 by FROST, from nonces that are made ahead. A [gateway](gateway) takes requests, has them
//! signed and puts the shares together; it knows no secret. Everything may be killed at any moment, with `kill -9`; started
//! again, it goes on where it was. There are two fittings: embedded, with threads over SQLite ([`service`], `custody demo`),
//! and served, with processes over PostgreSQL and NATS. The parts to read, in this order:
//!
//! 1. [`request`]: what somebody wants signed, under that somebody's signature. [`wire`]: what nodes and gateways say.
//! 2. [`sql`]: one face over SQLite and PostgreSQL. [`store`]: the contract of `quorate-runner` over it, a ledger of what was
//!    spent that lies where backups do not reach, and the refusal of a database that was put back.
//! 3. [`vault`]: what a node keeps besides its runs, and the one place where presignatures and nonces are spent.
//!    [`policy`]: what a node signs.
//! 4. [`apps`]: the protocols, with their parameters and results.
//! 5. [`node`]: one runner of all protocols, orders, leases of two workers, and the witness of peers.
//! 6. [`gateway`]: requests by idempotency key, orders that are given until they are answered, shares that are put together,
//!    cheaters by name, and water marks for all that is made ahead.
//! 7. [`bus`]: deliver, or lose, but never lie about the sender. [`envelope`] and [`directory`]: who is who on it.
//!    [`greeting`]: how the nodes are configured, for operators to compare.
//! 8. [`keyfile`]: the key that seals a database, apart from it.
//! 9. [`statement`]: what nodes state of their keys. [`trust`] and [`caller`]: a requester that does not take the gateway's word
//!    for a key.
//!
//! # What it does not do
//!
//! - **Notice at once that a node's database and ledger were both put back.** Its peers notice, by marks that travel with the
//!   signs of life: what the node released in the last second before may be unknown to them. If all were restarted together,
//!   nobody can know whether they were put back, so all drop their presignatures and nonces, unless a [`counter`] outside
//!   remembers how far they have come.
//! - **Sign with children of an Ed25519 key.** Nonces are of one key.
//! - **Bring a share back.** A node that has lost its database has its share repaired on a new one
//!   (`quorate_cggmp::Repair`).

pub mod apps;
pub mod args;
pub mod audit;
pub mod bus;
pub mod caller;
pub mod change;
pub mod chaos;
mod clock;
pub mod counter;
pub mod demo;
pub mod deployment;
pub mod directory;
pub mod engines;
pub mod envelope;
pub mod gateway;
pub mod greeting;
pub mod http;
pub mod keyfile;
pub mod load;
pub mod logs;
pub mod metrics;
pub mod node;
pub mod orders;
pub mod page;
pub mod plan;
pub mod policy;
pub mod post;
mod process;
pub mod record;
pub mod records;
pub mod request;
pub mod reseal;
mod reshare;
mod rotate;
pub mod service;
pub mod side;
mod sign;
pub mod simulate;
pub mod sql;
pub mod statement;
mod status;
pub mod store;
pub mod trust;
mod up;
pub mod usage;
pub mod vault;
pub mod wire;

use std::ffi::OsString;

use args::{Cli, Command, UpSettings};
use deployment::Asked;
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
        Command::Up(settings) => {
            let UpSettings { at, nodes, threshold, workers, level, supervise } = settings;
            let level = level.map(args::number);
            up::run(&at.dir, Asked { nodes, threshold, workers, level }, supervise, out)
        }
        Command::Down(at) => up::down(&at.dir, out),
        Command::Status(settings) => status::run(&settings.at.dir, settings.json, out),
        Command::Sign(settings) => sign::run(&settings, out),
        Command::Load(settings) => sign::load(&settings, out),
        Command::RotateIdentity(settings) => rotate::identity(&settings.at.dir, settings.node, out),
        Command::RotateRequester(settings) if settings.finish => {
            rotate::finish_requester(&settings.at.dir, out)
        }
        Command::RotateRequester(settings) => rotate::requester(&settings.at.dir, out),
        Command::Reshare(settings) => reshare::run(&settings, out),
        Command::Reseal(settings) => {
            reseal::run(&settings.at.dir, settings.node, settings.new_key, out)
        }
        Command::Chaos(settings) => chaos::run(&settings.into(), out),
        Command::Audit(settings) => settings.run(out),
        Command::Node(settings) => process::node(&settings.config),
        Command::Gateway(settings) => process::gateway(&settings.config),
        Command::Keeper(settings) => process::keeper(&settings.config),
        Command::Simulate(scenario) => simulate::run(&scenario, out),
    }
}
