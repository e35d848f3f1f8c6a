//! Responses to requests that fail: problems of RFC 9457.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use custody_core::{Problem, Reason, Refusal, RequestId};

use crate::api::Api;

/// The signature that a request has to have (RFC 9421, section 5.1), up to the value of its tag.
const ACCEPT_SIGNATURE: &str =
    "sig=(\"@method\" \"@path\" \"@query\" \"content-digest\");created;expires;nonce;keyid;tag=";

/// The failure of a request.
#[derive(Clone, Debug)]
pub(crate) struct Failure(Box<Problem>);

impl Failure {
    /// The failure of a request whose id is known.
    pub(crate) fn of(request: RequestId, refusal: Refusal) -> Self {
        Self(Box::new(Problem::new(refusal, Some(request))))
    }

    /// A failure with another status than the reason has.
    pub(crate) fn with_status(status: StatusCode, reason: Reason, detail: &str) -> Self {
        let problem = Problem::new(Refusal::new(reason, detail), None);
        Self(Box::new(Problem { status: status.as_u16(), ..problem }))
    }

    pub(crate) fn no_such_path() -> Self {
        Self::with_status(
            StatusCode::NOT_FOUND,
            Reason::Malformed,
            "nothing is at this path: openapi.json lists the paths",
        )
    }

    pub(crate) fn no_such_method() -> Self {
        Self::with_status(
            StatusCode::METHOD_NOT_ALLOWED,
            Reason::Malformed,
            "the path does not take this method",
        )
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self(Box::new(problem))
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Problem::new(refusal, None).into()
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let Self(problem) = self;
        let status =
            StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        tracing::Span::current().record("reason", problem.kind.as_str());
        let mut response = (status, axum::Json(&problem)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(Problem::MEDIA_TYPE));
        if problem.retryable {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// Says how requests have to be signed, where a signature is missing or wrong.
pub(crate) async fn challenge(State(api): State<Arc<Api>>, mut response: Response) -> Response {
    if response.status() == StatusCode::UNAUTHORIZED {
        let accepted = format!("{ACCEPT_SIGNATURE}\"{}\"", api.service.callers().tag());
        let headers = response.headers_mut();
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Signature"));
        if let Ok(accepted) = HeaderValue::from_str(&accepted) {
            headers.insert(HeaderName::from_static("accept-signature"), accepted);
        }
    }
    response
}
