//! The load of a service on one machine: signatures a second, their latency, and what the processes have used.
//!
//! `cargo build --release -p custody-lab && target/release/custody-load --scheme ed25519 --requests 20000` starts a broker, nodes
//! and a gateway, makes a key and its stock, sends the requests, and prints one line of JSON, which `report --service` reads. With
//! `--postgres "host=/run/postgresql user=postgres"` the machines have schemas on that server in place of files of SQLite.

use core::str::FromStr as _;
use core::time::Duration;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use clap::{Arg, ArgMatches, Command, value_parser};
use custody_client::Change;
use custody_core::{KeyId, KeySpec, PartyId, Replenish, Scheme};
use custody_lab::{Cluster, Databases, Ends, Load, Options, nats_server, spec};
use procfs::WithCurrentSystemInfo as _;
use quorate_purpose::Kind;
use serde_json::{Value, json};

/// A caller waits for this long for a signature.
const PATIENCE: Duration = Duration::from_secs(120);
/// A stock is made within this time.
const STOCK: Duration = Duration::from_secs(3600);
/// Presignatures come more often than this while they are made.
const QUIET: Duration = Duration::from_secs(10);
/// The connections that a gateway takes from one address. A request beyond them waits until an idle one is closed.
const CONNECTIONS: u32 = 64;
/// The name of this process among those whose use is measured.
const CALLERS: &str = "callers";
/// The most presignatures of a key that a node keeps.
const STOCKED: u32 = 4096;

fn arguments() -> ArgMatches {
    let number = |name, default: &'static str, help| {
        let number = Arg::new(name).long(name).default_value(default).help(help);
        number.value_parser(value_parser!(u32))
    };
    let scheme = Arg::new("scheme").long("scheme").default_value("ed25519");
    let scheme = scheme.value_parser(Scheme::from_str).help("As in `custody key create`");
    let postgres = Arg::new("postgres").long("postgres").value_name("CONNECTION");
    let postgres = postgres.help("A server of PostgreSQL for all machines, without a database");
    Command::new("custody-load")
        .about("Measures a service whose processes all run on this machine")
        .arg(scheme)
        .arg(postgres)
        .arg(number("nodes", "3", "Nodes"))
        .arg(number("threshold", "2", "Nodes that sign together"))
        .arg(number("requests", "2000", "Signatures that are made"))
        .arg(number("window", "32", "Requests that are open at once"))
        .arg(number("warm", "100", "Signatures before those that are measured"))
        .get_matches()
}

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = arguments();
    let number = |name| arguments.get_one::<u32>(name).copied().unwrap_or_default();
    let scheme = *arguments.get_one::<Scheme>("scheme").context("no scheme")?;
    let (requests, window, warm) = (number("requests"), number("window"), number("warm"));
    let (nodes, threshold) = (u16::try_from(number("nodes"))?, u16::try_from(number("threshold"))?);
    ensure!((1..=CONNECTIONS).contains(&window), "window: expected 1 to {CONNECTIONS} requests");
    let nats = nats_server().context("nats-server is not installed")?;
    let databases = databases(arguments.get_one::<String>("postgres").cloned()).await?;
    let cluster = Cluster::start(Options { databases, ..options(nats, nodes)? })?;
    let kind = if scheme.is_presigned() { Kind::EvmTransaction } else { Kind::OpaqueMessage };
    let members = (1..=nodes).filter_map(PartyId::new).collect();
    let spec = KeySpec { threshold, members, ..spec(scheme, kind) };
    let key = cluster.make_of(&spec).await?;
    if scheme.is_presigned() {
        // Each set of signers has a part of the stock.
        let count = requests.saturating_add(warm).saturating_mul(2);
        ensure!(
            count <= STOCKED,
            "requests: nodes keep {STOCKED} presignatures, and {count} are needed"
        );
        stock(&cluster, key.id(), count).await?;
    }
    let address = cluster.addresses().into_iter().next().context("no gateway")?;
    let client = cluster.client("payments", &address)?;
    let load = Load::new("load", client, vec![key], requests.saturating_add(warm), PATIENCE);
    load.release(warm);
    let callers = tokio::spawn(Arc::clone(&load).run(usize::try_from(window)?));
    while load.done() < warm {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }

    let before = used(&cluster)?;
    let begun = Instant::now();
    load.release(u32::MAX);
    let mut ends = callers.await?;
    let seconds = begun.elapsed().as_secs_f64();
    ensure!(ends.refused.is_empty() && ends.lost.is_empty(), "{:?} {:?}", ends.refused, ends.lost);
    ends.signed.retain(|number, _| *number >= warm);
    println!("{}", outcome((nodes, threshold), &ends, seconds, &before, &used(&cluster)?));
    Ok(())
}

async fn databases(server: Option<String>) -> Result<Option<Arc<Databases>>> {
    let Some(server) = server else { return Ok(None) };
    let create = move || Databases::create(&server);
    Ok(Some(Arc::new(tokio::task::spawn_blocking(create).await??)))
}

/// The machines run the program that lies beside this one.
fn options(nats: PathBuf, nodes: u16) -> Result<Options> {
    let program = std::env::current_exe()?.with_file_name("custody-lab");
    ensure!(
        program.exists(),
        "build all of custody-lab first: cargo build --release -p custody-lab"
    );
    Ok(Options { nodes, node_settings: String::new(), ..Options::new("load", program, nats) })
}

/// Waits until there are presignatures for all requests, and none are being made any more.
async fn stock(cluster: &Cluster, key: KeyId, count: u32) -> Result<()> {
    let order = Change::Replenish(Replenish { count });
    cluster.administrator.change(key, &order, STOCK).await?;
    let (mut had, mut since) = (0, Instant::now());
    while had < count || since.elapsed() < QUIET {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let has = cluster.administrator.key(key).await?.stock;
        if has != had {
            (had, since) = (has, Instant::now());
        }
    }
    Ok(())
}

/// What a process has used since its start.
#[derive(Clone, Copy)]
struct Used {
    cpu_seconds: f64,
    resident: u64,
    read: u64,
    written: u64,
}

fn used(cluster: &Cluster) -> Result<BTreeMap<String, Used>> {
    let ticks = procfs::ticks_per_second() as f64;
    let of = |(name, id): (String, u32)| {
        let process = procfs::process::Process::new(i32::try_from(id)?)?;
        let (stat, io) = (process.stat()?, process.io()?);
        let cpu_seconds = stat.utime.saturating_add(stat.stime) as f64 / ticks;
        let resident = stat.rss_bytes().get();
        Ok((name, Used { cpu_seconds, resident, read: io.read_bytes, written: io.write_bytes }))
    };
    let callers = (CALLERS.to_owned(), std::process::id());
    cluster.processes().into_iter().chain([callers]).map(of).collect()
}

fn outcome(
    (nodes, threshold): (u16, u16),
    ends: &Ends,
    seconds: f64,
    before: &BTreeMap<String, Used>,
    after: &BTreeMap<String, Used>,
) -> Value {
    let process = |(name, after): (&String, &Used)| {
        let before = before.get(name)?;
        Some(json!({
            "name": name,
            "cpu_seconds": after.cpu_seconds - before.cpu_seconds,
            "resident_after": after.resident,
            "disk_read_bytes": after.read.saturating_sub(before.read),
            "disk_written_bytes": after.written.saturating_sub(before.written),
        }))
    };
    let used =
        |used: &BTreeMap<String, Used>| used.values().map(|one| one.cpu_seconds).sum::<f64>();
    let callers =
        |used: &BTreeMap<String, Used>| used.get(CALLERS).map_or(0.0, |one| one.cpu_seconds);
    let milliseconds = |percent| ends.percentile(percent).as_secs_f64() * 1e3;
    json!({
        "nodes": nodes, "threshold": threshold, "rate_asked": 0, "seconds": seconds, "signatures": ends.signed.len(), "refusals": {},
        "p50_ms": milliseconds(50), "p90_ms": milliseconds(90), "p99_ms": milliseconds(99), "max_ms": milliseconds(100),
        "caller_cpu_seconds": callers(after) - callers(before),
        "cpu_ms_a_signature": (used(after) - used(before)) * 1e3 / ends.signed.len() as f64,
        "processes": after.iter().filter(|(name, _)| *name != CALLERS).filter_map(process).collect::<Vec<_>>(),
    })
}
