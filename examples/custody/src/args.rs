//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use quorate::PartyId;
use quorate_cggmp::DerivationPath;
use quorate_examples::args::{level, party};
use quorate_examples::failure::Failure;
use quorate_examples::out::Out;
use quorate_paillier::Level;

use crate::audit::{self, Bounds};
use crate::chaos;
use crate::chaos::misbehave::How;
use crate::request::Scheme;
use crate::simulate::Scenario;

/// Three nodes, each a thread with a database, make an ECDSA key of which any two can sign, keep a stock of presignatures,
/// and sign what is asked for.
#[derive(Debug, Parser)]
#[command(name = "custody", disable_help_subcommand = true)]
pub struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

// Each is read once.
#[allow(clippy::large_enum_variant, reason = "one of these is made in the life of a process")]
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a key, fill the stock, and resolve all requests. Kill it whenever you like, and start it again on its folder.
    Demo(Settings),
    /// Start PostgreSQL, the broker, the nodes' workers and a gateway, or whatever of them does not run.
    Up(UpSettings),
    /// Stop all of it.
    Down(At),
    /// What runs, what is left to sign with, and how the nodes are.
    Status(StatusSettings),
    /// Sign a file, and verify the signature with another implementation.
    Sign(SignSettings),
    /// Ask for signatures at a rate, and measure.
    Load(LoadSettings),
    /// Give a node a new identity: the keys that sign and open its envelopes, and its name at the broker.
    RotateIdentity(RotateSettings),
    /// Give the requester a new key, beside the one that it has; with --finish, the new one alone.
    RotateRequester(RequesterSettings),
    /// Give new shares of a key to these nodes: the key stays.
    Reshare(ReshareSettings),
    /// Seal what a node has stored anew, under a new key, so that the key before can be destroyed.
    Reseal(ResealSettings),
    /// Kill, stall and wipe processes and servers of a deployment while requests are handed in, then audit it.
    Chaos(ChaosSettings),
    /// Hold the records of all nodes and the gateway against each other, after a run.
    Audit(AuditSettings),
    /// A worker of a node.
    Node(ProcessSettings),
    /// A gateway.
    Gateway(ProcessSettings),
    /// The keeper of the broker's streams.
    Keeper(ProcessSettings),
    /// Simulate the service under a load, in virtual time: latencies, loads, and what bounds it.
    Simulate(Scenario),
}

/// A deployment.
#[derive(Debug, Args)]
pub(crate) struct At {
    /// The folder of the deployment.
    #[arg(long)]
    pub(crate) dir: PathBuf,
}

/// Whose identity is replaced.
#[derive(Debug, Args)]
pub(crate) struct RotateSettings {
    #[command(flatten)]
    pub(crate) at: At,
    /// The node.
    #[arg(long)]
    pub(crate) node: u16,
}

/// How far the requester's key is replaced.
#[derive(Debug, Args)]
pub(crate) struct RequesterSettings {
    #[command(flatten)]
    pub(crate) at: At,
    /// Remove the key of before: everybody has the new one.
    #[arg(long)]
    pub(crate) finish: bool,
}

/// Who gets new shares of a key.
#[derive(Debug, Args)]
pub(crate) struct ReshareSettings {
    #[command(flatten)]
    pub(crate) at: At,
    /// The key, as `status` shows it.
    #[arg(long)]
    pub(crate) key: String,
    /// How many of the nodes sign.
    #[arg(long)]
    pub(crate) threshold: u16,
    /// The nodes; those that hold the key now, for a refresh.
    #[arg(long, value_delimiter = ',', value_parser = party, required = true)]
    pub(crate) nodes: Vec<PartyId>,
}

/// What is sealed anew.
#[derive(Debug, Args)]
pub(crate) struct ResealSettings {
    #[command(flatten)]
    pub(crate) at: At,
    /// The node.
    #[arg(long)]
    pub(crate) node: u16,
    /// Make a new key first. Without this, what was begun before goes on.
    #[arg(long)]
    pub(crate) new_key: bool,
}

/// A process of a deployment.
#[derive(Debug, Args)]
pub(crate) struct ProcessSettings {
    /// The file of its settings.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: PathBuf,
}

/// What `up` makes. A deployment that is there keeps what it was made with; an option that says otherwise is refused.
#[derive(Debug, Args)]
pub(crate) struct UpSettings {
    #[command(flatten)]
    pub(crate) at: At,
    /// The number of nodes. Of a new deployment it is 3 unless given; one that is there has its own.
    #[arg(long)]
    pub(crate) nodes: Option<u16>,
    /// How many of them sign: 2, or as it was made.
    #[arg(long)]
    pub(crate) threshold: Option<u16>,
    /// The workers of each node: 2, or as it was made.
    #[arg(long)]
    pub(crate) workers: Option<u16>,
    /// The level of the big moduli: 112, of 2048 bits, or 128, of 3072. Of a new deployment 112 unless given; one that is
    /// there has its own.
    #[arg(long, value_parser = level())]
    pub(crate) level: Option<Level>,
    /// Stay, and start again whatever ends; stop everything when interrupted.
    #[arg(long)]
    pub(crate) supervise: bool,
}

/// What `status` prints.
#[derive(Debug, Args)]
pub(crate) struct StatusSettings {
    #[command(flatten)]
    pub(crate) at: At,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The scheme of signatures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SchemeChoice {
    /// Ed25519.
    Frost,
    /// ECDSA over secp256k1.
    Ecdsa,
    /// Both in turn.
    Mixed,
}

impl SchemeChoice {
    pub(crate) fn takes(self, scheme: Scheme) -> bool {
        match self {
            Self::Frost => scheme == Scheme::Ed25519,
            Self::Ecdsa => scheme == Scheme::Ecdsa,
            Self::Mixed => true,
        }
    }
}

/// What is signed.
#[derive(Debug, Args)]
pub(crate) struct SignSettings {
    /// The file.
    pub(crate) file: PathBuf,
    /// The folder of the deployment.
    #[arg(long)]
    pub(crate) dir: PathBuf,
    /// The scheme.
    #[arg(long, value_enum, default_value = "frost")]
    pub(crate) scheme: SchemeChoice,
    /// The path from the key to the one that signs.
    #[arg(long, default_value = "m")]
    pub(crate) path: DerivationPath,
    /// The name of the key, as an operator has told it. A folder without `directory.json` needs it.
    #[arg(long)]
    pub(crate) key: Option<String>,
}

/// What is asked for.
#[derive(Debug, Args)]
pub(crate) struct LoadSettings {
    /// The folder of the deployment.
    #[arg(long)]
    pub(crate) dir: PathBuf,
    /// Requests a second; 0 for as many as the window allows.
    #[arg(long, default_value = "0", value_parser = clap::value_parser!(u32).range(..=100_000))]
    pub(crate) rate: u32,
    /// For how long.
    #[arg(long, default_value = "10", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(crate) seconds: u32,
    /// The most requests under way.
    #[arg(long, default_value = "32", value_parser = clap::value_parser!(u16).range(1..=900))]
    pub(crate) window: u16,
    /// The scheme.
    #[arg(long, value_enum, default_value = "frost")]
    pub(crate) scheme: SchemeChoice,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What chaos does.
#[derive(Debug, Args)]
pub(crate) struct ChaosSettings {
    /// The folder of the deployment, made if there is none.
    #[arg(long)]
    dir: PathBuf,
    /// The number of requests.
    #[arg(long, default_value = "40", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    requests: u32,
    /// The number of events.
    #[arg(long, default_value = "10", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    kills: u32,
    /// What the order of events comes from.
    #[arg(long, default_value = "1")]
    seed: u64,
    /// The scheme.
    #[arg(long, value_enum, default_value = "mixed")]
    scheme: SchemeChoice,
    /// The most requests under way.
    #[arg(long, default_value = "8", value_parser = clap::value_parser!(u16).range(1..=256))]
    window: u16,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Leave everything running in the end.
    #[arg(long)]
    keep: bool,
    /// Instead of all that: the database of a node is put back from an old copy, its ledger is not.
    #[arg(long, conflicts_with_all = ["keep", "json", "kills"])]
    rollback: bool,
    /// A node cheats on purpose once there is something to sign with.
    #[arg(long, value_enum, conflicts_with = "rollback")]
    misbehave: Option<How>,
    /// The node that does.
    #[arg(long, value_name = "NODE", value_parser = party, default_value = "3", requires = "misbehave")]
    node: PartyId,
}

impl From<ChaosSettings> for chaos::Settings {
    fn from(settings: ChaosSettings) -> Self {
        let ChaosSettings { dir, requests, kills, seed, scheme, window, json, .. } = settings;
        let (keep, rollback) = (settings.keep, settings.rollback);
        let misbehave = settings.misbehave.map(|how| (how, settings.node));
        Self { dir, requests, kills, seed, scheme, window, json, keep, rollback, misbehave }
    }
}

/// What is audited.
#[derive(Debug, Args)]
pub(crate) struct AuditSettings {
    /// The folder of a deployment, or of a demonstration.
    #[arg(long)]
    dir: PathBuf,
    /// The record of a demonstration's frames.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// A request may end so long after its deadline.
    #[arg(long, value_name = "MS", default_value = "20000")]
    slack: u64,
    /// A node that is known to have misbehaved.
    #[arg(long, value_name = "NODE", value_parser = party)]
    culprit: Vec<PartyId>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl AuditSettings {
    pub(crate) fn run(self, out: &mut Out) -> Result<(), Failure> {
        let Self { dir, record, slack, culprit, json } = self;
        let culprits = culprit.into_iter().collect();
        let bounds = Bounds { slack, culprits, ..Bounds::default() };
        audit::run(&dir, record.as_deref(), json, &bounds, out)
    }
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

/// The number of a level, as on the command line.
pub(crate) const fn number(level: Level) -> u32 {
    match level {
        Level::Bits112 => 112,
        _ => 128,
    }
}
