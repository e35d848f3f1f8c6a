//! The settings of a signer.

use core::time::Duration;

/// The shortest life of tokens that an API server takes as the longest.
const SHORTEST: Duration = Duration::from_secs(600);

/// The settings of a [`Signer`](crate::Signer).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    key: String,
    published: Vec<String>,
    max_expiration: Duration,
    refresh: Duration,
}

/// The reason why a setting is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Invalid {
    /// Tokens live for too short a time.
    #[error("expected a longest life of tokens of at least {} s", SHORTEST.as_secs())]
    Expiration,
    /// The API server would ask for keys without a pause.
    #[error("expected at least a second between questions for the keys")]
    Refresh,
}

impl Settings {
    /// The longest life of a token, unless the settings say otherwise.
    pub const MAX_EXPIRATION: Duration = Duration::from_secs(24 * 3600);
    /// The time between two questions for the keys, unless the settings say otherwise.
    pub const REFRESH: Duration = Duration::from_secs(300);

    /// Signs with the key of this name.
    #[must_use]
    pub fn new(key: impl Into<String>) -> Self {
        let (max_expiration, refresh) = (Self::MAX_EXPIRATION, Self::REFRESH);
        Self { key: key.into(), published: vec![], max_expiration, refresh }
    }

    /// Shows these keys, too: those that have signed before, whose tokens are still in use, or will sign next.
    #[must_use]
    pub fn publish(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.published.extend(names);
        self
    }

    /// Sets the longest life of a token that the API server may ask for. Signers do not know of it: they have their policies.
    ///
    /// # Errors
    /// [`Invalid::Expiration`] if it is below 600 s, with which no API server starts.
    pub fn max_expiration(self, max_expiration: Duration) -> Result<Self, Invalid> {
        if max_expiration < SHORTEST {
            return Err(Invalid::Expiration);
        }
        Ok(Self { max_expiration, ..self })
    }

    /// Sets the time after which the API server asks for the keys again.
    ///
    /// # Errors
    /// [`Invalid::Refresh`] if it is below a second.
    pub fn refresh(self, refresh: Duration) -> Result<Self, Invalid> {
        if refresh.as_secs() == 0 {
            return Err(Invalid::Refresh);
        }
        Ok(Self { refresh, ..self })
    }

    /// The name of the key that signs.
    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// The names of the keys that are shown, each once. The one that signs is the first.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &str> {
        let others = self.published.iter().enumerate().filter_map(|(place, name)| {
            let before = self.published.iter().take(place);
            let is_new = *name != self.key && before.into_iter().all(|earlier| earlier != name);
            is_new.then_some(name.as_str())
        });
        core::iter::once(self.key.as_str()).chain(others)
    }

    pub(crate) fn max_expiration_seconds(&self) -> i64 {
        seconds(self.max_expiration)
    }

    pub(crate) fn refresh_seconds(&self) -> i64 {
        seconds(self.refresh)
    }
}

fn seconds(time: Duration) -> i64 {
    i64::try_from(time.as_secs()).unwrap_or(i64::MAX)
}
