//! The costs of one run of a protocol to its parties.

use core::time::Duration;

use super::Trace;
use crate::{HeapMeter, Meter as _, Operations, Parts, Stopwatch, add_parts};

/// Takes down what the parties of one run do, round by round: the time of all of them together, or else the
/// bytes that they send and what each keeps on the heap, or else their operations. Not all at once, because counting takes
/// time.
pub struct Ledger {
    rounds: Vec<Stopwatch>,
    longest: Duration,
    counts: Option<Counts>,
    trace: Option<Trace>,
    /// By round.
    operations: Option<Vec<Operations>>,
}

/// The measure that is taken down instead of time.
#[derive(Default)]
struct Counts {
    bytes: usize,
    parties: Vec<Heap>,
}

/// One party's heap.
#[derive(Clone, Default)]
struct Heap {
    /// Bytes kept since its first round.
    live: isize,
    peak: isize,
    /// Live bytes by crate, under a [`Division`](crate::Division).
    live_parts: Parts,
    peak_parts: Parts,
}

/// The crate whose buffers the frames are.
const FRAMES: &str = "session";

impl Heap {
    /// Adds what a turn did.
    fn turn(&mut self, meter: &HeapMeter) {
        if self.live + meter.peak.cast_signed() > self.peak {
            self.peak = self.live + meter.peak.cast_signed();
            self.peak_parts = self.live_parts.clone();
            add_parts(&mut self.peak_parts, &meter.peak_parts);
        }
        self.live += meter.left;
        add_parts(&mut self.live_parts, &meter.left_parts);
    }

    /// A message has gone.
    fn sent(&mut self, bytes: usize) {
        self.live -= bytes.cast_signed();
        if !self.live_parts.is_empty() {
            *self.live_parts.entry(FRAMES.to_owned()).or_default() -= bytes.cast_signed();
        }
    }
}

impl Ledger {
    /// A ledger for time.
    #[must_use]
    pub fn timing() -> Self {
        Self {
            rounds: Vec::new(),
            longest: Duration::ZERO,
            counts: None,
            trace: None,
            operations: None,
        }
    }

    /// A ledger for the time of each party in each round, and what it sends then.
    #[must_use]
    pub fn tracing() -> Self {
        Self { trace: Some(Trace::default()), ..Self::timing() }
    }

    /// A ledger for bytes: sent, and on the heap where [`CountingAllocator`](crate::CountingAllocator) is
    /// the global allocator.
    #[must_use]
    pub fn counting() -> Self {
        Self { counts: Some(Counts::default()), ..Self::timing() }
    }

    /// A ledger for the operations of all parties in each round, where [engine and curve count](Operations::of).
    #[must_use]
    pub fn operating() -> Self {
        Self { operations: Some(Vec::new()), ..Self::timing() }
    }

    /// Does a party's part of a round. Rounds and parties count from zero.
    pub fn work<T>(&mut self, round: usize, party: usize, work: impl FnOnce() -> T) -> T {
        #[cfg(feature = "tracing")]
        let _span = tracing::trace_span!("turn", party, round).entered();
        let rounds = self.rounds.len().max(round + 1);
        self.rounds.resize_with(rounds, Stopwatch::default);
        if let Some(operations) = &mut self.operations {
            operations.resize_with(rounds, Operations::default);
            let (result, made) = Operations::of(work);
            operations[round].add(&made);
            return result;
        }
        match &mut self.counts {
            None => {
                let stopwatch = &mut self.rounds[round];
                let before = stopwatch.total();
                let result = stopwatch.measure(work);
                let seconds = stopwatch.total().saturating_sub(before).as_secs_f64();
                if let Some(trace) = &mut self.trace {
                    trace.worked(round, party, seconds.max(f64::MIN_POSITIVE));
                }
                result
            }
            Some(counts) => {
                let parties = counts.parties.len().max(party + 1);
                counts.parties.resize_with(parties, Heap::default);
                let mut meter = HeapMeter::default();
                let result = meter.measure(work);
                counts.parties[party].turn(&meter);
                result
            }
        }
    }

    /// A party has worked for this time without a break.
    pub fn piece(&mut self, time: Duration) {
        self.longest = self.longest.max(time);
    }

    /// The longest time for which a party has worked without a break.
    #[must_use]
    pub fn longest_piece(&self) -> Duration {
        self.longest
    }

    /// Returns whether bytes are counted.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.counts.is_some()
    }

    /// A party sends a message, and keeps it no longer: its size, which is asked for only where it counts. A
    /// broadcast is one message.
    pub fn sent(&mut self, party: usize, bytes: impl FnOnce() -> usize) {
        self.sent_to(party, None, bytes);
    }

    /// As [`Ledger::sent`], to one party alone or to all.
    pub fn sent_to(&mut self, party: usize, to: Option<usize>, bytes: impl FnOnce() -> usize) {
        if let Some(trace) = &mut self.trace {
            trace.sent(party, to, bytes());
        } else if let Some(counts) = &mut self.counts {
            let bytes = bytes();
            counts.bytes += bytes;
            if let Some(heap) = counts.parties.get_mut(party) {
                heap.sent(bytes);
            }
        }
    }

    /// The trace of the run; empty unless it was asked for.
    #[must_use]
    pub fn trace(self) -> Trace {
        self.trace.unwrap_or_default()
    }

    /// The operations of all parties in each round; empty unless they were asked for.
    #[must_use]
    pub fn operations(self) -> Vec<Operations> {
        self.operations.unwrap_or_default()
    }

    /// The time of all parties in each round.
    #[must_use]
    pub fn rounds(&self) -> Vec<Duration> {
        self.rounds.iter().map(Stopwatch::total).collect()
    }

    /// Bytes that all parties have sent.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.counts.as_ref().map_or(0, |counts| counts.bytes)
    }

    /// The largest peak of any party, in bytes: what it keeps between its rounds and makes within them.
    #[must_use]
    pub fn peak(&self) -> usize {
        self.largest().map_or(0, |heap| heap.peak.max(0).unsigned_abs())
    }

    /// The peak by crate. It is empty without a [`Division`](crate::Division).
    #[must_use]
    pub fn peak_parts(&self) -> Parts {
        self.largest().map(|heap| heap.peak_parts.clone()).unwrap_or_default()
    }

    fn largest(&self) -> Option<&Heap> {
        self.counts.iter().flat_map(|counts| &counts.parties).max_by_key(|heap| heap.peak)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_add_up() {
        let mut ledger = Ledger::timing();
        for party in 0..3 {
            assert_eq!(ledger.work(1, party, || party), party);
        }
        ledger.sent(0, || unreachable!("time is being measured"));
        assert_eq!(ledger.rounds().len(), 2);
        assert_eq!(ledger.rounds()[0], Duration::ZERO);
        assert_eq!((ledger.bytes(), ledger.peak()), (0, 0));
    }

    #[test]
    fn a_trace_has_turns_and_their_messages() {
        let mut ledger = Ledger::tracing();
        for round in 0..2 {
            for party in [1, 0] {
                ledger.work(round, party, || ());
                ledger.sent_to(party, (round == 1).then_some(0), || 10 + party);
            }
        }
        let trace = ledger.trace();
        assert_eq!((trace.rounds.len(), trace.parties()), (2, 2));
        assert_eq!(trace.rounds[0][1].sent, [(None, 11)]);
        assert_eq!(trace.rounds[1][1].sent, [(Some(0), 11)]);
        assert!(trace.rounds.iter().flatten().all(|turn| turn.seconds > 0.0));
        assert!(Ledger::timing().trace().rounds.is_empty());
    }

    #[test]
    fn bytes_add_up() {
        let mut ledger = Ledger::counting();
        ledger.sent(0, || 3);
        ledger.sent(1, || 4);
        assert_eq!(ledger.bytes(), 7);
    }
}
