//! The command line.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};
use quorate::PartyId;
use quorate_examples::args::{level, party};
use quorate_examples::failure::Failure;
use quorate_paillier::Level;

use super::step;

/// Three nodes, each a thread with a database, make an ECDSA key of which any two can sign, and two
/// of them sign a message. A node that is killed goes on from its database.
#[derive(Debug, Parser)]
#[command(name = "custody", disable_help_subcommand = true)]
pub struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Kill node 2 at each step in turn, then show that a presignature is not spent twice.
    Demo(Settings),
    /// Run once.
    Run {
        #[command(flatten)]
        crash: Crash,
        #[command(flatten)]
        settings: Settings,
    },
    /// List the steps.
    Steps,
}

/// The settings of a run.
#[derive(Debug, Args)]
pub struct Settings {
    /// The level of the big moduli: 112, of 2048 bits, which is the quicker, or 128, of 3072.
    #[arg(long, value_parser = level(), default_value = "112")]
    pub level: Level,
    /// A new folder for the databases; one for temporary files unless given.
    #[arg(long)]
    pub dir: Option<PathBuf>,
}

/// The fault to bring about.
#[derive(Debug, Args)]
pub struct Crash {
    /// A node that is configured with another threshold than the others: what its operator sees.
    #[arg(long, value_name = "NODE", value_parser = party, conflicts_with = "crash_at")]
    pub(crate) other_threshold: Option<PartyId>,
    /// The step at which a node is killed.
    #[arg(long, value_name = "STEP", value_parser = PossibleValuesParser::new(step::ALL))]
    crash_at: Option<String>,
    /// The node: 1, 2 or 3.
    #[arg(long, value_parser = party, default_value = "2")]
    node: PartyId,
}

impl Crash {
    /// The node and the step, if a node is to be killed.
    ///
    /// # Errors
    /// A [`Failure`] if there is no such node.
    pub(crate) fn planned(&self) -> Result<Option<(PartyId, String)>, Failure> {
        let named = self.other_threshold.unwrap_or(self.node);
        if let Some(node) = [self.node, named].into_iter().find(|node| node.get() > 3) {
            return Err(Failure::usage(format!("node {node}: there are three nodes")));
        }
        Ok(self.crash_at.clone().map(|step| (self.node, step)))
    }
}
