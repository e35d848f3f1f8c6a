//! A wallet on the command line: keys that several parties make together and of which any
//! `threshold` of them can sign.
//!
//! ```text
//! cargo run -p quorate-wallet -- demo README.md
//! cargo run -p quorate-wallet -- demo README.md --suite ecdsa-secp256k1
//! ```
//!
//! The code that a wallet of your own needs is in `keygen.rs` and `signing.rs`, for threshold ECDSA
//! in the folder `ecdsa`; around them are files and printing.

use std::process::ExitCode;

use quorate_examples::out::{self, Out};

fn main() -> ExitCode {
    out::exit(quorate_wallet::run(std::env::args_os().skip(1), &mut Out::standard()))
}
