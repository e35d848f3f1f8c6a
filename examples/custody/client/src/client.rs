//! The operations of the service.

use core::fmt;
use core::time::Duration;
use std::time::{SystemTime, UNIX_EPOCH};

use custody_core::{
    Approve, Child, DerivationPath, KeyDescription, KeyId, KeyList, KeySpec, MerkleRoot,
    Parameters, PartyId, Problem, Replenish, RequestDescription, RequestId, RequestList,
    RequestState, Reshare, ScheduleDeletion, Sign, SignedRequest, UnsignedRequest, Verified,
};
use getrandom::SysRng;
use getrandom::rand_core::TryRng as _;
use quorate_envelope::Directory;
use quorate_purpose::{Message, Purpose};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::sleep;

use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::pinned::PinnedKey;
use crate::secret::CallerSecret;
use crate::verify::{Signature, verify};

/// For how many seconds the service waits for a result before it answers.
const WAIT: u16 = 20;
/// The longest time for an answer, which includes the wait.
const PATIENCE: Duration = Duration::from_secs(50);
/// The time for requests that only read.
const READ: Duration = Duration::from_secs(60);
/// The first and the longest pause before a request is repeated.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// A client of the service, as one caller.
#[derive(Debug)]
pub struct Client {
    endpoint: Endpoint,
    secret: CallerSecret,
    key_id: String,
    cluster: String,
    on_delay: fn(&ClientError),
}

/// A change of a key: see the operations of the same names.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the operations of the service have the same names")]
pub enum Change {
    Refresh,
    Reshare(Reshare),
    Disable,
    Enable,
    ScheduleDeletion(ScheduleDeletion),
    CancelDeletion,
    Replenish(Replenish),
}

/// The circumstances of a request for a signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// The path to the child key that signs; the key itself if there is none.
    pub path: Option<DerivationPath>,
    /// The Merkle root of the scripts that the output commits to (BIP-341), for keys of Taproot alone. Without one it has no scripts.
    pub merkle_root: Option<MerkleRoot>,
    /// The person or service that the caller acts for.
    pub on_behalf: Option<String>,
    /// The context string of FIPS 204 under which a key of ML-DSA signs: at most 255 bytes. Empty for other keys.
    pub context: Vec<u8>,
    /// The time for the request, with approvals. Seven days at most.
    pub within: Duration,
    /// The idempotency key: 16 to 128 letters, digits or characters of `-._~+/=`; a random one if there is none.
    pub nonce: Option<String>,
}

impl Default for Asked {
    fn default() -> Self {
        let (path, merkle_root, on_behalf, context, nonce) = <_>::default();
        let within = Duration::from_secs(60);
        Self { path, merkle_root, on_behalf, context, within, nonce }
    }
}

impl Asked {
    /// The child that signs.
    pub(crate) fn child(&self) -> Child {
        let (path, merkle_root) = (self.path.clone().unwrap_or_default(), self.merkle_root);
        Child { path, merkle_root }
    }
}

impl Client {
    /// A client at this address, of the cluster with this name. Every request names it, so no other cluster takes the request.
    #[must_use]
    pub fn new(endpoint: Endpoint, secret: CallerSecret, cluster: &str) -> Self {
        let (key_id, cluster) = (secret.public().id(), cluster.to_owned());
        Self { endpoint, secret, key_id, cluster, on_delay: |_| {} }
    }

    /// Calls a function when a request has to be repeated, with the reason: once for each reason that differs from the one before.
    #[must_use]
    pub fn on_delay(self, on_delay: fn(&ClientError)) -> Self {
        Self { on_delay, ..self }
    }

    /// Makes a key, waits for the certificate of all its members, and pins the key.
    ///
    /// # Errors
    /// A [`ClientError`].
    pub async fn create_key(
        &self,
        spec: &KeySpec,
        directory: &Directory,
        within: Duration,
    ) -> Result<PinnedKey, ClientError> {
        let made = self.post("/v1/keys", json(spec)?, within).await?;
        let key = made
            .key
            .ok_or_else(|| ClientError::Answer("a key was made, and has no id".to_owned()))?;
        let (pinned, certified) = self.certified(key, directory, within).await?;
        if certified == *spec { Ok(pinned) } else { Err(ClientError::OtherKey("specification")) }
    }

    /// Verifies the certificate of a key, and pins the key.
    ///
    /// # Errors
    /// A [`ClientError`].
    pub async fn pin(&self, key: KeyId, directory: &Directory) -> Result<PinnedKey, ClientError> {
        self.certified(key, directory, READ).await.map(|(pinned, _)| pinned)
    }

    /// Has a purpose signed, and verifies the signature.
    ///
    /// # Errors
    /// A [`ClientError`]. [`ClientError::Key`] if the purpose spends an output of another key by Taproot's key path, among others.
    pub async fn sign(
        &self,
        key: &PinnedKey,
        purpose: &Purpose,
        asked: &Asked,
    ) -> Result<Signature, ClientError> {
        let child = asked.child();
        let (public_key, message) = signed_by(key, purpose, &child)?;
        let (on_behalf, context) = (asked.on_behalf.clone(), asked.context.clone());
        let (purpose, Child { path, merkle_root }) = (purpose.to_bytes(), child);
        let body = Sign { purpose, path, merkle_root, on_behalf, context };
        let target = format!("/v1/keys/{}/sign?wait={WAIT}", key.id());
        let nonce = asked.nonce.clone().map_or_else(nonce, Ok)?;
        let request = self.signed("POST", &target, json(&body)?, &nonce, asked.within)?;
        let done = self.done(&request, asked.within).await?;
        let given = done.signature.clone().ok_or_else(|| {
            ClientError::Answer("it is done, and there is no signature".to_owned())
        })?;
        let made = verify(key.scheme(), public_key, (&message, &asked.context), given);
        made.map_err(|why| match why {
            ClientError::Signature(_) if done.signed.body != request.body => {
                ClientError::SignedBefore(Box::new(done))
            }
            other => other,
        })
    }

    /// The id of this caller's request with a nonce.
    #[must_use]
    pub fn request_id(&self, nonce: &str) -> RequestId {
        RequestId::of(&self.key_id, nonce)
    }

    /// Waits for the end of a request, whatever it is, and describes it. Nothing in the description is verified: see
    /// [`PinnedKey::verify`].
    ///
    /// # Errors
    /// A [`ClientError`]. [`ClientError::Ended`] if the request has not ended in time.
    pub async fn end_of(
        &self,
        request: RequestId,
        within: Duration,
    ) -> Result<RequestDescription, ClientError> {
        let target = format!("/v1/requests/{request}?wait={WAIT}");
        let read = self.signed("GET", &target, vec![], &nonce()?, within.min(READ))?;
        answer(&self.repeated(&read, within.min(READ), |status, _| status == 200).await?)
    }

    /// Approves a request that the approver has verified by its own list of callers, and looked at.
    ///
    /// # Errors
    /// A [`ClientError`].
    pub async fn approve(&self, seen: &Verified) -> Result<RequestDescription, ClientError> {
        let body = Approve { digest: seen.digest };
        self.post(&format!("/v1/requests/{}/approve", seen.id), json(&body)?, READ).await
    }

    /// Cancels a request that has no result yet.
    ///
    /// # Errors
    /// A [`ClientError`].
    pub async fn cancel(&self, request: RequestId) -> Result<RequestDescription, ClientError> {
        self.post(&format!("/v1/requests/{request}/cancel"), vec![], READ).await
    }

    /// Changes a key.
    ///
    /// # Errors
    /// A [`ClientError`].
    pub async fn change(
        &self,
        key: KeyId,
        change: &Change,
        within: Duration,
    ) -> Result<RequestDescription, ClientError> {
        let (action, body) = match change {
            Change::Refresh => ("refresh", None),
            Change::Reshare(to) => ("reshare", Some(json(to)?)),
            Change::Disable => ("disable", None),
            Change::Enable => ("enable", None),
            Change::ScheduleDeletion(deletion) => ("schedule-deletion", Some(json(deletion)?)),
            Change::CancelDeletion => ("cancel-deletion", None),
            Change::Replenish(to) => ("replenish", Some(json(to)?)),
        };
        self.post(&format!("/v1/keys/{key}/{action}"), body.unwrap_or_default(), within).await
    }

    /// Describes a key. Nothing in it is verified: see [`pin`](Self::pin).
    ///
    /// # Errors
    /// A [`ClientError`].
    pub async fn key(&self, key: KeyId) -> Result<KeyDescription, ClientError> {
        self.get(&format!("/v1/keys/{key}")).await
    }

    /// Lists keys.
    ///
    /// # Errors
    /// A [`ClientError`].
    pub async fn keys(&self, after: Option<KeyId>) -> Result<KeyList, ClientError> {
        self.get(&part("/v1/keys", after)).await
    }

    /// Lists requests without a result.
    ///
    /// # Errors
    /// A [`ClientError`].
    pub async fn requests(&self, after: Option<RequestId>) -> Result<RequestList, ClientError> {
        self.get(&part("/v1/requests", after)).await
    }

    /// Describes a request.
    ///
    /// # Errors
    /// A [`ClientError`].
    pub async fn request(&self, request: RequestId) -> Result<RequestDescription, ClientError> {
        self.get(&format!("/v1/requests/{request}")).await
    }

    /// Exports a part of a node's log, a line of JSON for each entry.
    ///
    /// # Errors
    /// A [`ClientError`].
    pub async fn audit(&self, node: PartyId, after: Option<u64>) -> Result<String, ClientError> {
        let request = self.signed(
            "GET",
            &part(&format!("/v1/audit/{node}"), after),
            vec![],
            &nonce()?,
            READ,
        )?;
        let body = self.repeated(&request, READ, |status, _| status == 200).await?;
        String::from_utf8(body).map_err(|why| ClientError::Answer(why.to_string()))
    }

    /// The key of a certificate that verifies, and its specification.
    async fn certified(
        &self,
        key: KeyId,
        directory: &Directory,
        within: Duration,
    ) -> Result<(PinnedKey, KeySpec), ClientError> {
        let request =
            self.signed("GET", &format!("/v1/keys/{key}"), vec![], &nonce()?, within.min(READ))?;
        let is_certified = |status, body: &[u8]| {
            status == 200
                && serde_json::from_slice(body)
                    .is_ok_and(|key: KeyDescription| key.certificate.is_some())
        };
        let body = self.repeated(&request, within.min(READ), is_certified).await?;
        let certificate = answer::<KeyDescription>(&body)?.certificate.unwrap_or_default();
        let (pinned, spec) = PinnedKey::from_certificate(&certificate, directory)?;
        if pinned.id() == key { Ok((pinned, spec)) } else { Err(ClientError::OtherKey("key")) }
    }

    async fn post(
        &self,
        path: &str,
        body: Vec<u8>,
        within: Duration,
    ) -> Result<RequestDescription, ClientError> {
        let target = format!("{path}?wait={WAIT}");
        self.done(&self.signed("POST", &target, body, &nonce()?, within)?, within).await
    }

    async fn get<T: DeserializeOwned>(&self, target: &str) -> Result<T, ClientError> {
        let request = self.signed("GET", target, vec![], &nonce()?, READ)?;
        let body =
            self.repeated(&request, READ, |status, _| status == 200 || status == 202).await?;
        answer(&body)
    }

    fn signed(
        &self,
        method: &str,
        target: &str,
        body: Vec<u8>,
        nonce: &str,
        within: Duration,
    ) -> Result<SignedRequest, ClientError> {
        let created = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let expires = created.saturating_add(within.as_secs());
        let (key_id, cluster) = (self.key_id.as_str(), Some(self.cluster.as_str()));
        let parameters = Parameters { key_id, nonce, cluster, created, expires };
        let unsigned = UnsignedRequest::new(method, target, body, &parameters)?;
        let signature = self.secret.sign(unsigned.signature_base());
        Ok(unsigned.with_signature(&signature))
    }

    /// Repeats a request until it is done.
    async fn done(
        &self,
        request: &SignedRequest,
        within: Duration,
    ) -> Result<RequestDescription, ClientError> {
        let body = self.repeated(request, within, |status, _| status == 200).await?;
        let description: RequestDescription = answer(&body)?;
        match description.state {
            RequestState::Done => Ok(description),
            state => Err(description
                .problem
                .map_or(ClientError::Ended(state), |problem| ClientError::Problem(problem.into()))),
        }
    }

    /// Tells why a request is repeated, unless it was told before.
    fn tell(&self, told: &mut Option<ClientError>, why: ClientError) {
        if told.as_ref() != Some(&why) {
            (self.on_delay)(&why);
            *told = Some(why);
        }
    }

    /// Repeats a request, byte for byte, until there is the response that the caller looks for, or a problem that stays.
    async fn repeated(
        &self,
        request: &SignedRequest,
        within: Duration,
        found: impl Fn(u16, &[u8]) -> bool,
    ) -> Result<Vec<u8>, ClientError> {
        let since = tokio::time::Instant::now();
        let mut pause = PAUSES.0;
        let mut told = None;
        loop {
            let longest = within.saturating_sub(since.elapsed()).min(PATIENCE);
            let failure = match self.endpoint.send(request, longest).await {
                Ok((status, body)) if found(status.as_u16(), &body) => {
                    return Ok(body.into());
                }
                Ok((status, body)) if status.is_success() => {
                    pause = PAUSES.0;
                    let (state, why) = pending(&body);
                    if let Some(why) = why {
                        self.tell(&mut told, ClientError::Problem(why.into()));
                    }
                    ClientError::Ended(state)
                }
                Ok((status, body)) => match answer::<Problem>(&body) {
                    Ok(problem) if problem.retryable => ClientError::Problem(problem.into()),
                    Ok(problem) => return Err(ClientError::Problem(problem.into())),
                    // Of a proxy.
                    Err(_) if status.is_server_error() => {
                        ClientError::Unreachable(format!("status {status}"))
                    }
                    Err(why) => return Err(why),
                },
                Err(failure @ ClientError::Endpoint(_)) => return Err(failure),
                Err(failure) => failure,
            };
            if since.elapsed().saturating_add(pause) >= within {
                return Err(failure);
            }
            if !matches!(failure, ClientError::Ended(_)) {
                self.tell(&mut told, failure);
            }
            sleep(pause).await;
            pause = pause.saturating_mul(2).min(PAUSES.1);
        }
    }
}

/// The public key of a child, and the message that it signs for a purpose.
pub(crate) fn signed_by(
    key: &PinnedKey,
    purpose: &Purpose,
    child: &Child,
) -> Result<(Vec<u8>, Message), ClientError> {
    let public_key = key.public_key(child)?;
    let message = purpose.message(key.scheme().key_kind());
    let message = message.map_err(|why| ClientError::Key(why.to_string()))?;
    check_spent(purpose, &public_key)?;
    Ok((public_key, message))
}

/// Refuses to spend an output of another key by Taproot's key path: the signature would verify, and spend nothing.
fn check_spent(purpose: &Purpose, public_key: &[u8]) -> Result<(), ClientError> {
    let facts = purpose.facts();
    let spent = facts.bytes("output_key").filter(|_| facts.text("path") == Some("taproot-key"));
    if spent.is_none_or(|spent| spent == public_key) {
        return Ok(());
    }
    let why = "the output that is spent has another key: compare the path and the Merkle root";
    Err(ClientError::Key(why.to_owned()))
}

/// The state of a request without a result, and why it has none.
fn pending(body: &[u8]) -> (RequestState, Option<Problem>) {
    match serde_json::from_slice(body) {
        Ok(RequestDescription { state, problem, .. }) => (state, problem),
        Err(_) => (RequestState::Pending, None),
    }
}

/// The target of a part of a list.
fn part(path: &str, after: Option<impl fmt::Display>) -> String {
    after.map_or_else(|| path.to_owned(), |after| format!("{path}?after={after}"))
}

fn json(body: &impl Serialize) -> Result<Vec<u8>, ClientError> {
    serde_json::to_vec(body).map_err(|why| ClientError::Answer(why.to_string()))
}

fn answer<T: DeserializeOwned>(body: &[u8]) -> Result<T, ClientError> {
    serde_json::from_slice(body).map_err(|why| ClientError::Answer(why.to_string()))
}

/// A random nonce: 32 hexadecimal digits.
fn nonce() -> Result<String, ClientError> {
    let mut bytes = [0; 16];
    SysRng.try_fill_bytes(&mut bytes).map_err(|_| ClientError::Secret("no randomness"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
