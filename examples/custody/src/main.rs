//! Threshold ECDSA inside a service: three nodes with a database each, which may be killed at any moment.
//!
//! ```text
//! cargo run --manifest-path examples/custody/Cargo.toml -- demo
//! ```
//!
//! Begin to read at `lib.rs`.

use std::process::ExitCode;

use quorate_examples::out::{self, Out};

fn main() -> ExitCode {
    out::exit(quorate_custody::run(std::env::args_os().skip(1), &mut Out::standard()))
}
