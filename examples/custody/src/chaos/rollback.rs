//! A node whose database was put back from an old copy, while its ledger was not.

use core::time::Duration;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use quorate_examples::failure::Failure;
use quorate_examples::out::Out;
use tokio::runtime::{Builder, Runtime};

use super::callers::Callers;
use super::hand::Hand;
use super::{LOOK, Settings, rest, signers, status};
use crate::audit::{Audit, Bounds, Places};
use crate::deployment::{Deployment, servers};
use crate::plan::Lock;
use crate::sql::{self, Db, Sql};

/// The node that it happens to, and the copy of its database.
const NODE: &str = "n1";
const COPY: &str = "n1_old";
/// The node has begun a new epoch within this.
const PATIENCE: Duration = Duration::from_secs(60);

/// Signs, copies the database, signs more, puts the copy back, and signs: the node has to begin a new epoch, and everything
/// else has to hold.
pub(super) fn run(
    settings: &Settings,
    deployment: &Deployment,
    out: &mut Out,
) -> Result<(), Failure> {
    let _lock = Lock::take(&deployment.path("run"))?;
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let mut hand = Hand::new(deployment)?;
    sign(settings, deployment, (&runtime, &mut hand), out)?;
    hand.kill_all(NODE)?;
    let copied = released(deployment)?;
    servers::copy_database(deployment, NODE, COPY)?;
    outrun(copied, settings, deployment, (&runtime, &mut hand), out)?;
    let before = epoch(&runtime, deployment);
    hand.kill_all(NODE)?;
    servers::copy_database(deployment, COPY, NODE)?;
    out.line("The database of node 1 is put back; its ledger is not.");
    sign(settings, deployment, (&runtime, &mut hand), out)?;
    let start = Instant::now();
    while epoch(&runtime, deployment) <= before {
        if start.elapsed() > PATIENCE {
            return Err(Failure::new("node 1 does not begin a new epoch"));
        }
        hand.supervise()?;
        std::thread::sleep(LOOK);
    }
    out.line(format!("Node 1 is in epoch {}.", epoch(&runtime, deployment).unwrap_or(0)));
    rest(&runtime, deployment);
    audited(deployment.dir(), out)
}

/// Signs until the node has released more than the copy knows: else it lacks nothing, and need not begin anew.
fn outrun(
    copied: u64,
    settings: &Settings,
    deployment: &Deployment,
    (runtime, hand): (&Runtime, &mut Hand<'_>),
    out: &mut Out,
) -> Result<(), Failure> {
    let start = Instant::now();
    while released(deployment)? <= copied {
        if start.elapsed() > PATIENCE {
            return Err(Failure::new("node 1 releases nothing"));
        }
        sign(settings, deployment, (runtime, hand), out)?;
    }
    Ok(())
}

/// How much the node has released: the number of the last mark of its database.
fn released(deployment: &Deployment) -> Result<u64, Failure> {
    let places = Places::find(deployment.dir(), None)?;
    let place = places.nodes.iter().find(|place| format!("n{}", place.node) == NODE);
    let place = place.ok_or_else(|| Failure::new("there is no node 1"))?;
    let mut db = Db::open(&place.database, sql::Settings::default())?;
    Ok(db.one("SELECT coalesce(max(number), 0) FROM marks", &[])?.number(0)?)
}

fn audited(dir: &Path, out: &mut Out) -> Result<(), Failure> {
    let audit = Audit::of(&Places::find(dir, None)?, &Bounds::default())?;
    audit.print(out);
    if audit.holds() { Ok(()) } else { Err(Failure::new("the audit has findings")) }
}

/// All requests, which have to be signed.
fn sign(
    settings: &Settings,
    deployment: &Deployment,
    (runtime, hand): (&Runtime, &mut Hand<'_>),
    out: &mut Out,
) -> Result<(), Failure> {
    hand.supervise()?;
    let signers = signers(runtime, deployment, settings.scheme)?;
    let (address, requester) = (deployment.gateway(), deployment.requester()?);
    let callers = Arc::new(Callers::new(address, requester, signers, settings.requests)?);
    callers.release(settings.requests);
    let tally = Arc::clone(&callers).run(settings.window)?;
    let (signed, wanted) = (tally.times.len(), usize::try_from(settings.requests)?);
    out.line(format!("{signed} of {wanted} requests are signed, p99 {} ms.", tally.percentile(99)));
    if signed == wanted { Ok(()) } else { Err(Failure::new(format!("{tally:?}"))) }
}

/// The epoch of the node, as the gateway has heard.
fn epoch(runtime: &Runtime, deployment: &Deployment) -> Option<u64> {
    let status = status(runtime, deployment)?;
    let nodes = status.get("nodes")?.as_array()?;
    let first = nodes.iter().find(|node| {
        let name = node.get("node");
        name.and_then(serde_json::Value::as_u64) == Some(1)
            || name.and_then(serde_json::Value::as_str) == Some("1")
    })?;
    first.get("epoch")?.as_u64()
}
