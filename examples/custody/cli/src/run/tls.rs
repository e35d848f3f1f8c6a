//! The certificate of a gateway for its callers, read again when its files change.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use rustls::ServerConfig;

use super::watch;
use crate::folder::Folder;
use crate::settings::Tls;

/// The files of a certificate.
pub(super) struct Files {
    certificate: PathBuf,
    key: PathBuf,
    clients: Option<PathBuf>,
}

impl Files {
    pub(super) fn new(folder: &Folder, tls: &Tls) -> Self {
        Self {
            certificate: folder.path_of(&tls.certificate),
            key: folder.path_of(&tls.key),
            clients: tls.clients.as_ref().map(|path| folder.path_of(path)),
        }
    }

    /// Reads the files.
    pub(super) fn read(&self) -> Result<Arc<ServerConfig>> {
        let read = |path: &Path| std::fs::read(path).with_context(|| path.display().to_string());
        let roots = self.clients.as_deref().map(read).transpose()?;
        let (chain, key) = (read(&self.certificate)?, read(&self.key)?);
        custody_http::tls(&chain, &key, roots.as_deref())
            .with_context(|| self.certificate.display().to_string())
    }

    /// Gives the configuration to `set` once, and each time that one of the files has changed. Files that do not fit each other change
    /// nothing: as a rule the second of them has not been written yet.
    pub(super) async fn watch(self, set: impl Fn(Arc<ServerConfig>)) {
        let paths: Vec<_> =
            [&self.certificate, &self.key].into_iter().chain(&self.clients).cloned().collect();
        let changed = || match self.read() {
            Ok(config) => {
                tracing::info!("the certificate for callers was read");
                set(config);
            }
            Err(error) => tracing::error!(error = format!("{error:#}"), "the certificate stays"),
        };
        watch::files(&paths, changed).await;
    }
}
