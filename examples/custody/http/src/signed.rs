//! Requests of callers: read, verified, and within the limits.

use core::time::Duration;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use custody_core::{Reason, Refusal, SignedHead, SignedRequest, Verified};
use http_body_util::{BodyExt as _, Limited};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use crate::api::Api;
use crate::connections::Connection;
use crate::failure::Failure;

/// A request that verified, as it came and as it reads.
pub(crate) struct Signed {
    pub(crate) request: SignedRequest,
    pub(crate) verified: Verified,
    /// Kept until there is an answer.
    _permit: OwnedSemaphorePermit,
}

impl FromRequest<Arc<Api>> for Signed {
    type Rejection = Failure;

    async fn from_request(request: Request, api: &Arc<Api>) -> Result<Self, Failure> {
        let (parts, body) = request.into_parts();
        let head = head(&parts)?;
        let verified = head.verify(&api.service.callers(), api.service.now())?;
        let id = verified.id();
        let span = tracing::Span::current();
        span.record("request", tracing::field::display(id));
        span.record("caller", verified.caller().name.as_str());
        if let Some(connection) = parts.extensions.get::<Arc<Connection>>() {
            connection.is_of_a_caller();
        }
        let _permit = api.permits.of(&head).map_err(|refusal| Failure::of(id, refusal))?;
        let body = read(body, api.limits.body).await?;
        let verified = verified.with_body(&body).map_err(|refusal| Failure::of(id, refusal))?;
        span.record("operation", verified.operation.name());
        Ok(Self { request: SignedRequest { head, body: body.into() }, verified, _permit })
    }
}

/// The head of a request: the values that the signature covers, and the signature.
fn head(parts: &Parts) -> Result<SignedHead, Refusal> {
    let target = parts.uri.path_and_query().filter(|_| parts.uri.scheme().is_none());
    let target = target.ok_or_else(|| {
        Refusal::new(Reason::Malformed, "expected a path as the target, without scheme and host")
    })?;
    Ok(SignedHead {
        method: parts.method.as_str().to_owned(),
        target: target.as_str().to_owned(),
        content_digest: only(&parts.headers, "content-digest")?,
        signature_input: only(&parts.headers, "signature-input")?,
        signature: only(&parts.headers, "signature")?,
    })
}

/// The value of a header that stands once.
fn only(headers: &HeaderMap, name: &str) -> Result<String, Refusal> {
    let mut values = headers.get_all(name).iter();
    match (values.next().map(|value| value.to_str()), values.next()) {
        (Some(Ok(value)), None) => Ok(value.to_owned()),
        _ => {
            let detail = format_args!(
                "{name}: expected one header with text; every request is signed (RFC 9421), also one that reads"
            );
            Err(Refusal::new(Reason::BadSignature, detail))
        }
    }
}

/// Reads a body of bounded length in bounded time.
async fn read(body: Body, longest: Duration) -> Result<Bytes, Failure> {
    let late = |_| {
        Failure::with_status(
            StatusCode::REQUEST_TIMEOUT,
            Reason::Busy,
            "the body did not come in time",
        )
    };
    let body = timeout(longest, Limited::new(body, SignedRequest::MAX_BODY).collect())
        .await
        .map_err(late)?;
    let body = body.map_err(|why| {
        let detail = format!("the body: expected at most {} bytes: {why}", SignedRequest::MAX_BODY);
        Failure::with_status(StatusCode::PAYLOAD_TOO_LARGE, Reason::Limit, &detail)
    })?;
    Ok(body.to_bytes())
}
