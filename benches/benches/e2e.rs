//! The reference table of threshold ECDSA: every step from key generation to a signature, all parties in one
//! process. `cargo bench --bench e2e -- --parties 3 --step presign` prints a part of it.
#![allow(missing_docs, reason = "a program")]

use quorate_benches::CountingAllocator;
use quorate_benches::ecdsa::{EcdsaArgs, report};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() {
    // Cargo adds a flag of its own.
    let mut arguments: Vec<String> = std::env::args().filter(|arg| arg != "--bench").collect();
    if !arguments.iter().any(|arg| arg == "--parties") {
        arguments.extend(["--parties", "3", "--parties", "6", "--parties", "9"].map(str::to_owned));
    }
    let matches = EcdsaArgs::command().name("e2e").try_get_matches_from(arguments);
    match matches.and_then(|matches| EcdsaArgs::new(&matches)) {
        Ok(args) => report(&args),
        Err(wrong) => wrong.exit(),
    }
}
