//! The interface of AWS KMS.

use core::net::SocketAddr;
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use custody_core::Scheme;
use quorate_purpose::Kind;
use serde::Deserialize;
use sockets_kms::Place;

use super::http::{Listening, TRIAL, Tls, listen};
use super::{Host, LimitsSection, Open, Socket, Task, TrialKey};

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
        let Place { region, account } = Place::default();
        let region = self.region.unwrap_or(region);
        let place = Place { region, account: self.account.unwrap_or(account) };
        let (tls, access_keys) = (self.tls.as_ref(), self.access_keys.as_deref());
        let listening = listen("sockets.kms", self.listen, tls, access_keys, &host).await?;
        let Listening { listener, tls, access, scheme, address, secret } = listening;
        // Some programs read the one name of the region, and some the other.
        let region = format!("AWS_REGION={0} AWS_DEFAULT_REGION={0}", place.region);
        let endpoint = format!("export AWS_ENDPOINT_URL_KMS={scheme}://{address} {region}");
        let hint = match secret {
            None => endpoint,
            Some(secret) => {
                format!("{endpoint} AWS_ACCESS_KEY_ID={TRIAL} AWS_SECRET_ACCESS_KEY={}", *secret)
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
