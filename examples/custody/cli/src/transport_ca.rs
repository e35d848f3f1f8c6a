//! The authority of the cluster's connections to NATS. It protects the broker from strangers. Members encrypt and sign their
//! envelopes with keys of their own, so an authority in the wrong hands can only disturb.

use anyhow::{Context as _, Result};
use rcgen::{
    BasicConstraints, CertificateParams, CertificateSigningRequestParams, DnType,
    ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, KeyUsagePurpose,
};
use zeroize::Zeroizing;

/// The authority, with its key.
pub(crate) struct TransportCa {
    issuer: Issuer<'static, KeyPair>,
    /// The certificate of the authority, in PEM.
    pub(crate) certificate: String,
    /// The key of the authority, in PEM.
    pub(crate) key: Zeroizing<String>,
}

/// A certificate and its key, in PEM.
pub(crate) struct Issued {
    pub(crate) certificate: String,
    pub(crate) key: Zeroizing<String>,
}

impl TransportCa {
    pub(crate) fn new(cluster: &str) -> Result<Self> {
        let mut params = named(&format!("{cluster} transport authority"))?;
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let pair = KeyPair::generate()?;
        let certificate = params.self_signed(&pair)?.pem();
        let key = Zeroizing::new(pair.serialize_pem());
        Ok(Self { issuer: Issuer::new(params, pair), certificate, key })
    }

    /// The authority of a cluster that exists.
    pub(crate) fn open(certificate: String, key: Zeroizing<String>) -> Result<Self> {
        let pair = KeyPair::from_pem(&key).context("the key of the authority")?;
        let issuer = Issuer::from_ca_cert_pem(&certificate, pair);
        Ok(Self { issuer: issuer.context("the certificate of the authority")?, certificate, key })
    }

    /// The certificate of the NATS server, with a new key.
    pub(crate) fn server(&self, hosts: &[String]) -> Result<Issued> {
        let mut params = CertificateParams::new(hosts.to_vec())?;
        params.distinguished_name.push(DnType::CommonName, "nats");
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let pair = KeyPair::generate()?;
        let certificate = params.signed_by(&pair, &self.issuer)?.pem();
        Ok(Issued { certificate, key: Zeroizing::new(pair.serialize_pem()) })
    }

    /// The certificate of a member, by its request. Of the request only the key counts.
    pub(crate) fn member(&self, name: &str, request: &str) -> Result<String> {
        let request = CertificateSigningRequestParams::from_pem(request)
            .context("certificate_request: expected a request in PEM that verifies")?;
        let mut params = named(name)?;
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        Ok(params.signed_by(&request.public_key, &self.issuer)?.pem())
    }
}

/// A new key of a member, and the request for its certificate.
pub(crate) fn request(name: &str) -> Result<(Zeroizing<String>, String)> {
    let pair = KeyPair::generate()?;
    let request = named(name)?.serialize_request(&pair)?.pem()?;
    Ok((Zeroizing::new(pair.serialize_pem()), request))
}

fn named(name: &str) -> Result<CertificateParams> {
    let mut params = CertificateParams::new(Vec::new())?;
    params.distinguished_name.push(DnType::CommonName, name);
    Ok(params)
}
