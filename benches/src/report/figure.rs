//! A measured figure: its samples, and what they say.

use num_traits::AsPrimitive;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::median;

/// The name of Quorate among the libraries.
pub(super) const OURS: &str = "quorate";

/// The unit of the samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Unit {
    /// Microseconds of CPU time of the thread that did the work.
    #[serde(rename = "us")]
    Micros,
    /// Bytes.
    Bytes,
    /// Things that are counted: allocations, multiplications.
    Count,
    /// Results a second of CPU time.
    PerSecond,
}

impl Unit {
    /// A value of this unit as it is read: three digits, and a prefix.
    pub(super) fn show(self, value: f64) -> String {
        let steps: &[(f64, &str)] = match self {
            Self::Micros => &[(1e6, " s"), (1e3, " ms"), (1.0, " µs"), (1e-3, " ns")],
            Self::Bytes => &[(1e6, " MB"), (1e3, " kB"), (1.0, " B")],
            Self::Count => &[(1.0, "")],
            Self::PerSecond => &[(1.0, " /s")],
        };
        let large = steps.iter().find(|(step, _)| value.abs() >= *step);
        let (step, name) = large.or(steps.last()).copied().unwrap_or((1.0, ""));
        format!("{}{name}", digits(value / step))
    }
}

/// Three digits, or all of a whole number.
pub(super) fn digits(value: f64) -> String {
    match value.abs() {
        size if value.fract() == 0.0 || size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// A small count as a number to compute with.
pub(super) fn real(count: impl AsPrimitive<f64>) -> f64 {
    count.as_()
}

/// Which one number stands for the samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Middle {
    Median,
    /// The mean: of searches for primes, which take random times.
    Mean,
}

/// Samples of one measure of one library.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The name of the measurement, the same for every library: `frost/ed25519/67-of-100/aggregate`.
    pub name: String,
    /// The library.
    pub who: String,
    /// The engine or backend.
    pub engine: String,
    /// The level of security, as far as it can be chosen.
    pub level: String,
    /// The unit of the samples.
    pub(super) unit: Unit,
    /// How the samples become one number.
    pub(super) by: Middle,
    /// One for each run. A file has no numbers that are not finite.
    #[serde(deserialize_with = "finite")]
    pub samples: Vec<f64>,
}

fn finite<'de, D: Deserializer<'de>>(file: D) -> Result<Vec<f64>, D::Error> {
    Ok(Vec::<Option<f64>>::deserialize(file)?.into_iter().flatten().collect())
}

/// Figures in a file, each with what it says.
pub(super) fn written<S: Serializer>(figures: &[Figure], file: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Written<'a> {
        #[serde(flatten)]
        figure: &'a Figure,
        runs: usize,
        middle: f64,
        spread: Option<f64>,
    }
    file.collect_seq(figures.iter().map(|figure| Written {
        figure,
        runs: figure.samples.len(),
        middle: figure.middle(),
        spread: figure.spread(),
    }))
}

impl Figure {
    /// A figure of Quorate that is the median of its samples.
    pub(super) fn new(name: impl Into<String>, unit: Unit, samples: Vec<f64>) -> Self {
        let (name, who, by) = (name.into(), OURS.to_owned(), Middle::Median);
        Self { name, who, engine: String::new(), level: String::new(), unit, by, samples }
    }

    /// A time of Quorate that is still to be measured.
    pub(super) fn time(name: impl Into<String>) -> Self {
        Self::new(name, Unit::Micros, Vec::new())
    }

    /// The figure of another library.
    pub(super) fn of(self, who: impl Into<String>) -> Self {
        Self { who: who.into(), ..self }
    }

    /// The figure with an engine at a level of security.
    pub(super) fn with(self, engine: impl Into<String>, level: impl Into<String>) -> Self {
        Self { engine: engine.into(), level: level.into(), ..self }
    }

    /// The figure as the mean of its samples, if they come from a search.
    pub(super) fn mean_if(self, searched: bool) -> Self {
        Self { by: if searched { Middle::Mean } else { self.by }, ..self }
    }

    /// The median, or the mean.
    #[must_use]
    pub fn middle(&self) -> f64 {
        match self.by {
            Middle::Median => median(self.samples.clone()),
            Middle::Mean => mean(&self.samples),
        }
    }

    /// Half of the range between the quartiles, as a part of the median or mean. `None` for fewer than three samples.
    pub(super) fn spread(&self) -> Option<f64> {
        let [low, high] = [0.25, 0.75].map(|part| quantile(&self.samples, part));
        (self.samples.len() >= 3 && self.middle() > 0.0).then(|| (high - low) / 2.0 / self.middle())
    }

    /// The middle and the spread, as they stand in a table.
    pub(super) fn cell(&self) -> String {
        let spread = self.spread().map(|part| format!(" ± {:.0} %", part * 100.0));
        format!("{}{}", self.unit.show(self.middle()), spread.unwrap_or_default())
    }

    /// How many times as long `peer` took, run by run in the same process: the median over the pairs; of means, the
    /// ratio of the means.
    pub(super) fn ratio_of(&self, peer: &Self) -> f64 {
        if self.by == Middle::Mean || self.samples.len() != peer.samples.len() {
            return peer.middle() / self.middle();
        }
        median(self.samples.iter().zip(&peer.samples).map(|(own, peer)| peer / own).collect())
    }
}

/// The mean.
pub(super) fn mean(samples: &[f64]) -> f64 {
    samples.iter().sum::<f64>() / real(samples.len())
}

/// The value below which this part of the samples lies, interpolated.
pub(super) fn quantile(samples: &[f64], part: f64) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1);
    let place = part * real(last);
    let below: usize = place.as_();
    match (sorted.get(below), sorted.get((below + 1).min(last))) {
        (Some(low), Some(high)) => low + (high - low) * place.fract(),
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(samples: &[f64]) -> Figure {
        Figure::new("x", Unit::Micros, samples.to_vec())
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
