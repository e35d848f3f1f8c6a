//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use quorate::PartyId;
use quorate_examples::args::{level, party};
use quorate_paillier::Level;

/// Three nodes, each a thread with a database, make an ECDSA key of which any two can sign, keep a stock of presignatures,
/// and sign what is asked for.
#[derive(Debug, Parser)]
#[command(name = "custody", disable_help_subcommand = true)]
pub struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a key, fill the stock, and resolve all requests. Kill it whenever you like, and start it again on its folder.
    Demo(Settings),
}

/// The settings of a demonstration.
#[derive(Debug, Args)]
pub struct Settings {
    /// The level of the big moduli: 112, of 2048 bits, which is the quicker, or 128, of 3072.
    #[arg(long, value_parser = level(), default_value = "112")]
    pub level: Level,
    /// The folder of the databases, new or of a demonstration that was interrupted; one for temporary files unless given.
    #[arg(long)]
    pub dir: Option<PathBuf>,
    /// The number of requests.
    #[arg(long, value_name = "NUMBER", default_value = "12", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub requests: u32,
    /// A file to append a line to for each frame that is sent: sender, recipient, protocol, round, named recipient, context
    /// and digest.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// A node that is configured with another threshold than the others: what the operators see.
    #[arg(long, value_name = "NODE", value_parser = party)]
    pub other_threshold: Option<PartyId>,
}
