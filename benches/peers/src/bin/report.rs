//! The report of `quorate-benches` with other libraries beside, in turns in the same process: the frost-* crates and
//! cggmp24. `cargo run --release --manifest-path benches/peers/Cargo.toml --bin report -- quick`.

use std::process::ExitCode;

use quorate_benches::CountingAllocator;
use quorate_benches::report::{Peers, main as report};
use quorate_peers::Frost;
use quorate_peers::ecdsa::{Cggmp24, count_gmp};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() -> ExitCode {
    count_gmp();
    report(&Peers { frost: vec![Box::new(Frost)], ecdsa: vec![Box::new(Cggmp24)] })
}
