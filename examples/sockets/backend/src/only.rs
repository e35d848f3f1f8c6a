//! Some of the keys of a backend.

use std::collections::BTreeSet;
use std::sync::Arc;

use custody_core::{KeyId, KeySpec};

use crate::backend::{Asked, Backend, Reply, Signature};
use crate::failure::Failure;
use crate::key::Key;

/// A backend that has the keys of these names alone, so that a socket does not reach the keys of another.
pub struct Only {
    backend: Arc<dyn Backend>,
    names: BTreeSet<String>,
}

impl Only {
    /// The keys of a backend that have one of the names.
    #[must_use]
    pub fn new(backend: Arc<dyn Backend>, names: impl IntoIterator<Item = String>) -> Self {
        Self { backend, names: names.into_iter().collect() }
    }

    async fn named(&self) -> Result<Vec<Key>, Failure> {
        let mut keys = self.backend.keys().await?;
        keys.retain(|key| self.names.contains(&key.name));
        Ok(keys)
    }
}

impl Backend for Only {
    fn keys(&self) -> Reply<'_, Vec<Key>> {
        Box::pin(self.named())
    }

    fn create<'a>(&'a self, _: &'a KeySpec) -> Reply<'a, Key> {
        let why = Failure::Unsupported("this socket makes no keys".to_owned());
        Box::pin(async { Err(why) })
    }

    fn sign<'a>(&'a self, key: KeyId, asked: &'a Asked) -> Reply<'a, Signature> {
        Box::pin(async move {
            if self.named().await?.iter().any(|known| known.id == key) {
                self.backend.sign(key, asked).await
            } else {
                Err(Failure::UnknownKey(key))
            }
        })
    }
}

impl core::fmt::Debug for Only {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Only").field("names", &self.names).finish_non_exhaustive()
    }
}
