//! The gateway of a committee, behind its HTTP interface.

use core::net::{Ipv4Addr, SocketAddr};
use core::time::Duration;
use std::sync::Arc;

use custody_gateway::{Config, Database, Gateway, Parts, Times, WaterMarks};
use custody_http::{Limits, Metrics, Server, api};
use custody_nats::memory::Network;
use prometheus_client::registry::Registry;
use tokio::net::TcpListener;

use super::broken;
use super::folder::{Folder, gateway_name};
use crate::failure::Failure;

/// A gateway and its server.
pub(super) struct Served {
    gateway: Gateway,
    server: Server,
}

impl Served {
    /// Starts the gateway, at an address or at any.
    pub(super) async fn start(
        folder: &Folder,
        network: &Network,
        address: Option<SocketAddr>,
    ) -> Result<Self, Failure> {
        let parts = Parts {
            identity: folder.gateway()?,
            directory: folder.directory().clone(),
            callers: folder.callers(),
            config: config(),
            database: Database::sqlite(folder.path("gateway.db")),
        };
        let gateway = Gateway::spawn(parts, network.join(&gateway_name()?)).map_err(broken)?;
        let address = address.unwrap_or_else(|| (Ipv4Addr::LOCALHOST, 0).into());
        let listener = TcpListener::bind(address).await.map_err(broken)?;
        let (metrics, limits) = (Metrics::new(&mut Registry::default()), Limits::default());
        let interface = api(Arc::new(gateway.clone()), limits, metrics);
        let server = Server::start(listener, None, interface, limits).map_err(broken)?;
        Ok(Self { gateway, server })
    }

    pub(super) const fn gateway(&self) -> &Gateway {
        &self.gateway
    }

    pub(super) const fn address(&self) -> SocketAddr {
        self.server.address()
    }

    pub(super) async fn stop(self) {
        self.server.stop().await;
        drop(self.gateway);
    }
}

/// Small stocks, and short pauses: the nodes are in this process.
fn config() -> Config {
    Config {
        presignatures: WaterMarks { low: 1, high: 4 },
        nonces: WaterMarks { low: 16, high: 64 },
        sets: 1,
        times: Times {
            repeat: Duration::from_millis(100),
            patience: Duration::from_secs(1),
            status: Duration::from_millis(250),
            listing: Duration::from_secs(1),
            ..Times::default()
        },
        ..Config::default()
    }
}
