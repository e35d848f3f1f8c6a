//! A bar for whoever waits at a terminal.

use std::io::{self, IsTerminal, Write};

const WIDTH: u16 = 30;

/// A line on the terminal that says what is going on; nothing if there is no terminal.
pub(crate) struct Bar {
    shown: bool,
}

impl Bar {
    pub(crate) fn new() -> Self {
        Self { shown: io::stderr().is_terminal() }
    }

    /// Shows how much of something is done, from 0 to 1.
    pub(crate) fn show(&self, what: &str, done: f64) {
        if self.shown {
            let full = (0..WIDTH).filter(|at| f64::from(*at) < done * f64::from(WIDTH)).count();
            let empty = usize::from(WIDTH).saturating_sub(full);
            let (full, empty) = ("#".repeat(full), "-".repeat(empty));
            write!(io::stderr(), "\r\x1b[2K  {what} [{full}{empty}]").ok();
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if self.shown {
            write!(io::stderr(), "\r\x1b[2K").ok();
        }
    }
}
