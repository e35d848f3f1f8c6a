//! Times the steps of the protocols and the big numbers under them: `timings frost --suite ed25519 --min 67 --max 100
//! --json`, `timings bignum --op modexp_batch8 --json`, `timings ecdsa --level 128 --parties 3 --json`, and what one malicious
//! frame costs: `timings malice --level 112 --parties 3 --parties 10`.

use std::process::ExitCode;

use quorate_benches::bignum::{BignumArgs, report};
use quorate_benches::ecdsa::{self, EcdsaArgs};
use quorate_benches::{Args, CountingAllocator, Library, Line, Plan, Quorate, Report};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("bignum") => return bignum(),
        Some("ecdsa") => return ecdsa(ecdsa::report),
        Some("malice") => return ecdsa(ecdsa::malice),
        _ => {}
    }
    match Args::parse(std::env::args().skip(1)) {
        Ok(args) if args.memory || args.check => {
            refuse("--memory and --check belong to benches/peers")
        }
        Ok(args) => {
            run(&args);
            ExitCode::SUCCESS
        }
        Err(wrong) => refuse(&wrong),
    }
}

fn bignum() -> ExitCode {
    match BignumArgs::parse(std::env::args().skip(2)) {
        Ok(args) => {
            report(&args);
            ExitCode::SUCCESS
        }
        Err(wrong) => {
            eprintln!("{wrong}\n{}", BignumArgs::USAGE);
            ExitCode::from(2)
        }
    }
}

fn ecdsa(measure: fn(&EcdsaArgs)) -> ExitCode {
    match EcdsaArgs::parse(std::env::args().skip(2)) {
        Ok(args) if !args.libraries.is_empty() => refuse("--library belongs to benches/peers"),
        Ok(args) => {
            measure(&args);
            ExitCode::SUCCESS
        }
        Err(wrong) => {
            eprintln!("{wrong}\n{}", EcdsaArgs::USAGE);
            ExitCode::from(2)
        }
    }
}

fn refuse(wrong: &str) -> ExitCode {
    eprintln!("{wrong}\n{}", Args::USAGE);
    ExitCode::from(2)
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
