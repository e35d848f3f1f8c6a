//! Access keys: names and secrets of programs.

use std::collections::BTreeMap;

use zeroize::Zeroizing;

/// The access keys of a socket. Secrets are wiped when they are dropped.
#[derive(Default)]
pub struct AccessKeys(BTreeMap<String, Zeroizing<String>>);

impl AccessKeys {
    /// The longest name.
    pub const MAX_LENGTH: usize = 128;

    /// No access keys, so that nobody may ask.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an access key. One with the same name is replaced.
    #[must_use]
    pub fn with(mut self, id: impl Into<String>, secret: Zeroizing<String>) -> Self {
        self.0.insert(id.into(), secret);
        self
    }

    /// The secret of an access key, if there is one of this name.
    #[must_use]
    pub fn secret(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(|secret| secret.as_str())
    }
}

impl core::fmt::Debug for AccessKeys {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
