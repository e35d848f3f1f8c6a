//! New shares of a key, at another committee or threshold or at the same: the command.

use core::time::Duration;
use std::time::Instant;

use quorate_examples::failure::Failure;
use quorate_examples::out::Out;
use serde_json::Value;
use tokio::runtime::Builder;

use crate::args::ReshareSettings;
use crate::caller::Caller;
use crate::change::Change;
use crate::deployment::Deployment;
use crate::http::form::unhex;
use crate::node::now;
use crate::request::KeyId;

/// An order is good for so long, in milliseconds.
const GOOD: u64 = 60_000;
/// The nodes have so long; what they have begun they go on with after that, too.
const PATIENCE: Duration = Duration::from_secs(900);
/// How often it is looked how far they are.
const LOOK: Duration = Duration::from_millis(300);

/// Orders the new shares, and waits until all have them.
pub(crate) fn run(settings: &ReshareSettings, out: &mut Out) -> Result<(), Failure> {
    let deployment = Deployment::open(&settings.at.dir)?;
    let mut caller = Caller::new(deployment.gateway(), &deployment.requester()?);
    let id = unhex(&settings.key).and_then(|bytes| bytes.try_into().ok());
    let key = KeyId(id.ok_or_else(|| Failure::usage("--key: 16 bytes in hexadecimal"))?);
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (epoch, _) = found(&mut caller, &settings.key).await?;
        let change = Change {
            key,
            epoch: u32::try_from(epoch).unwrap_or(u32::MAX),
            threshold: settings.threshold,
            committee: settings.nodes.clone(),
            deadline: now().saturating_add(GOOD),
        };
        let new = caller.change(change).await?;
        out.line("Ordered. The nodes go on by themselves if this is interrupted.");
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            let (epoch, nodes) = found(&mut caller, &settings.key).await?;
            if epoch >= new {
                out.line(format!(
                    "Nodes {nodes} have new shares of the same key, of epoch {epoch}."
                ));
                return Ok(());
            }
            tokio::time::sleep(LOOK).await;
        }
        Err(Failure::new("not all nodes have answered; see the gateway's log"))
    })
}

/// The epoch of a key, and its nodes.
async fn found(caller: &mut Caller, id: &str) -> Result<(u64, String), Failure> {
    let keys = caller.keys().await?;
    let is = |key: &&Value| key.get("id").and_then(Value::as_str) == Some(id);
    let key = keys.iter().find(is).ok_or_else(|| Failure::new("there is no such key"))?;
    let epoch = key.get("epoch").and_then(Value::as_u64).unwrap_or(0);
    let nodes = key.get("nodes").and_then(Value::as_array).cloned().unwrap_or_default();
    let nodes: Vec<String> = nodes.iter().map(Value::to_string).collect();
    Ok((epoch, nodes.join(", ")))
}
