//! Connections to PostgreSQL.

use std::fs;

use anyhow::{Context as _, Result};
use postgres::{Client, Config};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::folder::Folder;
use crate::settings::Postgres;

/// A function that connects.
pub(crate) type Connector = Box<dyn FnMut() -> Result<Client, postgres::Error> + Send>;

/// A function that connects, with TLS under the authority of the settings. Without an authority it uses no TLS: for a socket of
/// this machine.
pub(crate) fn connector(folder: &Folder, database: &Postgres) -> Result<Connector> {
    let config: Config = database.url.parse().context("database: url")?;
    let tls = database.authority.as_ref().map(|path| {
        let path = folder.path_of(path);
        let pem = fs::read(&path).with_context(|| path.display().to_string())?;
        client(&pem).with_context(|| path.display().to_string())
    });
    let tls = tls.transpose()?;
    Ok(Box::new(move || match &tls {
        Some(tls) => config.connect(tls.clone()),
        None => config.connect(postgres::NoTls),
    }))
}

/// Functions that connect to both databases of a node.
pub(crate) fn both(folder: &Folder, database: &Postgres) -> Result<(Connector, Connector)> {
    let spent = database.spent.as_ref().context("database: a node needs a place for `spent`")?;
    let spent = Postgres { url: spent.clone(), ..database.clone() };
    Ok((connector(folder, database)?, connector(folder, &spent)?))
}

fn client(authority: &[u8]) -> Result<MakeRustlsConnect> {
    let mut roots = RootCertStore::empty();
    for root in CertificateDer::pem_slice_iter(authority) {
        roots.add(root?)?;
    }
    let provider = rustls::crypto::ring::default_provider();
    let config = ClientConfig::builder_with_provider(provider.into())
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}
