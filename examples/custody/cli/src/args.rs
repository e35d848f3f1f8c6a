//! The arguments.

mod client;
mod operate;

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use custody_core::KeyId;
use quorate::PartyId;
use quorate_envelope::Name;

pub use client::{
    CallerOptions, ChildOptions, ClusterOptions, KeyCommand, LogArgs, PinnedOptions, SignArgs,
};
pub use operate::{Approve, Backup, Drill, Reseal, Restore, SignersArgs, Status};

/// A signing service of several nodes, no one of which has a key.
#[derive(Parser, Debug)]
#[command(name = "custody", version)]
pub struct Args {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// A command.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Set up a machine, or a cluster
    #[command(subcommand)]
    Init(Init),
    /// Keys of those who may ask for signatures
    #[command(subcommand)]
    Caller(CallerCommand),
    /// Make keys, and change them
    #[command(subcommand)]
    Key(KeyCommand),
    /// Have something signed, and verify the signature
    Sign(SignArgs),
    /// List requests that wait for approvals, and approve one
    Approve(Approve),
    /// Policies, before they are loaded
    #[command(subcommand)]
    Policy(PolicyCommand),
    /// Export the log of a node's decisions
    Log(LogArgs),
    /// Export a gateway's record of who signed what
    Signers(SignersArgs),
    /// Verify the logs of nodes against each other, and against gateways' records of who signed what
    Audit(Audit),
    /// Write the shares of a node into one file that only a backup key opens
    Backup(Backup),
    /// Show on a spare machine that a backup is good; it signs nothing
    Drill(Drill),
    /// Make the folder of a node from a backup
    Restore(Restore),
    /// Seal what is secret in a folder and its databases under another seal key; the machine must not run
    Reseal(Reseal),
    /// Ask the process of a folder how it is
    Status(Status),
    /// Run the node or the gateway of a folder until SIGTERM
    Run(Run),
}

/// A trial of policies.
#[derive(Subcommand, Debug)]
pub enum PolicyCommand {
    /// Say what policies decide about a request, and why
    Check {
        /// The files of policies, which are loaded together
        #[arg(required = true)]
        policies: Vec<PathBuf>,
        /// The request, in JSON, as in the folder `policies/requests`
        #[arg(long)]
        request: PathBuf,
    },
}

/// Logs that are compared.
#[derive(clap::Args, Debug)]
pub struct Audit {
    /// The logs, as `custody log` exports them
    #[arg(required = true)]
    pub logs: Vec<PathBuf>,
    /// A folder with the directory to trust, of a machine or of `custody init trust`
    #[arg(long)]
    pub dir: PathBuf,
    /// The list of callers, with all keys that they had in the time of the logs
    #[arg(long)]
    pub callers: PathBuf,
    /// A gateway's record of who signed what, as `custody signers` exports it; several times if there are several gateways
    #[arg(long)]
    pub signers: Vec<PathBuf>,
}

/// A machine that runs.
#[derive(clap::Args, Debug)]
pub struct Run {
    /// The folder of this machine
    #[arg(long)]
    pub dir: PathBuf,
    /// Start a node although its databases were restored: what it had made ahead is dropped
    #[arg(long)]
    pub rejoin: bool,
    /// Let a restored node vote about new shares of a key again: KEY=EPOCH, the highest epoch that any other member's log
    /// names for the key
    #[arg(long, value_name = "KEY=EPOCH", value_parser = epoch)]
    pub rejoin_key: Vec<(KeyId, u32)>,
    /// Let a restored node sign purposes with watermarks for a key again, once the chain is past all that it may have signed
    #[arg(long, value_name = "KEY", value_parser = key)]
    pub accept_watermarks: Vec<KeyId>,
    /// Let the answers of another node count for nothing when this one asks about its databases: NAME says what is not so
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub exclude_witness: Vec<Name>,
}

/// A step of the setting up.
#[derive(Subcommand, Debug)]
pub enum Init {
    /// Make the secrets of a node, and a public file for the cluster
    Node(Member),
    /// Make the secrets of a gateway, and a public file for the cluster
    Gateway(Member),
    /// Make a key that opens backups, to be kept offline, and the public file that seals them
    BackupKey {
        /// The file to make; its public file has `.pub` behind its name
        #[arg(long)]
        out: PathBuf,
    },
    /// Make the folder that all machines of a cluster share
    Cluster(Cluster),
    /// Take the shared folder, on each machine
    Join(Join),
    /// Take the directory of the shared folder, where callers make keys or auditors compare logs
    Trust(Join),
}

/// A machine that becomes a member of a cluster.
#[derive(clap::Args, Debug)]
pub struct Member {
    /// The name, for instance n1
    #[arg(long, value_parser = name)]
    pub name: Name,
    /// The folder for the secrets of this machine; it must not exist
    #[arg(long)]
    pub dir: PathBuf,
    /// The number of a node in all of its keys, from 1; gateways have none
    #[arg(long, value_parser = party)]
    pub party: Option<PartyId>,
}

/// The folder that all machines share.
#[derive(clap::Args, Debug)]
pub struct Cluster {
    /// The name of the cluster: no two of one operator may have the same
    #[arg(long, value_parser = name)]
    pub name: Name,
    /// The public files of all members
    #[arg(required = true)]
    pub members: Vec<PathBuf>,
    /// The host names and addresses of the NATS server
    #[arg(long = "nats", required = true)]
    pub nats: Vec<String>,
    /// The folder to make
    #[arg(long)]
    pub out: PathBuf,
    /// The shared folder before, with `authority.key`: the directory is its next version, with the members given now
    #[arg(long)]
    pub after: Option<PathBuf>,
}

/// A machine that joins its cluster, or a caller that trusts its directory.
#[derive(clap::Args, Debug)]
pub struct Join {
    /// The folder of this machine; of a caller, a folder for the directory alone
    #[arg(long)]
    pub dir: PathBuf,
    /// The shared folder
    #[arg(long)]
    pub cluster: PathBuf,
    /// The id of the directory, as all operators have compared it
    #[arg(long)]
    pub id: String,
}

/// A change of the list of callers.
#[derive(Subcommand, Debug)]
pub enum CallerCommand {
    /// Add a caller, or a second key of one
    Add {
        /// The file with the list of callers
        #[arg(long)]
        callers: PathBuf,
        /// The name
        #[arg(long)]
        name: String,
        /// request, approve or administer; several times if it has several
        #[arg(long = "role", required = true, value_parser = role)]
        roles: Vec<custody_core::Role>,
        /// The file with its public key, in PEM
        #[arg(long)]
        key: PathBuf,
    },
    /// Remove one key of a caller, and the caller with its last key
    Remove {
        /// The file with the list of callers
        #[arg(long)]
        callers: PathBuf,
        /// The name
        #[arg(long)]
        name: String,
        /// The id of the key, as `list` shows it
        #[arg(long)]
        key_id: String,
    },
    /// List the callers and the ids of their keys
    List {
        /// The file with the list of callers
        #[arg(long)]
        callers: PathBuf,
    },
}

fn name(text: &str) -> Result<Name, String> {
    Name::new(text).map_err(|error| error.to_string())
}

pub(crate) fn party(text: &str) -> Result<PartyId, String> {
    text.parse()
        .ok()
        .and_then(PartyId::new)
        .ok_or_else(|| "expected a number from 1 to 65535".into())
}

fn key(text: &str) -> Result<KeyId, String> {
    text.parse().map_err(|_| "expected the id of a key".into())
}

pub(crate) fn epoch(text: &str) -> Result<(KeyId, u32), String> {
    let (id, epoch) = text.split_once('=').ok_or("expected KEY=EPOCH")?;
    Ok((key(id)?, epoch.parse().map_err(|_| "expected a number as the epoch")?))
}

fn role(text: &str) -> Result<custody_core::Role, String> {
    use custody_core::Role::{Administer, Approve, Request};
    let roles = [Request, Approve, Administer];
    let found = roles.into_iter().find(|role| role.to_string() == text);
    found.ok_or_else(|| "expected request, approve or administer".into())
}
