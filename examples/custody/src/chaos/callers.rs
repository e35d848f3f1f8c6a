//! Callers that do not give up: each hands the same request in again until it has ended.

use core::net::SocketAddr;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use ed25519_dalek::SigningKey;
use getrandom::SysRng;
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate_examples::failure::Failure;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::caller::Signer;
use crate::http::client::Client;
use crate::http::form::{Form, Outcome};
use crate::node::now;
use crate::request::{Request, RequestKey, SignedRequest};

/// A request is good for so many milliseconds.
const GOOD: u64 = 30_000;
/// A caller waits for its end for so much longer.
const LONGER: u64 = 45_000;
const PAUSE: Duration = Duration::from_millis(100);
/// The most reasons that are told apart.
const REASONS: usize = 24;

/// What came of the requests.
#[derive(Clone, Default, Debug)]
pub(super) struct Tally {
    /// How long each signature took, in milliseconds.
    pub(super) times: Vec<u64>,
    /// Refused, by reason.
    pub(super) refused: BTreeMap<String, u64>,
    /// Never accepted, by reason.
    pub(super) rejected: BTreeMap<String, u64>,
    /// Without an end.
    pub(super) lost: u64,
    /// Times that a caller had to ask again, since nobody or no good answer was there.
    pub(super) again: u64,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.times.extend(other.times);
        for (all, more) in
            [(&mut self.refused, other.refused), (&mut self.rejected, other.rejected)]
        {
            more.into_iter().for_each(|(why, count)| *all.entry(why).or_default() += count);
        }
        self.lost = self.lost.saturating_add(other.lost);
        self.again = self.again.saturating_add(other.again);
    }

    /// The time below which so many of a hundred lie.
    pub(super) fn percentile(&self, percent: usize) -> u64 {
        let mut times = self.times.clone();
        times.sort_unstable();
        let rank = times.len().saturating_mul(percent).div_ceil(100);
        times.get(rank.saturating_sub(1)).copied().unwrap_or(0)
    }
}

fn count(of: &mut BTreeMap<String, u64>, why: &str) {
    // Names and numbers of requests and orders apart, reasons are few.
    let why: String = why.chars().filter(|one| !one.is_control()).take(160).collect();
    let full = of.len() >= REASONS && !of.contains_key(&why);
    *of.entry(if full { "other reasons".to_owned() } else { why }).or_default() += 1;
}

/// The callers, and what they share.
pub(super) struct Callers {
    address: SocketAddr,
    requester: SigningKey,
    signers: Vec<Signer>,
    requests: u32,
    /// So many may be handed in by now.
    released: AtomicU32,
    next: AtomicU32,
    stopped: AtomicBool,
}

impl Callers {
    pub(super) fn new(
        address: SocketAddr,
        requester: SigningKey,
        signers: Vec<Signer>,
        requests: u32,
    ) -> Result<Self, Failure> {
        if signers.is_empty() {
            return Err(Failure::new("there is no key"));
        }
        let (released, next) = (AtomicU32::new(0), AtomicU32::new(0));
        let stopped = AtomicBool::new(false);
        Ok(Self { address, requester, signers, requests, released, next, stopped })
    }

    /// So many requests may be handed in by now.
    pub(super) fn release(&self, count: u32) {
        self.released.fetch_max(count.min(self.requests), Relaxed);
    }

    /// It is over, whatever is open.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Hands in all requests, so many at a time.
    pub(super) fn run(self: Arc<Self>, window: u16) -> Result<Tally, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let mut all = JoinSet::new();
            for _ in 0..window {
                all.spawn(Arc::clone(&self).call());
            }
            let mut tally = Tally::default();
            while let Some(one) = all.join_next().await {
                tally.add(one?);
            }
            Ok(tally)
        })
    }

    async fn call(self: Arc<Self>) -> Tally {
        let mut client = Client::new(self.address, Duration::from_secs(12));
        let mut tally = Tally::default();
        loop {
            let number = self.next.fetch_add(1, Relaxed);
            if number >= self.requests {
                return tally;
            }
            while self.released.load(Relaxed) <= number {
                if self.stopped.load(Relaxed) {
                    return tally;
                }
                sleep(PAUSE).await;
            }
            self.one(number, &mut client, &mut tally).await;
        }
    }

    /// One request, from its first attempt to its end.
    async fn one(&self, number: u32, client: &mut Client, tally: &mut Tally) {
        let Some(signed) = self.request(number) else { return };
        let Ok(form) = serde_json::to_vec(&Form::new(&signed)) else { return };
        let (start, deadline) = (Instant::now(), signed.request.deadline);
        while now() < deadline.saturating_add(LONGER) && !self.stopped.load(Relaxed) {
            let answer = client.post("/v1/requests?wait_ms=5000", form.clone()).await;
            let outcome = match answer {
                Ok(answer) if answer.status.is_success() => answer.json::<Outcome>(),
                Ok(answer) => {
                    let why = answer.problem();
                    // After its deadline nobody accepts it; what was accepted has another answer.
                    if answer.status.is_client_error() && answer.status.as_u16() != 429 {
                        return count(&mut tally.rejected, &why);
                    }
                    Err(Failure::new(why))
                }
                Err(why) => Err(why),
            };
            match outcome {
                Ok(outcome) if outcome.state == "signed" => {
                    return tally
                        .times
                        .push(start.elapsed().as_millis().try_into().unwrap_or(u64::MAX));
                }
                Ok(outcome) if outcome.state == "refused" => {
                    return count(&mut tally.refused, &outcome.why.unwrap_or_default());
                }
                Ok(_) => {}
                Err(_) => {
                    tally.again = tally.again.saturating_add(1);
                    sleep(PAUSE).await;
                }
            }
        }
        tally.lost = tally.lost.saturating_add(1);
    }

    fn request(&self, number: u32) -> Option<SignedRequest> {
        let signer = self
            .signers
            .iter()
            .cycle()
            .nth(usize::try_from(number).ok()?.checked_rem(self.signers.len())?)?;
        let mut key = [0; 16];
        UnwrapErr(SysRng).fill_bytes(&mut key);
        let request = Request {
            key: RequestKey(key),
            key_id: signer.key_id,
            scheme: signer.scheme,
            path: signer.path.clone(),
            message: format!("chaos {number}").into_bytes(),
            deadline: now().saturating_add(GOOD),
        };
        Some(SignedRequest::new(request, &self.requester))
    }
}
