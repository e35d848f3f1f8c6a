//! The arguments of commands for operators and approvers.

use std::path::PathBuf;

use super::{ClusterOptions, epoch};
use custody_core::{KeyId, RequestDigest, RequestId};

/// An approval. Without a request, those that wait are listed; without a digest, the request is shown and not approved.
#[derive(clap::Args, Debug)]
pub struct Approve {
    /// The approver and the cluster
    #[command(flatten)]
    pub of: ClusterOptions,
    /// The approver's own copy of the list of callers, by which it verifies who asks
    #[arg(long)]
    pub callers: PathBuf,
    /// The request, to be shown or approved
    #[arg(value_parser = request)]
    pub request: Option<RequestId>,
    /// Approve the request: its digest, as it is shown with the request
    #[arg(long, requires = "request", value_parser = digest)]
    pub digest: Option<RequestDigest>,
}

/// A backup that is made. The node may run meanwhile.
#[derive(clap::Args, Debug)]
pub struct Backup {
    /// The folder of the node
    #[arg(long)]
    pub dir: PathBuf,
    /// The public file of the backup key
    #[arg(long)]
    pub to: PathBuf,
    /// The file to make
    #[arg(long)]
    pub out: PathBuf,
}

/// A backup that is tried.
#[derive(clap::Args, Debug)]
pub struct Drill {
    /// The backup
    pub file: PathBuf,
    /// The file of the backup key
    #[arg(long)]
    pub key: PathBuf,
    /// Fail if the backup has no share of the key, or one of an older epoch: KEY=EPOCH
    #[arg(long, value_name = "KEY=EPOCH", value_parser = epoch)]
    pub expect_epoch: Vec<(KeyId, u32)>,
}

/// A backup that becomes a node again.
#[derive(clap::Args, Debug)]
pub struct Restore {
    /// The backup
    pub file: PathBuf,
    /// The file of the backup key
    #[arg(long)]
    pub key: PathBuf,
    /// The folder to make
    #[arg(long)]
    pub dir: PathBuf,
}

/// A record to export.
#[derive(clap::Args, Debug)]
pub struct SignersArgs {
    /// The folder of the gateway
    #[arg(long)]
    pub dir: PathBuf,
    /// The file to make
    #[arg(long)]
    pub out: PathBuf,
}

/// A machine that gets another seal key.
#[derive(clap::Args, Debug)]
pub struct Reseal {
    /// The folder of the machine
    #[arg(long)]
    pub dir: PathBuf,
}

/// A machine that is asked.
#[derive(clap::Args, Debug)]
pub struct Status {
    /// The folder of this machine
    #[arg(long)]
    pub dir: PathBuf,
}

fn request(text: &str) -> Result<RequestId, String> {
    text.parse().map_err(|_| "expected the id of a request".into())
}

fn digest(text: &str) -> Result<RequestDigest, String> {
    text.parse().map_err(|_| "expected the digest of a request".into())
}
