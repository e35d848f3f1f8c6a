//! Virtual time: what happens when, and cores that are busy.

use std::collections::BTreeMap;

/// What is to happen, in the order of time. Of two at one moment the one that was added first is first.
pub(super) struct Agenda<E> {
    now: u64,
    added: u64,
    events: BTreeMap<(u64, u64), E>,
}

impl<E> Agenda<E> {
    pub(super) const fn new() -> Self {
        Self { now: 0, added: 0, events: BTreeMap::new() }
    }

    /// Microseconds since the start.
    pub(super) const fn now(&self) -> u64 {
        self.now
    }

    /// Adds something at a moment, or now if that has passed.
    pub(super) fn add(&mut self, at: u64, event: E) {
        self.added = self.added.saturating_add(1);
        self.events.insert((at.max(self.now), self.added), event);
    }

    /// The next event, whose moment is now.
    pub(super) fn next(&mut self) -> Option<E> {
        let ((at, _), event) = self.events.pop_first()?;
        self.now = at;
        Some(event)
    }
}

/// Cores of one role at one machine. Work is done in the order in which it comes.
pub(super) struct Cores {
    /// When each is free.
    free: Vec<u64>,
    busy: u64,
}

impl Cores {
    pub(super) fn new(count: u16) -> Self {
        Self { free: vec![0; usize::from(count.max(1))], busy: 0 }
    }

    /// Takes work of this cost that comes at this moment; gives the moment at which it is done.
    pub(super) fn work(&mut self, at: u64, cost: u64) -> u64 {
        self.busy = self.busy.saturating_add(cost);
        let Some(core) = self.free.iter_mut().min() else { return at };
        *core = at.max(*core).saturating_add(cost);
        *core
    }

    /// The part of the time until now for which they were busy, from 0 to 1, or more if work is left.
    pub(super) fn load(&self, now: u64) -> f64 {
        real(self.busy) / (real(now.max(1)) * real(count(&self.free)))
    }
}

fn count<T>(all: &[T]) -> u64 {
    u64::try_from(all.len()).unwrap_or(u64::MAX)
}

#[allow(clippy::cast_precision_loss, reason = "microseconds of a simulation")]
pub(super) fn real(number: u64) -> f64 {
    number as f64
}

/// A generator for a simulation (SplitMix64): the seed determines everything. Nothing secret comes from it.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 up to, but not including, 1.
    pub(super) fn part(&mut self) -> f64 {
        real(self.next() >> 11) / real(1 << 53)
    }

    /// Microseconds until the next of so many events a second, which come independently of each other.
    pub(super) fn pause(&mut self, rate: f64) -> u64 {
        micros(-(1.0 - self.part()).ln() / rate)
    }
}

/// Seconds in microseconds.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
pub(super) fn micros(seconds: f64) -> u64 {
    (seconds * 1e6).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_free_core_takes_the_work() {
        let mut cores = Cores::new(2);
        assert_eq!([cores.work(0, 10), cores.work(0, 4), cores.work(1, 3)], [10, 4, 7]);
        assert_eq!(cores.work(20, 1), 21);
        assert!((cores.load(18) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn events_come_in_the_order_of_time() {
        let mut agenda = Agenda::new();
        for (at, name) in [(5, 'c'), (1, 'a'), (5, 'd'), (2, 'b')] {
            agenda.add(at, name);
        }
        let order: String = core::iter::from_fn(|| agenda.next()).collect();
        assert_eq!((order.as_str(), agenda.now()), ("abcd", 5));
    }

    #[test]
    fn pauses_have_their_mean() {
        let mut dice = Dice::new(1);
        let sum: u64 = (0..10_000).map(|_| dice.pause(100.0)).sum();
        assert!((real(sum) / 1e4 - 10_000.0).abs() < 300.0, "{sum}");
    }
}
