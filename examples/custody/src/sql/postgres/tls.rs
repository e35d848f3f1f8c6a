//! The way to the server: in the clear within this machine, by TLS 1.3 beyond it.
//!
//! An address may name `sslrootcert`, the file with the authority that has signed the server's certificate; then there is no
//! connection without TLS, and none to a server whose certificate is another's or of another name. An address of another
//! machine without it is refused, unless it says `sslmode=disable`.

use core::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{Client, Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::version::TLS13;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::super::{Error, Result};
use super::link::Outcome;

/// The key of an address that `tokio-postgres` does not know.
const AUTHORITY: &str = "sslrootcert";

/// How a connection is made.
#[derive(Clone)]
pub(super) enum Way {
    Clear,
    Tls(MakeRustlsConnect),
}

impl core::fmt::Debug for Way {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(if matches!(self, Self::Clear) { "Clear" } else { "Tls" })
    }
}

impl Way {
    /// The way of an address, of which the authority was taken off.
    pub(super) fn of(config: &mut Config, authority: Option<&Path>) -> Result<Self> {
        let far = config.get_hosts().iter().any(|host| !is_here(host))
            || config.get_hostaddrs().iter().any(|address| !address.is_loopback());
        match (config.get_ssl_mode(), authority) {
            (SslMode::Disable, None) => Ok(Self::Clear),
            (SslMode::Disable, Some(_)) => {
                Err(Error::other(format!("{AUTHORITY} and sslmode=disable in one address")))
            }
            (_, Some(authority)) => {
                config.ssl_mode(SslMode::Require);
                Ok(Self::Tls(MakeRustlsConnect::new(trusting(authority)?)))
            }
            (SslMode::Prefer, None) if !far => {
                config.ssl_mode(SslMode::Disable);
                Ok(Self::Clear)
            }
            _ => Err(Error::other(format!(
                "the server needs TLS: {AUTHORITY} has to name the file of its authority"
            ))),
        }
    }

    /// Connects; what drives the connection runs beside.
    pub(super) async fn connect(&self, config: &Config) -> Outcome<Client> {
        match self {
            Self::Clear => {
                let (client, connection) = config.connect(NoTls).await?;
                tokio::spawn(async move { connection.await.ok() });
                Ok(client)
            }
            Self::Tls(tls) => {
                let (client, connection) = config.connect(tls.clone()).await?;
                tokio::spawn(async move { connection.await.ok() });
                Ok(client)
            }
        }
    }
}

/// Whether nothing of it leaves this machine.
fn is_here(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        Host::Unix(_) => true,
    }
}

/// Trusts what these authorities have signed, and nothing else.
fn trusting(authority: &Path) -> Result<ClientConfig> {
    let broken = |why: String| Error::other(format!("{}: {why}", authority.display()));
    let mut roots = RootCertStore::empty();
    let certificates = CertificateDer::pem_file_iter(authority);
    for certificate in certificates.map_err(|why| broken(why.to_string()))? {
        let certificate = certificate.map_err(|why| broken(why.to_string()))?;
        roots.add(certificate).map_err(|why| broken(why.to_string()))?;
    }
    if roots.is_empty() {
        return Err(broken("there is no certificate".to_owned()));
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(&[&TLS13])
        .map_err(|why| broken(why.to_string()))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

/// Reads an address, and the file of the authority that it names.
pub(in super::super) fn parse(address: &str) -> Result<(Config, Option<PathBuf>)> {
    let is_url = address.contains("://");
    let (rest, authority) = if is_url { of_url(address) } else { of_pairs(address)? };
    Ok((rest.parse().map_err(Error::from)?, authority.map(PathBuf::from)))
}

fn of_url(address: &str) -> (String, Option<String>) {
    let Some((before, query)) = address.split_once('?') else { return (address.to_owned(), None) };
    let mut authority = None;
    let left = query.split('&').filter(|pair| match pair.split_once('=') {
        Some((AUTHORITY, file)) => {
            authority = Some(file.to_owned());
            false
        }
        _ => true,
    });
    let left: Vec<&str> = left.collect();
    (format!("{before}?{}", left.join("&")), authority)
}

/// `key=value` with spaces between; a value with spaces stands in single quotes.
fn of_pairs(address: &str) -> Result<(String, Option<String>)> {
    let key = format!("{AUTHORITY}=");
    let Some(at) = address.find(&key) else { return Ok((address.to_owned(), None)) };
    let (before, rest) = address.split_at_checked(at).unwrap_or((address, ""));
    let value = rest.strip_prefix(key.as_str()).unwrap_or_default();
    let (file, after) = match value.strip_prefix('\'') {
        Some(quoted) => quoted
            .split_once('\'')
            .ok_or_else(|| Error::other(format!("{AUTHORITY}: a quote does not end")))?,
        None => value.split_once(' ').unwrap_or((value, "")),
    };
    Ok((format!("{before} {after}"), Some(file.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_authority_is_read_of_either_form() {
        for (address, file) in [
            ("host=127.0.0.1 dbname=n1", None),
            ("host=127.0.0.1 sslrootcert=/a/b.pem dbname=n1", Some("/a/b.pem")),
            ("sslrootcert='/a b/c.pem' host=127.0.0.1 dbname=n1", Some("/a b/c.pem")),
            ("postgres://u@127.0.0.1/n1", None),
            ("postgres://u@127.0.0.1/n1?sslrootcert=/a/b.pem&application_name=x", Some("/a/b.pem")),
        ] {
            let (config, authority) = parse(address).unwrap();
            assert_eq!((config.get_dbname(), authority), (Some("n1"), file.map(PathBuf::from)));
        }
        assert!(parse("host=h sslrootcert='/a").is_err());
    }

    #[test]
    fn beyond_this_machine_nothing_is_sent_in_the_clear_unless_that_is_said() {
        let way = |address: &str| {
            let (mut config, authority) = parse(address).unwrap();
            Way::of(&mut config, authority.as_deref())
        };
        for here in ["host=127.0.0.1", "host=::1", "host=localhost", "host=/run/postgresql"] {
            assert!(matches!(way(here), Ok(Way::Clear)), "{here}");
        }
        assert!(matches!(way("host=10.0.0.1 sslmode=disable"), Ok(Way::Clear)));
        for refused in [
            "host=10.0.0.1",
            "host=db.example",
            "host=10.0.0.1 sslmode=prefer",
            "host=127.0.0.1 sslmode=require",
            "host=127.0.0.1 sslmode=disable sslrootcert=/none",
            "host=127.0.0.1 sslrootcert=/none",
        ] {
            assert!(way(refused).is_err(), "{refused}");
        }
    }
}
