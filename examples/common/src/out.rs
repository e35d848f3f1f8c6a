//! Standard output, or a string in its place.

use core::fmt::{self, Write as _};
use std::io::{self, Write as _};
use std::process::ExitCode;

use crate::failure::Failure;
use crate::progress::ProgressLine;

/// Takes everything that a program prints.
pub struct Out(Sink);

enum Sink {
    Streams,
    Text(String),
}

impl Out {
    /// Standard output, line by line as it is written; progress goes to standard error.
    #[must_use]
    pub const fn standard() -> Self {
        Self(Sink::Streams)
    }

    /// A string. ProgressLine is not shown.
    #[must_use]
    pub const fn captured() -> Self {
        Self(Sink::Text(String::new()))
    }

    /// The text so far, if it was [captured](Self::captured).
    #[must_use]
    pub fn into_text(self) -> String {
        match self.0 {
            Sink::Streams => String::new(),
            Sink::Text(text) => text,
        }
    }

    /// Shows how far a piece of work is.
    #[must_use]
    pub fn progress(&self) -> ProgressLine {
        match self.0 {
            Sink::Streams => ProgressLine::on_stderr(),
            Sink::Text(_) => ProgressLine::hidden(),
        }
    }

    /// Appends a value's text and a line break.
    pub fn line(&mut self, text: impl fmt::Display) {
        writeln!(self, "{text}");
    }

    /// Appends text, for `write!` and `writeln!`. It never fails.
    pub fn write_fmt(&mut self, text: fmt::Arguments<'_>) {
        match &mut self.0 {
            // A reader that stops reading, such as `head`, is no reason to complain.
            Sink::Streams => io::stdout().write_fmt(text).ok(),
            Sink::Text(all) => all.write_fmt(text).ok(),
        };
    }
}

/// The end of a program: says on standard error why it failed, if it did.
pub fn exit(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            writeln!(io::stderr(), "error: {failure}").ok();
            failure.exit_code()
        }
    }
}
