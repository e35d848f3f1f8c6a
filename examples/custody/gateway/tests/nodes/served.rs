//! A gateway behind its HTTP interface, and a client before it.

use std::sync::Arc;

use custody_client::{CallerSecret, Client, Endpoint};
use custody_gateway::Gateway;
use custody_http::{Limits, Metrics, Server, api};
use tokio::net::TcpListener;

use crate::common::TestCaller;

/// Serves a gateway, and gives the client of a caller. The server ends when it is dropped.
pub async fn client(gateway: &Gateway, caller: &TestCaller) -> (Server, Client) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let metrics = Metrics::new(&mut prometheus_client::registry::Registry::default());
    let limits = Limits::default();
    let interface = api(Arc::new(gateway.clone()), limits, metrics);
    let server = Server::start(listener, None, interface, limits).unwrap();
    let endpoint = Endpoint::plain(&format!("http://{}", server.address())).unwrap();
    let secret = CallerSecret::from_pem(&caller.pem()).unwrap();
    (server, Client::new(endpoint, secret, "test"))
}
