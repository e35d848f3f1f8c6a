//! What a machine keeps, and how much of everything it takes on: the tables `[node]` and `[gateway]` of the settings.

use core::ops::RangeInclusive;
use core::time::Duration;

use anyhow::{Result, ensure};
use custody_core::SignedHead;
use custody_gateway::Config;
use custody_node::Limits;
use quorate::session::stock::WaterMarks;
use serde::Deserialize;

const DAY: u64 = 24 * 60 * 60;
/// The days for which anything can be kept.
const DAYS: RangeInclusive<u64> = 1..=36_500;
/// The fewest days for which a request that has ended is kept: longer than a request is valid. Else the same request could
/// come again, and would be carried out as a new one.
const FEWEST: u64 = SignedHead::MAX_LIFETIME.div_ceil(DAY).saturating_add(1);
/// The most jobs of a node.
const MOST_JOBS: usize = 65_535;

/// The table `[node]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NodeLimits {
    /// The days for which a request and its result are kept after its deadline.
    pub retention_days: u64,
    /// The days for which an entry of the log is kept. Without it nothing is deleted.
    pub log_retention_days: Option<u64>,
    /// The most keys.
    pub max_keys: usize,
    /// The most presignatures or pairs of nonces of a key.
    pub max_stock: u32,
    /// The most jobs that are not settled.
    pub max_jobs: usize,
    /// The most shares that are given for one request.
    pub max_shares: usize,
}

impl Default for NodeLimits {
    fn default() -> Self {
        let Limits { stock, jobs, keys, attempts, retention, log_retention, .. } =
            Limits::default();
        let days = |seconds: u64| seconds.checked_div(DAY).unwrap_or_default();
        Self {
            retention_days: days(retention),
            log_retention_days: log_retention.map(days),
            max_keys: keys,
            max_stock: stock,
            max_jobs: jobs,
            max_shares: attempts,
        }
    }
}

impl NodeLimits {
    /// Refuses what no node can work with.
    pub(super) fn check(&self) -> Result<()> {
        in_days("node.retention_days", self.retention_days)?;
        lasts("node.retention_days", self.retention_days)?;
        if let Some(log) = self.log_retention_days {
            in_days("node.log_retention_days", log)?;
            ensure!(
                log >= self.retention_days,
                "node.log_retention_days: expected at least the {} days of retention_days, got {log}: an audit \
                 compares the log with the requests that are kept",
                self.retention_days
            );
        }
        for (name, most) in [
            ("max_keys", self.max_keys),
            ("max_stock", usize::try_from(self.max_stock).unwrap_or(usize::MAX)),
            ("max_jobs", self.max_jobs),
            ("max_shares", self.max_shares),
        ] {
            ensure!(most > 0, "node.{name}: expected at least 1");
        }
        let jobs = self.max_jobs;
        ensure!(jobs <= MOST_JOBS, "node.max_jobs: expected at most {MOST_JOBS}, got {jobs}");
        Ok(())
    }

    /// The limits of the node.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits {
            stock: self.max_stock,
            jobs: self.max_jobs,
            keys: self.max_keys,
            attempts: self.max_shares,
            retention: self.retention_days.saturating_mul(DAY),
            log_retention: self.log_retention_days.map(|days| days.saturating_mul(DAY)),
            ..Limits::default()
        }
    }
}

/// The marks of a stock: it is filled up to the high one when it has fallen below the low one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Marks {
    /// The low mark.
    pub low: usize,
    /// The high mark.
    pub high: usize,
}

impl From<WaterMarks> for Marks {
    fn from(WaterMarks { low, high }: WaterMarks) -> Self {
        Self { low, high }
    }
}

/// The table `[gateway]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GatewayLimits {
    /// The days for which a request and its result are kept after it has ended.
    pub retention_days: u64,
    /// The most requests without a result.
    pub max_open: usize,
    /// The most attempts to sign at a time, of keys without priority.
    pub max_attempts: usize,
    /// The presignatures of each set of signers of a key.
    pub presignatures: Marks,
    /// The pairs of nonces of each node for a key.
    pub nonces: Marks,
    /// The sets of signers of a key for which presignatures are kept.
    pub signer_sets: usize,
}

impl Default for GatewayLimits {
    fn default() -> Self {
        let Config { presignatures, nonces, sets, max_open, max_attempts, retention, .. } =
            Config::default();
        Self {
            retention_days: retention.as_secs().checked_div(DAY).unwrap_or_default(),
            max_open,
            max_attempts,
            presignatures: presignatures.into(),
            nonces: nonces.into(),
            signer_sets: sets,
        }
    }
}

impl GatewayLimits {
    /// Refuses what no gateway can work with.
    pub(super) fn check(&self) -> Result<()> {
        in_days("gateway.retention_days", self.retention_days)?;
        lasts("gateway.retention_days", self.retention_days)?;
        for (name, most) in [
            ("max_open", self.max_open),
            ("max_attempts", self.max_attempts),
            ("signer_sets", self.signer_sets),
        ] {
            ensure!(most > 0, "gateway.{name}: expected at least 1");
        }
        for (name, Marks { low, high }) in
            [("presignatures", self.presignatures), ("nonces", self.nonces)]
        {
            let fits = low > 0 && low <= high;
            ensure!(
                fits,
                "gateway.{name}: expected 1 <= low <= high, got low = {low}, high = {high}"
            );
        }
        Ok(())
    }

    /// The settings of the gateway.
    #[must_use]
    pub fn config(&self) -> Config {
        let marks = |Marks { low, high }| WaterMarks { low, high };
        Config {
            presignatures: marks(self.presignatures),
            nonces: marks(self.nonces),
            sets: self.signer_sets,
            max_open: self.max_open,
            max_attempts: self.max_attempts,
            retention: Duration::from_secs(self.retention_days.saturating_mul(DAY)),
            ..Config::default()
        }
    }
}

fn lasts(name: &str, days: u64) -> Result<()> {
    ensure!(
        days >= FEWEST,
        "{name}: expected at least {FEWEST} days, got {days}: a request is valid for a week, and must not be taken for another one as \
         long as it is"
    );
    Ok(())
}

fn in_days(name: &str, days: u64) -> Result<()> {
    let (least, most) = (DAYS.start(), DAYS.end());
    ensure!(DAYS.contains(&days), "{name}: expected {least} to {most} days, got {days}");
    Ok(())
}
