//! The arguments.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Sockets by which existing software signs with the keys of a committee.
#[derive(Parser, Debug)]
#[command(name = "quorate-sockets", version)]
pub(crate) struct Args {
    /// The command.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// A command.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Try sockets out with a committee in this process, which protects nothing
    #[cfg(feature = "trial")]
    Try(Trial),
    /// Serve the sockets of a configuration with the keys of the signing service
    Run {
        /// The file, in TOML
        #[arg(long)]
        config: PathBuf,
    },
}

/// A committee in this process, and the sockets to try.
#[cfg(feature = "trial")]
#[derive(clap::Args, Debug)]
pub(crate) struct Trial {
    /// The folder of the committee, which keeps its keys; without one they end with the process
    #[arg(long)]
    pub(crate) folder: Option<PathBuf>,
    /// The number of nodes; more than half of them sign
    #[arg(long, default_value_t = 3)]
    pub(crate) nodes: u16,
    /// Policies in Cedar for all nodes, in place of one that allows whatever can be read
    #[arg(long)]
    pub(crate) policy: Vec<PathBuf>,
    /// The sockets.
    #[command(flatten)]
    pub(crate) sockets: crate::sockets::Chosen,
}
