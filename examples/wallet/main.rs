//! A wallet on the command line: keys that several parties make together and of which any
//! `threshold` of them can sign.
//!
//! ```text
//! cargo run --release --example wallet -- demo README.md
//! cargo run --release --example wallet -- demo README.md --suite ecdsa-secp256k1
//! ```
//!
//! The code that a wallet of your own needs is in `keygen.rs` and `signing.rs` of
//! `examples/src/wallet`, for threshold ECDSA in `examples/src/wallet/ecdsa`; what is around them
//! is files and printing.

use std::io::{self, Write};
use std::process::ExitCode;

use quorate_examples::wallet;

fn main() -> ExitCode {
    let mut text = String::new();
    let result = wallet::run(std::env::args_os().skip(1), &mut text);
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
