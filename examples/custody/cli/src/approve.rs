//! `custody approve`: requests that wait for approvals. An approver trusts no gateway: it verifies who asks by its own list of
//! callers, and decodes what is to be signed as the nodes do.

use core::fmt::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, anyhow, ensure};
use custody_client::Client;
use custody_core::{Callers, Operation, RequestDescription, RequestState, Sign, Verified};
use quorate_purpose::Purpose;

use crate::args::Approve;
use crate::client::{hex, time};
use crate::{callers, client};

/// Lists the requests that wait, shows one, or approves it.
pub(crate) fn run(args: &Approve) -> Result<String> {
    let cluster = args.of.cluster.as_str();
    let list = callers::read_copy(&args.callers)?.of_cluster(cluster);
    let (client, runtime) = (client::client(&args.of.caller, cluster)?, client::runtime()?);
    runtime.block_on(async {
        let Some(request) = args.request else { return waiting(&client, &list).await };
        let described = client.request(request).await?;
        let seen = verify(&described, &list)?;
        ensure!(
            seen.id == request,
            "the gateway shows the request {}, asked was {request}",
            seen.id
        );
        let Some(digest) = args.digest else { return show(&described, &seen) };
        ensure!(
            digest == seen.digest,
            "the request has the digest {}, expected {digest}: look at it again",
            seen.digest
        );
        client.approve(&seen).await?;
        Ok(format!("approved {request}\n"))
    })
}

/// A line for each request that waits for approvals.
async fn waiting(client: &Client, list: &Callers) -> Result<String> {
    let (mut text, mut after) = (String::new(), None);
    loop {
        let page = client.requests(after).await?;
        let waits = |one: &&RequestDescription| one.state == RequestState::ApprovalsMissing;
        for described in page.requests.iter().filter(waits) {
            match verify(described, list) {
                Ok(seen) => writeln!(
                    text,
                    "{}\t{}\t{}\tuntil {}\t{} approvals",
                    seen.id,
                    seen.operation.name(),
                    seen.caller.name,
                    time(seen.expires),
                    described.approvals.len()
                )?,
                Err(why) => writeln!(text, "{}\t{why:#}", described.request)?,
            }
        }
        after = page.requests.last().map(|last| last.request);
        if !page.more || after.is_none() {
            return Ok(text);
        }
    }
}

/// Verifies what the caller has signed.
fn verify(described: &RequestDescription, list: &Callers) -> Result<Verified> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    described.signed.verify(list, now).map_err(|why| anyhow!("{why}"))
}

/// The request, and the command that approves it.
fn show(described: &RequestDescription, seen: &Verified) -> Result<String> {
    let Verified { caller, id, digest, operation, expires, .. } = seen;
    let mut text = format!(
        "request: {id}\noperation: {}\ncaller: {}\nexpires: {}\n",
        operation.name(),
        caller.name,
        time(*expires)
    );
    operation.key().iter().try_for_each(|key| writeln!(text, "key: {key}"))?;
    text += &details(operation)?;
    // The names that the gateway adds are not verified.
    let names: Vec<_> = described.approvals.iter().map(|name| format!("{name:?}")).collect();
    writeln!(text, "approved by, says the gateway: {}", names.join(", "))?;
    if let Some(problem) = &described.problem {
        writeln!(text, "missing, says a node: {:?}", problem.detail)?;
    }
    writeln!(text, "digest: {digest}")?;
    writeln!(text, "to approve it: the same command with --digest {digest}")?;
    Ok(text)
}

/// The parameters of an operation: for a signature, the facts by which policies decide.
fn details(operation: &Operation) -> Result<String> {
    let json = match operation {
        Operation::Sign(_, sign) => return facts(sign),
        Operation::CreateKey(spec) => serde_json::to_string(spec)?,
        Operation::Reshare(_, to) => serde_json::to_string(to)?,
        Operation::ScheduleDeletion(_, deletion) => serde_json::to_string(deletion)?,
        Operation::Replenish(_, to) => serde_json::to_string(to)?,
        _ => return Ok(String::new()),
    };
    Ok(format!("details: {json}\n"))
}

fn facts(sign: &Sign) -> Result<String> {
    let purpose = Purpose::from_bytes(&sign.purpose).context("what is to be signed")?;
    let mut text = purpose.facts().to_string();
    if sign.child() != Default::default() {
        writeln!(text, "path: {}", sign.path)?;
    }
    sign.merkle_root.iter().try_for_each(|root| writeln!(text, "merkle root: 0x{root}"))?;
    if !sign.context.is_empty() {
        writeln!(text, "context: 0x{}", hex(&sign.context))?;
    }
    sign.on_behalf.iter().try_for_each(|name| writeln!(text, "on behalf of: {name:?}"))?;
    Ok(text)
}
