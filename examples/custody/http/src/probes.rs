//! Probes and metrics, for whoever supervises the process.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::json;

/// The media type of the text format of OpenMetrics.
const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The health of the process.
pub trait Health: Send + Sync + 'static {
    /// Fails with the reason why the process has to be restarted.
    ///
    /// # Errors
    /// The reason, in a sentence.
    fn live(&self) -> Result<(), String>;

    /// Fails with the reason why the process should get no requests now.
    ///
    /// # Errors
    /// The reason, in a sentence.
    fn ready(&self) -> Result<(), String>;

    /// The metrics, in the text format of OpenMetrics.
    fn metrics(&self) -> String;
}

/// The router of `/livez`, `/readyz` and `/metrics`. They need no signature: serve them on a listener of their own, in a network
/// of the operator's.
pub fn probes(health: Arc<dyn Health>) -> Router {
    Router::new()
        .route("/livez", get(async |State(health): State<Arc<dyn Health>>| probe(health.live())))
        .route("/readyz", get(async |State(health): State<Arc<dyn Health>>| probe(health.ready())))
        .route("/metrics", get(metrics))
        .with_state(health)
}

async fn metrics(State(health): State<Arc<dyn Health>>) -> Response {
    ([(header::CONTENT_TYPE, OPENMETRICS)], health.metrics()).into_response()
}

fn probe(result: Result<(), String>) -> Response {
    match result {
        Ok(()) => Json(json!({ "state": "ok" })).into_response(),
        Err(why) => {
            (StatusCode::SERVICE_UNAVAILABLE, Json(json!({ "state": "failed", "why": why })))
                .into_response()
        }
    }
}
