//! The SSH agent.

use std::path::PathBuf;

use anyhow::{Context as _, Result, anyhow};
use custody_core::Scheme;
use quorate_purpose::Kind;
use serde::Deserialize;
use sockets_backend::UnixSocket;

use super::{Host, LimitsSection, Open, Socket, Task, TrialKey};

/// The key of a trial.
const TRIAL: &str = "ssh";

/// `[sockets.agent]`
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Section {
    /// The path of the socket, for `SSH_AUTH_SOCK`.
    path: PathBuf,
    /// The names of the keys that it shows; without this line, all that SSH knows and no section lists.
    keys: Option<Vec<String>>,
    #[serde(default)]
    limits: LimitsSection,
}

impl Section {
    /// An agent with the key of a trial.
    #[cfg(feature = "trial")]
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, keys: Some(vec![TRIAL.to_owned()]), limits: LimitsSection::default() }
    }

    async fn bind(self, host: Host) -> Result<Open> {
        let path = host.path(&self.path);
        let socket = UnixSocket::bind(&path).with_context(|| path.display().to_string())?;
        let hint = format!("export SSH_AUTH_SOCK={}", path.display());
        let (backend, limits) = (host.keys(self.keys), self.limits.limits());
        let serving = async move {
            sockets_agent::serve(socket, backend, limits).await;
            anyhow!("the SSH agent has ended")
        };
        Ok(Open { hint, serving: Box::pin(serving) })
    }
}

impl Socket for Section {
    fn trial_keys(&self) -> Vec<TrialKey> {
        let purposes = &[Kind::SshSignature, Kind::SshUserAuth];
        vec![TrialKey { name: TRIAL, scheme: Scheme::Ed25519, purposes, scope: "ssh" }]
    }

    fn listed(&self) -> Vec<String> {
        self.keys.clone().unwrap_or_default()
    }

    fn open(self: Box<Self>, host: Host) -> Task<Result<Open>> {
        Box::pin(self.bind(host))
    }
}
