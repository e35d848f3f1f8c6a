//! The operations, with their descriptions.

use core::time::Duration;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use custody_core::{
    Approve, KeyDescription, KeyId, KeyList, KeySpec, Operation, Problem, Read, Reason, Refusal,
    Replenish, Reply, RequestDescription, RequestId, RequestList, RequestState, Reshare, Role,
    ScheduleDeletion, Sign, Verified,
};
use tokio::time::timeout;
use utoipa::IntoResponses;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::Api;
use crate::failure::Failure;
use crate::signed::Signed;

/// The time beyond the caller's own wait that the service has for an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// A request that the service has taken.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "the description is made of it")]
enum Taken {
    /// The request has its result.
    #[response(status = 200)]
    Ended(RequestDescription),
    /// The request has no result yet. Ask again, or repeat it: it is done once.
    #[response(status = 202)]
    Pending(RequestDescription),
}

/// The problems of all requests.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "the description is made of it")]
enum Problems {
    /// The request is refused. Repeating it changes nothing, unless the problem says that it is retryable.
    #[response(status = "4XX", content_type = "application/problem+json")]
    Caller(Problem),
    /// The service cannot do it now. The same request, with the same signature, can be repeated.
    #[response(status = "5XX", content_type = "application/problem+json")]
    Service(Problem),
}

/// Handlers of operations that are no reads.
macro_rules! operations {
    ($($(#[doc = $doc:literal])+ $name:ident: $path:literal, [$($parameter:tt)*], [$($body:tt)*];)*) => {
        $($(#[doc = $doc])+
        #[utoipa::path(
            post, path = $path, $($body)*
            params($($parameter)* ("wait" = Option<u16>, Query, description = "For how many seconds to wait for a result, 60 at most", maximum = 60)),
            responses(Taken, Problems)
        )]
        async fn $name(State(api): State<Arc<Api>>, signed: Signed) -> Result<Response, Failure> {
            submit(&api, signed).await
        })*

        fn posts() -> OpenApiRouter<Arc<Api>> {
            OpenApiRouter::new()$(.routes(routes!($name)))*
        }
    };
}

operations! {
    /// Makes a key.
    create_key: "/v1/keys", [], [request_body = KeySpec,];
    /// Signs.
    sign: "/v1/keys/{key}/sign", [("key" = KeyId, Path),], [request_body = Sign,];
    /// Makes new shares of a key for the same members.
    refresh: "/v1/keys/{key}/refresh", [("key" = KeyId, Path),], [];
    /// Moves a key to other members or another threshold.
    reshare: "/v1/keys/{key}/reshare", [("key" = KeyId, Path),], [request_body = Reshare,];
    /// Stops signing with a key.
    disable: "/v1/keys/{key}/disable", [("key" = KeyId, Path),], [];
    /// Signs with a disabled key again.
    enable: "/v1/keys/{key}/enable", [("key" = KeyId, Path),], [];
    /// Stops signing with a key, and deletes it later.
    schedule_deletion: "/v1/keys/{key}/schedule-deletion", [("key" = KeyId, Path),], [request_body = ScheduleDeletion,];
    /// Keeps a key that was to be deleted. It stays disabled.
    cancel_deletion: "/v1/keys/{key}/cancel-deletion", [("key" = KeyId, Path),], [];
    /// Makes presignatures or nonces of a key ahead.
    replenish: "/v1/keys/{key}/replenish", [("key" = KeyId, Path),], [request_body = Replenish,];
    /// Approves a request.
    approve: "/v1/requests/{request}/approve", [("request" = RequestId, Path),], [request_body = Approve,];
    /// Cancels a request that has no result yet.
    cancel: "/v1/requests/{request}/cancel", [("request" = RequestId, Path),], [];
}

/// The router of all operations.
pub(crate) fn all() -> OpenApiRouter<Arc<Api>> {
    posts()
        .routes(routes!(list_keys))
        .routes(routes!(describe_key))
        .routes(routes!(list_requests))
        .routes(routes!(describe_request))
        .routes(routes!(export_audit))
}

/// Lists keys.
#[utoipa::path(
    get, path = "/v1/keys",
    params(
        ("after" = Option<KeyId>, Query, description = "Starts after this key"),
        ("limit" = Option<u16>, Query, description = "The most keys: 100 if absent, 1000 at most", minimum = 1, maximum = 1000),
    ),
    responses((status = 200, description = "Keys, ascending", body = KeyList), Problems)
)]
async fn list_keys(
    State(api): State<Arc<Api>>,
    Signed { verified, .. }: Signed,
) -> Result<Response, Failure> {
    match &verified.operation {
        Operation::Read(Read::Keys(page)) => json(&verified, api.service.keys(*page)).await,
        _ => Err(Failure::no_such_path()),
    }
}

/// Describes a key, and a child of it.
#[utoipa::path(
    get, path = "/v1/keys/{key}",
    params(
        ("key" = KeyId, Path),
        ("path" = Option<String>, Query, description = "The path to a child key", example = "m/0/5"),
        ("merkle_root" = Option<String>, Query, description = "The Merkle root of the scripts that the output of a Taproot key commits to, in hexadecimal", pattern = "^[0-9a-f]{64}$"),
    ),
    responses((status = 200, description = "The key", body = KeyDescription), Problems)
)]
async fn describe_key(
    State(api): State<Arc<Api>>,
    Signed { verified, .. }: Signed,
) -> Result<Response, Failure> {
    match &verified.operation {
        Operation::Read(Read::Key(key, child)) => {
            json(&verified, api.service.key(*key, child.clone())).await
        }
        _ => Err(Failure::no_such_path()),
    }
}

/// Lists requests without a result, for approvers and administrators.
#[utoipa::path(
    get, path = "/v1/requests",
    params(
        ("after" = Option<RequestId>, Query, description = "Starts after this request"),
        ("limit" = Option<u16>, Query, description = "The most requests: 100 if absent, 1000 at most", minimum = 1, maximum = 1000),
    ),
    responses((status = 200, description = "Requests, the oldest first", body = RequestList), Problems)
)]
async fn list_requests(
    State(api): State<Arc<Api>>,
    Signed { verified, .. }: Signed,
) -> Result<Response, Failure> {
    match &verified.operation {
        Operation::Read(Read::Requests(page)) => json(&verified, api.service.requests(*page)).await,
        _ => Err(Failure::no_such_path()),
    }
}

/// Describes a request. A caller who only requests sees its own.
#[utoipa::path(
    get, path = "/v1/requests/{request}",
    params(
        ("request" = RequestId, Path),
        ("wait" = Option<u16>, Query, description = "For how many seconds to wait for a result, 60 at most", maximum = 60),
    ),
    responses(Taken, Problems)
)]
async fn describe_request(
    State(api): State<Arc<Api>>,
    Signed { verified, .. }: Signed,
) -> Result<Response, Failure> {
    let Operation::Read(Read::Request(request)) = verified.operation else {
        return Err(Failure::no_such_path());
    };
    let description = answer(&verified, api.service.request(request, verified.wait)).await?;
    if verified.caller.roles == [Role::Request] && verified.caller.name != description.caller {
        return Err(Failure::of(
            verified.id,
            Refusal::new(
                Reason::UnknownRequest,
                format_args!("the caller has no request {request}"),
            ),
        ));
    }
    Ok(taken(&description))
}

/// Exports the log of a node's decisions, for approvers and administrators.
#[utoipa::path(
    get, path = "/v1/audit/{node}",
    params(
        ("node" = u16, Path, description = "The number of the node", minimum = 1),
        ("after" = Option<u64>, Query, description = "Starts after the entry with this number"),
        ("limit" = Option<u16>, Query, description = "The most entries: 100 if absent, 1000 at most", minimum = 1, maximum = 1000),
    ),
    responses((status = 200, description = "Entries, a line of JSON each", body = String, content_type = "application/jsonl"), Problems)
)]
async fn export_audit(
    State(api): State<Arc<Api>>,
    Signed { request, verified, .. }: Signed,
) -> Result<Response, Failure> {
    let Operation::Read(Read::Audit(node, _)) = verified.operation else {
        return Err(Failure::no_such_path());
    };
    let lines = answer(&verified, api.service.audit(node, request)).await?;
    let text: String = lines.into_iter().map(|line| line + "\n").collect();
    Ok(([(header::CONTENT_TYPE, "application/jsonl")], text).into_response())
}

async fn submit(api: &Api, Signed { request, verified, .. }: Signed) -> Result<Response, Failure> {
    let submitted = api.service.submit(request, verified.clone());
    let description = answer(&verified, submitted).await?;
    match description.problem {
        Some(problem) if description.state == RequestState::Refused => Err(Failure::from(problem)),
        _ => Ok(taken(&description)),
    }
}

/// 202 while there is no result.
fn taken(description: &RequestDescription) -> Response {
    let pending =
        matches!(description.state, RequestState::Pending | RequestState::ApprovalsMissing);
    let status = if pending { StatusCode::ACCEPTED } else { StatusCode::OK };
    (status, Json(description)).into_response()
}

async fn json<T: serde::Serialize>(
    verified: &Verified,
    reply: Reply<'_, T>,
) -> Result<Response, Failure> {
    answer(verified, reply).await.map(|answer| Json(answer).into_response())
}

/// Waits for the service.
async fn answer<T>(verified: &Verified, reply: Reply<'_, T>) -> Result<T, Failure> {
    let longest = PATIENCE.saturating_add(Duration::from_secs(verified.wait.into()));
    let late =
        |_| Refusal::new(Reason::Busy, "the service did not answer in time: repeat the request");
    let answer = timeout(longest, reply).await.map_err(late).flatten();
    answer.map_err(|refusal| Failure::of(verified.id, refusal))
}
