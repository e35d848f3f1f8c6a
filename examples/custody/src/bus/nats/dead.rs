//! The dead letters at the broker, counted by their senders.

use core::time::Duration;
use std::collections::BTreeMap;

use quorate_examples::failure::Failure;
use tokio::time::timeout;

use super::access::{Access, context};
use super::keeper::INBOX;
use crate::bus::{Peer, subjects};

/// The letters that are looked at, the latest ones.
const LOOKED_AT: u64 = 500;
/// The broker answers within this, or it is not asked further.
const PATIENCE: Duration = Duration::from_secs(5);

/// The dead letters that the broker keeps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeadLetters {
    /// All of them.
    pub total: u64,
    /// Of the latest 500 those of each sender, whose name stands in the subject: how many, and why the latest was refused. What
    /// the server says of deliveries that came too often is no letter.
    pub senders: BTreeMap<Peer, (u64, String)>,
}

/// Reads them with the keeper's rights: its NKey is what opens them.
///
/// # Errors
/// A [`Failure`] if the broker does not answer.
pub async fn dead_letters(access: &Access, seed: &str) -> Result<DeadLetters, Failure> {
    let read = timeout(PATIENCE, read(access, seed)).await;
    read.map_err(|_| Failure::new("the broker does not answer"))?
}

async fn read(access: &Access, seed: &str) -> Result<DeadLetters, Failure> {
    let client = access.options(seed, INBOX)?.connect(access.url.clone()).await?;
    let stream = context(client).get_stream(subjects::DEAD_STREAM).await?;
    let state = &stream.cached_info().state;
    let mut dead = DeadLetters { total: state.messages, ..DeadLetters::default() };
    if state.messages == 0 {
        return Ok(dead);
    }
    let first = state.first_sequence.max(state.last_sequence.saturating_sub(LOOKED_AT - 1));
    for sequence in first..=state.last_sequence {
        // One that has gone meanwhile is none.
        let Ok(letter) = stream.get_raw_message(sequence).await else { continue };
        let header = |name: &str| letter.headers.get(name).map(ToString::to_string);
        let Some(sender) = header("Subject").as_deref().and_then(subjects::sender) else {
            continue;
        };
        let (count, why) = dead.senders.entry(sender).or_default();
        *count = count.saturating_add(1);
        *why = header("Reason").unwrap_or_default();
    }
    Ok(dead)
}
