//! The external signer of Kubernetes' service account tokens.

use core::time::Duration;
use std::path::PathBuf;

use anyhow::{Context as _, Result, anyhow};
use custody_core::Scheme;
use quorate_purpose::Kind;
use serde::Deserialize;
use sockets_backend::UnixSocket;
use sockets_kubernetes::Settings;

use super::{Host, LimitsSection, Open, Socket, Task, TrialKey};

/// The key of a trial.
const TRIAL: &str = "kubernetes";

/// `[sockets.kubernetes]`
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Section {
    /// The path of the socket, for `--service-account-signing-endpoint`.
    path: PathBuf,
    /// The name of the key that signs.
    key: String,
    /// The names of keys that are shown beside it: those that have signed before, or will sign next.
    #[serde(default)]
    published: Vec<String>,
    /// The longest life of a token, in seconds.
    max_expiration: Option<u64>,
    /// The seconds after which the API server asks for the keys again.
    refresh: Option<u64>,
    /// The numbers of other users who may use the socket, beside its owner and the superuser.
    #[serde(default)]
    users: Vec<u32>,
    #[serde(default)]
    limits: LimitsSection,
}

impl Section {
    /// A signer with the key of a trial.
    #[cfg(feature = "trial")]
    pub(crate) fn new(path: PathBuf) -> Self {
        let (key, published, users) = (TRIAL.to_owned(), vec![], vec![]);
        let (max_expiration, refresh, limits) = (None, None, LimitsSection::default());
        Self { path, key, published, max_expiration, refresh, users, limits }
    }

    fn settings(&self) -> Result<Settings> {
        let seconds = |given: Option<u64>, own| given.map_or(own, Duration::from_secs);
        let settings = Settings::new(&*self.key).publish(self.published.clone());
        let settings = settings
            .max_expiration(seconds(self.max_expiration, Settings::MAX_EXPIRATION))
            .context("sockets.kubernetes: max_expiration")?;
        let settings = settings.refresh(seconds(self.refresh, Settings::REFRESH));
        settings.context("sockets.kubernetes: refresh")
    }

    async fn bind(self, host: Host) -> Result<Open> {
        let settings = self.settings()?;
        let path = host.path(&self.path);
        let socket = UnixSocket::bind(&path).and_then(|socket| socket.admit(self.users));
        let socket = socket.with_context(|| path.display().to_string())?;
        let hint = format!("--service-account-signing-endpoint={}", path.display());
        let names = [vec![self.key], self.published].concat();
        let (backend, limits) = (host.keys(Some(names)), self.limits.limits());
        let serving = async move {
            sockets_kubernetes::serve(socket, backend, settings, limits).await;
            anyhow!("sockets.kubernetes has ended")
        };
        Ok(Open { hint, serving: Box::pin(serving) })
    }
}

impl Socket for Section {
    fn trial_keys(&self) -> Vec<TrialKey> {
        let (scheme, purposes) = (Scheme::EcdsaP256, &[Kind::JwtClaims]);
        vec![TrialKey { name: TRIAL, scheme, purposes, scope: "kubernetes" }]
    }

    fn listed(&self) -> Vec<String> {
        [vec![self.key.clone()], self.published.clone()].concat()
    }

    fn open(self: Box<Self>, host: Host) -> Task<Result<Open>> {
        Box::pin(self.bind(host))
    }
}
