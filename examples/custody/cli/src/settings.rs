//! The settings of a machine: a file that belongs to its operator once it is there.

mod limits;

use core::net::SocketAddr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use custody_core::Scheme;
use quorate::ecdsa::Level;
use serde::Deserialize;

pub use self::limits::{GatewayLimits, Marks, NodeLimits};

/// The role of a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A node: it holds shares, and signs.
    Node,
    /// A gateway: it takes requests, and knows no secret.
    Gateway,
}

/// The database of a machine.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged)]
pub enum Database {
    /// SQLite, in files.
    Sqlite {
        /// The file.
        path: PathBuf,
        /// The file of what was spent, of a node: no backup may contain it.
        #[serde(default)]
        spent: Option<PathBuf>,
    },
    /// PostgreSQL.
    Postgres(Postgres),
}

/// A database of PostgreSQL.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Postgres {
    /// The connection string.
    pub url: String,
    /// The connection string of the database of what was spent, of a node: no backup may contain it.
    pub spent: Option<String>,
    /// The schema. By default the name of the machine.
    pub schema: Option<String>,
    /// The certificate of the server's authority, in PEM. Without it there is no TLS.
    pub authority: Option<PathBuf>,
}

impl Postgres {
    /// The schema of the machine's tables.
    #[must_use]
    pub fn schema(&self, settings: &Settings) -> String {
        let name = || settings.name.replace(['.', '-'], "_");
        self.schema.clone().unwrap_or_else(name)
    }
}

/// The certificate of a gateway for its callers.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tls {
    /// The certificate and what it was issued under, in PEM.
    pub certificate: PathBuf,
    /// The key of the certificate, in PEM.
    pub key: PathBuf,
    /// The authorities of callers' certificates, in PEM. With them every caller needs a certificate as well.
    pub clients: Option<PathBuf>,
}

/// The moduli of threshold ECDSA.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize)]
pub enum Moduli {
    /// 2048 bits.
    #[serde(rename = "2048")]
    Bits2048,
    /// 3072 bits.
    #[default]
    #[serde(rename = "3072")]
    Bits3072,
}

impl Moduli {
    /// The level of security.
    #[must_use]
    pub const fn level(self) -> Level {
        match self {
            Self::Bits2048 => Level::Bits112,
            Self::Bits3072 => Level::Bits128,
        }
    }
}

/// The settings, from TOML.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The role of this machine.
    pub role: Role,
    /// The name of this machine in the directory.
    pub name: String,
    /// The database of this machine.
    pub database: Database,
    /// The NATS servers, as in `tls://nats.example:4222`.
    pub nats: Vec<String>,
    /// The address of probes and metrics, which has no authentication: a private one.
    pub probes: SocketAddr,
    /// The address for callers, of a gateway.
    pub listen: Option<SocketAddr>,
    /// The certificate for callers. A gateway that other machines reach has one.
    pub tls: Option<Tls>,
    /// The list of callers. A path that is relative begins in the folder of the machine, as all do.
    pub callers: PathBuf,
    /// The folder of policies, of a node.
    pub policies: Option<PathBuf>,
    /// The number of other nodes that have to vouch for a node's databases at each start. By default it is the greatest threshold
    /// t of the node's keys, or all others if t is greater than their number: fewer than t nodes are corrupt, so one of t that
    /// vouch is honest. If only some vouch and the rest is silent for 30 s, or if all others have restarted too, the node starts
    /// without what it had made ahead.
    pub witnesses: Option<usize>,
    /// The moduli of threshold ECDSA, of a node.
    #[serde(default)]
    pub moduli: Moduli,
    /// The experimental schemes that a node has: `["ml-dsa-65"]`. Without the scheme in this list, the node makes no keys of it and
    /// does not sign with them.
    #[serde(default)]
    pub experimental: Vec<Scheme>,
    /// The limits of a node, and what it keeps.
    pub node: Option<NodeLimits>,
    /// The limits of a gateway, and what it keeps.
    pub gateway: Option<GatewayLimits>,
}

impl Settings {
    /// The name of the file.
    pub const FILE: &'static str = "settings.toml";

    /// Reads the settings of a machine.
    ///
    /// # Errors
    /// A missing file, or a line of it that is not understood.
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        Self::parse(&text).with_context(|| path.display().to_string())
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// A line that is not understood, or a value that no machine can work with.
    pub fn parse(text: &str) -> Result<Self> {
        let settings: Self = toml::from_str(text)?;
        settings.check()?;
        Ok(settings)
    }

    fn check(&self) -> Result<()> {
        let (other, is_there) = match self.role {
            Role::Node => ("gateway", self.gateway.is_some()),
            Role::Gateway => ("node", self.node.is_some()),
        };
        ensure!(!is_there, "[{other}]: this machine is none");
        self.node.iter().try_for_each(NodeLimits::check)?;
        self.gateway.iter().try_for_each(GatewayLimits::check)
    }

    /// The first settings of a machine, with a comment for each.
    #[must_use]
    pub fn first(role: Role, name: &str, nats: &[String]) -> String {
        let servers: Vec<_> = nats.iter().map(|host| format!("\"tls://{host}\"")).collect();
        let text = match role {
            Role::Node => include_str!("settings/node.toml"),
            Role::Gateway => include_str!("settings/gateway.toml"),
        };
        text.replace("NAME", name).replace("SERVERS", &servers.join(", "))
    }
}
