//! The configuration of `quorate-sockets run`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use custody_client::{CallerSecret, Client, Endpoint, PinnedKey};
use quorate_envelope::{Directory, DirectoryId, TrustedDirectory};
use quorate_purpose::Kind;
use quorate_store::file;
use serde::Deserialize;
use sockets_backend::Service;
use sockets_backend::service::{Administrator, Folder, Pinned};

use crate::sockets::Sections;

/// The configuration. Relative paths begin in its folder.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    #[serde(skip)]
    pub(crate) folder: PathBuf,
    service: ServiceSection,
    administrator: Option<AdministratorSection>,
    #[serde(default)]
    keys: Vec<KeySection>,
    pub(crate) sockets: Sections,
}

/// `[service]`
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct ServiceSection {
    /// The address of the gateway: `https://HOST:PORT`.
    gateway: String,
    /// The certificates that are trusted for it, in PEM.
    roots: Option<PathBuf>,
    /// The secret key of this caller, in PEM. Give each program its own, so that policies tell them apart.
    secret: PathBuf,
}

/// `[administrator]`, for sockets that make keys.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct AdministratorSection {
    /// The secret key of a caller with the role `administer`, in PEM.
    secret: PathBuf,
    /// The folder with the directory that certificates of new keys are verified by, as `custody init trust` makes it.
    trust: PathBuf,
    /// The folder in which new keys are pinned, and found again.
    keys: PathBuf,
}

/// `[[keys]]`
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct KeySection {
    /// The name that consumers see.
    name: String,
    /// The pin, as `custody key create` writes it.
    pin: PathBuf,
    /// The kinds of purposes that the sockets ask for; without any, all that are not opaque.
    #[serde(default)]
    purposes: Vec<String>,
}

impl Config {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Self::parse(&text, folder).with_context(|| path.display().to_string())
    }

    pub(crate) fn parse(text: &str, folder: PathBuf) -> Result<Self> {
        let config: Self = toml::from_str(text)?;
        ensure!(
            !config.keys.is_empty() || config.administrator.is_some(),
            "expected a key: [[keys]]"
        );
        Ok(Self { folder, ..config })
    }

    /// Locks the folder of the keys that sockets make, if they do. Another process would not see the names that this one gives, and
    /// with two keys of one name neither would start again.
    pub(crate) fn lock(&self) -> Result<Option<fs::File>> {
        let Some(section) = &self.administrator else { return Ok(None) };
        let folder = self.path(&section.keys);
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        Ok(Some(file::lock(folder.join("lock"))?))
    }

    /// The service with the keys.
    pub(crate) fn service(&self) -> Result<Service> {
        let keys = self.keys.iter().map(|key| self.pinned(key)).collect::<Result<Vec<_>>>()?;
        let making = self.administrator.as_ref().map(|section| self.making(section)).transpose()?;
        let made = making.as_ref().map(|(_, folder)| folder.read()).transpose()?;
        let keys: Vec<_> = keys.into_iter().chain(made.unwrap_or_default()).collect();
        check_names(&keys)?;
        let clusters = || {
            let trusted = making.iter().map(|(directory, _)| directory.deployment().as_str());
            keys.iter().map(|pinned| pinned.key.cluster()).chain(trusted)
        };
        let cluster = clusters().next().context("expected a key: [[keys]]")?;
        ensure!(
            clusters().all(|other| other == cluster),
            "the keys belong to several clusters, and a service is one"
        );
        let client = |secret| self.client(secret, cluster);
        let own = client(&self.service.secret)?;
        let administrator = self.administrator.as_ref().map(|section| client(&section.secret));
        let administrator = administrator.transpose()?;
        let service = Service::new(own, keys);
        Ok(match (administrator, making) {
            (Some(client), Some((directory, folder))) => service
                .with_administrator(Administrator { client, directory, folder: Some(folder) }),
            _ => service,
        })
    }

    fn client(&self, secret: &Path, cluster: &str) -> Result<Client> {
        let secret = self.path(secret);
        let pem = private(&secret)?;
        let secret = CallerSecret::from_pem(core::str::from_utf8(&pem)?)
            .with_context(|| secret.display().to_string())?;
        let client = Client::new(self.endpoint()?, secret, cluster);
        Ok(client.on_delay(|why| tracing::warn!(%why, "a request is repeated")))
    }

    /// The directory of the administrator, and the folder of the keys that sockets have made.
    fn making(&self, section: &AdministratorSection) -> Result<(Directory, Folder)> {
        let folder = self.path(&section.trust);
        let id = DirectoryId::from_bytes(&private(&folder.join("directory.id"))?)?;
        let trusted = TrustedDirectory::reopen(&private(&folder.join("directory"))?, id);
        let trusted = trusted.with_context(|| folder.display().to_string())?;
        Ok((trusted.directory().clone(), Folder::new(self.path(&section.keys))))
    }

    fn endpoint(&self) -> Result<Endpoint> {
        let gateway = &self.service.gateway;
        match &self.service.roots {
            Some(roots) => {
                let roots = self.path(roots);
                let pem = fs::read(&roots).with_context(|| roots.display().to_string())?;
                Ok(Endpoint::tls(gateway, &pem)?)
            }
            None if gateway.starts_with("https://") => {
                bail!("an address with https:// needs `roots`, with the certificate of the gateway")
            }
            None => Ok(Endpoint::plain(gateway)?),
        }
    }

    fn pinned(&self, section: &KeySection) -> Result<Pinned> {
        let path = self.path(&section.pin);
        let json = fs::read(&path).with_context(|| path.display().to_string())?;
        let key: PinnedKey =
            serde_json::from_slice(&json).with_context(|| path.display().to_string())?;
        let purposes = section.purposes.iter().map(|name| {
            name.parse::<Kind>().with_context(|| format!("there is no kind of purpose {name:?}"))
        });
        Ok(Pinned { name: section.name.clone(), purposes: purposes.collect::<Result<_>>()?, key })
    }

    fn path(&self, path: &Path) -> PathBuf {
        self.folder.join(path)
    }
}

/// The bytes of a file that nobody else can read.
fn private(path: &Path) -> Result<impl core::ops::Deref<Target = Vec<u8>> + use<>> {
    file::read(path)?.with_context(|| format!("{} is missing", path.display()))
}

/// Refuses two keys with one name, and two names for one key: the purposes of the one would take the place of the other's.
fn check_names(keys: &[Pinned]) -> Result<()> {
    let (mut names, mut ids) = (BTreeSet::new(), BTreeMap::new());
    for Pinned { name, key, .. } in keys {
        ensure!(names.insert(name), "two keys have the name {name:?}");
        if let Some(other) = ids.insert(key.id(), name) {
            bail!("{other:?} and {name:?} are one key");
        }
    }
    Ok(())
}
