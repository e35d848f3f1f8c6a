//! Questions for a signature: which of them are the same.

use core::time::Duration;

use custody_core::KeyId;
use quorate_purpose::{Kind, Purpose, Watermark};
use sha2::{Digest as _, Sha256};

use crate::backend::Asked;
use crate::failure::Failure;

const DOMAIN: &[u8] = b"quorate sockets question v1\0";

/// A hash of what makes a question the same as another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Question([u8; 32]);

impl Question {
    pub(super) fn new(key: KeyId, asked: &Asked) -> Self {
        let on_behalf = asked.on_behalf.as_deref().map(str::as_bytes);
        let content = content(&asked.purpose);
        let is_named = [u8::from(on_behalf.is_some())];
        let mut hash = Sha256::new_with_prefix(DOMAIN);
        // Each part has one length, so no two lists of parts are the same bytes.
        for part in [&content, on_behalf.unwrap_or_default(), &asked.context] {
            hash.update(Sha256::digest(part));
        }
        Self(hash.chain_update(is_named).chain_update(key.as_bytes()).finalize().into())
    }

    /// The nonce of an attempt: 64 hexadecimal digits.
    pub(super) fn nonce(&self, attempt: u32) -> String {
        let hash = Sha256::new_with_prefix(self.0).chain_update(attempt.to_be_bytes()).finalize();
        hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The circumstances of the request.
    pub(super) fn request(
        &self,
        asked: &Asked,
        nonce: &str,
        within: Duration,
    ) -> custody_client::Asked {
        custody_client::Asked {
            on_behalf: asked.on_behalf.clone(),
            context: asked.context.clone(),
            // A deadline is in whole seconds.
            within: within.max(Duration::from_secs(1)),
            nonce: Some(nonce.to_owned()),
            ..custody_client::Asked::default()
        }
    }
}

/// The bytes that make a content the same as another: for votes and proposals chain, height, round and step, without the value
/// and the time stamp.
fn content(purpose: &Purpose) -> Vec<u8> {
    let Some(place) = place(purpose) else { return purpose.to_bytes() };
    let mut bytes = vec![purpose.kind().code()];
    bytes.extend(place.mark().order.0.map(u64::to_be_bytes).as_flattened());
    bytes.extend(place.slot().as_bytes());
    bytes
}

/// The place of a vote or proposal. Other contents with a watermark carry no time stamp that a consumer changes in a retry.
fn place(purpose: &Purpose) -> Option<Watermark> {
    let is_vote = matches!(purpose.kind(), Kind::CometVote | Kind::CometProposal);
    purpose.watermark().filter(|_| is_vote)
}

/// Checks that an earlier request was for the same content, but for a time stamp of a vote.
pub(super) fn check_same(asked: &Asked, signed: &Purpose) -> Result<(), Failure> {
    if asked.purpose == *signed {
        return Ok(());
    }
    match (place(&asked.purpose), place(signed)) {
        (Some(new), Some(old)) if new == old => Ok(()),
        (Some(new), Some(_)) => {
            let order = new.mark().order;
            Err(Failure::Conflict(format!("another value was signed at {order}")))
        }
        _ => Err(Failure::Broken("the service has another content under this nonce".to_owned())),
    }
}
