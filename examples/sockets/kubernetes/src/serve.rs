//! Connections of API servers: gRPC over HTTP/2.

use core::convert::Infallible;
use core::pin::{Pin, pin};
use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::sync::Arc;

use http::{HeaderMap, Method, StatusCode, header};
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use sockets_backend::{Backend, Limits, UnixSocket};
use tokio::net::UnixStream;
use tokio::time::timeout;
use tonic::body::Body;
use tonic::server::{Grpc, UnaryService};
use tonic::{Response, Status};
use tonic_prost::ProstCodec;

use crate::claims::MAX_CLAIMS;
use crate::messages::{
    FetchKeysRequest, FetchKeysResponse, MetadataRequest, MetadataResponse, SignRequest,
    SignResponse,
};
use crate::settings::Settings;
use crate::signer::Signer;

/// The longest message: the longest claims behind the tag of their field and a length of three bytes.
const MESSAGE: usize = MAX_CLAIMS + 4;
/// The most requests at a time on a connection.
const STREAMS: u32 = 128;
/// The most bytes of headers.
const HEADERS: u32 = 16 * 1024;
/// The time between two checks of a connection on which nothing comes.
const PING: Duration = Duration::from_secs(60);
/// The versions of the protocol, which do not differ.
const SERVICES: [&str; 2] = ["/v1.ExternalJWTSigner/", "/v1alpha1.ExternalJWTSigner/"];

/// Serves the users of a socket with the keys of a backend, until the future is dropped.
pub async fn serve(
    socket: UnixSocket,
    backend: Arc<dyn Backend>,
    settings: Settings,
    limits: Limits,
) {
    let signer = Arc::new(Signer::new(backend, settings).within(limits.within));
    let answered = socket.serve(limits.connections, |stream, user| {
        let served = Served { signer: Arc::clone(&signer), user };
        async move {
            // The end of a connection is an error, too.
            if let Err(why) = answer_all(stream, served, limits).await {
                tracing::debug!(user, %why, "a connection ends");
            }
        }
    });
    answered.await;
}

/// Answers the requests of a connection, until it ends, or none comes for too long. Answers to pings are no requests.
async fn answer_all(
    stream: UnixStream,
    served: Served,
    limits: Limits,
) -> Result<(), hyper::Error> {
    let (transfer, begun) = (limits.transfer, Arc::new(AtomicBool::new(false)));
    let of_connection = Arc::clone(&begun);
    let service = service_fn(move |request| {
        of_connection.store(true, Ordering::Relaxed);
        let served = served.clone();
        async move { Ok::<_, Infallible>(served.answer(request, transfer).await) }
    });
    let mut server = http2::Builder::new(TokioExecutor::new());
    server
        .timer(TokioTimer::new())
        .keep_alive_interval(PING)
        .keep_alive_timeout(transfer)
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(HEADERS);
    let mut connection = pin!(server.serve_connection(TokioIo::new(stream), service));
    // Of two looks in the time that a connection may be idle, one finds that no request has begun.
    let pause = limits.idle.checked_div(2).unwrap_or_default();
    loop {
        match timeout(pause, connection.as_mut()).await {
            Ok(ended) => return ended,
            Err(_) if begun.swap(false, Ordering::Relaxed) => {}
            Err(_) => break,
        }
    }
    // The client is told, and what has begun is answered.
    connection.as_mut().graceful_shutdown();
    let last = limits.within.saturating_add(transfer);
    timeout(last, connection).await.unwrap_or(Ok(()))
}

/// The signer, for a user.
#[derive(Clone)]
struct Served {
    signer: Arc<Signer>,
    user: u32,
}

impl Served {
    async fn answer(
        self,
        request: http::Request<Incoming>,
        transfer: Duration,
    ) -> http::Response<Body> {
        if request.method() != Method::POST || !is_grpc(request.headers()) {
            let mut response = http::Response::new(Body::empty());
            *response.status_mut() = StatusCode::UNSUPPORTED_MEDIA_TYPE;
            return response;
        }
        let (head, body) = request.into_parts();
        let body = match collected(body, transfer).await {
            Ok(body) => body,
            Err(status) => return status.into_http(),
        };
        let path = head.uri.path().to_owned();
        let method = SERVICES.iter().find_map(|service| path.strip_prefix(service));
        let request = http::Request::from_parts(head, Full::new(body));
        match method {
            Some("Sign") => self.unary::<SignRequest>(request).await,
            Some("FetchKeys") => self.unary::<FetchKeysRequest>(request).await,
            Some("Metadata") => self.unary::<MetadataRequest>(request).await,
            _ => Status::unimplemented(format!("there is no method {path}")).into_http(),
        }
    }

    /// Answers a request of one message by one message.
    async fn unary<Asked>(self, request: http::Request<Full<Bytes>>) -> http::Response<Body>
    where
        Self: UnaryService<Asked>,
        <Self as UnaryService<Asked>>::Response: prost::Message + 'static,
        Asked: prost::Message + Default + 'static,
    {
        let codec = ProstCodec::<<Self as UnaryService<Asked>>::Response, Asked>::default();
        Grpc::new(codec).max_decoding_message_size(MESSAGE).unary(self, request).await
    }
}

/// An answer that comes later.
type Reply<T> = Pin<Box<dyn Future<Output = Result<Response<T>, Status>> + Send>>;

impl UnaryService<SignRequest> for Served {
    type Response = SignResponse;
    type Future = Reply<SignResponse>;

    fn call(&mut self, request: tonic::Request<SignRequest>) -> Self::Future {
        let Self { signer, user } = self.clone();
        Box::pin(async move {
            let answer = signer.sign(request.get_ref(), user).await;
            answer.map(Response::new).inspect_err(|why| log(user, why))
        })
    }
}

impl UnaryService<FetchKeysRequest> for Served {
    type Response = FetchKeysResponse;
    type Future = Reply<FetchKeysResponse>;

    fn call(&mut self, _: tonic::Request<FetchKeysRequest>) -> Self::Future {
        let Self { signer, user } = self.clone();
        Box::pin(
            async move { signer.keys().await.map(Response::new).inspect_err(|why| log(user, why)) },
        )
    }
}

impl UnaryService<MetadataRequest> for Served {
    type Response = MetadataResponse;
    type Future = Reply<MetadataResponse>;

    fn call(&mut self, _: tonic::Request<MetadataRequest>) -> Self::Future {
        let metadata = self.signer.metadata();
        Box::pin(async move { Ok(Response::new(metadata)) })
    }
}

fn log(user: u32, why: &Status) {
    tracing::warn!(user, code = ?why.code(), why = why.message(), "refused");
}

/// Returns whether the content is that of gRPC, in the encoding of protobuf.
fn is_grpc(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| matches!(kind, "application/grpc" | "application/grpc+proto"))
}

/// The whole body, which has to come in time.
async fn collected(body: Incoming, transfer: Duration) -> Result<Bytes, Status> {
    // A length and a flag are in front of the message.
    let body = timeout(transfer, Limited::new(body, MESSAGE + 5).collect()).await;
    let body = body.map_err(|_| Status::deadline_exceeded("the message did not come in time"))?;
    let body = body.map_err(|why| match why.downcast_ref::<LengthLimitError>() {
        Some(_) => Status::resource_exhausted("the message is too long"),
        None => Status::cancelled("the message is cut off"),
    });
    Ok(body?.to_bytes())
}
