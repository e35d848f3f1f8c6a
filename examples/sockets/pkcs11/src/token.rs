//! The answers of the token.

use core::time::Duration;
use std::sync::Arc;

use custody_core::{KeyId, Scheme};
use quorate_purpose::{Hash, Kind, OpaqueDigest, Purpose};
use sockets_backend::encoding::ec;
use sockets_backend::{Asked, Backend, Failure, Key, read};
use sockets_pkcs11_wire as wire;
use sockets_pkcs11_wire::{
    Answer, Description, Input, KeyInfo, MAX_NAME, MakeRequest, Pin, Reason, Request, SignRequest,
};
use tokio::sync::Mutex;

use crate::making::Making;
use crate::pin::TokenPin;

/// The longest time for a new key: the first one of ECDSA has nodes search for primes, which can take minutes.
const MAKING: Duration = Duration::from_secs(1800);
/// The longest time for everything else.
const LOOK: Duration = Duration::from_secs(10);

/// The settings of a token.
#[derive(Debug)]
pub struct Settings {
    /// The name of the token. PKCS#11 has room for 32 bytes.
    pub label: String,
    /// The PIN, if consumers have to log in.
    pub pin: Option<TokenPin>,
    /// The rules for new keys, if the token makes keys.
    pub making: Option<Making>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { label: "quorate".to_owned(), pin: None, making: None }
    }
}

/// The keys of a backend as a token of PKCS#11.
pub struct Token {
    backend: Arc<dyn Backend>,
    settings: Settings,
    within: Duration,
    /// The turn of the request that makes a key.
    turn: Mutex<()>,
}

/// The reason why the token has no result: a line for the log, and a word for the module.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// The token itself refuses.
    #[error("{0:?}")]
    Token(Reason),
    /// The backend has no result.
    #[error(transparent)]
    Backend(#[from] Failure),
}

impl From<Reason> for Refused {
    fn from(reason: Reason) -> Self {
        Self::Token(reason)
    }
}

impl Refused {
    fn reason(&self) -> Reason {
        match self {
            Self::Token(reason) => *reason,
            Self::Backend(failure) => match failure {
                Failure::Refused(_) | Failure::Conflict(_) => Reason::Refused,
                Failure::UnknownKey(_) => Reason::UnknownKey,
                Failure::WrongPurpose(_) => Reason::WrongPurpose,
                Failure::Malformed(_) => Reason::Malformed,
                Failure::Expired(_) => Reason::Expired,
                Failure::Unavailable(_) => Reason::Unavailable,
                Failure::Unsupported(_) => Reason::Unsupported,
                _ => Reason::Broken,
            },
        }
    }
}

impl Token {
    /// A token with the keys of a backend.
    #[must_use]
    pub fn new(backend: Arc<dyn Backend>, settings: Settings) -> Self {
        Self { backend, settings, within: Asked::WITHIN, turn: Mutex::new(()) }
    }

    /// Sets the time that a signature may take.
    #[must_use]
    pub fn within(self, within: Duration) -> Self {
        Self { within, ..self }
    }

    /// The longest time for an answer.
    #[must_use]
    pub const fn longest(&self, request: &Request<'_>) -> Duration {
        match request {
            Request::Sign(_) => self.within,
            Request::Make(_) => MAKING,
            _ => LOOK,
        }
    }

    /// Answers a request of a user of this machine. The reason of a failure is logged.
    pub async fn answer(&self, request: &Request<'_>, user: u32) -> Answer {
        let answered = match request {
            Request::Describe => self.describe().await.map(Answer::Description),
            Request::Login(pin) => self.login(*pin, user).map(|()| Answer::LoggedIn),
            Request::Sign(asked) => self.sign(asked, user).await.map(Answer::Signature),
            Request::Make(asked) => self.make(asked, user).await.map(Answer::Made),
        };
        answered.unwrap_or_else(|why| {
            tracing::warn!(user, %why, "refused");
            Answer::Failed(why.reason())
        })
    }

    async fn describe(&self) -> Result<Description, Refused> {
        let keys: Vec<_> = self.keys().await?.into_iter().map(|(_, info)| info).collect();
        if !Description::has_room(&keys, 0) {
            tracing::error!(keys = keys.len(), "the token has too many keys");
            return Err(Reason::Broken.into());
        }
        let Settings { label, pin, making } = &self.settings;
        let (label, needs_login, makes_keys) = (label.clone(), pin.is_some(), making.is_some());
        Ok(Description { label, needs_login, makes_keys, keys })
    }

    fn login(&self, pin: Pin<'_>, user: u32) -> Result<(), Refused> {
        let known = self.settings.pin.as_ref().ok_or(Reason::NoPin)?;
        Ok(known.check(pin, user)?)
    }

    /// Checks that a request for a signature or a key may be made at all.
    fn admit(&self, pin: Option<Pin<'_>>, user: u32) -> Result<(), Refused> {
        match (&self.settings.pin, pin) {
            (None, _) => Ok(()),
            (Some(known), Some(pin)) => Ok(known.check(pin, user)?),
            (Some(_), None) => Err(Reason::NotLoggedIn.into()),
        }
    }

    /// The keys that the module shows.
    async fn keys(&self) -> Result<Vec<(Key, KeyInfo)>, Failure> {
        let keys = self.backend.keys().await?.into_iter();
        keys.filter_map(|key| {
            let scheme = shown(key.scheme)?;
            Some(info(&key, scheme).map(|info| (key, info)))
        })
        .collect()
    }

    async fn sign(&self, asked: &SignRequest<'_>, user: u32) -> Result<Vec<u8>, Refused> {
        self.admit(asked.pin, user)?;
        let id = KeyId::new(asked.key);
        let found = self.keys().await?.into_iter().find(|(key, _)| key.id == id);
        let (key, _) = found.ok_or(Reason::UnknownKey)?;
        let purpose = purpose(&key, asked)?;
        let kind = purpose.kind();
        let question = Asked::new(purpose).on_behalf(format!("uid {user}")).within(self.within);
        let made = self.backend.sign(key.id, &question).await?;
        if made.signed != question.purpose {
            return Err(Failure::Broken("something else was signed".to_owned()).into());
        }
        tracing::info!(user, key = key.name, %kind, "signed");
        Ok(made.bytes)
    }

    async fn make(&self, asked: &MakeRequest<'_>, user: u32) -> Result<KeyInfo, Refused> {
        self.admit(asked.pin, user)?;
        let making = self.settings.making.as_ref().ok_or(Reason::NoNewKeys)?;
        if !asked.name.chars().all(is_shown) {
            return Err(Reason::Malformed.into());
        }
        // One at a time: until a key is there, nothing shows that its name is taken.
        let _turn = self.turn.lock().await;
        let is_taken = |key: &Key| !asked.name.is_empty() && key.name == asked.name;
        if self.backend.keys().await?.iter().any(is_taken) {
            return Err(Reason::NameTaken.into());
        }
        // A token with more keys could not be described, so nobody would reach any of them.
        let keys: Vec<_> = self.keys().await?.into_iter().map(|(_, info)| info).collect();
        if !Description::has_room(&keys, longest(asked)) {
            tracing::error!(keys = keys.len(), "the token has no room for another key");
            return Err(Reason::NoNewKeys.into());
        }
        let scheme = match asked.scheme {
            wire::Scheme::EcdsaP256 => Scheme::EcdsaP256,
            wire::Scheme::EcdsaSecp256k1 => Scheme::EcdsaSecp256k1,
            wire::Scheme::Ed25519 => Scheme::Ed25519,
            wire::Scheme::MlDsa65 => Scheme::MlDsa65,
        };
        let key = self.backend.create(&making.spec(scheme, asked.name)).await?;
        tracing::info!(user, key = key.name, %scheme, "made a key");
        Ok(info(&key, asked.scheme)?)
    }
}

impl core::fmt::Debug for Token {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Token").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// Returns whether a character of a name shows itself: others begin lines of logs, and change what a terminal shows.
fn is_shown(letter: char) -> bool {
    !letter.is_control() && !matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The schemes that the module knows.
const fn shown(scheme: Scheme) -> Option<wire::Scheme> {
    match scheme {
        Scheme::EcdsaP256 => Some(wire::Scheme::EcdsaP256),
        Scheme::EcdsaSecp256k1 => Some(wire::Scheme::EcdsaSecp256k1),
        Scheme::Ed25519 => Some(wire::Scheme::Ed25519),
        Scheme::MlDsa65 => Some(wire::Scheme::MlDsa65),
        Scheme::Taproot | Scheme::Ed448 => None,
    }
}

/// The length of the key that would be made. One without a name is named by its id.
const fn longest(asked: &MakeRequest<'_>) -> usize {
    asked.scheme.public_key_length().saturating_add(MAX_NAME + 64)
}

fn info(key: &Key, scheme: wire::Scheme) -> Result<KeyInfo, Failure> {
    let public_key = match scheme {
        wire::Scheme::Ed25519 | wire::Scheme::MlDsa65 => key.public_key.clone(),
        _ => ec::uncompressed(key.scheme, &key.public_key)?,
    };
    // A name is cut where the messages have no more room.
    let mut name = String::new();
    for letter in key.name.chars() {
        if name.len().saturating_add(letter.len_utf8()) > MAX_NAME {
            break;
        }
        name.push(letter);
    }
    let signs_digests = key.scheme.key_kind().is_ecdsa() && key.allows(Kind::OpaqueDigest);
    Ok(KeyInfo { id: *key.id.as_bytes(), scheme, signs_digests, name, public_key })
}

/// Reads what is to be signed.
fn purpose(key: &Key, asked: &SignRequest<'_>) -> Result<Purpose, Refused> {
    match asked.input {
        Input::Message => Ok(read(key, None, asked.bytes)?),
        Input::Sha256Message => Ok(read(key, Some(Hash::Sha256), asked.bytes)?),
        Input::Digest => {
            let digest = OpaqueDigest::new(Hash::Sha256, asked.bytes);
            Ok(digest.map_err(|why| Failure::Malformed(why.to_string()))?.into())
        }
    }
}
