//! Processes that are killed at random moments, by a seed, while callers send requests.

use core::time::Duration;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use custody_client::PinnedKey;
use fastrand::Rng;

use crate::cluster::Cluster;
use crate::load::{Ends, Load};

/// The time that a caller gives each request.
const WITHIN: Duration = Duration::from_secs(120);
/// The callers.
const WINDOW: usize = 8;
/// The longest time for which a process stays down.
const DOWN: u64 = 400;
/// The longest time between the release of requests and a kill.
const BEFORE: u64 = 300;
/// The pause between two looks whether a process is back.
const LOOK: Duration = Duration::from_millis(10);

/// A plan: how much happens, and by which choices.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The seed of the choices.
    pub seed: u64,
    /// The number of requests.
    pub requests: u32,
    /// The number of kills.
    pub kills: u32,
}

/// The result of a plan.
#[derive(Debug)]
pub struct Report {
    /// The ends of the requests.
    pub ends: Ends,
    /// The processes that were killed, and the times from their start to their readiness.
    pub kills: Vec<(String, Duration)>,
    /// The time that all took.
    pub took: Duration,
}

impl Plan {
    /// Sends the requests, and kills processes meanwhile.
    ///
    /// # Errors
    /// If a process does not come back.
    pub async fn run(
        &self,
        cluster: &mut Cluster,
        keys: Vec<PinnedKey>,
    ) -> Result<(Arc<Load>, Report)> {
        let (begun, mut rng) = (Instant::now(), Rng::with_seed(self.seed));
        let address = cluster.addresses().into_iter().next().context("no gateway")?;
        let client = cluster.client("payments", &address)?;
        let name = format!("chaos-{}", self.seed);
        let load = Load::new(&name, client, keys, self.requests, WITHIN);
        let callers = tokio::spawn(Arc::clone(&load).run(WINDOW));
        let mut kills = Vec::new();
        for number in 1..=self.kills {
            let share = u64::from(self.requests).saturating_mul(number.into());
            let share = share.checked_div(self.kills.into()).unwrap_or_default();
            load.release(u32::try_from(share)?);
            tokio::time::sleep(Duration::from_millis(rng.u64(0..=BEFORE))).await;
            // At times a second one is down before the first is back.
            let count = if rng.u8(0..4) == 0 { 2 } else { 1 };
            kills.extend(strike(cluster, count, &mut rng).await?);
        }
        load.release(self.requests);
        let ends = callers.await?;
        Ok((load, Report { ends, kills, took: begun.elapsed() }))
    }
}

/// Kills processes, starts them again after a while, and waits until they are ready.
async fn strike(
    cluster: &mut Cluster,
    count: usize,
    rng: &mut Rng,
) -> Result<Vec<(String, Duration)>> {
    let mut targets = cluster.names();
    targets.push("nats".to_owned());
    rng.shuffle(&mut targets);
    targets.truncate(count);
    for target in &targets {
        if target == "nats" {
            cluster.kill_broker()
        } else {
            cluster.kill(target)
        }
        tokio::time::sleep(Duration::from_millis(rng.u64(0..=DOWN))).await;
    }
    let begun = Instant::now();
    for target in &targets {
        if target == "nats" { cluster.start_broker()? } else { cluster.up(target)? }
    }
    let mut back = Vec::new();
    for target in targets {
        let of = if target == "nats" { cluster.names() } else { vec![target.clone()] };
        for name in of {
            ready(cluster, &name, begun).await?;
        }
        back.push((target, begun.elapsed()));
    }
    Ok(back)
}

async fn ready(cluster: &Cluster, name: &str, begun: Instant) -> Result<()> {
    while !matches!(cluster.probe(name, "/readyz").await, Ok((200, _))) {
        let is_late = begun.elapsed() > crate::PATIENCE;
        ensure!(!is_late, "{name} does not come back\n{}", cluster.logs());
        tokio::time::sleep(LOOK).await;
    }
    Ok(())
}

impl Report {
    /// The report in a few lines.
    #[must_use]
    pub fn text(&self) -> String {
        let Ends { signed, refused, lost } = &self.ends;
        let mut back: Vec<Duration> = self.kills.iter().map(|(_, back)| *back).collect();
        back.sort_unstable();
        let within = back.iter().filter(|back| **back <= Duration::from_secs(1)).count();
        let middle = back.get(back.len() >> 1).copied().unwrap_or_default();
        format!(
            "{} signed, {} refused, {} lost in {:.1?}; a signature: {:.2?} in the middle, {:.2?} for 99 of 100\n\
             {} kills, {within} back within a second: {middle:.2?} in the middle, {:.2?} at most",
            signed.len(),
            refused.len(),
            lost.len(),
            self.took,
            self.ends.percentile(50),
            self.ends.percentile(99),
            back.len(),
            back.last().copied().unwrap_or_default(),
        )
    }
}
