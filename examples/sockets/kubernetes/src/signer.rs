//! The answers of the signer.

use core::time::Duration;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use custody_core::Scheme;
use quorate_purpose::Kind;
use sockets_backend::encoding::spki;
use sockets_backend::{Asked, Backend, Key};
use tonic::Status;

use crate::claims;
use crate::messages::{
    FetchKeysResponse, MetadataResponse, PublicKey, SignRequest, SignResponse, Timestamp,
};
use crate::settings::Settings;
use crate::status;

/// The length of a signature of ES256: r ‖ s.
const SIGNATURE: usize = 64;

/// A signer of service account tokens over a backend.
pub struct Signer {
    backend: Arc<dyn Backend>,
    settings: Settings,
    within: Duration,
}

impl Signer {
    /// A signer with the keys of a backend that the settings name.
    #[must_use]
    pub fn new(backend: Arc<dyn Backend>, settings: Settings) -> Self {
        Self { backend, settings, within: Asked::WITHIN }
    }

    /// Sets the time that a signature may take.
    #[must_use]
    pub fn within(self, within: Duration) -> Self {
        Self { within, ..self }
    }

    /// Signs a token, for a user of this machine.
    ///
    /// # Errors
    /// The [`Status`] for the answer: `INVALID_ARGUMENT` if the claims are malformed, `PERMISSION_DENIED` if a policy refuses
    /// them.
    pub async fn sign(&self, asked: &SignRequest, user: u32) -> Result<SignResponse, Status> {
        let key = self.key(self.settings.key()).await?;
        let token = claims::read(&asked.claims, &key.id.to_string());
        let token = token.map_err(|why| Status::invalid_argument(why.to_string()))?;
        let header = token.header(key.scheme.key_kind());
        let header = header.ok_or_else(|| Status::internal("the key signs no tokens"))?;
        let question = Asked::new(token).on_behalf(format!("uid {user}")).within(self.within);
        let made = self.backend.sign(key.id, &question).await.map_err(|why| status::of(&why))?;
        if made.signed != question.purpose || made.bytes.len() != SIGNATURE {
            return Err(Status::internal("something else was signed"));
        }
        tracing::info!(user, key = key.name, subject = subject(&question), "signed");
        let [header, signature] =
            [header.as_bytes(), &made.bytes].map(|part| BASE64_URL_SAFE_NO_PAD.encode(part));
        Ok(SignResponse { header, signature })
    }

    /// The public keys, the one that signs first.
    ///
    /// # Errors
    /// `FAILED_PRECONDITION` if one of the keys is missing or signs no tokens.
    pub async fn keys(&self) -> Result<FetchKeysResponse, Status> {
        let mut keys = vec![];
        for name in self.settings.shown() {
            let key = self.key(name).await?;
            let der = spki::public_key(key.scheme, &key.public_key);
            let der = der.map_err(|why| status::of(&why))?;
            let key_id = key.id.to_string();
            keys.push(PublicKey { key_id, key: der, exclude_from_oidc_discovery: false });
        }
        let refresh_hint_seconds = self.settings.refresh_seconds();
        Ok(FetchKeysResponse { keys, data_timestamp: Some(now()), refresh_hint_seconds })
    }

    /// The limits of the signer.
    #[must_use]
    pub fn metadata(&self) -> MetadataResponse {
        let max_token_expiration_seconds = self.settings.max_expiration_seconds();
        MetadataResponse { max_token_expiration_seconds }
    }

    /// The key of a name, which signs tokens.
    async fn key(&self, name: &str) -> Result<Key, Status> {
        let keys = self.backend.keys().await.map_err(|why| status::of(&why))?;
        let mut named = keys.into_iter().filter(|key| key.name == name);
        let key = match (named.next(), named.next()) {
            (Some(key), None) => key,
            (None, _) => {
                return Err(Status::failed_precondition(format!("there is no key {name:?}")));
            }
            (Some(_), Some(_)) => {
                let why = format!("several keys have the name {name:?}");
                return Err(Status::failed_precondition(why));
            }
        };
        if key.scheme == Scheme::EcdsaP256 && key.allows(Kind::JwtClaims) {
            return Ok(key);
        }
        let why = format!("the key {name:?} signs no tokens of Kubernetes: expected ecdsa-p256");
        Err(Status::failed_precondition(why))
    }
}

impl core::fmt::Debug for Signer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Signer").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// The subject of a token, for the log.
fn subject(asked: &Asked) -> String {
    asked.purpose.facts().text("claim/sub").unwrap_or_default().to_owned()
}

fn now() -> Timestamp {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
    Timestamp { seconds, nanos: i32::try_from(now.subsec_nanos()).unwrap_or_default() }
}
