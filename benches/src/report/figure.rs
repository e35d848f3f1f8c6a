//! A measured figure: its samples, and what they say.

use crate::median;

/// The unit of the samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Microseconds of CPU time of the thread that did the work.
    Micros,
    /// Bytes.
    Bytes,
    /// Things that are counted: allocations, multiplications.
    Count,
    /// Results a second of CPU time.
    PerSecond,
}

impl Unit {
    /// All units.
    pub const ALL: [Self; 4] = [Self::Micros, Self::Bytes, Self::Count, Self::PerSecond];

    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Micros => "us",
            Self::Bytes => "bytes",
            Self::Count => "count",
            Self::PerSecond => "per_second",
        }
    }

    /// A value of this unit as it is read: three digits, and a prefix.
    #[must_use]
    pub fn show(self, value: f64) -> String {
        let steps: &[(f64, &str)] = match self {
            Self::Micros => &[(1e6, "s"), (1e3, "ms"), (1.0, "µs"), (1e-3, "ns")],
            Self::Bytes => &[(1e6, "MB"), (1e3, "kB"), (1.0, "B")],
            Self::Count => &[(1.0, "")],
            Self::PerSecond => &[(1.0, "/s")],
        };
        let large = steps.iter().find(|(step, _)| value.abs() >= *step);
        let (step, name) = large.or(steps.last()).copied().unwrap_or((1.0, ""));
        format!("{} {name}", digits(value / step)).trim_end().to_owned()
    }
}

/// Three digits, or all of a whole number.
#[must_use]
pub fn digits(value: f64) -> String {
    match value.abs() {
        _ if value.fract() == 0.0 => format!("{value:.0}"),
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// Which one number stands for the samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Middle {
    /// The median.
    Median,
    /// The mean: of searches for primes, which take random times.
    Mean,
}

impl Middle {
    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Median => "median",
            Self::Mean => "mean",
        }
    }
}

/// Samples of one measure of one library.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The name of the measurement, the same for every library: `frost/ed25519/67-of-100/aggregate`.
    pub name: String,
    /// The library.
    pub who: String,
    /// Its engine or backend.
    pub engine: String,
    /// Its level of security, as far as it can be chosen.
    pub level: String,
    /// The unit of the samples.
    pub unit: Unit,
    /// How the samples become one number.
    pub by: Middle,
    /// One for each run.
    pub samples: Vec<f64>,
}

impl Figure {
    /// The median, or the mean.
    #[must_use]
    pub fn middle(&self) -> f64 {
        match self.by {
            Middle::Median => median(self.samples.clone()),
            Middle::Mean => mean(&self.samples),
        }
    }

    /// Half of the range between the quartiles, as a part of the median or mean. Nothing of fewer than three samples.
    #[must_use]
    pub fn spread(&self) -> Option<f64> {
        let [low, high] = [0.25, 0.75].map(|part| quantile(&self.samples, part));
        (self.samples.len() >= 3 && self.middle() > 0.0).then(|| (high - low) / 2.0 / self.middle())
    }

    /// The middle and the spread, as they stand in a table.
    #[must_use]
    pub fn cell(&self) -> String {
        let spread = self.spread().map(|part| format!(" ± {:.0} %", part * 100.0));
        format!("{}{}", self.unit.show(self.middle()), spread.unwrap_or_default())
    }

    /// How many times as long `peer` took, run by run in the same process: the median over the pairs; of means, the
    /// ratio of the means.
    #[must_use]
    pub fn ratio_of(&self, peer: &Self) -> f64 {
        if self.by == Middle::Mean || self.samples.len() != peer.samples.len() {
            return peer.middle() / self.middle();
        }
        median(self.samples.iter().zip(&peer.samples).map(|(own, peer)| peer / own).collect())
    }
}

/// The mean.
#[must_use]
pub fn mean(samples: &[f64]) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "a small count")]
    let count = samples.len() as f64;
    samples.iter().sum::<f64>() / count
}

/// The value below which this part of the samples lies, interpolated.
#[must_use]
pub fn quantile(samples: &[f64], part: f64) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    #[allow(clippy::cast_precision_loss, reason = "a small count")]
    let place = part * sorted.len().saturating_sub(1) as f64;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place")]
    let below = place.floor() as usize;
    let at = |place: usize| sorted.get(place.min(sorted.len().saturating_sub(1))).copied();
    match (at(below), at(below + 1)) {
        (Some(low), Some(high)) => low + (high - low) * place.fract(),
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(samples: &[f64]) -> Figure {
        Figure {
            name: "x".into(),
            who: "y".into(),
            engine: String::new(),
            level: String::new(),
            unit: Unit::Micros,
            by: Middle::Median,
            samples: samples.to_vec(),
        }
    }

    #[test]
    fn middle_and_spread() {
        let one = figure(&[100.0, 90.0, 110.0, 80.0, 120.0]);
        assert!((one.middle() - 100.0).abs() < 1e-9);
        assert!((one.spread().unwrap() - 0.1).abs() < 1e-9);
        assert_eq!(one.cell(), "100 µs ± 10 %");
        assert_eq!(figure(&[1500.0, 1500.0]).cell(), "1.50 ms");
        let mean = Figure { by: Middle::Mean, ..figure(&[1.0, 2.0, 9.0]) };
        assert!((mean.middle() - 4.0).abs() < 1e-9);
    }

    #[test]
    fn a_ratio_is_taken_pair_by_pair() {
        // The second run was slow for both: the ratio does not feel it.
        let (own, peer) = (figure(&[1.0, 10.0, 1.0]), figure(&[3.0, 30.0, 3.0]));
        assert!((own.ratio_of(&peer) - 3.0).abs() < 1e-9);
    }

    #[test]
    fn quantiles() {
        assert!((quantile(&[4.0, 1.0, 3.0, 2.0], 0.5) - 2.5).abs() < 1e-9);
        assert!(quantile(&[], 0.5).is_nan());
    }

    #[test]
    fn units() {
        assert_eq!(Unit::Micros.show(0.25), "250 ns");
        assert_eq!(Unit::Micros.show(28_700.0), "28.7 ms");
        assert_eq!(Unit::Bytes.show(64.0), "64 B");
        assert_eq!(Unit::PerSecond.show(13_261.0), "13261 /s");
        assert_eq!(Unit::Count.show(13.0), "13");
    }
}
