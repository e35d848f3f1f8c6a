//! `custody run` of a gateway.

use std::sync::{Arc, Mutex};

use anyhow::{Context as _, Result, bail, ensure};
use custody_gateway::{Config, Database as GatewayDatabase, Gateway, Parts};
use custody_http::{Limits, Metrics, Server};
use prometheus_client::registry::Registry;
use quorate_envelope::Name;
use tokio::net::TcpListener;

use super::api::Api;
use super::health::ProcessHealth;
use super::{callers, counters, nats, postgres, probes, told_to_stop};
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
    let parts = Parts {
        identity,
        directory,
        callers: callers::read(&list)?,
        config: Config { versions: hooks.versions, ..Config::default() },
        database: database(folder, settings)?,
    };
    let gateway = Gateway::spawn(parts, transport)?;
    let setter = gateway.clone();
    tokio::spawn(callers::watch(list, move |callers| setter.set_callers(callers)));
    let mut registry = Registry::default();
    let metrics = Metrics::new(&mut registry);
    let latest = Arc::new(Mutex::new(None));
    tokio::spawn(counters::of_gateway(gateway.clone(), Arc::clone(&latest)));
    let health = ProcessHealth { nats: monitor, counters: latest, registry: Mutex::new(registry) };
    let probes = probes(settings, Arc::new(health)).await?;
    let limits = Limits::default();
    let server = listen(
        folder,
        settings,
        custody_http::api(Arc::new(Api(gateway)), limits, metrics),
        limits,
    );
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
    let tls = settings.tls.as_ref().map(|tls| -> Result<_> {
        let read = |path: &std::path::PathBuf| {
            let path = folder.path_of(path);
            std::fs::read(&path).with_context(|| path.display().to_string())
        };
        let roots = tls.clients.as_ref().map(read).transpose()?;
        Ok(custody_http::tls(&read(&tls.certificate)?, &read(&tls.key)?, roots.as_deref())?)
    });
    let tls = tls.transpose()?;
    ensure!(
        tls.is_some() || address.ip().is_loopback(),
        "listen: {address} is reached by other machines, so it needs `tls`"
    );
    let listener = TcpListener::bind(address).await;
    let listener = listener.with_context(|| format!("listen: {address}"))?;
    Ok(Server::start(listener, tls, router, limits)?)
}

fn database(folder: &Folder, settings: &Settings) -> Result<GatewayDatabase> {
    match &settings.database {
        Database::Sqlite { path, spent: None } => Ok(GatewayDatabase::sqlite(folder.path_of(path))),
        Database::Postgres(database) => Ok(GatewayDatabase::postgres(
            database.schema(settings),
            postgres::connector(folder, database)?,
        )),
        Database::Sqlite { .. } => {
            bail!("database: a gateway spends nothing, so it has no `spent`")
        }
    }
}
