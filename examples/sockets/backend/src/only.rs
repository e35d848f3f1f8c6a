//! Some of the keys of a backend.

use std::collections::BTreeSet;
use std::sync::Arc;

use custody_core::{KeyId, KeySpec};

use crate::backend::{Asked, Backend, Reply, Signature};
use crate::failure::Failure;
use crate::key::Key;

/// A backend that has some of another's keys, so that a socket does not reach the keys of another socket.
pub struct Only {
    backend: Arc<dyn Backend>,
    names: BTreeSet<String>,
    /// The keys are those of the names; otherwise, all others.
    are_named: bool,
}

impl Only {
    /// The keys of a backend that have one of the names. No further one is made.
    #[must_use]
    pub fn new(backend: Arc<dyn Backend>, names: impl IntoIterator<Item = String>) -> Self {
        Self { backend, names: names.into_iter().collect(), are_named: true }
    }

    /// The keys of a backend that have none of the names. No key is made with one of them.
    #[must_use]
    pub fn without(backend: Arc<dyn Backend>, names: impl IntoIterator<Item = String>) -> Self {
        Self { are_named: false, ..Self::new(backend, names) }
    }

    async fn some(&self) -> Result<Vec<Key>, Failure> {
        let mut keys = self.backend.keys().await?;
        keys.retain(|key| self.names.contains(&key.name) == self.are_named);
        Ok(keys)
    }
}

impl Backend for Only {
    fn keys(&self) -> Reply<'_, Vec<Key>> {
        Box::pin(self.some())
    }

    fn create<'a>(&'a self, spec: &'a KeySpec) -> Reply<'a, Key> {
        let name = spec.labels.get(Key::NAME);
        let why = if self.are_named {
            Failure::Unsupported("this socket makes no keys".to_owned())
        } else if let Some(name) = name.filter(|name| self.names.contains(*name)) {
            Failure::Refused(format!("the name {name:?} is that of a key of another socket"))
        } else {
            return self.backend.create(spec);
        };
        Box::pin(async { Err(why) })
    }

    fn sign<'a>(&'a self, key: KeyId, asked: &'a Asked) -> Reply<'a, Signature> {
        Box::pin(async move {
            if self.some().await?.iter().any(|known| known.id == key) {
                self.backend.sign(key, asked).await
            } else {
                Err(Failure::UnknownKey(key))
            }
        })
    }
}

impl core::fmt::Debug for Only {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { names, are_named, .. } = self;
        f.debug_struct("Only")
            .field("names", names)
            .field("are_named", are_named)
            .finish_non_exhaustive()
    }
}
