//! `custody run` of a node.

use core::time::Duration;
use std::sync::{Arc, Mutex};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use custody_core::{Answer, Order, Reason, Refusal};
use custody_nats::Transport as _;
use custody_node::{Node, NodeService, Settings as NodeSettings, Witnesses, open_witnessed};
use custody_policy::Policies;
use prometheus_client::registry::Registry;
use quorate_envelope::Name;
use quorate_store::AnyStore;
use quorate_tokio::{Builder, Event};

use super::counters::Counters;
use super::health::ProcessHealth;
use super::links::{self, Links, Orders};
use super::{callers, counters, epochs, nats, probes, told_to_stop};
use crate::args::Run;
use crate::backup::opener;
use crate::folder::Folder;
use crate::hooks::Hooks;
use crate::settings::Settings;

/// The time that steps under way may take when the process is told to stop.
const GRACE: Duration = Duration::from_secs(5);
/// The pause between two looks at what has to be forgotten or deleted.
const MAINTENANCE: Duration = Duration::from_secs(60);
type StoreError = quorate_store::Error;

/// Serves until the process is told to stop.
pub(super) async fn serve(
    folder: &Folder,
    settings: &Settings,
    args: &Run,
    hooks: &Hooks,
) -> Result<()> {
    let name = Name::new(&settings.name).context("name")?;
    let (own, list) = (node_settings(folder, settings, &name)?, folder.path_of(&settings.callers));
    let transport = nats::connect(folder, settings, &name, own.directory.directory()).await?;
    let nats = transport.monitor();
    let links =
        Links::new((own.clone(), hooks), transport.split(), witnesses(settings, &own, args)?);
    let counted = Counters::default();
    let registry = Mutex::new(Registry::default());
    let health = ProcessHealth { nats, counters: counted.clone(), registry };
    let asks = "the node asks its peers about its databases";
    counted.begin(asks);
    let probes = probes(settings, Arc::new(health)).await?;
    tracing::info!(probes = %probes.address(), "{asks}");
    let open = opener(folder, settings, args.rejoin)?;
    run(own, links, open, args, (folder, list), counted).await?;
    probes.stop().await;
    Ok(())
}

/// Runs the node on its store.
async fn run(
    settings: NodeSettings,
    links: Links,
    store: impl FnOnce() -> Result<AnyStore, StoreError> + Send + 'static,
    args: &Run,
    (folder, list): (&Folder, std::path::PathBuf),
    counted: Counters,
) -> Result<()> {
    let Links { packets, sink, witnesses, mut gateway } = links;
    let (on, own, rejoin) = (settings.clone(), witnesses.clone(), args.rejoin);
    let open = move || {
        let store = store().map_err(|why| match why {
            StoreError::RolledBack(_) => Refusal::new(Reason::RolledBack, why),
            _ => Refusal::new(Reason::Internal, why),
        })?;
        open_witnessed(on, store, &own, rejoin)
    };
    let builder = Builder::new().on_event(log);
    let waiting = tokio::spawn(counters::of_witnesses(witnesses.clone(), counted.clone()));
    let spawned = Node::spawn(settings, builder, open, packets, sink);
    let spawned = gateway.refuse_until(spawned, || witnesses.waits()).await;
    waiting.abort();
    let (node, service) = match spawned {
        Err(why) if why.reason == Reason::RolledBack => {
            return stay_closed(gateway, &witnesses, &counted, why).await;
        }
        spawned => spawned.map_err(|why| anyhow!("{why}"))?,
    };
    restored(&node, args).await?;
    tracing::info!("the node is open");
    gateway.serve(node.clone());
    let setter = node.clone();
    tokio::spawn(callers::watch(list, move |callers| setter.set_callers(callers)));
    tokio::spawn(primes(node.clone()));
    tokio::spawn(maintain(node.clone()));
    tokio::spawn(links::update_head(node.clone(), witnesses));
    let certificates = vec![("nats", folder.path("nats.pem"))];
    tokio::spawn(epochs::of_node(node.clone(), folder.clone(), certificates, counted.clone()));
    tokio::spawn(counters::of_node(node, counted));
    wait(service).await
}

/// Keeps a node closed until an operator has decided and stops it. Until then the node says why, to its gateways and to probes.
async fn stay_closed(
    mut gateway: Orders,
    witnesses: &Witnesses,
    counted: &Counters,
    why: Refusal,
) -> Result<()> {
    tracing::error!(%why, "the node stays closed");
    counted.refuse(&why, &witnesses.ahead());
    gateway.refuse_until(told_to_stop(), || Some(why.clone())).await?;
    bail!("{why}")
}

/// Does for a restored node what its operator has said, and logs how far it has come with each key, for the operators of others.
async fn restored(node: &Node, args: &Run) -> Result<()> {
    let failed = |why: Refusal| anyhow!("{why}");
    for (key, highest) in &args.rejoin_key {
        node.rejoin(*key, *highest).await.map_err(failed)?;
    }
    for key in &args.accept_watermarks {
        node.accept_watermarks(*key).await.map_err(failed)?;
    }
    let mut after = None;
    loop {
        let Answer::Keys(keys) = node.order(Order::Keys { after }).await else {
            bail!("the node does not list its keys");
        };
        let Some(last) = keys.last() else { return Ok(()) };
        after = Some(last.key);
        for info in &keys {
            let highest_epoch = node.highest_epoch(info.key).await.map_err(failed)?;
            tracing::info!(key = %info.key, epoch = info.epoch, highest_epoch, "a key");
        }
    }
}

/// Waits for the end of the process or of the node, whichever comes first.
#[allow(clippy::integer_division_remainder_used, reason = "tokio's own, in `select!`")]
async fn wait(mut service: NodeService) -> Result<()> {
    tokio::select! {
        told = told_to_stop() => told?,
        stopped = service.stopped() => bail!("the node has stopped: {stopped:?}"),
    }
    service.shutdown(GRACE).await;
    Ok(())
}

fn node_settings(folder: &Folder, settings: &Settings, name: &Name) -> Result<NodeSettings> {
    let (identity, directory) = (folder.identity(name)?, folder.directory()?);
    identity.check_belongs_to(&directory)?;
    let member = directory.directory().member(name).and_then(|member| member.party);
    let me = member.with_context(|| format!("{name} is no node in the directory"))?;
    let policies = settings.policies.as_ref().context("policies: expected a folder")?;
    let policies = policies_in(&folder.path_of(policies))?;
    let (policy_digest, seal_key) = (policies.digest(), folder.seal_key()?);
    Ok(NodeSettings {
        me,
        seal_key: Arc::new(seal_key),
        identity: Arc::new(identity),
        directory,
        callers: Arc::new(callers::read(&folder.path_of(&settings.callers))?),
        policy: Arc::new(policies),
        policy_digest,
        level: settings.moduli.level(),
        experimental: settings.experimental.clone(),
        limits: settings.node.unwrap_or_default().limits(),
    })
}

/// The policies of all files `*.cedar`, in the order of their names.
fn policies_in(folder: &std::path::Path) -> Result<Policies> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<_> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|end| end == "cedar"));
    paths.sort();
    let texts = paths.iter().map(|path| {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        Ok((path.display().to_string(), text))
    });
    let texts = texts.collect::<Result<Vec<_>>>()?;
    if texts.is_empty() {
        tracing::warn!(folder = %folder.display(), "there is no policy: nothing is signed");
    }
    Ok(Policies::load(texts.iter().map(|(name, text)| (name.as_str(), text.as_str())))?)
}

/// The peers that are asked about the databases.
fn witnesses(settings: &Settings, own: &NodeSettings, args: &Run) -> Result<Witnesses> {
    ensure!(settings.witnesses != Some(0), "witnesses: expected at least 1");
    let witnesses = Witnesses::new(own, settings.witnesses);
    for name in &args.exclude_witness {
        witnesses.exclude(name).map_err(|why| anyhow!("--exclude-witness: {why}"))?;
    }
    Ok(witnesses)
}

async fn primes(node: Node) {
    match node.search_primes().await {
        Ok(()) => tracing::info!("the node has the primes of threshold ECDSA"),
        Err(why) => tracing::error!(%why, "the search for primes has failed"),
    }
}

async fn maintain(node: Node) {
    loop {
        tokio::time::sleep(MAINTENANCE).await;
        if let Err(why) = node.maintain().await {
            tracing::error!(%why, "maintenance has failed");
        }
    }
}

fn log(event: Event<StoreError>) {
    match event {
        Event::Ended(_) => tracing::debug!(?event, "a run has ended"),
        other => tracing::warn!(event = ?other, "the runner"),
    }
}
