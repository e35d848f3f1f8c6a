//! `custody run` of a gateway.

use std::sync::{Arc, Mutex};

use anyhow::{Context as _, Result, bail, ensure};
use custody_gateway::{Config, Database as GatewayDatabase, Gateway, Parts};
use custody_http::{Limits, Metrics, Server};
use prometheus_client::registry::Registry;
use quorate_envelope::Name;
use tokio::net::TcpListener;

use super::counters::Counters;
use super::health::ProcessHealth;
use super::tls::Files;
use super::{callers, counters, epochs, nats, probes, told_to_stop};
use crate::connect;
use crate::folder::Folder;
use crate::hooks::Hooks;
use crate::settings::{Database, Settings};

/// Serves until the process is told to stop.
pub(super) async fn serve(folder: &Folder, settings: &Settings, hooks: &Hooks) -> Result<()> {
    let name = Name::new(&settings.name).context("name")?;
    let (identity, directory) = (folder.identity(&name)?, folder.directory()?);
    identity.check_belongs_to(&directory)?;
    let transport = nats::connect(folder, settings, &name, directory.directory()).await?;
    let monitor = transport.monitor();
    let list = folder.path_of(&settings.callers);
    let own = settings.gateway.unwrap_or_default();
    let parts = Parts {
        identity,
        directory,
        callers: callers::read(&list)?,
        config: Config { versions: hooks.versions, ..own.config() },
        database: database(folder, settings)?,
    };
    let gateway = Gateway::spawn(parts, transport)?;
    let setter = gateway.clone();
    tokio::spawn(callers::watch(list, move |callers| setter.set_callers(callers)));
    let mut registry = Registry::default();
    let metrics = Metrics::new(&mut registry);
    let latest = Counters::default();
    tokio::spawn(counters::of_gateway(gateway.clone(), latest.clone()));
    let callers = settings.tls.as_ref().map(|tls| ("callers", folder.path_of(&tls.certificate)));
    let certificates = callers.into_iter().chain([("nats", folder.path("nats.pem"))]).collect();
    tokio::spawn(epochs::of_gateway(certificates, latest.clone()));
    let health = ProcessHealth { nats: monitor, counters: latest, registry: Mutex::new(registry) };
    let probes = probes(settings, Arc::new(health)).await?;
    let limits = Limits::default();
    let server =
        listen(folder, settings, custody_http::api(Arc::new(gateway), limits, metrics), limits);
    let server = server.await?;
    tracing::info!(address = %server.address(), probes = %probes.address(), "the gateway listens");
    told_to_stop().await?;
    server.stop().await;
    probes.stop().await;
    Ok(())
}

/// The listener for callers, and its server. Without TLS it listens on this machine alone.
async fn listen(
    folder: &Folder,
    settings: &Settings,
    router: axum::Router,
    limits: Limits,
) -> Result<Server> {
    let address = settings.listen.context("listen: expected the address for callers")?;
    let files = settings.tls.as_ref().map(|tls| Files::new(folder, tls));
    let tls = files.as_ref().map(Files::read).transpose()?;
    ensure!(
        tls.is_some() || address.ip().is_loopback(),
        "listen: {address} is reached by other machines, so it needs `tls`"
    );
    let listener = TcpListener::bind(address).await;
    let listener = listener.with_context(|| format!("listen: {address}"))?;
    let server = Server::start(listener, tls, router, limits)?;
    if let Some(files) = files {
        tokio::spawn(files.watch(server.tls_setter()));
    }
    Ok(server)
}

/// The place of a gateway's database.
pub(crate) fn database(folder: &Folder, settings: &Settings) -> Result<GatewayDatabase> {
    match &settings.database {
        Database::Sqlite { path, spent: None } => Ok(GatewayDatabase::sqlite(folder.path_of(path))),
        Database::Postgres(database) => Ok(GatewayDatabase::postgres(
            database.schema(settings),
            connect::connector(folder, database)?,
        )),
        Database::Sqlite { .. } => {
            bail!("database: a gateway spends nothing, so it has no `spent`")
        }
    }
}
