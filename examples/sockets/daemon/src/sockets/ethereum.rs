//! The signer of Ethereum.

use core::net::SocketAddr;
use std::path::PathBuf;

use anyhow::{Result, anyhow, ensure};
use custody_core::Scheme;
use quorate_purpose::Kind;
use serde::Deserialize;
use sockets_backend::Key;

use super::http::{Listening, TRIAL, Tls, listen};
use super::{Host, LimitsSection, Open, Socket, Task, TrialKey};

/// The key of a trial.
const KEY: &str = "ethereum";
const NAME: &str = "sockets.ethereum";

/// `[sockets.ethereum]`
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Section {
    /// The address, with TLS unless it is one of this machine alone.
    listen: SocketAddr,
    tls: Option<Tls>,
    /// A file with access keys and their secrets, in JSON: `{ "NAME": "SECRET" }`. A trial without one makes an access key, and prints it.
    access_keys: Option<PathBuf>,
    /// The chain that it signs for alone, and whose number requests can leave out; without this line, every chain.
    chain: Option<u64>,
    /// The names of the keys that it shows; without this line, all of ECDSA over secp256k1 that no section lists.
    keys: Option<Vec<String>>,
    #[serde(default)]
    limits: LimitsSection,
}

impl Section {
    /// The signer with the key of a trial.
    #[cfg(feature = "trial")]
    pub(crate) fn new(listen: SocketAddr) -> Self {
        let (tls, access_keys, chain) = (None, None, None);
        let keys = Some(vec![KEY.to_owned()]);
        Self { listen, tls, access_keys, chain, keys, limits: LimitsSection::default() }
    }

    async fn bind(self, host: Host) -> Result<Open> {
        ensure!(self.chain != Some(0), "{NAME}: no chain has the number 0");
        let (tls, access_keys) = (self.tls.as_ref(), self.access_keys.as_deref());
        let listening = listen(NAME, self.listen, tls, access_keys, &host).await?;
        let Listening { listener, tls, access, scheme, address, secret } = listening;
        let caller = secret.map(|secret| format!("{TRIAL}:{}@", *secret)).unwrap_or_default();
        let hint = format!("export ETH_SIGNER_URL={scheme}://{caller}{address}");
        let (backend, limits) = (host.keys(self.keys), self.limits.limits());
        let is_account = |key: &Key| key.scheme == Scheme::EcdsaSecp256k1;
        // Those of a trial are made later.
        ensure!(
            host.nodes.is_some() || backend.keys().await?.iter().any(is_account),
            "{NAME}: expected a key of {}",
            Scheme::EcdsaSecp256k1
        );
        let chain = self.chain;
        let serving = async move {
            match sockets_ethereum::serve(listener, tls, backend, (chain, access), limits).await {
                Err(why) => anyhow!(why).context(NAME),
                Ok(()) => anyhow!("{NAME} has ended"),
            }
        };
        Ok(Open { hint, serving: Box::pin(serving) })
    }
}

impl Socket for Section {
    fn trial_keys(&self) -> Vec<TrialKey> {
        let purposes = &[Kind::EvmTransaction, Kind::Eip712, Kind::EvmMessage];
        vec![TrialKey { name: KEY, scheme: Scheme::EcdsaSecp256k1, purposes, scope: "ethereum" }]
    }

    fn listed(&self) -> Vec<String> {
        self.keys.clone().unwrap_or_default()
    }

    fn open(self: Box<Self>, host: Host) -> Task<Result<Open>> {
        Box::pin(self.bind(host))
    }
}
