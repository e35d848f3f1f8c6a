//! What is simulated: machines, regions, load, and the costs of each step.

use clap::Args;

/// Regions, in the order of [`LATENCY_MS`].
pub(super) const REGIONS: [&str; 4] = ["us-east", "us-west", "eu-west", "ap-southeast"];

/// Milliseconds one way between machines of two regions: a model with the orders of magnitude of public clouds.
pub(super) const LATENCY_MS: [[f64; 4]; 4] = [
    [0.5, 31.0, 38.0, 108.0],
    [31.0, 0.5, 67.0, 84.0],
    [38.0, 67.0, 0.5, 87.0],
    [108.0, 84.0, 87.0, 0.5],
];

/// A packet takes up to this part longer than the latency, at random.
pub(super) const JITTER: f64 = 0.1;

/// Presignatures of a run.
pub(super) const RUN: u16 = 32;

/// A custody under a load.
#[derive(Clone, Debug, Args)]
pub struct Scenario {
    /// The nodes, which are put into the regions in turn.
    #[arg(long, default_value = "3", value_parser = clap::value_parser!(u16).range(2..=100))]
    pub nodes: u16,
    /// The signers of each signature.
    #[arg(long, default_value = "2", value_parser = clap::value_parser!(u16).range(2..=100))]
    pub threshold: u16,
    /// The regions.
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=4))]
    pub regions: u16,
    /// The cores of a node that sign.
    #[arg(long, default_value = "1")]
    pub signer_cores: u16,
    /// The cores of a node that presign.
    #[arg(long, default_value = "1")]
    pub presigner_cores: u16,
    /// The cores of the gateways.
    #[arg(long, default_value = "1")]
    pub gateway_cores: u16,
    /// The wallets: child keys, each of one of the keys.
    #[arg(long, default_value = "1000")]
    pub wallets: u64,
    /// The keys of which shares and pools are kept.
    #[arg(long, default_value = "1")]
    pub keys: u64,
    /// Requests a second.
    #[arg(long, default_value = "100")]
    pub rate: f64,
    /// The part of the requests that are ECDSA, from 0 to 1; the others are FROST.
    #[arg(long, default_value = "0.5")]
    pub ecdsa: f64,
    /// The part of the packets that is lost, from 0 to 1.
    #[arg(long, default_value = "0")]
    pub loss: f64,
    /// Seconds of load, in virtual time.
    #[arg(long, default_value = "10")]
    pub seconds: f64,
    /// The seed: it determines everything.
    #[arg(long, default_value = "1")]
    pub seed: u64,
    #[command(flatten)]
    pub(crate) costs: Costs,
}

/// The CPU time of each step, in microseconds, and of a commit the time that it takes. `docs/operations.md` says where the
/// defaults were measured.
#[derive(Clone, Debug, Args)]
pub(crate) struct Costs {
    /// A FROST signature at a node, with its database and its part of the broker.
    #[arg(long, default_value = "400")]
    pub(crate) frost_node_us: u64,
    /// A FROST signature at the gateway, with the same.
    #[arg(long, default_value = "400")]
    pub(crate) frost_gateway_us: u64,
    /// A signature from a presignature at a node.
    #[arg(long, default_value = "400")]
    pub(crate) ecdsa_node_us: u64,
    /// The same at the gateway.
    #[arg(long, default_value = "400")]
    pub(crate) ecdsa_gateway_us: u64,
    /// A presignature at a node, in runs of 32 among two, with moduli of 3072 bits: the start with the first round, and the
    /// three others.
    #[arg(long, value_delimiter = ',', default_values = ["10875", "2424", "288", "4"])]
    pub(crate) presign_us: Vec<u64>,
    /// A commit, until it is on the disk.
    #[arg(long, default_value = "5000")]
    pub(crate) commit_us: u64,
}

impl Scenario {
    /// Milliseconds one way between two machines, of which machine 0 is the gateway.
    pub(crate) fn latency_ms(&self, from: usize, to: usize) -> f64 {
        let row = LATENCY_MS.get(self.region(from));
        row.and_then(|row| row.get(self.region(to))).copied().unwrap_or_default()
    }

    /// The region of a machine: nodes are 1, 2, …; the gateway is with node 1.
    fn region(&self, machine: usize) -> usize {
        machine.saturating_sub(1).checked_rem(usize::from(self.regions)).unwrap_or_default()
    }
}
