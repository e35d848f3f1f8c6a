//! Threshold ECDSA inside a service: three nodes with a database each, any of which may be killed
//! at any step.
//!
//! ```text
//! cargo run --release --example custody -- demo
//! ```
//!
//! Begin to read at `examples/src/custody.rs`.

use std::io::{self, Write};
use std::process::ExitCode;

use quorate_examples::custody;

fn main() -> ExitCode {
    let mut text = String::new();
    let result = custody::run(std::env::args_os().skip(1), &mut text);
    // A reader that stops reading, such as `head`, is no reason to complain.
    io::stdout().write_all(text.as_bytes()).ok();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            writeln!(io::stderr(), "error: {failure}").ok();
            ExitCode::FAILURE
        }
    }
}
