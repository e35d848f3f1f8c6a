//! Connections, hostile ones among them: HTTP/2, the frames of gRPC, and bytes that are neither.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::std_instead_of_core,
    reason = "a test fails by panicking"
)]

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use http::{Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Body, Bytes, Frame};
use hyper::client::conn::http2::{SendRequest, handshake};
use hyper_util::rt::{TokioExecutor, TokioIo};
use prost::Message as _;
use quorate_purpose::Kind;
use sockets_backend::{Limits, Scheme, UnixSocket};
use sockets_kubernetes::messages::{
    FetchKeysResponse, MetadataResponse, SignRequest, SignResponse,
};
use sockets_kubernetes::{Settings, serve};
use sockets_testkit::{Folder, Local, mutations};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;
use tonic::Code;

const SIGN: &str = "/v1.ExternalJWTSigner/Sign";

/// A socket with a key in memory.
struct Served {
    folder: Folder,
    local: Arc<Local>,
}

impl Served {
    async fn start(limits: Limits) -> Self {
        let folder = Folder::new();
        let local = Local::new().with("tokens", Scheme::EcdsaP256, 1, &[Kind::JwtClaims]);
        let local = Arc::new(local);
        let socket = UnixSocket::bind(folder.join("socket")).unwrap();
        tokio::spawn(serve(socket, local.clone(), Settings::new("tokens"), limits));
        Self { folder, local }
    }

    async fn stream(&self) -> UnixStream {
        UnixStream::connect(self.folder.join("socket")).await.unwrap()
    }

    async fn client(&self) -> SendRequest<Full<Bytes>> {
        let stream = TokioIo::new(self.stream().await);
        let (client, connection) = handshake(TokioExecutor::new(), stream).await.unwrap();
        tokio::spawn(connection);
        client
    }

    async fn signs(&self) {
        let mut client = self.client().await;
        let before = self.local.signed();
        let (status, body) = call(&mut client, SIGN, &frame(&request())).await;
        assert_eq!(status, Code::Ok);
        assert!(!SignResponse::decode(&body[5..]).unwrap().signature.is_empty());
        assert_eq!(self.local.signed(), before + 1);
    }
}

fn request() -> Vec<u8> {
    SignRequest { claims: BASE64.encode(r#"{"sub":"me"}"#) }.encode_to_vec()
}

/// A message as gRPC sends it: not compressed, and its length.
fn frame(message: &[u8]) -> Vec<u8> {
    [&[0], &u32::try_from(message.len()).unwrap().to_be_bytes()[..], message].concat()
}

fn post(path: &str, kind: &str, body: &[u8]) -> Request<Full<Bytes>> {
    let body = Full::new(Bytes::copy_from_slice(body));
    let uri = format!("http://localhost{path}");
    Request::post(uri).header("content-type", kind).header("te", "trailers").body(body).unwrap()
}

/// The status and the body of an answer.
async fn call(client: &mut SendRequest<Full<Bytes>>, path: &str, body: &[u8]) -> (Code, Vec<u8>) {
    client.ready().await.unwrap();
    let answer = client.send_request(post(path, "application/grpc", body)).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["content-type"], "application/grpc");
    let in_head = answer.headers().get("grpc-status").cloned();
    let body = answer.into_body().collect().await.unwrap();
    let behind = body.trailers().and_then(|trailers| trailers.get("grpc-status")).cloned();
    let status = in_head.or(behind).unwrap();
    (Code::from_bytes(status.as_bytes()), body.to_bytes().to_vec())
}

#[tokio::test]
async fn both_versions_have_the_three_methods_and_no_others() {
    let served = Served::start(Limits::default()).await;
    let mut client = served.client().await;
    for version in ["v1", "v1alpha1"] {
        let path = |method: &str| format!("/{version}.ExternalJWTSigner/{method}");
        let (status, body) = call(&mut client, &path("Sign"), &frame(&request())).await;
        assert_eq!(status, Code::Ok);
        SignResponse::decode(&body[5..]).unwrap();
        let (status, body) = call(&mut client, &path("FetchKeys"), &frame(&[])).await;
        assert_eq!(status, Code::Ok);
        assert_eq!(FetchKeysResponse::decode(&body[5..]).unwrap().keys.len(), 1);
        let (status, body) = call(&mut client, &path("Metadata"), &frame(&[])).await;
        assert_eq!(status, Code::Ok);
        let limits = MetadataResponse::decode(&body[5..]).unwrap();
        assert_eq!(limits.max_token_expiration_seconds, 86400);
        for method in ["", "sign", "Sign/", "Revoke"] {
            assert_eq!(call(&mut client, &path(method), &frame(&[])).await.0, Code::Unimplemented);
        }
    }
    for path in ["/", "/Sign", "/v2.ExternalJWTSigner/Sign", "/grpc.health.v1.Health/Check"] {
        assert_eq!(call(&mut client, path, &frame(&[])).await.0, Code::Unimplemented, "{path}");
    }
    assert_eq!(served.local.signed(), 2);
}

#[tokio::test]
async fn request_that_is_not_grpc_gets_an_error_and_nothing_is_signed() {
    let served = Served::start(Limits::default()).await;
    let mut client = served.client().await;
    let body = frame(&request());
    let (json, text) = ("application/json", "application/grpc+json");
    for kind in [json, text, "application/grpc-web", ""] {
        client.ready().await.unwrap();
        let answer = client.send_request(post(SIGN, kind, &body)).await.unwrap();
        assert_eq!(answer.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE, "{kind}");
    }
    let mut get = post(SIGN, "application/grpc", &body);
    *get.method_mut() = http::Method::GET;
    client.ready().await.unwrap();
    let answer = client.send_request(get).await.unwrap();
    assert_eq!(answer.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let bodies = [
        vec![],
        vec![0; 4],
        [&[1], &body[1..]].concat(),                         // compressed
        [&[2], &body[1..]].concat(),                         // no flag that there is
        [&[0, 0xff, 0xff, 0xff, 0xff], &body[5..]].concat(), // a length beyond the end
        body[..body.len() - 1].to_vec(),                     // cut off
        frame(&[0x0a, 1, 0xff]),                             // claims that are no text
        frame(&[0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]),        // a field beyond the end
        frame(&[0x0b]),                                      // a group without an end
        frame(&[]),
        frame(&vec![0; 1 << 20]),
    ];
    for body in bodies {
        let (status, _) = call(&mut client, SIGN, &body).await;
        assert_ne!(status, Code::Ok, "{:?}", &body[..body.len().min(16)]);
    }
    assert_eq!(served.local.signed(), 0);
    served.signs().await;
}

#[tokio::test]
async fn damaged_message_has_an_answer_and_the_connection_goes_on() {
    let served = Served::start(Limits::default()).await;
    let mut client = served.client().await;
    for damaged in mutations(&frame(&request())) {
        let before = served.local.signed();
        let (status, _) = call(&mut client, SIGN, &damaged).await;
        assert_eq!(served.local.signed() > before, status == Code::Ok, "{damaged:?}");
    }
    let (status, _) = call(&mut client, SIGN, &frame(&request())).await;
    assert_eq!(status, Code::Ok);
}

/// Sends bytes, and waits until the other side closes the connection.
async fn send(served: &Served, bytes: &[u8]) {
    let mut stream = served.stream().await;
    // The other side may have closed it already.
    stream.write_all(bytes).await.ok();
    stream.shutdown().await.ok();
    let mut answer = vec![];
    let closed = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut answer));
    closed.await.unwrap().ok();
}

#[tokio::test]
async fn bytes_that_are_not_http_close_their_connection_alone() {
    let served = Served::start(Limits::default()).await;
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    // Settings, then a request whose headers are cut off.
    let opening =
        [&preface[..], &[0, 0, 0, 4, 0, 0, 0, 0, 0], &[0, 0, 9, 1, 4, 0, 0, 0, 1, 0x83]].concat();
    send(&served, b"").await;
    send(&served, b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    send(&served, &[0xff; 4096]).await;
    for damaged in mutations(&opening).take(600) {
        send(&served, &damaged).await;
    }
    served.signs().await;
}

/// A body of which nothing comes.
struct Never;

impl Body for Never {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Pending
    }
}

/// The status of a request whose message never ends.
async fn never(served: &Served) -> Code {
    let stream = TokioIo::new(served.stream().await);
    let (mut client, connection) = handshake(TokioExecutor::new(), stream).await.unwrap();
    tokio::spawn(connection);
    let request = Request::post(format!("http://localhost{SIGN}"));
    let request = request.header("content-type", "application/grpc").body(Never).unwrap();
    let answer = client.send_request(request).await.unwrap();
    Code::from_bytes(answer.headers()["grpc-status"].as_bytes())
}

#[tokio::test]
async fn message_that_never_ends_has_an_end() {
    let limits = Limits { transfer: Duration::from_millis(200), ..Limits::default() };
    let served = Served::start(limits).await;
    assert_eq!(never(&served).await, Code::DeadlineExceeded);
    served.signs().await;
}

/// Waits until the other side closes a connection on which nothing is sent.
async fn closed(mut stream: UnixStream) {
    let mut bytes = vec![];
    let end = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut bytes));
    end.await.expect("the connection is kept").ok();
    // The end of the stream comes a moment before the place is free.
    tokio::time::sleep(Duration::from_millis(200)).await;
}

/// A connection takes a place. One that says nothing, or nothing but HTTP/2's own frames, would keep it for ever.
#[tokio::test]
async fn connection_without_requests_gives_its_place_back() {
    let limits = Limits {
        connections: 1,
        idle: Duration::from_millis(600),
        transfer: Duration::from_millis(200),
        within: Duration::from_millis(200),
    };
    let served = Served::start(limits).await;
    closed(served.stream().await).await;
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    for begun in [&preface[..3], &[&preface[..], &[0, 0, 0, 4, 0, 0, 0, 0, 0]].concat()] {
        let mut stream = served.stream().await;
        stream.write_all(begun).await.unwrap();
        closed(stream).await;
    }
    // A client that answers each ping, as all do.
    let stream = TokioIo::new(served.stream().await);
    let (client, connection) =
        handshake::<_, _, Full<Bytes>>(TokioExecutor::new(), stream).await.unwrap();
    let ended = tokio::time::timeout(Duration::from_secs(10), connection).await;
    ended.expect("the connection is kept").unwrap();
    drop(client);
    served.signs().await;
}

/// A connection on which requests come stays, and a request that takes longer is answered.
#[tokio::test]
async fn connection_with_requests_stays() {
    let limits = Limits { idle: Duration::from_secs(2), ..Limits::default() };
    let served = Served::start(limits).await;
    let mut client = served.client().await;
    for _ in 0..10 {
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(call(&mut client, SIGN, &frame(&request())).await.0, Code::Ok);
    }
    assert_eq!(served.local.signed(), 10);
    let (idle, transfer) = (Duration::from_millis(100), Duration::from_secs(1));
    let served = Served::start(Limits { idle, transfer, ..Limits::default() }).await;
    assert_eq!(never(&served).await, Code::DeadlineExceeded);
}
