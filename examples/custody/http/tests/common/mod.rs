//! A server over a fake service, and a client that sends what it is given.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

pub mod fake;

use core::net::SocketAddr;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use axum::body::Bytes;
use custody_core::{
    Caller, CallerKey, Callers, Child, KeyDescription, KeySpec, Parameters, Reason, Refusal, Role,
    Service, Sign, SignatureDescription, SignedRequest, UnsignedRequest,
};
use custody_http::{Limits, Metrics, Server, api};
use ed25519_dalek::pkcs8::EncodePublicKey as _;
use ed25519_dalek::{Signer as _, SigningKey};
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{HeaderMap, Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};

use fake::{Fake, Keys, NOW};

/// Keys of Ed25519 that sign the bytes of the purpose. Key n has the seed n.
#[derive(Default)]
pub struct Plain(AtomicU64);

impl Plain {
    fn seed(number: u64) -> SigningKey {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&number.to_le_bytes());
        SigningKey::from_bytes(&seed)
    }
}

impl Keys for Plain {
    fn make(&self, _: &KeySpec) -> Result<(Vec<u8>, Option<Vec<u8>>), Refusal> {
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        Ok((Self::seed(number).verifying_key().to_bytes().to_vec(), Some(b"certificate".to_vec())))
    }

    fn child(&self, key: &KeyDescription, child: &Child) -> Result<Vec<u8>, Refusal> {
        let indices = child.path.indices().iter().map(|index| *index as u8);
        let scripts = child.merkle_root.iter().flat_map(|root| root.0);
        Ok(key.public_key.iter().copied().chain(indices).chain(scripts).collect())
    }

    fn sign(&self, key: &KeyDescription, sign: &Sign) -> Result<SignatureDescription, Refusal> {
        let fits =
            |number: &u64| Self::seed(*number).verifying_key().as_bytes()[..] == key.public_key;
        let number = (0..self.0.load(Ordering::Relaxed)).find(fits);
        let number = number.ok_or_else(|| Refusal::new(Reason::UnknownKey, "no seed"))?;
        let signature = Self::seed(number).sign(&sign.purpose).to_bytes().to_vec();
        Ok(SignatureDescription {
            signature,
            recovery_id: None,
            public_key: key.public_key.clone(),
        })
    }
}

/// The name of the cluster.
pub const CLUSTER: &str = "test";

/// A caller that signs with Ed25519. Each request has the next nonce.
pub struct Signer {
    key: SigningKey,
    id: String,
    nonce: AtomicU64,
}

impl Signer {
    pub fn new(seed: u8) -> Self {
        let key = SigningKey::from_bytes(&[seed; 32]);
        Self { id: public(&key).id(), key, nonce: AtomicU64::new(0) }
    }

    pub fn caller(&self, name: &str, roles: &[Role]) -> Caller {
        Caller { name: name.to_owned(), roles: roles.to_vec(), keys: vec![public(&self.key)] }
    }

    pub fn sign(&self, method: &str, target: &str, body: &str) -> SignedRequest {
        let nonce = format!("nonce-of-the-test-{:08}", self.nonce.fetch_add(1, Ordering::Relaxed));
        self.sign_with(method, target, body, &nonce, NOW)
    }

    pub fn sign_with(
        &self,
        method: &str,
        target: &str,
        body: &str,
        nonce: &str,
        created: u64,
    ) -> SignedRequest {
        let parameters = Parameters {
            key_id: &self.id,
            nonce,
            cluster: Some(CLUSTER),
            created,
            expires: created + 60,
        };
        let unsigned = UnsignedRequest::new(method, target, body.into(), &parameters).unwrap();
        let signature = self.key.sign(unsigned.signature_base()).to_bytes();
        unsigned.with_signature(&signature)
    }
}

fn public(key: &SigningKey) -> CallerKey {
    CallerKey::from_pem(
        &key.verifying_key()
            .to_public_key_pem(ed25519_dalek::pkcs8::spki::der::pem::LineEnding::LF)
            .unwrap(),
    )
    .unwrap()
}

/// A requester, an approver and an administrator.
pub struct Cast {
    pub requester: Signer,
    pub approver: Signer,
    pub administrator: Signer,
}

pub fn cast() -> (Cast, Callers) {
    let [requester, approver, administrator] = [1, 2, 3].map(Signer::new);
    let callers = vec![
        requester.caller("payments", &[Role::Request]),
        approver.caller("board", &[Role::Approve]),
        administrator.caller("operator", &[Role::Administer]),
    ];
    (
        Cast { requester, approver, administrator },
        Callers::new(callers).unwrap().of_cluster(CLUSTER),
    )
}

pub fn fake() -> (Cast, Arc<Fake>) {
    let (cast, callers) = cast();
    (cast, Fake::new(callers, Plain::default()))
}

pub async fn serve(service: Arc<dyn Service>, limits: Limits) -> Server {
    let metrics = Metrics::new(&mut prometheus_client::registry::Registry::default());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    Server::start(listener, None, api(service, limits, metrics), limits).unwrap()
}

/// A response.
pub struct Response {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Response {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|why| panic!("{why}: {}", self.text))
    }

    /// The status and the end of the problem's type.
    pub fn problem(&self) -> (u16, String) {
        assert_eq!(self.headers["content-type"], "application/problem+json", "{}", self.text);
        let problem = fake::problem(&self.json());
        assert_eq!(problem.status, self.status.as_u16());
        (problem.status, problem.kind.strip_prefix("urn:quorate:custody:").unwrap().to_owned())
    }
}

/// A connection.
pub struct Client(pub SendRequest<Full<Bytes>>);

impl Client {
    pub async fn connect(address: SocketAddr) -> Self {
        Self::over(TcpStream::connect(address).await.unwrap()).await
    }

    pub async fn over<S>(stream: S) -> Self
    where
        S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send + 'static,
    {
        let (sender, connection) = handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        Self(sender)
    }

    pub async fn send(&mut self, request: SignedRequest) -> Response {
        self.send_raw(build(request)).await.unwrap()
    }

    pub async fn send_raw(&mut self, request: Request<Full<Bytes>>) -> hyper::Result<Response> {
        self.0.ready().await?;
        let (parts, body) = self.0.send_request(request).await?.into_parts();
        let bytes = body.collect().await?.to_bytes();
        Ok(Response {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8(bytes.to_vec()).unwrap(),
        })
    }
}

pub fn build(SignedRequest { head, body }: SignedRequest) -> Request<Full<Bytes>> {
    Request::builder()
        .method(head.method.as_str())
        .uri(head.target)
        .header("host", "custody.test")
        .header("content-type", "application/json")
        .header("content-digest", head.content_digest)
        .header("signature-input", head.signature_input)
        .header("signature", head.signature)
        .body(Full::new(body.into()))
        .unwrap()
}

pub const SPEC: &str = r#"{"scheme":"ed25519","threshold":2,"members":[1,2,3]}"#;
pub const SPEC_WITH_APPROVALS: &str =
    r#"{"scheme":"ed25519","threshold":2,"members":[1,2,3],"labels":{"approvals":"1"}}"#;

/// Makes a key, and gives its path.
pub async fn make(client: &mut Client, cast: &Cast, spec: &str) -> String {
    let made = client.send(cast.administrator.sign("POST", "/v1/keys", spec)).await;
    assert_eq!(made.status, 200, "{}", made.text);
    format!("/v1/keys/{}", made.json()["key"].as_str().unwrap())
}
