//! Callers that send requests, several at a time, and account for the end of each.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use custody_client::{Asked, Client, ClientError, PinnedKey};
use custody_core::Scheme;
use quorate_purpose::Purpose;
use tokio::task::JoinSet;

use crate::work::{message, payment};

/// Callers that send requests to sign under several keys in turns.
#[derive(Debug)]
pub struct Load {
    client: Client,
    keys: Vec<PinnedKey>,
    requests: u32,
    within: Duration,
    name: String,
    next: AtomicU32,
    released: AtomicU32,
    done: AtomicU32,
}

/// The ends of requests. The client has verified every signature with a verifier that is not Quorate's.
#[derive(Clone, Default, Debug)]
pub struct Ends {
    /// The numbers of the requests that were signed, with the times that they took.
    pub signed: BTreeMap<u32, Duration>,
    /// The requests that ended without a signature, with the reasons.
    pub refused: BTreeMap<u32, String>,
    /// The requests without an end.
    pub lost: BTreeMap<u32, String>,
}

impl Load {
    /// Requests, each of which has this time. None is sent until it is [released](Self::release).
    #[must_use]
    pub fn new(
        name: &str,
        client: Client,
        keys: Vec<PinnedKey>,
        requests: u32,
        within: Duration,
    ) -> Arc<Self> {
        let (next, released, done) = <_>::default();
        let name = name.to_owned();
        Arc::new(Self { client, keys, requests, within, name, next, released, done })
    }

    /// Lets this number of requests be sent, in all.
    pub fn release(&self, count: u32) {
        self.released.fetch_max(count.min(self.requests), Relaxed);
    }

    /// The number of requests that have ended.
    pub fn done(&self) -> u32 {
        self.done.load(Relaxed)
    }

    /// Sends all requests, this number at a time, and waits for their ends.
    pub async fn run(self: Arc<Self>, window: usize) -> Ends {
        let mut callers: JoinSet<Ends> = (0..window).map(|_| Arc::clone(&self).call()).collect();
        let mut ends = Ends::default();
        while let Some(some) = callers.join_next().await {
            let Ends { signed, refused, lost } = some.unwrap_or_default();
            ends.signed.extend(signed);
            ends.refused.extend(refused);
            ends.lost.extend(lost);
        }
        ends
    }

    async fn call(self: Arc<Self>) -> Ends {
        let mut ends = Ends::default();
        loop {
            let number = self.next.fetch_add(1, Relaxed);
            if number >= self.requests {
                return ends;
            }
            while self.released.load(Relaxed) <= number {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            let begun = Instant::now();
            match self.sign(number).await {
                Ok(()) => drop(ends.signed.insert(number, begun.elapsed())),
                Err(why) if is_refusal(&why) => {
                    drop(ends.refused.insert(number, why.to_string()));
                }
                Err(why) => drop(ends.lost.insert(number, why.to_string())),
            }
            self.done.fetch_add(1, Relaxed);
        }
    }

    /// Sends a request, under an idempotency key of its number, until it has ended.
    ///
    /// # Errors
    /// The reason why there is no signature.
    pub async fn sign(&self, number: u32) -> Result<(), ClientError> {
        let count = u32::try_from(self.keys.len()).unwrap_or(1);
        let at = usize::try_from(number.checked_rem(count).unwrap_or(0)).unwrap_or(0);
        let none = || ClientError::Key("there is no key".into());
        let key = self.keys.get(at).ok_or_else(none)?;
        let purpose = self.purpose(key.scheme(), number);
        let purpose = purpose.map_err(|why| ClientError::Key(why.to_string()))?;
        let nonce = Some(format!("load-{}-{number:010}", self.name));
        let asked = Asked { within: self.within, nonce, ..Asked::default() };
        self.client.sign(key, &purpose, &asked).await.map(drop)
    }

    fn purpose(&self, scheme: Scheme, number: u32) -> Result<Purpose> {
        if scheme.is_presigned() {
            payment(1, number.into())
        } else {
            message(&format!("{} {number}", self.name))
        }
    }
}

/// Returns whether the service has said for good that there is no signature.
fn is_refusal(why: &ClientError) -> bool {
    use custody_core::RequestState::{Cancelled, Expired};
    match why {
        ClientError::Problem(problem) => !problem.retryable,
        ClientError::Ended(state) => matches!(state, Cancelled | Expired),
        _ => false,
    }
}

impl Ends {
    /// The time within which this share of the signatures was made, in percent.
    #[must_use]
    pub fn percentile(&self, percent: usize) -> Duration {
        let mut times: Vec<Duration> = self.signed.values().copied().collect();
        times.sort_unstable();
        let rank = (times.len() * percent).div_ceil(100);
        times.get(rank.saturating_sub(1)).copied().unwrap_or_default()
    }
}
