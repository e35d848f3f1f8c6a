//! What every process shows of itself: `/healthz`, `/readyz` and `/metrics`.

use core::time::Duration;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::json;

use crate::metrics::{Health, MEDIA, Metrics, Readiness};

/// A core that has not turned for so long is stuck.
pub const STUCK: Duration = Duration::from_secs(15);

/// What is shown.
#[derive(Clone, Debug)]
pub struct Probes {
    /// The counters.
    pub metrics: Arc<Metrics>,
    /// The state.
    pub health: Arc<Health>,
}

/// The three places.
pub fn router(probes: Probes) -> Router {
    Router::new()
        .route("/healthz", get(alive))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .with_state(probes)
}

async fn alive(State(probes): State<Probes>) -> Response {
    let still = probes.health.still();
    if still > STUCK {
        let stuck = json!({ "state": "stuck", "seconds": still.as_secs() });
        return (StatusCode::SERVICE_UNAVAILABLE, Json(stuck)).into_response();
    }
    Json(json!({ "state": "alive", "seconds": probes.health.age().as_secs() })).into_response()
}

async fn ready(State(probes): State<Probes>) -> Response {
    let not = |state| (StatusCode::SERVICE_UNAVAILABLE, Json(state)).into_response();
    match probes.health.readiness() {
        Readiness::Ready => Json(json!({ "state": "ready" })).into_response(),
        Readiness::Draining => not(json!({ "state": "draining" })),
        Readiness::NotReady(why) => not(json!({ "state": "not ready", "why": why })),
    }
}

async fn metrics(State(probes): State<Probes>) -> Response {
    ([(header::CONTENT_TYPE, MEDIA)], probes.metrics.text()).into_response()
}
