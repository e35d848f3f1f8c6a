//! The HTTP server.

use core::future::pending;
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use std::io::Result;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::Response;
use custody_http::{Connection, Server};
use http_body_util::{BodyExt as _, Limited};
use rustls::ServerConfig;
use sockets_backend::{AccessKeys, Backend, Limits};
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::error::{Error, ErrorKind};
use crate::kms::{Kms, Place};
use crate::signature::{Head, verify};

/// The longest body of a request.
const BODY: usize = 64 * 1024;
/// The prefix of operations.
const TARGET: &str = "TrentService.";
const JSON: HeaderValue = HeaderValue::from_static("application/x-amz-json-1.1");

/// The things that every request needs.
struct Serving {
    kms: Kms,
    access: AccessKeys,
    transfer: Duration,
    /// The number of the next request.
    next: AtomicU64,
}

/// Serves the keys of a backend to the owners of access keys, until the future is dropped.
///
/// The limit of connections is for those on which a request has verified, and once more for others: the oldest of these is closed
/// when a new one comes.
///
/// Without a configuration of TLS, messages and signatures are not encrypted. Their integrity is that of Signature Version 4,
/// which covers requests and no answers.
///
/// # Errors
/// If the listener has no address. Otherwise it does not end.
pub async fn serve(
    listener: TcpListener,
    tls: Option<Arc<ServerConfig>>,
    backend: Arc<dyn Backend>,
    (place, access): (Place, AccessKeys),
    limits: Limits,
) -> Result<()> {
    let kms = Kms::new(backend, place).within(limits.within);
    let serving =
        Arc::new(Serving { kms, access, transfer: limits.transfer, next: AtomicU64::new(1) });
    let router = Router::new().fallback(answer).with_state(serving);
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

async fn answer(State(serving): State<Arc<Serving>>, request: Request) -> Response {
    let number = serving.next.fetch_add(1, Ordering::Relaxed);
    let answer = serving.answered(request).await;
    let (status, body, kind) = match answer {
        Ok(body) => (axum::http::StatusCode::OK, body, None),
        Err(why) => {
            tracing::warn!(%why, "refused");
            let (kind, body) = (why.kind, problem(&why));
            (kind.status(), body, Some(HeaderValue::from_static(kind.name())))
        }
    };
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, JSON);
    headers.insert(HeaderName::from_static("x-amzn-requestid"), request_id(number));
    if let Some(kind) = kind {
        headers.insert(HeaderName::from_static("x-amzn-errortype"), kind);
    }
    response
}

impl Serving {
    async fn answered(&self, request: Request) -> core::result::Result<Vec<u8>, Error> {
        let (parts, body) = request.into_parts();
        let head = Head {
            method: parts.method.as_str().to_owned(),
            path: parts.uri.path().to_owned(),
            query: parts.uri.query().unwrap_or_default().to_owned(),
            headers: headers(&parts.headers)?,
        };
        if head.path != "/" || head.method != "POST" || !head.query.is_empty() {
            return Err(Error::new(ErrorKind::UnknownOperation, "expected POST / without a query"));
        }
        let body = timeout(self.transfer, Limited::new(body, BODY).collect()).await;
        let late = || Error::new(ErrorKind::RequestTimeout, "the body did not come in time");
        let too_long =
            |_| Error::new(ErrorKind::RequestEntityTooLarge, "the body is too long, or cut off");
        let body = body.map_err(|_| late())?.map_err(too_long)?.to_bytes();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let access_key = verify(&head, &body, &self.access, self.kms.region(), now)?;
        if let Some(connection) = parts.extensions.get::<Arc<Connection>>() {
            connection.is_of_a_caller();
        }
        let operation = head.header("x-amz-target")?.and_then(|target| target.strip_prefix(TARGET));
        self.kms.answer(operation.unwrap_or_default(), &body, access_key).await
    }
}

fn headers(map: &HeaderMap) -> core::result::Result<Vec<(String, String)>, Error> {
    let text = |(name, value): (&HeaderName, &HeaderValue)| {
        let value = value.to_str().map_err(|_| {
            Error::new(ErrorKind::IncompleteSignature, format!("'{name}' is not in ASCII"))
        })?;
        Ok((name.as_str().to_owned(), value.to_owned()))
    };
    map.iter().map(text).collect()
}

fn problem(why: &Error) -> Vec<u8> {
    let body = serde_json::json!({ "__type": why.kind.name(), "message": why.message });
    body.to_string().into_bytes()
}

/// An id in the form of those of AWS, for the log and for users who report a problem.
fn request_id(number: u64) -> HeaderValue {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let id = format!("{since:08x}-0000-4000-8000-{number:012x}");
    HeaderValue::from_str(&id).unwrap_or_else(|_| HeaderValue::from_static(""))
}
