//! The token of the PKCS#11 module.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, ensure};
use custody_core::PartyId;
use quorate_purpose::Kind;
use quorate_store::file;
use serde::Deserialize;
use sockets_backend::UnixSocket;
use sockets_pkcs11::{Making, Settings, TokenPin};

use super::{Host, LimitsSection, Open, Socket, Task, TrialKey};

/// The scope of the keys that a trial makes.
const TRIAL: &str = "pkcs11";

/// `[sockets.pkcs11]`
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Section {
    /// The path of the socket, for `QUORATE_PKCS11_SOCKET`.
    path: PathBuf,
    /// The name of the token.
    label: Option<String>,
    /// A file with the PIN. Without one, consumers do not log in.
    pin: Option<PathBuf>,
    /// The numbers of other users who may use the socket, beside its owner and the superuser.
    #[serde(default)]
    users: Vec<u32>,
    /// The names of the keys that it shows; without this line, all that the module knows and no section lists.
    keys: Option<Vec<String>>,
    /// The rules for keys that consumers have made.
    new_keys: Option<NewKeys>,
    #[serde(default)]
    limits: LimitsSection,
}

/// `[sockets.pkcs11.new_keys]`
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct NewKeys {
    /// The number of members that sign together.
    threshold: u16,
    /// The numbers of the members.
    members: Vec<u16>,
    /// The kinds of purposes; without any, all that are not opaque.
    #[serde(default)]
    purposes: Vec<String>,
    /// The part of the policy that decides about the keys.
    #[serde(default)]
    scope: String,
}

impl Section {
    /// A token whose consumers make the keys of a trial.
    #[cfg(feature = "trial")]
    pub(crate) fn new(path: PathBuf) -> Self {
        let limits = LimitsSection::default();
        Self { path, label: None, pin: None, users: vec![], keys: None, new_keys: None, limits }
    }

    fn settings(&self, host: &Host) -> Result<Settings> {
        let label = self.label.clone().unwrap_or(Settings::default().label);
        let pin = self.pin.as_ref().map(|path| pin(&host.path(path))).transpose()?;
        let making = match (&self.new_keys, host.nodes) {
            (Some(rules), _) => Some(rules.making()?),
            (None, Some(nodes)) => Some(trial(nodes)),
            (None, None) => None,
        };
        ensure!(
            making.is_none() || self.keys.is_none(),
            "sockets.pkcs11: a token that shows the keys of a list makes none: leave out `keys` or `new_keys`"
        );
        Ok(Settings { label, pin, making })
    }

    async fn bind(self, host: Host) -> Result<Open> {
        let settings = self.settings(&host)?;
        let path = host.path(&self.path);
        let socket = UnixSocket::bind(&path).and_then(|socket| socket.admit(self.users));
        let socket = socket.with_context(|| path.display().to_string())?;
        let hint = format!("export QUORATE_PKCS11_SOCKET={}", path.display());
        let (backend, limits) = (host.keys(self.keys), self.limits.limits());
        let serving = async move {
            sockets_pkcs11::serve(socket, backend, settings, limits).await;
            anyhow!("the token of PKCS#11 has ended")
        };
        Ok(Open { hint, serving: Box::pin(serving) })
    }
}

impl NewKeys {
    fn making(&self) -> Result<Making> {
        let members = self.members.iter().map(|number| PartyId::new(*number));
        let members = members.collect::<Option<Vec<_>>>();
        let members = members.context("sockets.pkcs11.new_keys: expected members from 1")?;
        let purposes = self.purposes.iter().map(|name| {
            name.parse::<Kind>().with_context(|| format!("there is no kind of purpose {name:?}"))
        });
        let purposes = purposes.collect::<Result<_>>()?;
        Ok(Making { threshold: self.threshold, members, purposes, scope: self.scope.clone() })
    }
}

/// The keys of a trial: more than half of the nodes sign, messages that can be read and others.
fn trial(nodes: u16) -> Making {
    Making {
        threshold: (nodes >> 1).saturating_add(1),
        members: (1..=nodes).filter_map(PartyId::new).collect(),
        purposes: vec![
            Kind::OpaqueMessage,
            Kind::OpaqueDigest,
            Kind::Tls13CertificateVerify,
            Kind::SshSignature,
            Kind::SshUserAuth,
            Kind::JwtClaims,
            Kind::X509Certificate,
            Kind::X509Crl,
        ],
        scope: TRIAL.to_owned(),
    }
}

impl Socket for Section {
    fn trial_keys(&self) -> Vec<TrialKey> {
        vec![]
    }

    fn listed(&self) -> Vec<String> {
        self.keys.clone().unwrap_or_default()
    }

    fn open(self: Box<Self>, host: Host) -> Task<Result<Open>> {
        Box::pin(self.bind(host))
    }
}

/// The PIN in a file, without the end of its line.
fn pin(path: &Path) -> Result<TokenPin> {
    let bytes = file::read(path)?.with_context(|| format!("{} is missing", path.display()))?;
    let end = bytes.iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(bytes.len());
    let pin = bytes.get(..end).unwrap_or_default();
    TokenPin::new(pin).with_context(|| path.display().to_string())
}
