//! Figures as lines of JSON, or as a table.

use crate::{Operation, Size, Suite};

/// The time of one step.
pub struct Line {
    /// The library's name.
    pub library: &'static str,
    /// The suite.
    pub suite: Suite,
    /// The step.
    pub step: Operation,
    /// Threshold and parties.
    pub size: Size,
    /// The median, in microseconds.
    pub us: f64,
    /// Samples that it is the median of.
    pub runs: usize,
}

/// How many times longer the peer takes for a step.
pub struct Ratio {
    /// The suite.
    pub suite: Suite,
    /// The step.
    pub step: Operation,
    /// Threshold and parties.
    pub size: Size,
    /// The peer's time over ours: the median over the pairs of samples.
    pub ratio: f64,
}

/// Prints figures as they come.
pub struct Report {
    json: bool,
    titled: bool,
}

impl Report {
    /// A report in JSON or as a table.
    #[must_use]
    pub fn new(json: bool) -> Self {
        Self { json, titled: false }
    }

    /// Prints a time.
    pub fn line(&mut self, line: &Line) {
        let Line { library, us, runs, .. } = *line;
        if self.json {
            println!(
                "{{\"library\":\"{library}\",{},\"us\":{us:.3},\"runs\":{runs}}}",
                key(line.suite, line.step, line.size)
            );
        } else {
            self.row(line.suite, line.step, line.size, library, &readable(us));
        }
    }

    /// Prints a ratio.
    pub fn ratio(&mut self, ratio: &Ratio) {
        if self.json {
            println!(
                "{{{},\"ratio\":{:.3}}}",
                key(ratio.suite, ratio.step, ratio.size),
                ratio.ratio
            );
        } else {
            self.row(ratio.suite, ratio.step, ratio.size, "ratio", &format!("{:.2}", ratio.ratio));
        }
    }

    fn row(&mut self, suite: Suite, step: Operation, size: Size, label: &str, value: &str) {
        if !self.titled {
            println!(
                "{:<14}{:<20}{:<12}{:<12}{:>12}",
                "suite", "step", "size", "library", "median"
            );
            self.titled = true;
        }
        let size = size.to_string();
        println!("{:<14}{:<20}{size:<12}{label:<12}{value:>12}", suite.name(), step.name());
    }
}

fn key(suite: Suite, step: Operation, size: Size) -> String {
    format!(
        "\"suite\":\"{}\",\"step\":\"{}\",\"t\":{},\"n\":{}",
        suite.name(),
        step.name(),
        size.t,
        size.n
    )
}

fn readable(us: f64) -> String {
    match us {
        _ if us < 1e3 => format!("{us:.2} us"),
        _ if us < 1e6 => format!("{:.2} ms", us / 1e3),
        _ => format!("{:.2} s", us / 1e6),
    }
}
