//! TLS of a server.

use std::sync::Arc;

use rustls::RootCertStore;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem};
use rustls::server::{ServerConfig, VerifierBuilderError, WebPkiClientVerifier};

/// The first reason why a server cannot have TLS.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// The certificates, the key or the roots are no PEM, or are missing in it.
    #[error("expected certificates, a private key and roots in PEM: {0}")]
    Pem(pem::Error),
    /// The key does not fit the certificate, or a root is no certificate.
    #[error("expected certificates and a key that belong together: {0}")]
    Rustls(rustls::Error),
    /// There is no root.
    #[error("expected one root or more for the certificates of clients: {0}")]
    Roots(VerifierBuilderError),
}

impl From<pem::Error> for TlsError {
    fn from(why: pem::Error) -> Self {
        Self::Pem(why)
    }
}

impl From<rustls::Error> for TlsError {
    fn from(why: rustls::Error) -> Self {
        Self::Rustls(why)
    }
}

/// Makes the configuration of a server with TLS 1.2 and 1.3.
///
/// `chain` is the PEM of the server's certificate and its intermediates, `key` that of its private key. With `client_roots`
/// every client needs a certificate under one of them. It does not replace the signature of a request.
///
/// # Errors
/// A [`TlsError`].
pub fn tls(
    chain: &[u8],
    key: &[u8],
    client_roots: Option<&[u8]>,
) -> Result<Arc<ServerConfig>, TlsError> {
    let chain = CertificateDer::pem_slice_iter(chain).collect::<Result<Vec<_>, _>>()?;
    let key = PrivateKeyDer::from_pem_slice(key)?;
    let provider = Arc::new(ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()?;
    let builder = match client_roots {
        Some(pem) => {
            let mut roots = RootCertStore::empty();
            for root in CertificateDer::pem_slice_iter(pem) {
                roots.add(root?)?;
            }
            let verifier =
                WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
            builder.with_client_cert_verifier(verifier.map_err(TlsError::Roots)?)
        }
        None => builder.with_no_client_auth(),
    };
    let mut config = builder.with_single_cert(chain, key)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
