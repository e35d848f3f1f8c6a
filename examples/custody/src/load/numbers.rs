//! What came of a load.

use core::time::Duration;
use std::collections::BTreeMap;

/// The most reasons that are told apart.
const REASONS: usize = 32;

/// The times of the signatures of a load, and the reasons of its refusals.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// How long each signature took, in microseconds.
    times: Vec<u32>,
    /// How often each reason came.
    refusals: BTreeMap<String, u64>,
    /// From the first request to the last answer.
    pub elapsed: Duration,
}

/// Times below which a share of all lie.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Percentiles {
    /// Half of them.
    pub half: Duration,
    /// Nine of ten.
    pub ninety: Duration,
    /// All but one of a hundred.
    pub ninety_nine: Duration,
    /// All.
    pub all: Duration,
}

impl Tally {
    /// A signature came after so long.
    pub fn signed(&mut self, after: Duration) {
        self.times.push(after.as_micros().try_into().unwrap_or(u32::MAX));
    }

    /// There was none, for this reason.
    pub fn refused(&mut self, why: &str) {
        let full = self.refusals.len() >= REASONS && !self.refusals.contains_key(why);
        let why = if full { "other reasons" } else { why };
        *self.refusals.entry(why.to_owned()).or_default() += 1;
    }

    /// Adds another one.
    pub fn add(&mut self, other: Self) {
        self.times.extend(other.times);
        for (why, count) in other.refusals {
            *self.refusals.entry(why).or_default() += count;
        }
    }

    /// The number of signatures.
    #[must_use]
    pub fn signatures(&self) -> u64 {
        self.times.len().try_into().unwrap_or(u64::MAX)
    }

    /// The reasons why there was none, with how often each came.
    #[must_use]
    pub const fn refusals(&self) -> &BTreeMap<String, u64> {
        &self.refusals
    }

    /// Signatures a second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 { self.signatures() as f64 / seconds } else { 0.0 }
    }

    /// The percentiles, by the nearest rank.
    #[must_use]
    pub fn percentiles(&self) -> Percentiles {
        let mut times = self.times.clone();
        times.sort_unstable();
        let of = |percent: usize| {
            let rank = times.len().saturating_mul(percent).div_ceil(100);
            let time = times.get(rank.saturating_sub(1)).copied().unwrap_or(0);
            Duration::from_micros(time.into())
        };
        Percentiles { half: of(50), ninety: of(90), ninety_nine: of(99), all: of(100) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_by_rank() {
        let mut tally = Tally::default();
        assert_eq!(tally.percentiles(), Percentiles::default());
        (1..=200).rev().for_each(|time| tally.signed(Duration::from_millis(time)));
        let Percentiles { half, ninety, ninety_nine, all } = tally.percentiles();
        assert_eq!(
            [half, ninety, ninety_nine, all],
            [100, 180, 198, 200].map(Duration::from_millis)
        );
        tally.elapsed = Duration::from_secs(4);
        assert!((tally.rate() - 50.0).abs() < 1e-9);
    }

    #[test]
    fn reasons_are_bounded() {
        let mut tally = Tally::default();
        (0..100).for_each(|number| tally.refused(&number.to_string()));
        assert_eq!(tally.refusals().len(), REASONS + 1);
        assert_eq!(tally.refusals()["other reasons"], 68);
        let mut other = Tally::default();
        other.refused("0");
        tally.add(other);
        assert_eq!(tally.refusals()["0"], 2);
    }
}
