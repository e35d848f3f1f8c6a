//! The router over a service, and its description.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state, map_response_with_state};
use axum::response::Response;
use custody_core::Service;
use tracing::{Instrument as _, field, info, info_span};
use utoipa::OpenApi;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityRequirement, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;

use crate::failure::{Failure, challenge};
use crate::handlers;
use crate::limits::{Limits, Permits};
use crate::metrics::Metrics;

/// The interface with its service.
pub(crate) struct Api {
    pub(crate) service: Arc<dyn Service>,
    pub(crate) limits: Limits,
    pub(crate) permits: Permits,
    metrics: Metrics,
}

#[derive(OpenApi)]
#[openapi(info(
    title = "Quorate custody",
    version = "1",
    description = "Threshold signatures as a service.\n\nEvery request has an HTTP message signature (RFC 9421) over `@method`, `@path`, \
        `@query` if there is one, and `content-digest` (RFC 9530, sha-256, also of an empty body), with the parameters `created`, \
        `expires`, `nonce`, `keyid` and `tag=\"quorate-custody:CLUSTER\"`, where CLUSTER is the name of the cluster. `keyid` is the \
        SHA-256 of the caller's SubjectPublicKeyInfo in hexadecimal. The nonce is the idempotency key: a repeated request gets the result of the first.",
    license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
))]
struct Description;

/// The router over a service.
pub fn api(service: Arc<dyn Service>, limits: Limits, metrics: Metrics) -> Router {
    let api = Arc::new(Api { service, limits, permits: Permits::new(&limits), metrics });
    let (router, _) = OpenApiRouter::new().merge(handlers::all()).split_for_parts();
    router
        .method_not_allowed_fallback(async || Failure::no_such_method())
        .fallback(async || Failure::no_such_path())
        .layer(map_response_with_state(Arc::clone(&api), challenge))
        .layer(from_fn_with_state(Arc::clone(&api), watched))
        .with_state(api)
}

/// The description in OpenAPI 3.1, as JSON.
#[must_use]
pub fn description() -> String {
    let (_, mut description) = OpenApiRouter::with_openapi(Description::openapi())
        .merge(handlers::all())
        .split_for_parts();
    let headers = ["Content-Digest", "Signature-Input", "Signature"];
    let requirement =
        headers.into_iter().fold(SecurityRequirement::default(), |requirement, name| {
            requirement.add::<_, _, String>(name, [])
        });
    let components = description.components.get_or_insert_default();
    for name in headers {
        components.add_security_scheme(
            name,
            SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::new(name))),
        );
    }
    description.security = Some(vec![requirement]);
    description.to_pretty_json().map(|json| json + "\n").unwrap_or_default()
}

/// Logs each request, and counts it.
async fn watched(State(api): State<Arc<Api>>, request: Request, next: Next) -> Response {
    let since = Instant::now();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let span = info_span!(
        "http", %method, path, request = field::Empty, caller = field::Empty, operation = field::Empty, reason = field::Empty
    );
    let served = async {
        let response = next.run(request).await;
        let (status, elapsed) = (response.status(), since.elapsed());
        api.metrics.served(&method, status, elapsed);
        info!(status = status.as_u16(), milliseconds = elapsed.as_millis(), "served");
        response
    };
    served.instrument(span).await
}
