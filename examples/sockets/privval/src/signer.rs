//! The answers of the signer.

use core::time::Duration;
use std::sync::Arc;

use custody_core::Scheme;
use futures_util::future::join;
use quorate_purpose::comet::Proposal;
use quorate_purpose::{Kind, Purpose};
use sockets_backend::{Asked, Backend, Failure, Key, Signature};

use crate::message::{Answer, RemoteError, Request};
use crate::vote::{SignedProposal, SignedVote, VoteRequest};

/// CometBFT's number for an answer that came too late.
const TOO_LATE: u32 = 4;

/// The signer of one validator.
pub struct Signer {
    backend: Arc<dyn Backend>,
    key: String,
    chain: Option<String>,
    within: Duration,
}

impl Signer {
    /// The time for a signature, unless a configuration has another: a node waits for five seconds.
    pub const WITHIN: Duration = Duration::from_secs(4);

    /// A signer with the key of this name, for every chain that the policy allows.
    #[must_use]
    pub fn new(backend: Arc<dyn Backend>, key: impl Into<String>) -> Self {
        Self { backend, key: key.into(), chain: None, within: Self::WITHIN }
    }

    /// Signs for this chain alone.
    #[must_use]
    pub fn for_chain(self, chain: impl Into<String>) -> Self {
        Self { chain: Some(chain.into()), ..self }
    }

    /// Sets the time for a signature.
    #[must_use]
    pub fn within(self, within: Duration) -> Self {
        Self { within, ..self }
    }

    /// The public key of the validator, of Ed25519.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if the backend has no such key yet, [`Failure::WrongPurpose`] if it signs no votes.
    pub async fn public_key(&self) -> Result<[u8; 32], Failure> {
        let key = self.key().await?;
        let bytes = key.public_key.as_slice().try_into();
        bytes.map_err(|_| Failure::Broken("the public key has not 32 bytes".to_owned()))
    }

    /// Answers a request. The reason of a refusal is in the answer, and in the log.
    pub async fn answer(&self, request: Request) -> Answer {
        match request {
            Request::Ping => Answer::Ping,
            Request::PubKey { chain } => {
                let key = match self.check_chain(&chain) {
                    Ok(()) => self.public_key().await,
                    Err(why) => Err(why),
                };
                Answer::PubKey(key.map_err(|why| refused("the public key", &why)))
            }
            Request::SignVote(request) => {
                let what = describe(request.vote.place(), "vote");
                let signed = self.vote(*request).await.map(Box::new);
                Answer::Vote(signed.map_err(|why| refused(&what, &why)))
            }
            Request::SignProposal(proposal) => {
                let what = describe(proposal.place(), "proposal");
                let signed = self.proposal(*proposal).await.map(Box::new);
                Answer::Proposal(signed.map_err(|why| refused(&what, &why)))
            }
            Request::SignBytes => {
                let why = "bytes that nobody can read are not signed with a validator's key";
                Answer::Bytes(refused("bytes", &Failure::Unsupported(why.to_owned())))
            }
        }
    }

    /// Signs a vote, and its extension at the same time.
    async fn vote(&self, mut request: VoteRequest) -> Result<SignedVote, Failure> {
        self.check_chain(request.vote.place().chain())?;
        let key = self.key().await?;
        let extension = request.to_extend().map_err(|why| Failure::Malformed(why.to_string()))?;
        let of_extension = async {
            match extension {
                Some(extension) => self.sign(&key, extension).await.map(|made| made.bytes),
                None => Ok(vec![]),
            }
        };
        let (made, extension) = join(self.sign(&key, request.vote), of_extension).await;
        // A vote that contradicts another is the reason that counts.
        let Signature { bytes: signature, signed, .. } = made?;
        let Purpose::CometVote(vote) = signed else { return Err(other_content()) };
        request.vote = vote;
        Ok(SignedVote { request, signature, extension_signature: extension? })
    }

    async fn proposal(&self, proposal: Proposal) -> Result<SignedProposal, Failure> {
        self.check_chain(proposal.place().chain())?;
        let made = self.sign(&self.key().await?, proposal).await?;
        let Purpose::CometProposal(proposal) = made.signed else { return Err(other_content()) };
        Ok(SignedProposal { proposal, signature: made.bytes })
    }

    async fn sign(&self, key: &Key, purpose: impl Into<Purpose>) -> Result<Signature, Failure> {
        self.backend.sign(key.id, &Asked::new(purpose).within(self.within)).await
    }

    async fn key(&self) -> Result<Key, Failure> {
        let keys = self.backend.keys().await?;
        let named = keys.into_iter().find(|key| key.name == self.key);
        let key = named.ok_or_else(|| {
            Failure::Unsupported(format!("there is no key {:?}, or not yet", self.key))
        })?;
        if key.scheme == Scheme::Ed25519 && key.allows(Kind::CometVote) {
            return Ok(key);
        }
        let why = "expected a key of Ed25519 that signs votes of validators";
        Err(Failure::WrongPurpose(why.to_owned()))
    }

    fn check_chain(&self, chain: &str) -> Result<(), Failure> {
        match &self.chain {
            Some(own) if own != chain => {
                let why = format!("this signer is for the chain {own:?}, and not for {chain:?}");
                Err(Failure::Refused(why))
            }
            _ => Ok(()),
        }
    }
}

fn other_content() -> Failure {
    Failure::Broken("the committee has signed another content".to_owned())
}

fn describe(place: &quorate_purpose::comet::Place, what: &str) -> String {
    format!("a {what} of {} at {}/{}", place.chain(), place.height(), place.round())
}

fn refused(what: &str, why: &Failure) -> RemoteError {
    tracing::warn!(what, %why, "not signed");
    let code = if why.is_retryable() { TOO_LATE } else { 0 };
    RemoteError { code, description: why.to_string() }
}

impl core::fmt::Debug for Signer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Signer").field("key", &self.key).finish_non_exhaustive()
    }
}
