//! The arguments of a caller's commands.

use std::path::PathBuf;

use clap::Subcommand;
use custody_core::{DerivationPath, MerkleRoot};
use quorate::PartyId;
use quorate_envelope::Name;

use super::{name, party};

/// The way to a gateway, and the key of the caller.
#[derive(clap::Args, Debug)]
pub struct CallerOptions {
    /// The address of a gateway, as in https://custody.example
    #[arg(long)]
    pub gateway: String,
    /// The file with the caller's private key (PKCS #8, PEM), which others must not be able to read
    #[arg(long)]
    pub secret: PathBuf,
    /// The file with the roots of the gateway's certificate, in PEM; without it the address begins with http://
    #[arg(long)]
    pub roots: Option<PathBuf>,
}

/// The caller, and the cluster.
#[derive(clap::Args, Debug)]
pub struct ClusterOptions {
    /// The caller
    #[command(flatten)]
    pub caller: CallerOptions,
    /// The name of the cluster
    #[arg(long, value_parser = name)]
    pub cluster: Name,
}

/// The caller, and a pinned key, which has the name of its cluster.
#[derive(clap::Args, Debug)]
pub struct PinnedOptions {
    /// The caller
    #[command(flatten)]
    pub caller: CallerOptions,
    /// The file with the pinned key
    #[arg(long)]
    pub pin: PathBuf,
}

/// A child of a key; the key itself without options.
#[derive(clap::Args, Debug)]
pub struct ChildOptions {
    /// The path of a child key, as in m/0/7
    #[arg(long)]
    pub path: Option<DerivationPath>,
    /// The Merkle root of the scripts that the output of a Taproot key commits to: 64 hexadecimal digits
    #[arg(long, value_name = "HEX")]
    pub merkle_root: Option<MerkleRoot>,
}

/// Keys: made, listed, derived from and changed.
#[derive(Subcommand, Debug)]
pub enum KeyCommand {
    /// Make a key, verify the certificate of all its members, and pin it
    Create {
        /// The caller
        #[command(flatten)]
        caller: CallerOptions,
        /// The file with the specification, in JSON
        #[arg(long)]
        spec: PathBuf,
        /// A folder with the directory to trust, of a machine or of `custody init trust`
        #[arg(long)]
        dir: PathBuf,
        /// The file to pin the key in
        #[arg(long)]
        pin: PathBuf,
    },
    /// List the keys: id, scheme, state, epoch, stock, threshold and members
    List(ClusterOptions),
    /// Derive the public key of a child from a pinned key, without a gateway; for Taproot its output key, then its internal key
    Child {
        /// The file with the pinned key
        #[arg(long)]
        pin: PathBuf,
        /// The child
        #[command(flatten)]
        child: ChildOptions,
    },
    /// Give all members new shares; the key stays
    Refresh(PinnedOptions),
    /// Give the key to other members; the key stays
    Reshare {
        /// The caller and the key
        #[command(flatten)]
        of: PinnedOptions,
        /// The number of members that sign
        #[arg(long)]
        threshold: u16,
        /// The numbers of the new members, as in 1,2,4
        #[arg(long, value_delimiter = ',', required = true, value_parser = party)]
        members: Vec<PartyId>,
    },
    /// Stop signing with a key until it is enabled
    Disable(PinnedOptions),
    /// Sign again with a key that was disabled
    Enable(PinnedOptions),
}

/// A request for a signature.
#[derive(clap::Args, Debug)]
pub struct SignArgs {
    /// The caller and the key
    #[command(flatten)]
    pub of: PinnedOptions,
    /// The kind of the purpose, as in evm-transaction
    #[arg(long)]
    pub kind: String,
    /// The file with the body of the kind: for a transaction the bytes that a wallet hashes
    #[arg(long)]
    pub body: PathBuf,
    /// The child that signs
    #[command(flatten)]
    pub child: ChildOptions,
    /// The person or service that the caller acts for: policies can read it
    #[arg(long)]
    pub on_behalf: Option<String>,
    /// The context under which a key of ML-DSA signs: policies can read it
    #[arg(long)]
    pub context: Option<String>,
    /// The time for the request in seconds, with approvals and presigning: seven days at most
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=604_800))]
    pub within: u64,
}

/// A log to export.
#[derive(clap::Args, Debug)]
pub struct LogArgs {
    /// The caller and the cluster
    #[command(flatten)]
    pub of: ClusterOptions,
    /// The number of the node
    #[arg(long, value_parser = party)]
    pub node: PartyId,
    /// The folder for the files of the log, each with the next entries
    #[arg(long)]
    pub out: PathBuf,
}
