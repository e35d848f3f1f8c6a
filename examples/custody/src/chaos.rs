//! Chaos over a deployment on this machine: while requests are handed in, processes and servers are killed, stalled and
//! wiped in an order that a seed gives, and started again within a second. In the end everything rests and is
//! [audited](crate::audit).
//!
//! It touches processes whose numbers are in the folder, and no others. Every wait has a bound.

mod callers;
pub mod disturb;
mod events;
mod hand;
pub mod misbehave;
mod report;
mod rollback;

use core::time::Duration;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use quorate::PartyId;
use quorate_examples::failure::Failure;
use quorate_examples::out::Out;
use tokio::runtime::{Builder, Runtime};

use self::callers::{Callers, Tally};
use self::disturb::Disturb;
use self::events::{Kind, Random};
use self::hand::Hand;
use self::misbehave::{How, Misbehave};
use self::report::{Report, Struck};
use crate::args::SchemeChoice;
use crate::audit::{Audit, Bounds, Places, blame};
use crate::caller::{Caller, Signer};
use crate::deployment::settings::{Chaos, Marks};
use crate::deployment::{Deployment, Size, Tuning, servers};
use crate::http::client::Client;
use crate::plan::Lock;
use crate::trust::Trust;
use crate::up;

/// What is started if there is nothing yet.
const SIZE: Size = Size { nodes: 3, threshold: 2, workers: 2, level: 112 };
/// Keys are waited for so long: the search for primes takes minutes.
const KEYS: Duration = Duration::from_secs(900);
/// What was struck is to answer again within this.
const RECOVERY: Duration = Duration::from_secs(60);
/// All requests have ended after this since the last event.
const DRAIN: Duration = Duration::from_secs(150);
/// While a node cheats, another one is away after every so many events, for so long: longer than a node that is not heard
/// of counts among the living.
const AWAY: (u32, Duration) = (8, Duration::from_secs(6));
/// How often something is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// What is done to a deployment.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) dir: PathBuf,
    pub(crate) requests: u32,
    pub(crate) kills: u32,
    pub(crate) seed: u64,
    pub(crate) scheme: SchemeChoice,
    pub(crate) window: u16,
    pub(crate) json: bool,
    pub(crate) keep: bool,
    pub(crate) rollback: bool,
    /// What a node does on purpose, and which.
    pub(crate) misbehave: Option<(How, PartyId)>,
}

/// Does it, and prints what came of it.
pub(crate) fn run(settings: &Settings, out: &mut Out) -> Result<(), Failure> {
    let start = Instant::now();
    let mut quiet = Out::captured();
    prepare(settings)?;
    up::run(&settings.dir, SIZE, false, if settings.json { &mut quiet } else { out })?;
    let deployment = Deployment::open(&settings.dir)?;
    if settings.rollback {
        let done = rollback::run(settings, &deployment, out);
        std::fs::remove_file(settings.dir.join(servers::CHAOS)).ok();
        up::down(&settings.dir, &mut quiet)?;
        return done;
    }
    let held = hold(settings, &deployment, start);
    std::fs::remove_file(settings.dir.join(servers::CHAOS)).ok();
    if !settings.keep {
        up::down(&settings.dir, &mut quiet)?;
    }
    let report = held?;
    if settings.json {
        out.line(report.json());
    } else {
        report.print(out);
    }
    if report.holds() { Ok(()) } else { Err(Failure::new("the audit has findings")) }
}

/// Makes the lives of the processes that are started from now on harder: deliveries come late, twice and in another order,
/// the workers of node 2 know of no leases, and clocks may jump.
fn prepare(settings: &Settings) -> Result<(), Failure> {
    let (mut deployment, _) = Deployment::make(&settings.dir, SIZE)?;
    if settings.misbehave.is_some() {
        // Each signature takes such a stock below its mark, so that presigning goes on while the node cheats.
        deployment
            .tune(Tuning { presignatures: Marks { low: 4, high: 4 }, ..Tuning::default() })?;
    }
    write(settings, None)
}

fn write(settings: &Settings, misbehave: Option<Misbehave>) -> Result<(), Failure> {
    let bus = Disturb { seed: settings.seed, copied: 100, late: 100, late_ms: 300 };
    let chaos = Chaos { bus: Some(bus), clock: None, without_leases: vec![2], misbehave };
    let path = settings.dir.join(servers::CHAOS);
    std::fs::write(&path, serde_json::to_string_pretty(&chaos)?)
        .map_err(Failure::file("write", &path))
}

/// From now on a node cheats: its workers are begun anew with other settings.
fn corrupt(
    settings: &Settings,
    deployment: &Deployment,
    (how, node): (How, PartyId),
) -> Result<(), Failure> {
    write(settings, Some(Misbehave { node: node.get(), how, seed: settings.seed }))?;
    servers::start(deployment, &mut Out::captured())?;
    let mut hand = Hand::new(deployment)?;
    hand.kill_all(&format!("n{node}"))?;
    hand.supervise()
}

fn hold(settings: &Settings, deployment: &Deployment, start: Instant) -> Result<Report, Failure> {
    let _lock = Lock::take(&deployment.path("run"))?;
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let signers = signers(&runtime, deployment, settings.scheme)?;
    if let Some(who) = settings.misbehave {
        corrupt(settings, deployment, who)?;
        rejoined(&runtime, deployment, who.1);
    }
    let address = deployment.gateway();
    let callers = Callers::new(address, deployment.requester()?, signers, settings.requests)?;
    let callers = Arc::new(callers);
    let load = {
        let (callers, window) = (Arc::clone(&callers), settings.window);
        std::thread::Builder::new().name("callers".to_owned()).spawn(move || callers.run(window))?
    };
    let struck = strike_all(settings, deployment, (&runtime, &callers));
    // Those that are not released yet are, whatever has happened.
    callers.release(settings.requests);
    let mut hand = Hand::new(deployment)?;
    let since = Instant::now();
    while !load.is_finished() && since.elapsed() < DRAIN {
        hand.supervise()?;
        std::thread::sleep(LOOK);
    }
    callers.stop();
    let tally = load.join().map_err(|_| Failure::new("the callers have panicked"))??;
    let struck = struck?;
    rest(&runtime, deployment);
    let places = Places::find(deployment.dir(), None)?;
    let proven = settings.misbehave.filter(|(how, _)| how.is_proven());
    let culprits = proven.into_iter().map(|(_, node)| node).collect();
    let audit = Audit::of(&places, &Bounds { culprits, ..Bounds::default() })?;
    let named = blame::named(&places)?;
    let repeated = repeated(&runtime, deployment);
    let (seed, misbehave, elapsed) = (settings.seed, settings.misbehave, start.elapsed());
    Ok(Report { seed, struck, tally, audit, repeated, misbehave, named, elapsed })
}

/// Strikes, one event or two at a time, and lets some requests go at each.
fn strike_all(
    settings: &Settings,
    deployment: &Deployment,
    (runtime, callers): (&Runtime, &Callers),
) -> Result<Vec<Struck>, Failure> {
    let mut random = Random::new(settings.seed);
    let mut hand = Hand::new(deployment)?;
    let mut struck = Vec::new();
    let mut kinds = events::schedule(settings.kills, &mut random).into_iter();
    let (mut done, mut away) = (0_u32, 0_u32);
    while let Some(first) = kinds.next() {
        if let Some((_, node)) = settings.misbehave
            && done >= away
        {
            // Its part is needed then.
            away = done.saturating_add(AWAY.0);
            let other = if node.get() == 2 { "n1" } else { "n2" };
            callers.release(part(settings, done.saturating_add(1)));
            hand.away(other, AWAY.1)?;
        }
        let both = random.below(4) == 0;
        let second = if both { kinds.next() } else { None };
        let kinds: Vec<Kind> = core::iter::once(first).chain(second).collect();
        done = done.saturating_add(u32::try_from(kinds.len()).unwrap_or(u32::MAX));
        callers.release(part(settings, done));
        std::thread::sleep(Duration::from_millis(random.below(300)));
        let mut targets = Vec::new();
        for kind in &kinds {
            targets.push(hand.strike(*kind, &mut random)?);
        }
        struck.extend(hand.until_back(runtime, targets)?);
    }
    Ok(struck)
}

/// The requests that are handed in by this event.
fn part(settings: &Settings, done: u32) -> u32 {
    let part = u64::from(settings.requests).saturating_mul(done.into());
    let part = part.checked_div(settings.kills.max(1).into()).unwrap_or(0);
    u32::try_from(part).unwrap_or(u32::MAX)
}

/// The keys, once all that are asked for are there, with something to sign with.
fn signers(
    runtime: &Runtime,
    deployment: &Deployment,
    scheme: SchemeChoice,
) -> Result<Vec<Signer>, Failure> {
    let wanted = crate::request::Scheme::ALL.into_iter().filter(|one| scheme.takes(*one)).count();
    let start = Instant::now();
    let mut caller = Caller::new(deployment.gateway(), &deployment.requester()?);
    let trust = Trust::of(deployment, None)?;
    loop {
        let found = caller.signers(&trust, |one| scheme.takes(one));
        let found: Vec<Signer> = runtime.block_on(found).unwrap_or_default();
        if found.len() >= wanted && is_stocked(status(runtime, deployment), scheme) {
            return Ok(found);
        }
        if start.elapsed() > KEYS {
            return Err(Failure::new("the keys are not there in time"));
        }
        std::thread::sleep(Duration::from_millis(500));
    }
}

/// Whether every key of a scheme has something to sign with.
fn is_stocked(status: Option<serde_json::Value>, scheme: SchemeChoice) -> bool {
    let keys = status.and_then(|mut status| status.get_mut("keys").map(serde_json::Value::take));
    let left = |key: &serde_json::Value| {
        let of = crate::request::Scheme::ALL
            .into_iter()
            .find(|one| key.get("scheme").and_then(serde_json::Value::as_str) == Some(one.name()));
        let left = key.get("left").and_then(serde_json::Value::as_u64);
        !of.is_some_and(|of| scheme.takes(of)) || left.is_some_and(|left| left > 0)
    };
    keys.as_ref().and_then(serde_json::Value::as_array).is_some_and(|keys| keys.iter().all(left))
}

/// Waits until a node that was begun anew has heard its witnesses: it takes part in nothing before, and the first event takes
/// one of them away.
fn rejoined(runtime: &Runtime, deployment: &Deployment, node: PartyId) {
    let start = Instant::now();
    let signs = |status: serde_json::Value| {
        let nodes = status.get("nodes")?.as_array()?.clone();
        let is = |one: &&serde_json::Value| {
            one.get("node").and_then(serde_json::Value::as_u64) == Some(node.get().into())
        };
        Some(nodes.iter().find(is)?.get("refuses")?.is_null())
    };
    while start.elapsed() < RECOVERY {
        // What it has said before its end counts no more after that.
        std::thread::sleep(Duration::from_secs(3));
        if status(runtime, deployment).and_then(signs) == Some(true) {
            return;
        }
    }
}

/// Waits until the gateway has no open request.
fn rest(runtime: &Runtime, deployment: &Deployment) {
    let start = Instant::now();
    while start.elapsed() < RECOVERY {
        if status(runtime, deployment).and_then(|status| status.get("open")?.as_u64()) == Some(0) {
            return;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn repeated(runtime: &Runtime, deployment: &Deployment) -> u64 {
    let status = status(runtime, deployment);
    status.and_then(|status| status.get("orders_again")?.as_u64()).unwrap_or(0)
}

fn status(runtime: &Runtime, deployment: &Deployment) -> Option<serde_json::Value> {
    let mut client = Client::new(deployment.gateway(), Duration::from_secs(2));
    runtime.block_on(async { client.get("/v1/status").await.ok()?.json().ok() })
}
