//! The operations.

use core::time::Duration;
use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use quorate_purpose::{Hash, OpaqueDigest, Purpose};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sockets_backend::encoding::{der, spki};
use sockets_backend::{Asked, Backend, Key};

use crate::algorithm::Algorithm;
use crate::error::{Error, ErrorKind};
use crate::operations::{
    AliasEntry, Aliases, Described, KeyEntry, Keys, List, Metadata, OfKey, PublicKey, Rest, Sign,
    Signed, Usage,
};

/// The longest message.
const MESSAGE: usize = 4096;
/// The number of keys in an answer, unless the request has one; and the most.
const KEYS: (usize, usize) = (100, 1000);

/// The place in names of keys: there is one of each socket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The region that requests are signed for.
    pub region: String,
    /// The number of the account, of twelve digits.
    pub account: String,
}

impl Default for Place {
    fn default() -> Self {
        Self { region: "us-east-1".to_owned(), account: "000000000000".to_owned() }
    }
}

/// The keys of a backend, as AWS KMS shows them.
pub struct Kms {
    backend: Arc<dyn Backend>,
    place: Place,
    within: Duration,
}

impl Kms {
    /// The keys of a backend, at a place.
    #[must_use]
    pub fn new(backend: Arc<dyn Backend>, place: Place) -> Self {
        Self { backend, place, within: Asked::WITHIN }
    }

    /// Sets the time that a signature may take.
    #[must_use]
    pub fn within(self, within: Duration) -> Self {
        Self { within, ..self }
    }

    /// The region.
    #[must_use]
    pub fn region(&self) -> &str {
        &self.place.region
    }

    /// Answers a request whose signature has been verified, of an access key.
    ///
    /// # Errors
    /// The [`Error`] for the answer.
    pub async fn answer(
        &self,
        operation: &str,
        body: &[u8],
        access_key: &str,
    ) -> Result<Vec<u8>, Error> {
        match operation {
            "ListKeys" => json(&self.list(&read(body)?).await?),
            "ListAliases" => json(&self.aliases(&read(body)?).await?),
            "DescribeKey" => json(&self.describe(&read(body)?).await?),
            "GetPublicKey" => json(&self.public_key(&read(body)?).await?),
            "Sign" => json(&self.sign(&read(body)?, access_key).await?),
            _ => Err(Error::new(ErrorKind::UnknownOperation, "")),
        }
    }

    /// The keys that have names at AWS.
    async fn keys(&self) -> Result<Vec<(Key, Algorithm)>, Error> {
        let keys = self.backend.keys().await?.into_iter();
        Ok(keys.filter_map(|key| Algorithm::of(key.scheme).map(|names| (key, names))).collect())
    }

    /// The key of an id, an alias, or the ARN of one of these.
    async fn key(&self, named: &str) -> Result<(Key, Algorithm), Error> {
        let resource = named.strip_prefix(&self.arn("")).unwrap_or(named);
        let id = resource.strip_prefix("key/").unwrap_or(resource);
        let is_it = |key: &Key| match resource.strip_prefix("alias/") {
            Some(alias) => key.name == alias,
            None => key.id.to_string() == id,
        };
        let mut found = self.keys().await?.into_iter().filter(|(key, _)| is_it(key));
        match (found.next(), found.next()) {
            (Some(key), None) => Ok(key),
            (Some(_), Some(_)) => Err(Error::new(
                ErrorKind::Validation,
                format!("several keys have the name {named}"),
            )),
            _ => Err(Error::new(ErrorKind::NotFound, format!("Key '{named}' does not exist"))),
        }
    }

    fn arn(&self, resource: &str) -> String {
        let Place { region, account } = &self.place;
        format!("arn:aws:kms:{region}:{account}:{resource}")
    }

    fn key_arn(&self, key: &Key) -> String {
        self.arn(&format!("key/{}", key.id))
    }

    async fn list(&self, asked: &List) -> Result<Keys, Error> {
        let (keys, rest) = part(self.keys().await?, asked)?;
        let entry = |(key, _): &(Key, Algorithm)| KeyEntry {
            key_id: key.id.to_string(),
            key_arn: self.key_arn(key),
        };
        Ok(Keys { keys: keys.iter().map(entry).collect(), rest })
    }

    async fn aliases(&self, asked: &List) -> Result<Aliases, Error> {
        let keys = match &asked.key_id {
            Some(named) => vec![self.key(named).await?],
            None => self.keys().await?,
        };
        let (keys, rest) = part(keys, asked)?;
        let entry = |(key, _): &(Key, Algorithm)| {
            let name = format!("alias/{}", key.name);
            let arn = self.arn(&name);
            AliasEntry { alias_name: name, alias_arn: arn, target_key_id: key.id.to_string() }
        };
        Ok(Aliases { aliases: keys.iter().map(entry).collect(), rest })
    }

    async fn describe(&self, asked: &OfKey) -> Result<Described, Error> {
        let (key, algorithm) = self.key(&asked.key_id).await?;
        let key_metadata = Metadata {
            account: self.place.account.clone(),
            key_id: key.id.to_string(),
            arn: self.key_arn(&key),
            description: key.name,
            enabled: true,
            key_state: "Enabled",
            key_manager: "CUSTOMER",
            origin: "EXTERNAL_KEY_STORE",
            multi_region: false,
            usage: usage(algorithm),
        };
        Ok(Described { key_metadata })
    }

    async fn public_key(&self, asked: &OfKey) -> Result<PublicKey, Error> {
        let (key, algorithm) = self.key(&asked.key_id).await?;
        let public_key = spki::public_key(key.scheme, &key.public_key)?;
        let public_key = BASE64_STANDARD.encode(public_key);
        Ok(PublicKey { key_id: self.key_arn(&key), public_key, usage: usage(algorithm) })
    }

    async fn sign(&self, asked: &Sign, access_key: &str) -> Result<Signed, Error> {
        let (key, algorithm) = self.key(&asked.key_id).await?;
        if asked.signing_algorithm != algorithm.signing {
            let (asked, own) = (&asked.signing_algorithm, algorithm.key_spec);
            let why = format!("Algorithm {asked} and key spec {own} are incompatible");
            return Err(Error::new(ErrorKind::InvalidKeyUsage, why));
        }
        if asked.dry_run == Some(true) {
            let why = "only the nodes know whether they would sign";
            return Err(Error::new(ErrorKind::UnsupportedOperation, why));
        }
        let message = BASE64_STANDARD.decode(&asked.message);
        let message = message
            .map_err(|_| Error::new(ErrorKind::Serialization, "expected a message in base64"))?;
        let purpose = purpose(&key, algorithm, asked.message_type.as_deref(), &message)?;
        let kind = purpose.kind();
        let question = Asked::new(purpose).on_behalf(access_key).within(self.within);
        let made = self.backend.sign(key.id, &question).await?;
        if made.signed != question.purpose {
            return Err(Error::new(ErrorKind::KmsInternal, "something else was signed"));
        }
        tracing::info!(access_key, key = key.name, %kind, "signed");
        let signature = match algorithm.hash {
            Some(_) => der::ecdsa_signature(&made.bytes)?,
            None => made.bytes,
        };
        let signature = BASE64_STANDARD.encode(signature);
        let signing_algorithm = algorithm.signing;
        Ok(Signed { key_id: self.key_arn(&key), signature, signing_algorithm })
    }
}

impl core::fmt::Debug for Kms {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Kms").field("place", &self.place).finish_non_exhaustive()
    }
}

fn purpose(
    key: &Key,
    algorithm: Algorithm,
    message_type: Option<&str>,
    message: &[u8],
) -> Result<Purpose, Error> {
    if !(1..=MESSAGE).contains(&message.len()) {
        let why = format!("expected a message of 1 to {MESSAGE} bytes");
        return Err(Error::new(ErrorKind::Validation, why));
    }
    match (message_type.unwrap_or("RAW"), algorithm.hash) {
        ("RAW", hash) => Ok(sockets_backend::read(key, hash, message)?),
        ("DIGEST", Some(hash)) => digest(hash, message, algorithm),
        ("DIGEST" | "EXTERNAL_MU", _) => {
            let why = format!("{} signs the message itself: expected RAW", algorithm.signing);
            Err(Error::new(ErrorKind::InvalidKeyUsage, why))
        }
        (other, _) => {
            let why = format!("expected RAW or DIGEST as the MessageType, got {other:?}");
            Err(Error::new(ErrorKind::Validation, why))
        }
    }
}

fn digest(hash: Hash, digest: &[u8], algorithm: Algorithm) -> Result<Purpose, Error> {
    let purpose = OpaqueDigest::new(hash, digest).map_err(|_| {
        let why = format!("Digest is invalid length for algorithm {}.", algorithm.signing);
        Error::new(ErrorKind::Validation, why)
    })?;
    Ok(purpose.into())
}

fn usage(algorithm: Algorithm) -> Usage {
    let Algorithm { key_spec, signing, .. } = algorithm;
    Usage {
        key_usage: "SIGN_VERIFY",
        key_spec,
        customer_master_key_spec: key_spec,
        signing_algorithms: [signing],
    }
}

/// A part of a list. The marker is the id of the last key of the part before.
fn part(keys: Vec<(Key, Algorithm)>, asked: &List) -> Result<(Vec<(Key, Algorithm)>, Rest), Error> {
    let limit = match asked.limit {
        None => KEYS.0,
        Some(limit) => usize::try_from(limit)
            .ok()
            .filter(|limit| (1..=KEYS.1).contains(limit))
            .ok_or_else(|| {
                Error::new(ErrorKind::Validation, format!("expected a limit of 1 to {}", KEYS.1))
            })?,
    };
    let start = match &asked.marker {
        None => 0,
        Some(marker) => {
            let last = keys.iter().position(|(key, _)| key.id.to_string() == *marker);
            let unknown = || Error::new(ErrorKind::InvalidMarker, "the marker is not of this list");
            last.ok_or_else(unknown)?.saturating_add(1)
        }
    };
    let total = keys.len();
    let part: Vec<_> = keys.into_iter().skip(start).take(limit).collect();
    let truncated = start.saturating_add(part.len()) < total;
    let next_marker = part.last().filter(|_| truncated).map(|(key, _)| key.id.to_string());
    Ok((part, Rest { truncated, next_marker }))
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(body).map_err(|why| {
        let kind = if why.is_data() { ErrorKind::Validation } else { ErrorKind::Serialization };
        Error::new(kind, why.to_string())
    })
}

fn json(answer: &impl Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(answer).map_err(|why| Error::new(ErrorKind::KmsInternal, why.to_string()))
}
