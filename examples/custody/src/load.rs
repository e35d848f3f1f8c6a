//! Load: requests at a rate or as fast as a window allows, and how long they took.

mod numbers;
mod report;

use core::net::SocketAddr;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use core::time::Duration;
use std::sync::Arc;
use std::time::Instant;

use ed25519_dalek::SigningKey;
use quorate_examples::failure::Failure;
use tokio::task::JoinSet;
use tokio::time::sleep_until;

pub use self::numbers::{Percentiles, Tally};
pub use self::report::{Process, Report};
use crate::caller::{Caller, Signer};

/// The most requests of a run.
pub const MOST: u64 = 10_000_000;
/// One of so many signatures is verified: the caller has to keep up on the same machine.
const VERIFIED: u64 = 16;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Load {
    /// Requests a second; 0 for as many as the window allows.
    pub rate: u32,
    /// For how long requests are handed in.
    pub length: Duration,
    /// The most requests under way.
    pub window: u16,
    /// The keys, taken in turn.
    pub signers: Vec<Signer>,
}

struct Shared {
    load: Load,
    address: SocketAddr,
    requester: SigningKey,
    start: Instant,
    next: AtomicU64,
}

/// Hands in requests until the time is over, and waits for those that are under way.
///
/// # Errors
/// A [`Failure`] if the gateway cannot be reached at all.
pub fn run(load: Load, address: SocketAddr, requester: &SigningKey) -> Result<Tally, Failure> {
    if load.signers.is_empty() {
        return Err(Failure::new("there is no key of this scheme yet"));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let window = load.window;
    let shared = Shared {
        load,
        address,
        requester: requester.clone(),
        start: Instant::now(),
        next: AtomicU64::new(0),
    };
    let shared = Arc::new(shared);
    runtime.block_on(async {
        let mut callers = JoinSet::new();
        for _ in 0..window {
            callers.spawn(call(Arc::clone(&shared)));
        }
        let mut all = Tally::default();
        while let Some(tally) = callers.join_next().await {
            all.add(tally?);
        }
        all.elapsed = shared.start.elapsed();
        Ok(all)
    })
}

/// One of the callers: one request at a time. A time begins when the request was due, not when a caller was free for it.
async fn call(shared: Arc<Shared>) -> Tally {
    let mut caller = Caller::new(shared.address, &shared.requester);
    let mut tally = Tally::default();
    loop {
        let number = shared.next.fetch_add(1, Relaxed);
        let due = shared.due(number);
        if number >= MOST || due.saturating_duration_since(shared.start) >= shared.load.length {
            return tally;
        }
        sleep_until(due.into()).await;
        let from = if shared.load.rate == 0 { Instant::now() } else { due };
        let Some(signer) = shared.signer(number) else { return tally };
        let message = format!("load {number} of {:?}", shared.requester.verifying_key());
        let signed = caller.sign(signer, message.as_bytes(), number.is_multiple_of(VERIFIED)).await;
        match signed {
            Ok(_) => tally.signed(from.elapsed()),
            Err(why) => {
                tally.refused(&why.to_string());
                // A gateway that is gone is not asked thousand times a second.
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

impl Shared {
    fn due(&self, number: u64) -> Instant {
        match self.load.rate {
            0 => Instant::now(),
            rate => {
                let nanos =
                    u128::from(number).saturating_mul(1_000_000_000).checked_div(rate.into());
                let nanos = nanos.and_then(|nanos| u64::try_from(nanos).ok()).unwrap_or(u64::MAX);
                self.start + Duration::from_nanos(nanos)
            }
        }
    }

    fn signer(&self, number: u64) -> Option<&Signer> {
        let at = usize::try_from(number).ok()?.checked_rem(self.load.signers.len())?;
        self.load.signers.get(at)
    }
}
