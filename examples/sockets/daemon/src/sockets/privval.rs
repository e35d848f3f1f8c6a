//! The remote signer of a CometBFT validator.

use core::time::Duration;
use std::io::Write as _;
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow, ensure};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use custody_core::Scheme;
use quorate_purpose::Kind;
use serde::Deserialize;
use sockets_backend::Limits;
use sockets_privval::{Address, Signer};

use super::{Host, Open, Socket, Task, TrialKey};

/// The key of a trial.
const TRIAL: &str = "validator";

/// `[sockets.privval]`
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Section {
    /// The addresses at which the validator's nodes wait for their signer: the `priv_validator_laddr` of each.
    nodes: Vec<String>,
    /// The name of the key.
    key: String,
    /// The id of the chain; without this line, every chain that the policy allows.
    chain: Option<String>,
    #[serde(default)]
    limits: LimitsSection,
}

/// `[sockets.privval.limits]`
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields)]
struct LimitsSection {
    /// The longest time for a signature, in seconds. A node waits for five.
    within: Option<u64>,
}

impl Section {
    /// A signer with the key of a trial.
    #[cfg(feature = "trial")]
    pub(crate) fn new(node: Address) -> Self {
        let (nodes, key, chain) = (vec![node.to_string()], TRIAL.to_owned(), None);
        Self { nodes, key, chain, limits: LimitsSection::default() }
    }

    fn start(self, host: &Host) -> Result<Open> {
        let nodes = self.nodes.iter().map(|node| node.parse::<Address>());
        let nodes = nodes.collect::<Result<Vec<_>, _>>().context("sockets.privval: nodes")?;
        ensure!(!nodes.is_empty(), "sockets.privval: expected the address of a node");
        let within = self.limits.within.map_or(Signer::WITHIN, Duration::from_secs);
        let limits = Limits { within, ..Limits::default() };
        let signer = Signer::new(host.keys(Some(vec![self.key.clone()])), self.key).within(within);
        let signer = Arc::new(match self.chain {
            Some(chain) => signer.for_chain(chain),
            None => signer,
        });
        let each = self.nodes.iter().map(|node| format!("priv_validator_laddr = {node:?}"));
        let hint = each.collect::<Vec<_>>().join("\n");
        let serving = async move {
            match signer.public_key().await {
                // As a genesis file has it. Nobody has to read it.
                Ok(key) => {
                    drop(writeln!(std::io::stdout(), "validator: {}", BASE64_STANDARD.encode(key)));
                }
                Err(why) => return anyhow!(why).context("sockets.privval"),
            }
            sockets_privval::serve(nodes, signer, limits).await;
            anyhow!("sockets.privval has ended")
        };
        Ok(Open { hint, serving: Box::pin(serving) })
    }
}

impl Socket for Section {
    fn trial_keys(&self) -> Vec<TrialKey> {
        let purposes = &[Kind::CometVote, Kind::CometProposal, Kind::CometVoteExtension];
        vec![TrialKey { name: TRIAL, scheme: Scheme::Ed25519, purposes, scope: "validator" }]
    }

    fn listed(&self) -> Vec<String> {
        vec![self.key.clone()]
    }

    fn open(self: Box<Self>, host: Host) -> Task<Result<Open>> {
        Box::pin(async move { self.start(&host) })
    }
}
