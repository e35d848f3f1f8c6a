//! A committee behind the signing service.

mod attempts;
mod failed;
mod open;
mod pins;
mod question;

use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};
use std::time::Instant;

use custody_client::{Client, ClientError};
use custody_core::{
    KeyId, KeySpec, Reason, RequestDescription, RequestState, Sign, SignatureDescription,
};
use quorate_envelope::Directory;
use quorate_purpose::Purpose;

use crate::backend::{Asked, Backend, Reply, Signature};
use crate::failure::Failure;
use crate::key::Key;
use attempts::Attempts;
use failed::failed;
use open::Open;
pub use pins::{Folder, Pinned};
use question::Question;

/// The time in which all members certify a new key.
const CREATION: Duration = Duration::from_secs(300);

/// The signing service, as one caller with pinned keys.
///
/// The nonce of each request is a hash of the question, so the service does a question once however often it is asked. A
/// question that ended without a signature is asked again under the next nonce.
#[derive(Debug)]
pub struct Service {
    client: Client,
    administrator: Option<Administrator>,
    keys: RwLock<BTreeMap<KeyId, Pinned>>,
    attempts: Attempts,
    open: Open,
}

/// The way to new keys: without one a [`Service`] makes none.
#[derive(Debug)]
pub struct Administrator {
    /// A client with the role `administer`.
    pub client: Client,
    /// The directory of the cluster, by which certificates of new keys are verified.
    pub directory: Directory,
    /// The folder in which new keys are pinned, if they outlive the process.
    pub folder: Option<Folder>,
}

impl Service {
    /// A service with these keys.
    #[must_use]
    pub fn new(client: Client, keys: impl IntoIterator<Item = Pinned>) -> Self {
        let keys = keys.into_iter().map(|pinned| (pinned.key.id(), pinned)).collect();
        let (keys, attempts, open) = (RwLock::new(keys), Attempts::default(), Open::default());
        Self { client, administrator: None, keys, attempts, open }
    }

    /// Lets the socket make keys.
    #[must_use]
    pub fn with_administrator(self, administrator: Administrator) -> Self {
        Self { administrator: Some(administrator), ..self }
    }

    fn pinned(&self, key: KeyId) -> Option<Pinned> {
        self.keys.read().unwrap_or_else(PoisonError::into_inner).get(&key).cloned()
    }

    async fn make(&self, spec: &KeySpec) -> Result<Key, Failure> {
        let Some(Administrator { client, directory, folder }) = &self.administrator else {
            return Err(Failure::Unsupported("this socket makes no keys".to_owned()));
        };
        let made = client.create_key(spec, directory, CREATION).await;
        let key = made.map_err(|why| failed(why, None))?;
        let pinned = Pinned::new(spec, key);
        if let Some(folder) = folder {
            folder.write(&pinned)?;
        }
        let described = pinned.describe()?;
        self.keys.write().unwrap_or_else(PoisonError::into_inner).insert(described.id, pinned);
        Ok(described)
    }

    async fn ask(&self, key: KeyId, asked: &Asked) -> Result<Signature, Failure> {
        let pinned = self.pinned(key).ok_or(Failure::UnknownKey(key))?;
        let described = pinned.describe()?;
        if !described.allows(asked.purpose.kind()) {
            let (name, kind) = (&described.name, asked.purpose.kind());
            return Err(Failure::WrongPurpose(format!("{name} does not sign {kind}")));
        }
        let question = Question::new(key, asked);
        self.open.begin(question, asked)?;
        let answer = self.answer(&pinned, question, asked).await;
        self.open.end(&question, asked);
        answer
    }

    async fn answer(
        &self,
        pinned: &Pinned,
        question: Question,
        asked: &Asked,
    ) -> Result<Signature, Failure> {
        let (key, since) = (pinned.key.id(), Instant::now());
        loop {
            let left = asked.within.saturating_sub(since.elapsed());
            if left.is_zero() {
                let why = "the earlier requests with this content ended without a signature";
                return Err(Failure::Expired(why.to_owned()));
            }
            let attempt = self.attempts.current(&question);
            let nonce = question.nonce(attempt);
            let request = question.request(asked, &nonce, left);
            match self.client.sign(&pinned.key, &asked.purpose, &request).await {
                Ok(made) => return Ok(signature(made, asked.purpose.clone())),
                Err(ClientError::Problem(why)) if why.reason() == Some(Reason::RequestConflict) => {
                }
                // Another gateway has had it signed, with another time stamp.
                Err(ClientError::SignedBefore(done)) => {
                    let RequestDescription { signature: Some(made), signed, .. } = *done else {
                        return Err(Failure::Broken("a signature is missing".to_owned()));
                    };
                    return answer_again(pinned, (asked, &request), made, &signed.body);
                }
                Err(why) => return Err(failed(why, Some(key))),
            }
            // The question was asked before: its request has the answer, will have it, or has ended without one.
            let left = asked.within.saturating_sub(since.elapsed());
            let request_id = self.client.request_id(&nonce);
            let earlier = self.client.end_of(request_id, left).await;
            let earlier = earlier.map_err(|why| failed(why, Some(key)))?;
            match earlier {
                RequestDescription {
                    state: RequestState::Done,
                    signature: Some(made),
                    signed,
                    ..
                } => {
                    return answer_again(pinned, (asked, &request), made, &signed.body);
                }
                _ => self.attempts.next(&question, attempt),
            }
        }
    }
}

/// The signature of an earlier request for the same question.
fn answer_again(
    pinned: &Pinned,
    (asked, request): (&Asked, &custody_client::Asked),
    made: SignatureDescription,
    body: &[u8],
) -> Result<Signature, Failure> {
    let broken =
        |why: &dyn core::fmt::Display| Failure::Broken(format!("an earlier request: {why}"));
    let body: Sign = serde_json::from_slice(body).map_err(|why| broken(&why))?;
    let signed = Purpose::from_bytes(&body.purpose).map_err(|why| broken(&why))?;
    question::check_same(asked, &signed)?;
    let made = pinned.key.verify(&signed, request, made);
    Ok(signature(made.map_err(|why| failed(why, Some(pinned.key.id())))?, signed))
}

fn signature(made: custody_client::Signature, signed: Purpose) -> Signature {
    Signature { bytes: made.bytes, recovery_id: made.recovery_id, signed }
}

impl Backend for Service {
    fn keys(&self) -> Reply<'_, Vec<Key>> {
        Box::pin(async {
            let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
            let mut keys = keys.values().map(Pinned::describe).collect::<Result<Vec<_>, _>>()?;
            keys.sort_by(|a, b| (&a.name, a.id).cmp(&(&b.name, b.id)));
            Ok(keys)
        })
    }

    fn create<'a>(&'a self, spec: &'a KeySpec) -> Reply<'a, Key> {
        Box::pin(self.make(spec))
    }

    fn sign<'a>(&'a self, key: KeyId, asked: &'a Asked) -> Reply<'a, Signature> {
        Box::pin(self.ask(key, asked))
    }
}
