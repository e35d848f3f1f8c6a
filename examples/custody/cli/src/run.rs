//! `custody run`: a node or a gateway, until it is told to stop.

mod callers;
mod counters;
mod epochs;
mod gateway;
mod health;
mod links;
mod nats;
mod node;
mod tls;
mod watch;

use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::args::Run;
use crate::folder::Folder;
use crate::hooks::Hooks;
use crate::settings::{Role, Settings};
pub(crate) use gateway::database as gateway_database;
use health::ProcessHealth;

/// Runs what the settings say, and gives the text for standard output at the end.
pub(crate) fn run(run: &Run, hooks: &Hooks) -> Result<String> {
    let folder = Folder::new(&run.dir);
    let file = folder.path(Settings::FILE);
    ensure!(file.exists(), "{} is not there: `custody init join` writes it", file.display());
    let settings = Settings::read(&file)?;
    // Two processes on one folder would spend the same material.
    let _lock = quorate_store::file::lock(folder.path("lock"))?;
    logs();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        match settings.role {
            Role::Gateway => gateway::serve(&folder, &settings, hooks).await,
            Role::Node => node::serve(&folder, &settings, run, hooks).await,
        }
    })?;
    Ok(String::new())
}

/// Lines of JSON on standard error, with the request's id in the fields of its span. `RUST_LOG` chooses them.
fn logs() {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env();
    let filter = filter.unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info"));
    // A second call in one process, as in tests, changes nothing.
    let logs =
        tracing_subscriber::fmt().json().with_env_filter(filter).with_writer(std::io::stderr);
    // No span lies in another one.
    drop(logs.with_span_list(false).try_init());
}

/// The listener of probes and metrics, and its server.
async fn probes(settings: &Settings, health: Arc<ProcessHealth>) -> Result<custody_http::Server> {
    let listener = TcpListener::bind(settings.probes).await;
    let listener = listener.with_context(|| format!("probes: {}", settings.probes))?;
    let router = custody_http::probes(health);
    Ok(custody_http::Server::start(listener, None, router, custody_http::Limits::default())?)
}

/// Waits for SIGTERM or SIGINT.
#[allow(clippy::integer_division_remainder_used, reason = "tokio's own, in `select!`")]
async fn told_to_stop() -> Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::info!("told to stop");
    Ok(())
}
