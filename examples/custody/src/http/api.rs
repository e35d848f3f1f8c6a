//! A gateway's API: requests are handed in and asked for, and the status page shows how it goes.
//!
//! | | |
//! |---|---|
//! | `POST /v1/requests?wait_ms=N` | takes a [`Form`]; waits for its end for N milliseconds, at most 30 000 |
//! | `GET /v1/requests/KEY?wait_ms=N` | what has become of it: an [`Outcome`] |
//! | `POST /v1/changes` | takes a [`ChangeForm`]: new shares of a key, at another committee or threshold or the same |
//! | `GET /v1/keys` | the keys with what the nodes state of them: a [`KeyList`] |
//! | `GET /v1/status` | everything that an operator wants to see |
//! | `GET /` | the same as a page |

use core::time::Duration;
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{Path, Query, State as Shared};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use tokio::sync::oneshot;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tracing::{Instrument, debug, info_span};

use super::LONGEST_WAIT;
use super::form::{ChangeForm, Form, Outcome, Problem, hex, unhex};
use super::keys::{KeyForm, KeyList};
use super::probes::{Probes, router as probes};
use crate::gateway::ask::{Ask, Refusal, Reply, Snapshot, State, Submitted};
use crate::metrics::{History, Metrics, Sample};
use crate::node::now;
use crate::page;
use crate::request::{RequestKey, Scheme};

/// The core has so long to show itself.
const LOOK: Duration = Duration::from_secs(5);

/// The way to the core: `false` if it is gone.
pub type Asks = Arc<dyn Fn(Ask) -> bool + Send + Sync>;

/// The HTTP side of a gateway.
#[derive(Clone)]
pub struct Api {
    asks: Asks,
    probes: Probes,
    history: Arc<History>,
    /// What the core has shown last.
    last: Arc<Mutex<Arc<Snapshot>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wait {
    #[serde(default)]
    wait_ms: u64,
}

type MaybeWait = Result<Query<Wait>, QueryRejection>;

impl Api {
    /// The side of this core.
    #[must_use]
    pub fn new(asks: Asks, probes: Probes) -> Self {
        Self { asks, probes, history: Arc::default(), last: Arc::default() }
    }

    /// All places.
    pub fn router(&self) -> Router {
        Router::new()
            .route("/v1/requests", post(submit))
            .route("/v1/requests/{key}", get(ask_for))
            .route("/v1/changes", post(change))
            .route("/v1/keys", get(keys))
            .route("/v1/status", get(status))
            .route("/", get(page))
            .with_state(self.clone())
            .merge(probes(self.probes.clone()))
    }

    /// Looks at the core every second: that keeps the history, and what the probes say.
    pub async fn watch(self) {
        let mut seconds = interval(Duration::from_secs(1));
        seconds.set_missed_tick_behavior(MissedTickBehavior::Skip);
        loop {
            seconds.tick().await;
            let Ok(Ok(snapshot)) = timeout(LOOK, self.ask(Ask::Snapshot)).await else { continue };
            self.saw(Arc::from(snapshot));
        }
    }

    fn saw(&self, snapshot: Arc<Snapshot>) {
        let Probes { metrics, health } = &self.probes;
        health.beat();
        match snapshot.ready {
            true => health.ready(),
            false => health.not_ready("not every key has something to sign with"),
        }
        let sample = Sample::of(&snapshot);
        for (scheme, left) in Scheme::ALL.into_iter().zip(sample.left) {
            metrics.depth(scheme, left);
        }
        count(&self.last(), &snapshot, metrics);
        self.history.add(sample, metrics);
        if let Ok(mut last) = self.last.lock() {
            *last = snapshot;
        }
    }

    fn last(&self) -> Arc<Snapshot> {
        self.last.lock().map(|last| Arc::clone(&last)).unwrap_or_default()
    }

    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(Reply<T>) -> Ask,
    ) -> Result<T, Problem> {
        let gone =
            || Problem::new(StatusCode::SERVICE_UNAVAILABLE, "stopped", "the gateway has stopped");
        let (tell, told) = oneshot::channel();
        let reply = Reply::new(move |answer| {
            // A caller that has gone away needs no answer.
            tell.send(answer).ok();
        });
        if !(self.asks)(question(reply)) {
            return Err(gone());
        }
        told.await.map_err(|_| gone())
    }

    /// What has become of a request, once it has ended or the wait is over.
    async fn outcome(&self, key: RequestKey, wait: Duration) -> Result<Option<State>, Problem> {
        if wait.is_zero() {
            return self.ask(|reply| Ask::Status(key, reply)).await;
        }
        let until = now().saturating_add(millis(wait));
        self.ask(|reply| Ask::Wait(key, until, reply)).await
    }

    async fn take(&self, form: &Form, wait: Duration) -> Result<State, Problem> {
        let bad = |why| Problem::new(StatusCode::BAD_REQUEST, "bad_field", why);
        if self.probes.health.is_draining() {
            return Err(refusal(Refusal::Draining));
        }
        let request = form.read().map_err(bad)?;
        let key = request.request.key;
        let state = match self.ask(|reply| Ask::Submit(request, reply)).await? {
            Submitted::Taken(state) => state,
            Submitted::Conflict => {
                let why = "another request was handed in under this key";
                return Err(Problem::new(StatusCode::CONFLICT, "conflict", why));
            }
            Submitted::Refused(why) => {
                let problem = refusal(why);
                self.probes.metrics.refused(problem.code(), 1);
                return Err(problem);
            }
        };
        debug!(?state, "taken");
        if state.is_end() || wait.is_zero() {
            return Ok(state);
        }
        Ok(self.outcome(key, wait).await?.unwrap_or(state))
    }
}

/// Counts what has come since a core has shown itself last. One that was begun anew counts from nothing again.
fn count(before: &Snapshot, now: &Snapshot, metrics: &Metrics) {
    let mut all = 0_usize;
    for ((scheme, before), now) in Scheme::ALL.into_iter().zip(before.signed).zip(now.signed) {
        let more = now.checked_sub(before).unwrap_or(now);
        metrics.made(scheme, more);
        all = all.saturating_add(more.try_into().unwrap_or(usize::MAX));
    }
    for latency in now.latencies.iter().rev().take(all) {
        metrics.took(Duration::from_millis((*latency).into()));
    }
    let more =
        |of: fn(&Snapshot) -> u64| of(now).checked_sub(of(before)).unwrap_or_else(|| of(now));
    metrics.refused("signers", more(|snapshot| snapshot.refused));
    metrics.repeated(more(|snapshot| snapshot.repeated));
    metrics.open_requests(now.open.try_into().unwrap_or(u64::MAX));
}

async fn submit(
    Shared(api): Shared<Api>,
    wait: MaybeWait,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Problem> {
    let wait = length(wait)?;
    let body = body.map_err(|why| Problem::new(why.status(), "body", why.body_text()))?;
    let form: Form = serde_json::from_slice(&body)
        .map_err(|why| Problem::new(StatusCode::BAD_REQUEST, "bad_json", why.to_string()))?;
    let span = info_span!("request", key = form.key.get(..32));
    Ok(shown(api.take(&form, wait).instrument(span).await?))
}

async fn change(
    Shared(api): Shared<Api>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Problem> {
    let bad = |code, why: String| Problem::new(StatusCode::BAD_REQUEST, code, why);
    let body = body.map_err(|why| Problem::new(why.status(), "body", why.body_text()))?;
    let form: ChangeForm =
        serde_json::from_slice(&body).map_err(|why| bad("bad_json", why.to_string()))?;
    let signed = form.read().map_err(|why| bad("bad_field", why.to_owned()))?;
    let epoch = api.ask(|reply| Ask::Change(signed, reply)).await?;
    let epoch = epoch.map_err(|why| Problem::new(StatusCode::CONFLICT, "refused", why))?;
    Ok((StatusCode::ACCEPTED, Json(serde_json::json!({ "epoch": epoch }))).into_response())
}

async fn ask_for(
    Shared(api): Shared<Api>,
    Path(key): Path<String>,
    wait: MaybeWait,
) -> Result<Response, Problem> {
    let wait = length(wait)?;
    let key = unhex(&key).and_then(|key| key.try_into().ok()).map(RequestKey);
    let bad =
        || Problem::new(StatusCode::BAD_REQUEST, "bad_key", "a key is 16 bytes in hexadecimal");
    let none = || {
        Problem::new(StatusCode::NOT_FOUND, "no_such_request", "there is no request under this key")
    };
    let state = api.outcome(key.ok_or_else(bad)?, wait).await?;
    Ok(shown(state.ok_or_else(none)?))
}

/// 200 if it has ended, 202 if it has not.
fn shown(state: State) -> Response {
    let code = if state.is_end() { StatusCode::OK } else { StatusCode::ACCEPTED };
    (code, Json(Outcome::from(state))).into_response()
}

fn length(wait: MaybeWait) -> Result<Duration, Problem> {
    let bad = |why: String| Problem::new(StatusCode::BAD_REQUEST, "bad_wait", why);
    let Query(Wait { wait_ms }) = wait.map_err(|why| bad(why.body_text()))?;
    let wait = Duration::from_millis(wait_ms);
    if wait > LONGEST_WAIT {
        return Err(bad(format!("wait_ms is at most {}", LONGEST_WAIT.as_millis())));
    }
    Ok(wait)
}

fn refusal(why: Refusal) -> Problem {
    let (status, code) = match why {
        Refusal::Unsigned => (StatusCode::FORBIDDEN, "unsigned"),
        Refusal::NoKey => (StatusCode::NOT_FOUND, "no_such_key"),
        Refusal::NoChild => (StatusCode::UNPROCESSABLE_ENTITY, "no_such_child"),
        Refusal::Deadline => (StatusCode::UNPROCESSABLE_ENTITY, "deadline"),
        Refusal::Busy => (StatusCode::TOO_MANY_REQUESTS, "busy"),
        Refusal::Draining => (StatusCode::SERVICE_UNAVAILABLE, "draining"),
    };
    Problem::new(status, code, why.text())
}

async fn page(Shared(api): Shared<Api>) -> Response {
    let health = &api.probes.health;
    let state = (health.age(), &health.readiness());
    let text = page::render(&api.last(), &api.history.samples(), state);
    let headers =
        [(header::CONTENT_SECURITY_POLICY, page::POLICY), (header::CACHE_CONTROL, "no-store")];
    (headers, Html(text)).into_response()
}

async fn keys(Shared(api): Shared<Api>) -> Response {
    Json(KeyList { keys: api.last().keys.iter().map(KeyForm::new).collect() }).into_response()
}

async fn status(Shared(api): Shared<Api>) -> Response {
    let Snapshot {
        open,
        taken,
        signed,
        refused,
        rejected,
        repeated,
        keys,
        nodes,
        notices,
        ready,
        ..
    } = &*api.last();
    let keys = keys.iter().map(|key| {
        serde_json::json!({
            "id": hex(&key.id.0), "scheme": key.scheme.name(), "epoch": key.epoch,
            "nodes": key.parties.iter().map(|node| node.get()).collect::<Vec<_>>(),
            "threshold": key.threshold, "public_key": hex(&key.public_key), "left": key.stock, "low": key.low, "high": key.high,
        })
    });
    let nodes = nodes.iter().map(|node| {
        serde_json::json!({
            "node": node.node.get(), "heard_ms": node.heard, "epoch": node.epoch,
            "head": node.head.map(|head| hex(&head)), "refuses": node.refuses, "cheated": node.cheated, "unanswered": node.owes,
        })
    });
    let status = serde_json::json!({
        "ready": ready, "open": open, "taken": taken, "refused": refused, "not_taken": rejected,
        "orders_again": repeated, "signed": { "ecdsa": signed[0], "ed25519": signed[1] },
        "keys": keys.collect::<Vec<_>>(), "nodes": nodes.collect::<Vec<_>>(), "notices": notices,
    });
    Json(status).into_response()
}

fn millis(time: Duration) -> u64 {
    time.as_millis().try_into().unwrap_or(u64::MAX)
}
