//! The parts that sockets over HTTP share: an address, TLS, and the access keys of consumers.

use core::net::SocketAddr;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow, ensure};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use getrandom::SysRng;
use getrandom::rand_core::TryRng as _;
use quorate_store::file;
use rustls::ServerConfig;
use serde::Deserialize;
use sockets_backend::AccessKeys;
use tokio::net::TcpListener;
use zeroize::Zeroizing;

use super::Host;

/// The access key of a trial.
pub(crate) const TRIAL: &str = "QUORATETRIAL";
/// The shortest secret of an access key. Those of AWS have 40 characters.
const SECRET: usize = 20;

/// The certificate of a section: `tls = { certificate = "…", key = "…" }`
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tls {
    /// The certificate and what it was issued under, in PEM.
    certificate: PathBuf,
    /// The key of the certificate, in PEM.
    key: PathBuf,
}

/// A listener, and what its server needs.
pub(crate) struct Listening {
    pub(crate) listener: TcpListener,
    pub(crate) tls: Option<Arc<ServerConfig>>,
    pub(crate) access: AccessKeys,
    /// The scheme of its addresses: `http` or `https`.
    pub(crate) scheme: &'static str,
    pub(crate) address: SocketAddr,
    /// The secret of the access key that a trial has made.
    pub(crate) secret: Option<Zeroizing<String>>,
}

/// Listens at an address of this machine, or at another with TLS. A trial without a file of access keys makes one.
pub(crate) async fn listen(
    section: &str,
    listen: SocketAddr,
    tls: Option<&Tls>,
    access_keys: Option<&Path>,
    host: &Host,
) -> Result<Listening> {
    ensure!(
        tls.is_some() || listen.ip().is_loopback(),
        "{section}: {listen} is reached by other machines, so it needs `tls`"
    );
    ensure!(
        access_keys.is_some() || host.nodes.is_some(),
        "{section}: expected a file with `access_keys`"
    );
    let tls = tls.map(|Tls { certificate, key }| {
        let (certificate, key) = (read(&host.path(certificate))?, read(&host.path(key))?);
        custody_http::tls(&certificate, &key, None).with_context(|| format!("{section}: tls"))
    });
    let tls = tls.transpose()?;
    let (access, secret) = match access_keys {
        Some(path) => (read_access_keys(&host.path(path))?, None),
        None => {
            let secret = new_secret()?;
            (AccessKeys::new().with(TRIAL, secret.clone()), Some(secret))
        }
    };
    let listener = TcpListener::bind(listen).await;
    let listener = listener.with_context(|| format!("{section}: {listen}"))?;
    let address = listener.local_addr()?;
    let scheme = if tls.is_some() { "https" } else { "http" };
    Ok(Listening { listener, tls, access, scheme, address, secret })
}

fn read_access_keys(path: &Path) -> Result<AccessKeys> {
    let keys: BTreeMap<String, Zeroizing<String>> =
        serde_json::from_slice(&read(path)?).with_context(|| path.display().to_string())?;
    ensure!(!keys.is_empty(), "{}: expected an access key", path.display());
    for (id, secret) in &keys {
        check_access_key(id, secret).with_context(|| path.display().to_string())?;
    }
    Ok(keys.into_iter().fold(AccessKeys::new(), |keys, (id, secret)| keys.with(id, secret)))
}

/// Refuses what a template leaves behind whose variable is empty, and secrets that can be found by trying: whoever sees one
/// request can try them without asking anybody. A name with spaces could be that of a user of another socket, `uid 0`.
fn check_access_key(id: &str, secret: &str) -> Result<()> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    ensure!(
        (1..=AccessKeys::MAX_LENGTH).contains(&id.len()) && id.bytes().all(is_plain),
        "{id:?}: expected an access key of 1 to {} letters, digits, '-', '_' and '.'",
        AccessKeys::MAX_LENGTH
    );
    ensure!(secret.len() >= SECRET, "{id}: expected a secret of at least {SECRET} characters");
    Ok(())
}

fn read(path: &Path) -> Result<Zeroizing<Vec<u8>>> {
    file::read(path)?.with_context(|| format!("{} is missing", path.display()))
}

/// A secret that needs no escape in an address.
fn new_secret() -> Result<Zeroizing<String>> {
    let mut bytes = Zeroizing::new([0; 30]);
    let filled = SysRng.try_fill_bytes(bytes.as_mut_slice());
    filled.map_err(|_| anyhow!("no randomness"))?;
    Ok(Zeroizing::new(BASE64_URL_SAFE_NO_PAD.encode(bytes.as_slice())))
}
