//! Times the steps of the protocols and the big numbers under them: `timings frost --suite ed25519 --min 67 --max 100
//! --json`, `timings bignum --op modexp_batch8 --json`, `timings ecdsa --level 128 --parties 3 --json`, and what one malicious
//! frame costs: `timings malice --level 112 --parties 3 --parties 10`. `timings mldsa --level 44 --threshold 3 --parties 3` has
//! attempts of threshold ML-DSA. `timings runner` measures the loop around sessions.

use clap::Error;
use quorate_benches::bignum::{self, BignumArgs};
use quorate_benches::ecdsa::{self, EcdsaArgs};
use quorate_benches::mldsa::{self, MlDsaArgs};
use quorate_benches::runner::{self, RunnerArgs};
use quorate_benches::{Args, CountingAllocator, Library, Line, Plan, Quorate, Report, timings};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() {
    if let Err(wrong) = measure() {
        wrong.exit();
    }
}

fn measure() -> Result<(), Error> {
    match timings().try_get_matches()?.subcommand() {
        Some(("bignum", matches)) => bignum::report(&BignumArgs::new(matches)),
        Some(("ecdsa", matches)) => ecdsa::report(&EcdsaArgs::new(matches)?),
        Some(("malice", matches)) => ecdsa::malice(&EcdsaArgs::new(matches)?),
        Some(("mldsa", matches)) => mldsa::report(&MlDsaArgs::new(matches)?),
        Some(("runner", matches)) => runner::report(&RunnerArgs::new(matches)),
        Some((_, matches)) => run(&Args::new(matches)?),
        None => {}
    }
    Ok(())
}

fn run(args: &Args) {
    let mut report = Report::new(args.json);
    for &suite in &args.suites {
        for &size in &args.sizes {
            let Some(fixture) = Quorate.fixture(suite, size) else { continue };
            for step in args.steps(size) {
                let us = Plan::new(fixture.routine(step)).median(args.runs);
                report.line(&Line {
                    library: Quorate.name(),
                    suite,
                    step,
                    size,
                    us,
                    runs: args.runs,
                });
            }
        }
    }
}
