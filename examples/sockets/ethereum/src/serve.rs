//! The HTTP server.

use core::future::pending;
use core::time::Duration;
use std::io::Result;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use axum::routing::{get, post};
use custody_http::{Connection, Server};
use http_body_util::{BodyExt as _, Limited};
use rustls::ServerConfig;
use serde_json::{Value, json};
use sockets_backend::{AccessKeys, Backend, Limits};
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::access::access_key;
use crate::error::Error;
use crate::signer::Signer;

/// The longest body of a request: data of the longest purpose, in hexadecimal digits, and what is around it.
const BODY: usize = 2 * quorate_purpose::MAX_LENGTH + 64 * 1024;
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// The things that every request needs.
struct Serving {
    signer: Signer,
    access: AccessKeys,
    transfer: Duration,
}

/// Serves the accounts of a backend to the owners of access keys, until the future is dropped. With a chain, they sign for it alone.
///
/// The limit of connections is for those on which a request has verified, and once more for others: the oldest of these is closed
/// when a new one comes.
///
/// Without a configuration of TLS, nothing is encrypted, and whoever reads a request has the secret of its access key.
///
/// # Errors
/// If the listener has no address. Otherwise it does not end.
pub async fn serve(
    listener: TcpListener,
    tls: Option<Arc<ServerConfig>>,
    backend: Arc<dyn Backend>,
    (chain, access): (Option<u64>, AccessKeys),
    limits: Limits,
) -> Result<()> {
    let signer = Signer::new(backend, chain).within(limits.within);
    let serving = Arc::new(Serving { signer, access, transfer: limits.transfer });
    let router = Router::new()
        .route("/", post(rpc))
        .route("/upcheck", get(async || reply(StatusCode::OK, TEXT, "OK")))
        .route("/healthcheck", get(health))
        .route("/api/v1/eth1/publicKeys", get(public_keys))
        .route("/api/v1/eth1/sign/{account}", post(rest))
        .with_state(serving);
    let limits = custody_http::Limits {
        callers: limits.connections,
        strangers: limits.connections,
        // Consumers of this machine have one address, and so have others on it.
        per_address: usize::MAX,
        head: limits.idle.min(Duration::from_secs(60)),
        life: limits.idle.saturating_add(limits.within),
        ..custody_http::Limits::default()
    };
    let _server = Server::start(listener, tls, router, limits)?;
    pending().await
}

async fn rpc(State(serving): State<Arc<Serving>>, request: Request) -> Response {
    match serving.admitted(request).await {
        Ok((body, access_key)) => json_reply(&serving.signer.rpc(&body, &access_key).await),
        Err(refused) => refused,
    }
}

async fn rest(
    State(serving): State<Arc<Serving>>,
    Path(account): Path<String>,
    request: Request,
) -> Response {
    match serving.admitted(request).await {
        Ok((body, access_key)) => {
            text(serving.signer.rest(&account, &body, &access_key).await, &access_key)
        }
        Err(refused) => refused,
    }
}

async fn public_keys(State(serving): State<Arc<Serving>>, request: Request) -> Response {
    match serving.admitted(request).await {
        Ok((_, access_key)) => match serving.signer.public_keys().await {
            Ok(keys) => json_reply(&json!(keys)),
            Err(why) => text(Err(why), &access_key),
        },
        Err(refused) => refused,
    }
}

/// The state in the form of web3signer. It is for everybody, and says nothing else.
async fn health(State(serving): State<Arc<Serving>>) -> Response {
    let (status, word) = match serving.signer.accounts().await {
        Ok(_) => (StatusCode::OK, "UP"),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "DOWN"),
    };
    let state = json!({ "status": word, "outcome": word, "checks": [] });
    reply(status, JSON, state.to_string())
}

impl Serving {
    /// The body of a request and its access key, or the answer to one that has none. No body is read for it.
    async fn admitted(&self, request: Request) -> core::result::Result<(Bytes, String), Response> {
        let (parts, body) = request.into_parts();
        let Some(access_key) = access_key(&parts.headers, &self.access) else {
            tracing::warn!("a request without an access key");
            let why = "expected the name and secret of an access key (HTTP Basic), and no web page";
            let mut refused = reply(StatusCode::UNAUTHORIZED, TEXT, why);
            let basic = HeaderValue::from_static("Basic realm=\"quorate-sockets\"");
            refused.headers_mut().insert(header::WWW_AUTHENTICATE, basic);
            return Err(refused);
        };
        if let Some(connection) = parts.extensions.get::<Arc<Connection>>() {
            connection.is_of_a_caller();
        }
        match timeout(self.transfer, Limited::new(body, BODY).collect()).await {
            Err(_) => Err(reply(StatusCode::REQUEST_TIMEOUT, TEXT, "the body is late")),
            Ok(Err(_)) => {
                let why = "the body is too long, or cut off";
                Err(reply(StatusCode::PAYLOAD_TOO_LARGE, TEXT, why))
            }
            Ok(Ok(body)) => Ok((body.to_bytes(), access_key)),
        }
    }
}

fn json_reply(value: &Value) -> Response {
    reply(StatusCode::OK, JSON, value.to_string())
}

fn text(outcome: core::result::Result<String, Error>, access_key: &str) -> Response {
    match outcome {
        Ok(text) => reply(StatusCode::OK, TEXT, text),
        Err(why) => {
            tracing::warn!(access_key, %why, "refused");
            let status = StatusCode::from_u16(why.kind.status());
            reply(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), TEXT, why.message)
        }
    }
}

fn reply(status: StatusCode, kind: HeaderValue, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
