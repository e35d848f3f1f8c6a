//! `quorate-sockets run`: sockets over the signing service.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail, ensure};
use sockets_backend::Backend as _;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinSet;

use crate::config::Config;
use crate::sockets::{Host, Open, Socket, listed};

/// Serves until the process is told to stop.
pub(crate) async fn serve(path: &Path) -> Result<()> {
    let config = Config::read(path)?;
    let _lock = config.lock()?;
    let service = config.service()?;
    let sockets = config.sockets.into_sockets();
    ensure!(!sockets.is_empty(), "{}: expected a section such as [sockets.agent]", path.display());
    let (listed, keys) = (listed(&sockets), service.keys().await?);
    if let Some(name) = listed.iter().find(|name| !keys.iter().any(|key| key.name == **name)) {
        bail!("{}: there is no key {name:?}", path.display());
    }
    let (backend, listed) = (Arc::new(service), Arc::new(listed));
    let host = Host { backend, folder: config.folder, listed, nodes: None };
    serve_all(open_all(sockets, &host).await?).await
}

/// Opens sockets. Consumers can connect, and wait until they are served.
pub(crate) async fn open_all(sockets: Vec<Box<dyn Socket>>, host: &Host) -> Result<Vec<Open>> {
    let mut opened = vec![];
    for socket in sockets {
        opened.push(socket.open(host.clone()).await?);
    }
    Ok(opened)
}

/// Serves sockets until the process is told to stop, or one of them ends.
#[allow(clippy::integer_division_remainder_used, reason = "tokio's own, in `select!`")]
pub(crate) async fn serve_all(sockets: Vec<Open>) -> Result<()> {
    let (mut end, mut break_) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let mut serving = JoinSet::new();
    for Open { hint, serving: task } in sockets {
        // Nobody has to read it.
        drop(writeln!(std::io::stdout(), "{hint}"));
        serving.spawn(task);
    }
    tracing::info!("ready");
    tokio::select! {
        biased;
        _ = end.recv() => Ok(()),
        _ = break_.recv() => Ok(()),
        ended = serving.join_next() => {
            let why = ended.context("there is no socket")?.context("a socket has failed")?;
            Err(why)
        }
    }
}
