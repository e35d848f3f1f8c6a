//! A search for a safe prime that is stepped, watched, and saved as if the process could end.
//!
//! ```sh
//! cargo run --release -p quorate-bignum --example primes
//! ```

use core::error::Error;

use getrandom::{SysRng, rand_core::UnwrapErr};
use quorate_bignum::{Engine, SafePrimeSearch};

fn main() -> Result<(), Box<dyn Error>> {
    let engine = Engine::detect();
    let mut search = SafePrimeSearch::new(1024, &engine, &mut UnwrapErr(SysRng))?;
    let prime = loop {
        if let Some(prime) = search.step(200)? {
            break prime;
        }
        let progress = search.progress();
        println!("{} tests, {:.0} expected", progress.tests, progress.expected);
        // In production, the saved search is encrypted and stored. It is as secret as the prime.
        let saved = search.save();
        search = SafePrimeSearch::resume(&engine, &saved)?;
    };
    // Printing a secret is a decision, which `declassify` makes visible.
    let shown = prime.declassify();
    println!("a safe prime of {} bits", shown.bits());
    Ok(())
}
