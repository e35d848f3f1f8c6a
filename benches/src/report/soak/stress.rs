//! More requests than can be served: a queue with a bound, and nobody forgotten.

use core::time::Duration;
use std::collections::VecDeque;

use num_traits::AsPrimitive as _;
use serde::{Deserialize, Serialize};

use crate::ecdsa::Ledger;
use crate::report::committee::{Committee, quorum};
use crate::report::figure::real;
use crate::{HeapMeter, Meter as _, Stopwatch};

/// The nodes of the committee, as in the published runs.
pub(super) const NODES: u16 = 4;
/// Requests beside what can be served, as in the published run.
const OVER: f64 = 1.74;
/// The number of requests that may wait. A request that comes to a full queue is refused, and is told so.
pub const QUEUE: usize = 256;

/// The outcome of a stress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stress {
    /// Requests that came.
    pub asked: u64,
    /// Requests that were refused when they came.
    pub refused: u64,
    /// Requests that were signed, with a valid signature.
    pub signed: u64,
    /// The most that waited.
    pub waiting: usize,
    /// Signatures a second of CPU meanwhile, beside the rate without stress.
    pub kept: f64,
    /// The most bytes on the heap, above those at the start.
    pub peak: usize,
    /// Bytes on the heap in the end, above those at the start.
    pub left: isize,
}

/// A committee that serves `capacity` requests a second gets 1.74 times as many for this long of its own CPU time. Requests that
/// come while a signature is made join the queue, or are refused if it is full. In the end all that wait are served.
#[must_use]
pub fn stress(capacity: f64, length: Duration) -> Stress {
    let mut committee = Committee::new(quorum(NODES), NODES);
    let first = committee.sign(&mut Ledger::timing());
    assert!(committee.verify(&first), "an honest committee");
    let mut meter = HeapMeter::default();
    meter.start();
    let mut stopwatch = Stopwatch::default();
    let mut queue = VecDeque::with_capacity(QUEUE);
    let mut result = Stress::default();
    loop {
        let now = stopwatch.total();
        // The first is there at once.
        let due: u64 = (1.0 + now.min(length).as_secs_f64() * capacity * OVER).as_();
        while result.asked < due {
            result.asked += 1;
            if queue.len() < QUEUE {
                queue.push_back(result.asked);
            } else {
                result.refused += 1;
            }
        }
        result.waiting = result.waiting.max(queue.len());
        if queue.pop_front().is_none() {
            if now >= length {
                break;
            }
            // Nothing waits: the next one comes.
            result.asked += 1;
        }
        let signature = stopwatch.measure(|| committee.sign(&mut Ledger::timing()));
        result.signed += u64::from(committee.verify(&signature));
    }
    drop(queue);
    meter.stop();
    (result.peak, result.left) = (meter.peak, meter.left);
    let rate = real(result.signed) / stopwatch.total().as_secs_f64();
    Stress { kept: rate / capacity, ..result }
}

impl Stress {
    /// Requests that were neither refused nor signed.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.asked.saturating_sub(self.refused).saturating_sub(self.signed)
    }

    pub(super) fn sentence(&self) -> String {
        let Self { asked, refused, signed, waiting, left, .. } = self;
        let (over, lost, kept) = (OVER * 100.0, self.lost(), self.kept * 100.0);
        format!(
            "{over:.0} % of capacity: {asked} asked, {signed} signed, {refused} refused at once, {lost} lost; at most \
             {waiting} of {QUEUE} waiting, heap {left:+} bytes after it; {kept:.0} % of the rate kept"
        )
    }
}
