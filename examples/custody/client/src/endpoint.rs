//! The address of a service, and connections to it.

use core::fmt;
use core::time::Duration;

use custody_core::SignedRequest;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Bytes;
use hyper::{Request, StatusCode, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};

use crate::error::ClientError;

/// The longest body of a response, in bytes.
const MAX_RESPONSE: usize = 16 << 20;

/// The address of a service. Connections stay open between requests.
#[derive(Clone)]
pub struct Endpoint {
    base: String,
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
}

impl Endpoint {
    /// A service with TLS: `base` is `https://` and a host, and `roots` the PEM of the certificates that it trusts.
    ///
    /// # Errors
    /// [`ClientError::Endpoint`].
    pub fn tls(base: &str, roots: &[u8]) -> Result<Self, ClientError> {
        let bad = |why: &dyn fmt::Display| {
            ClientError::Endpoint(format!("expected certificates in PEM: {why}"))
        };
        let mut store = RootCertStore::empty();
        for root in CertificateDer::pem_slice_iter(roots) {
            let added = store.add(root.map_err(|why| bad(&why))?);
            added.map_err(|why| bad(&why))?;
        }
        Self::with_config(base, config(store)?)
    }

    /// A service with TLS by a configuration of the caller's: for client certificates.
    ///
    /// # Errors
    /// [`ClientError::Endpoint`].
    pub fn with_config(base: &str, config: ClientConfig) -> Result<Self, ClientError> {
        Self::new("https", base, config)
    }

    /// A service without TLS, for a proxy on this machine. Requests and signatures are not encrypted.
    ///
    /// # Errors
    /// [`ClientError::Endpoint`].
    pub fn plain(base: &str) -> Result<Self, ClientError> {
        Self::new("http", base, config(RootCertStore::empty())?)
    }

    fn new(scheme: &str, base: &str, config: ClientConfig) -> Result<Self, ClientError> {
        let uri: Option<Uri> = base.parse().ok();
        let fits = |uri: &Uri| {
            uri.scheme_str() == Some(scheme) && uri.path() == "/" && uri.query().is_none()
        };
        if !uri.is_some_and(|uri| fits(&uri)) {
            return Err(ClientError::Endpoint(format!("expected {scheme}://HOST, got {base}")));
        }
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(config)
            .https_or_http()
            .enable_http1()
            .build();
        let client = Client::builder(TokioExecutor::new()).build(connector);
        Ok(Self { base: base.trim_end_matches('/').to_owned(), client })
    }

    /// Sends a request, and gives the status and the body of the response, if it comes in time.
    pub(crate) async fn send(
        &self,
        request: &SignedRequest,
        longest: Duration,
    ) -> Result<(StatusCode, Bytes), ClientError> {
        let head = &request.head;
        let built = Request::builder()
            .method(head.method.as_str())
            .uri(format!("{}{}", self.base, head.target))
            .header("content-type", "application/json")
            .header("content-digest", &head.content_digest)
            .header("signature-input", &head.signature_input)
            .header("signature", &head.signature)
            .body(Full::new(Bytes::from(request.body.clone())))
            .map_err(|why| ClientError::Endpoint(why.to_string()))?;
        let exchange = async {
            let response = self.client.request(built).await.map_err(|why| unreachable(&why))?;
            let status = response.status();
            let body = Limited::new(response.into_body(), MAX_RESPONSE).collect().await;
            Ok((status, body.map_err(|why| unreachable(&*why))?.to_bytes()))
        };
        let late = |_| ClientError::Unreachable(format!("no response within {longest:?}"));
        tokio::time::timeout(longest, exchange).await.map_err(late)?
    }
}

fn config(roots: RootCertStore) -> Result<ClientConfig, ClientError> {
    let provider = rustls::crypto::ring::default_provider();
    let builder =
        ClientConfig::builder_with_provider(provider.into()).with_safe_default_protocol_versions();
    let builder = builder.map_err(|why| ClientError::Endpoint(why.to_string()))?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

/// What was not sent, or got no response. A certificate that is not trusted stays so, and the client does not ask again.
fn unreachable(why: &(dyn core::error::Error + 'static)) -> ClientError {
    let causes: Vec<_> = core::iter::successors(Some(why), |why| why.source()).collect();
    let text = causes.iter().map(ToString::to_string).collect::<Vec<_>>().join(": ");
    if causes.iter().any(|why| is_untrusted(*why)) {
        ClientError::Endpoint(text)
    } else {
        ClientError::Unreachable(text)
    }
}

/// Returns whether an error of a connection is about the certificate of the service. Errors of input have others within.
fn is_untrusted(why: &(dyn core::error::Error + 'static)) -> bool {
    let inner = why.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
    inner.is_some_and(|inner| is_untrusted(inner))
        || matches!(why.downcast_ref(), Some(rustls::Error::InvalidCertificate(_)))
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Endpoint({})", self.base)
    }
}
