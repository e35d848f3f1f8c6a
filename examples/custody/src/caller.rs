//! A requester: signs requests, hands them in, waits, and verifies what comes back with verifiers that are not Quorate's.
//!
//! A requester does not believe the gateway's word for a key: [`Trust`] says which keys it believes. A signature has to verify
//! under a key that the requester has derived from one of these.

use core::net::SocketAddr;
use core::time::Duration;
use std::time::Instant;

use ed25519_dalek::SigningKey;
use getrandom::SysRng;
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate_cggmp::DerivationPath;
use quorate_examples::failure::Failure;
use quorate_examples::verifiers;
use tokio::time::sleep;

use crate::change::{Change, SignedChange};
use crate::http::LONGEST_WAIT;
use crate::http::client::Client;
use crate::http::form::{ChangeForm, Form, Outcome, hex, unhex};
use crate::http::keys::{KeyForm, KeyList};
use crate::node::now;
use crate::request::{KeyId, Request, RequestKey, Scheme, SignedRequest};
use crate::trust::{Doubt, KnownKey, Trust};

/// For how long a request is good, in milliseconds.
const GOOD: u64 = 60_000;
/// Statements that are missing are asked for again after this.
const AGAIN: Duration = Duration::from_millis(300);

/// A key that signs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signer {
    /// The key.
    pub key_id: KeyId,
    /// Its scheme.
    pub scheme: Scheme,
    /// The path from the key to the one that signs.
    pub path: DerivationPath,
    /// The public key at the end of the path.
    pub public_key: Vec<u8>,
}

/// A signature under the key that was asked for. It was verified, if that was asked for, too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signed {
    /// The signature.
    pub signature: Vec<u8>,
    /// The key that has signed.
    pub public_key: Vec<u8>,
    /// The idempotency key of the request.
    pub key: RequestKey,
}

/// A requester at a gateway.
#[derive(Debug)]
pub struct Caller {
    client: Client,
    requester: SigningKey,
}

impl Caller {
    /// One with this key, at this gateway.
    #[must_use]
    pub fn new(address: SocketAddr, requester: &SigningKey) -> Self {
        let most = LONGEST_WAIT.saturating_add(Duration::from_secs(5));
        Self { client: Client::new(address, most), requester: requester.clone() }
    }

    /// Asks for a signature and waits for it, until the request is good no more.
    ///
    /// # Errors
    /// A [`Failure`] with the reason of a refusal, or if the signature is wrong.
    pub async fn sign(
        &mut self,
        signer: &Signer,
        message: &[u8],
        verify: bool,
    ) -> Result<Signed, Failure> {
        let key = RequestKey(random());
        let deadline = now().saturating_add(GOOD);
        let (key_id, scheme) = (signer.key_id, signer.scheme);
        let path = signer.path.clone();
        let request = Request { key, key_id, scheme, path, message: message.to_vec(), deadline };
        let form = serde_json::to_vec(&Form::new(&SignedRequest::new(request, &self.requester)))?;
        let wait = LONGEST_WAIT.as_millis();
        let mut answer = self.client.post(&format!("/v1/requests?wait_ms={wait}"), form).await?;
        loop {
            let outcome: Outcome = answer.json()?;
            match outcome.state.as_str() {
                "signed" => {
                    let signed = read(&outcome, key)?;
                    check_key(signer, &signed)?;
                    return if verify { check(signer, message, signed) } else { Ok(signed) };
                }
                "refused" => return Err(Failure::new(outcome.why.unwrap_or_default())),
                _ if now() > deadline.saturating_add(GOOD) => {
                    return Err(Failure::new("no answer within its time"));
                }
                _ => {}
            }
            let path = format!("/v1/requests/{}?wait_ms={wait}", hex(&key.0));
            answer = self.client.get(&path).await?;
        }
    }

    /// Orders new shares of a key; gives the epoch that they will have.
    ///
    /// # Errors
    /// A [`Failure`] with the reason of a refusal.
    pub async fn change(&mut self, change: Change) -> Result<u64, Failure> {
        let form = ChangeForm::new(&SignedChange::new(change, &self.requester));
        let answer = self.client.post("/v1/changes", serde_json::to_vec(&form)?).await?;
        let said: serde_json::Value = answer.json()?;
        let epoch = said.get("epoch").and_then(serde_json::Value::as_u64);
        epoch.ok_or_else(|| Failure::new(answer.problem()))
    }

    /// What the gateway shows of its keys, as JSON.
    ///
    /// # Errors
    /// A [`Failure`] if it does not answer.
    pub async fn keys(&mut self) -> Result<Vec<serde_json::Value>, Failure> {
        let status: serde_json::Value = self.client.get("/v1/status").await?.json()?;
        let keys = status.get("keys").and_then(serde_json::Value::as_array);
        Ok(keys.cloned().unwrap_or_default())
    }

    /// The keys at the gateway that the requester believes in, of those that it wants. If nodes have not stated a key yet, this
    /// waits for them as long as the requester's [`Trust`] says.
    ///
    /// # Errors
    /// A [`Failure`] if the gateway does not answer, or shows a key that the requester does not believe in.
    pub async fn known(
        &mut self,
        trust: &Trust,
        wants: impl Fn(Scheme) -> bool,
    ) -> Result<Vec<KnownKey>, Failure> {
        let since = Instant::now();
        let wanted = |form: &KeyForm| {
            // What has no name is shown to be damaged, not passed over.
            form.named().is_none_or(|(name, scheme)| trust.means(name) && wants(scheme))
        };
        loop {
            let shown: KeyList = self.client.get("/v1/keys").await?.json()?;
            let forms = shown.keys.iter().filter(|form| wanted(form));
            match forms.map(|form| trust.believe(form)).collect::<Result<Vec<_>, _>>() {
                Err(Doubt::TooFew { .. }) if since.elapsed() < trust.patience() => {}
                known => return Ok(known?),
            }
            sleep(AGAIN).await;
        }
    }

    /// Gives the same keys, ready to sign.
    ///
    /// # Errors
    /// As [`known`](Self::known).
    pub async fn signers(
        &mut self,
        trust: &Trust,
        wants: impl Fn(Scheme) -> bool,
    ) -> Result<Vec<Signer>, Failure> {
        let known = self.known(trust, wants).await?;
        let root = DerivationPath::default();
        Ok(known.iter().map(|key| key.signer(&root)).collect::<Result<_, _>>()?)
    }
}

fn read(outcome: &Outcome, key: RequestKey) -> Result<Signed, Failure> {
    let bytes = |text: &Option<String>| text.as_deref().and_then(unhex);
    let both = bytes(&outcome.signature).zip(bytes(&outcome.public_key));
    let (signature, public_key) = both.ok_or_else(|| Failure::new("the answer is damaged"))?;
    Ok(Signed { signature, public_key, key })
}

/// Compares the key that the gateway names with the one that was asked for, which the requester knows already.
fn check_key(signer: &Signer, signed: &Signed) -> Result<(), Failure> {
    if signer.public_key == signed.public_key {
        return Ok(());
    }
    let (expected, got) = (hex(&signer.public_key), hex(&signed.public_key));
    Err(Failure::new(format!("another key has signed: expected {expected}, got {got}")))
}

/// Verifies a signature of this message under the key, as others see it.
fn check(signer: &Signer, message: &[u8], signed: Signed) -> Result<Signed, Failure> {
    let good = match signer.scheme {
        Scheme::Ed25519 => verifiers::ed25519(&signer.public_key, message, &signed.signature),
        Scheme::Ecdsa => {
            let compact = signed.signature.get(..64).unwrap_or_default();
            verifiers::ecdsa_secp256k1(&signer.public_key, message, compact)
        }
    };
    if good { Ok(signed) } else { Err(Failure::new("the signature does not verify")) }
}

/// Random bytes.
fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    UnwrapErr(SysRng).fill_bytes(&mut bytes);
    bytes
}
