//! Progress of a piece of work, for the user who waits.

use core::time::Duration;
use std::io::{self, IsTerminal, Write};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

/// The interval of reports where there is no terminal.
const EVERY: Duration = Duration::from_secs(5);

/// A bar on a terminal. Where standard error goes to a file or a pipe, lines, without control
/// characters: one when another piece of work begins, and one every five seconds.
pub struct ProgressLine {
    shown: Shown,
    what: String,
    said: Instant,
}

enum Shown {
    Bar(ProgressBar),
    Lines,
    Nothing,
}

impl ProgressLine {
    /// Shown on standard error.
    #[must_use]
    pub fn on_stderr() -> Self {
        if !io::stderr().is_terminal() {
            return Self::new(Shown::Lines);
        }
        let bar = ProgressBar::new(100);
        if let Ok(style) = ProgressStyle::with_template("  {msg} [{bar:30}]") {
            bar.set_style(style.progress_chars("#--"));
        }
        Self::new(Shown::Bar(bar))
    }

    /// Not shown.
    #[must_use]
    pub fn hidden() -> Self {
        Self::new(Shown::Nothing)
    }

    fn new(shown: Shown) -> Self {
        Self { shown, what: String::new(), said: Instant::now() }
    }

    /// Shows how much of something is done, from 0 to 1.
    pub fn show(&mut self, what: &str, done: f64) {
        // In percent. There is no cast from a float that the lints allow.
        let percent = (1..=100_u8).filter(|percent| f64::from(*percent) <= done * 100.0).count();
        match &self.shown {
            Shown::Bar(bar) => {
                bar.set_message(what.to_owned());
                bar.set_position(percent as u64);
            }
            Shown::Lines if what != self.what || self.said.elapsed() >= EVERY => {
                writeln!(io::stderr(), "  {what}, {percent} %").ok();
                what.clone_into(&mut self.what);
                self.said = Instant::now();
            }
            Shown::Lines | Shown::Nothing => {}
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}
