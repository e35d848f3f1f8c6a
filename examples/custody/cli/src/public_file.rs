//! The public file of a machine: what the others need to know of it.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quorate::PartyId;
use quorate_envelope::{Member, Name, PublicIdentity};
use serde::{Deserialize, Serialize};

/// The public file of a machine. Nothing in it is secret.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublicFile {
    /// The name.
    pub name: String,
    /// The number of a node in its keys. A gateway has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub party: Option<u16>,
    /// The keys of its envelopes and statements, in base64.
    pub identity: String,
    /// The public part of its NKey.
    pub nkey: String,
    /// The request for the certificate of its connection to NATS (PKCS #10), in PEM.
    pub certificate_request: String,
}

impl PublicFile {
    /// The longest file, in bytes.
    const MAX: u64 = 16 << 10;

    pub(crate) fn encode_identity(identity: &PublicIdentity) -> String {
        STANDARD.encode(identity.to_bytes())
    }

    pub(crate) fn read(path: &Path) -> Result<Self> {
        let named = || path.display().to_string();
        let length = fs::metadata(path).with_context(named)?.len();
        anyhow::ensure!(length <= Self::MAX, "{}: longer than {} bytes", named(), Self::MAX);
        serde_json::from_slice(&fs::read(path).with_context(named)?).with_context(named)
    }

    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let json = serde_json::to_string_pretty(self)?;
        fs::write(path, json + "\n").with_context(|| path.display().to_string())
    }

    pub(crate) fn name(&self) -> Result<Name> {
        Name::new(&self.name).with_context(|| format!("the name {:?}", self.name))
    }

    /// The entry of the directory.
    pub(crate) fn member(&self) -> Result<Member> {
        let identity = STANDARD.decode(&self.identity).context("identity: expected base64")?;
        let identity = PublicIdentity::from_bytes(&identity).context("identity")?;
        let member = Member::new(self.name()?, identity);
        let Some(number) = self.party else { return Ok(member) };
        let party = PartyId::new(number).context("party: expected a number from 1 to 65535")?;
        Ok(Member { party: Some(party), ..member })
    }
}
