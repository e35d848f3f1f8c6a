//! A wallet on the command line: keys that several parties make together and of which any `threshold` of them can sign.
//!
//! ```text
//! cargo run -p quorate-wallet -- demo README.md
//! cargo run -p quorate-wallet -- demo README.md --suite ecdsa-secp256k1
//! cargo run -p quorate-wallet -- --help
//! ```
//!
//! The head of `lib.rs` says which code a wallet of your own needs.

use std::process::ExitCode;

use quorate_examples::out::{self, Out};

fn main() -> ExitCode {
    // For tests, which kill the wallet at every step of its work.
    if let Some(changes) =
        std::env::var("QUORATE_WALLET_ABORT_AFTER").ok().and_then(|text| text.parse().ok())
    {
        quorate_wallet::disk::abort_after(changes);
    }
    out::exit(quorate_wallet::run(std::env::args_os().skip(1), &mut Out::standard()))
}
