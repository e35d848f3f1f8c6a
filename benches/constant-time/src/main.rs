//! Secret exponentiation under valgrind, which reports every branch and every address that depends on a secret.
//!
//! The bytes of the secrets are marked as undefined before they become numbers; valgrind follows them through every
//! operation, and complains where a jump or an address is made of them. What leaves a computation is marked as defined
//! again, also inside the library, which tells of each number that it declassifies when it is built for this
//! (`--cfg quorate_watch`). It runs the portable engine, since valgrind knows neither AVX-512 nor the way the others are chosen.
//!
//! `run.sh` builds it and runs it under valgrind. With `--leak` it evaluates the same power in variable time, which
//! must be reported: without that, silence would prove nothing.

mod cases;
mod memory;

use std::process::ExitCode;

fn main() -> ExitCode {
    let leak = match std::env::args().skip(1).collect::<Vec<_>>().as_slice() {
        [] => false,
        [flag] if flag == "--leak" => true,
        _ => {
            eprintln!("usage: constant-time [--leak]");
            return ExitCode::from(2);
        }
    };
    if !memory::watched() {
        eprintln!("not under valgrind: results are compared, nothing is watched");
    }
    #[cfg(quorate_watch)]
    if quorate_bignum::DECLASSIFIED.set(memory::show_at).is_err() {
        return ExitCode::from(3);
    }
    if leak {
        cases::leak();
        return ExitCode::SUCCESS;
    }
    for (name, case) in cases::ALL {
        case();
        println!("{name}: done");
    }
    ExitCode::SUCCESS
}
