//! The interface of AWS KMS.

use core::net::SocketAddr;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, ensure};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use custody_core::Scheme;
use getrandom::SysRng;
use getrandom::rand_core::TryRng as _;
use quorate_purpose::Kind;
use quorate_store::file;
use serde::Deserialize;
use sockets_kms::{AccessKeys, Place};
use tokio::net::TcpListener;
use zeroize::Zeroizing;

use super::{Host, LimitsSection, Open, Socket, Task, TrialKey};

/// The access key of a trial.
const TRIAL: &str = "QUORATETRIAL";
/// The shortest secret of an access key. Those of AWS have 40 characters.
const SECRET: usize = 20;
/// The keys of a trial.
const ED25519: &str = "kms-ed25519";
const P256: &str = "kms-p256";

/// `[sockets.kms]`
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Section {
    /// The address, with TLS unless it is one of this machine alone.
    listen: SocketAddr,
    tls: Option<Tls>,
    /// The region in names of keys, for which requests are signed.
    region: Option<String>,
    /// The account in names of keys: twelve digits.
    account: Option<String>,
    /// A file with access keys and their secrets, in JSON: `{ "ID": "SECRET" }`. A trial without one makes an access key, and prints it.
    access_keys: Option<PathBuf>,
    /// The names of the keys that it shows; without this line, all that AWS KMS can have and no section lists.
    keys: Option<Vec<String>>,
    #[serde(default)]
    limits: LimitsSection,
}

/// `[sockets.kms.tls]`
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Tls {
    /// The certificate and what it was issued under, in PEM.
    certificate: PathBuf,
    /// The key of the certificate, in PEM.
    key: PathBuf,
}

impl Section {
    /// The interface with the keys of a trial.
    #[cfg(feature = "trial")]
    pub(crate) fn new(listen: SocketAddr) -> Self {
        let (tls, region, account, access_keys) = (None, None, None, None);
        let keys = Some([ED25519, P256].map(str::to_owned).to_vec());
        let limits = LimitsSection::default();
        Self { listen, tls, region, account, access_keys, keys, limits }
    }

    async fn bind(self, host: Host) -> Result<Open> {
        ensure!(
            self.tls.is_some() || self.listen.ip().is_loopback(),
            "sockets.kms: {} is reached by other machines, so it needs `tls`",
            self.listen
        );
        ensure!(
            self.access_keys.is_some() || host.nodes.is_some(),
            "sockets.kms: expected a file with `access_keys`"
        );
        let Place { region, account } = Place::default();
        let region = self.region.unwrap_or(region);
        let place = Place { region, account: self.account.unwrap_or(account) };
        let tls = self.tls.as_ref().map(|Tls { certificate, key }| {
            let (certificate, key) = (read(&host.path(certificate))?, read(&host.path(key))?);
            custody_http::tls(&certificate, &key, None).context("sockets.kms: tls")
        });
        let tls = tls.transpose()?;
        let listener = TcpListener::bind(self.listen).await;
        let listener = listener.with_context(|| format!("sockets.kms: {}", self.listen))?;
        let address = listener.local_addr()?;
        let scheme = if tls.is_some() { "https" } else { "http" };
        // Some programs read the one name of the region, and some the other.
        let region = format!("AWS_REGION={0} AWS_DEFAULT_REGION={0}", place.region);
        let endpoint = format!("AWS_ENDPOINT_URL_KMS={scheme}://{address} {region}");
        let (access, hint) = match &self.access_keys {
            Some(path) => (access_keys(&host.path(path))?, format!("export {endpoint}")),
            None => {
                let secret = secret()?;
                let access = format!("AWS_ACCESS_KEY_ID={TRIAL} AWS_SECRET_ACCESS_KEY={}", *secret);
                (AccessKeys::new().with(TRIAL, secret), format!("export {endpoint} {access}"))
            }
        };
        let (backend, limits) = (host.keys(self.keys), self.limits.limits());
        let serving = async move {
            match sockets_kms::serve(listener, tls, backend, (place, access), limits).await {
                Err(why) => anyhow!(why).context("sockets.kms"),
                Ok(()) => anyhow!("sockets.kms has ended"),
            }
        };
        Ok(Open { hint, serving: Box::pin(serving) })
    }
}

impl Socket for Section {
    fn trial_keys(&self) -> Vec<TrialKey> {
        let (purposes, scope) = (&[Kind::OpaqueMessage, Kind::OpaqueDigest], "kms");
        vec![
            TrialKey { name: ED25519, scheme: Scheme::Ed25519, purposes, scope },
            TrialKey { name: P256, scheme: Scheme::EcdsaP256, purposes, scope },
        ]
    }

    fn listed(&self) -> Vec<String> {
        self.keys.clone().unwrap_or_default()
    }

    fn open(self: Box<Self>, host: Host) -> Task<Result<Open>> {
        Box::pin(self.bind(host))
    }
}

fn access_keys(path: &Path) -> Result<AccessKeys> {
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

fn secret() -> Result<Zeroizing<String>> {
    let mut bytes = Zeroizing::new([0; 30]);
    let filled = SysRng.try_fill_bytes(bytes.as_mut_slice());
    filled.map_err(|_| anyhow!("no randomness"))?;
    Ok(Zeroizing::new(BASE64_STANDARD.encode(bytes.as_slice())))
}
