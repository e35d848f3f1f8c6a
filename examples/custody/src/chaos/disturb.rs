//! A worse bus: deliveries come late, twice, and in another order than they were sent.

use core::cmp::Ordering;
use core::time::Duration;
use std::collections::BinaryHeap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use quorate_examples::failure::Failure;
use serde::{Deserialize, Serialize};

use super::events::Random;
use crate::bus::{Ack, Delivery, Event, Sink};

/// Deliveries that are late at a time, at most: those beyond come at once.
const MOST: usize = 4096;

/// How bad the bus is.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Disturb {
    /// What the choices come from.
    pub seed: u64,
    /// So many of a thousand deliveries come twice.
    pub copied: u16,
    /// So many of a thousand come late.
    pub late: u16,
    /// By up to so many milliseconds.
    pub late_ms: u32,
}

/// A way into a core that may be worse than it was.
pub(crate) struct Rough<S> {
    sink: Arc<S>,
    bad: Option<Bad>,
}

struct Bad {
    disturb: Disturb,
    random: Mutex<Random>,
    late: Sender<Late>,
}

struct Late {
    at: Instant,
    event: Event,
}

impl<S: Sink> Rough<S> {
    /// As bad as this, if it is to be bad at all.
    pub(crate) fn new(sink: S, disturb: Option<Disturb>) -> Result<Self, Failure> {
        let sink = Arc::new(sink);
        let Some(disturb) = disturb else { return Ok(Self { sink, bad: None }) };
        let (late, came) = channel();
        let to = Arc::clone(&sink);
        thread::Builder::new().name("late".to_owned()).spawn(move || hold(&came, &*to))?;
        let random = Mutex::new(Random::new(disturb.seed));
        Ok(Self { sink, bad: Some(Bad { disturb, random, late }) })
    }
}

impl<S: Sink> Sink for Rough<S> {
    fn put(&self, event: Event) -> bool {
        let (Some(bad), Event::Delivery(delivery)) = (&self.bad, &event) else {
            return self.sink.put(event);
        };
        if bad.chance(bad.disturb.copied) && !self.sink.put(Event::Delivery(copy(delivery))) {
            return false;
        }
        if !bad.chance(bad.disturb.late) {
            return self.sink.put(event);
        }
        let by = Duration::from_millis(bad.below(bad.disturb.late_ms.into()));
        bad.late.send(Late { at: Instant::now() + by, event }).is_ok()
    }
}

impl Bad {
    fn chance(&self, of_thousand: u16) -> bool {
        self.below(1000) < of_thousand.into()
    }

    fn below(&self, bound: u64) -> u64 {
        self.random.lock().map_or(0, |mut random| random.below(bound))
    }
}

/// What it says of itself is nobody's business: the first one acknowledges.
fn copy(delivery: &Delivery) -> Delivery {
    Delivery {
        from: delivery.from,
        route: delivery.route,
        attempt: delivery.attempt,
        messages: delivery.messages.clone(),
        ack: Ack::new(|_| {}),
    }
}

/// Holds what is late until its time.
fn hold(came: &Receiver<Late>, sink: &impl Sink) {
    let mut late: BinaryHeap<Late> = BinaryHeap::new();
    loop {
        let pause = late.peek().map_or(Duration::from_secs(60), |next| {
            next.at.saturating_duration_since(Instant::now())
        });
        match came.recv_timeout(pause) {
            Ok(one) if late.len() < MOST => late.push(one),
            Ok(one) => {
                if !sink.put(one.event) {
                    return;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        while late.peek().is_some_and(|next| next.at <= Instant::now()) {
            if late.pop().is_none_or(|next| !sink.put(next.event)) {
                return;
            }
        }
    }
}

impl PartialEq for Late {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at
    }
}

impl Eq for Late {}

impl PartialOrd for Late {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The earliest is the greatest.
impl Ord for Late {
    fn cmp(&self, other: &Self) -> Ordering {
        other.at.cmp(&self.at)
    }
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use super::*;
    use crate::bus::{Kind, Peer, Route};

    #[test]
    fn deliveries_come_late_twice_and_in_another_order_and_are_acknowledged_once() {
        let (send, came) = channel::<Event>();
        let disturb = Disturb { seed: 5, copied: 300, late: 500, late_ms: 50 };
        let rough = Rough::new(send, Some(disturb)).unwrap();
        let acks = Arc::new(AtomicUsize::new(0));
        for number in 0..100_u8 {
            let count = Arc::clone(&acks);
            let delivery = Delivery {
                from: Peer::Gateway(1),
                route: Route { kind: Kind::Job, shard: 0 },
                attempt: 1,
                messages: vec![vec![number]],
                ack: Ack::new(move |_| {
                    count.fetch_add(1, SeqCst);
                }),
            };
            assert!(rough.put(Event::Delivery(delivery)));
        }
        let mut numbers = Vec::new();
        while let Ok(Event::Delivery(one)) = came.recv_timeout(Duration::from_secs(2)) {
            numbers.push(one.messages[0][0]);
            one.ack.done();
        }
        assert!(numbers.len() > 110 && !numbers.is_sorted(), "{numbers:?}");
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!((numbers.len(), acks.load(SeqCst)), (100, 100));
    }
}
