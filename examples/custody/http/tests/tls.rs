//! TLS, with certificates of clients and without.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::cast_possible_truncation
)]

mod common;

use std::sync::Arc;

use common::{Client, fake};
use custody_http::{Limits, Metrics, Server, TlsError, api, tls};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, pem::PemObject as _};
use rustls::{ClientConfig, RootCertStore};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;

struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(vec![]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    /// The PEM of a certificate and its key.
    fn issue(&self, name: &str) -> (String, String) {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        (params.signed_by(&key, &self.0).unwrap().pem(), key.serialize_pem())
    }

    fn roots(&self) -> RootCertStore {
        let mut roots = RootCertStore::empty();
        roots.add(self.0.der().clone()).unwrap();
        roots
    }
}

async fn connect(
    server: &Server,
    authority: &Authority,
    identity: Option<(String, String)>,
) -> Option<Client> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap();
    let builder = builder.with_root_certificates(authority.roots());
    let config = match identity {
        Some((chain, key)) => {
            let chain = vec![CertificateDer::from_pem_slice(chain.as_bytes()).unwrap()];
            builder
                .with_client_auth_cert(
                    chain,
                    PrivateKeyDer::from_pem_slice(key.as_bytes()).unwrap(),
                )
                .unwrap()
        }
        None => builder.with_no_client_auth(),
    };
    let stream = TcpStream::connect(server.address()).await.unwrap();
    let name = ServerName::try_from("custody.test").unwrap();
    let stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.ok()?;
    Some(Client::over(stream).await)
}

async fn serve(roots: Option<&str>, authority: &Authority) -> (common::Cast, Server) {
    let (chain, key) = authority.issue("custody.test");
    let config = tls(chain.as_bytes(), key.as_bytes(), roots.map(str::as_bytes)).unwrap();
    let (cast, service) = fake();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let metrics = Metrics::new(&mut prometheus_client::registry::Registry::default());
    let router = api(service, Limits::default(), metrics);
    (cast, Server::start(listener, Some(config), router, Limits::default()).unwrap())
}

#[tokio::test]
async fn caller_is_served_over_tls() {
    let authority = Authority::new();
    let (cast, server) = serve(None, &authority).await;
    let mut client = connect(&server, &authority, None).await.unwrap();
    assert_eq!(client.send(cast.requester.sign("GET", "/v1/keys", "")).await.status, 200);
    assert!(connect(&server, &Authority::new(), None).await.is_none());
}

#[tokio::test]
async fn client_without_a_certificate_of_the_roots_is_refused() {
    let authority = Authority::new();
    let (cast, server) = serve(Some(&authority.0.pem()), &authority).await;
    let list = || common::build(cast.requester.sign("GET", "/v1/keys", ""));
    let mut client = connect(&server, &authority, Some(authority.issue("payments"))).await.unwrap();
    assert_eq!(client.send_raw(list()).await.unwrap().status, 200);
    // In TLS 1.3 the client learns of it when it reads.
    for identity in [None, Some(Authority::new().issue("payments"))] {
        if let Some(mut client) = connect(&server, &authority, identity).await {
            assert!(client.send_raw(list()).await.is_err());
        }
    }
}

#[tokio::test]
async fn certificate_is_replaced_while_connections_stand() {
    let (first, second) = (Authority::new(), Authority::new());
    let (cast, server) = serve(None, &first).await;
    let mut before = connect(&server, &first, None).await.unwrap();
    let (chain, key) = second.issue("custody.test");
    server.tls_setter()(tls(chain.as_bytes(), key.as_bytes(), None).unwrap());
    let mut after = connect(&server, &second, None).await.unwrap();
    assert!(connect(&server, &first, None).await.is_none());
    for client in [&mut before, &mut after] {
        assert_eq!(client.send(cast.requester.sign("GET", "/v1/keys", "")).await.status, 200);
    }
}

#[test]
fn files_that_do_not_fit_are_refused() {
    let authority = Authority::new();
    let ((chain, key), (_, other)) = (authority.issue("a"), authority.issue("b"));
    let new = |chain: &str, key: &str, roots: Option<&str>| {
        tls(chain.as_bytes(), key.as_bytes(), roots.map(str::as_bytes)).map(|_| ())
    };
    assert!(new(&chain, &key, None).is_ok());
    assert!(matches!(new(&chain, &other, None), Err(TlsError::Rustls(_))));
    assert!(matches!(new("", &key, None), Err(TlsError::Rustls(_))));
    assert!(matches!(new(&chain, &chain, None), Err(TlsError::Pem(_))));
    assert!(matches!(new(&chain, &key, Some("")), Err(TlsError::Roots(_))));
}
