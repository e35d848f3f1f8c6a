//! Times the same steps by the frost-* 3.0 crates and by Quorate, sample by sample in turn:
//! `timings frost --suite ed25519 --min 67 --max 100 --json`. With `--memory` it measures the heap instead;
//! with `--check` it compares the ratios with the targets and fails when one is missed. Threshold ECDSA:
//! `timings ecdsa --curve secp256k1 --level 128 --parties 3 --threshold 3 --json`. Threshold ML-DSA: `timings mldsa --check`.

mod ecdsa;
mod mldsa;

use std::process::ExitCode;

use clap::Error;
use quorate_benches::{
    Args, CountingAllocator, HeapMeter, Library, Line, Operation, Quorate, Ratio, Report, Size,
    Suite, families, flag, pair,
};
use quorate_peers::{Frost, target};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// The steps whose heap is measured.
const HEAVY: [Operation; 3] = [Operation::DealerKeygen, Operation::Round2, Operation::Aggregate];

fn main() -> ExitCode {
    measure().unwrap_or_else(|wrong| wrong.exit())
}

fn measure() -> Result<ExitCode, Error> {
    let frost = Args::command().args([
        flag("memory").help("Measure the heap instead of the time"),
        flag("check").conflicts_with("memory").help("Compare the ratios with the targets"),
    ]);
    let matches = families([frost, ecdsa::command(), mldsa::command()]).try_get_matches()?;
    let Some((family, matches)) = matches.subcommand() else { return Ok(ExitCode::SUCCESS) };
    if family == "ecdsa" {
        ecdsa::measure(matches)?;
        return Ok(ExitCode::SUCCESS);
    }
    if family == "mldsa" {
        return mldsa::measure(matches);
    }
    let args = Args::new(matches)?;
    if matches.get_flag("check") {
        return Ok(check(&args));
    }
    if matches.get_flag("memory") {
        memory(&args);
    } else {
        compare(&args, &args.sizes, |_, _, _| true, |_, _, _, _| ());
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the time of both libraries and their ratio for the steps that are to be run, and hands each ratio
/// on.
fn compare(
    args: &Args,
    sizes: &[Size],
    wanted: impl Fn(Suite, Operation, Size) -> bool,
    mut then: impl FnMut(Suite, Operation, Size, f64),
) {
    let mut report = Report::new(args.json);
    for &suite in &args.suites {
        for &size in sizes {
            let both = Frost.fixture(suite, size).zip(Quorate.fixture(suite, size));
            let Some((theirs, ours)) = both else { continue };
            for step in args.steps(size).into_iter().filter(|&step| wanted(suite, step, size)) {
                let (peer, own, ratio) = pair(theirs.routine(step), ours.routine(step), args.runs);
                for (library, us) in [(Frost.name(), peer), (Quorate.name(), own)] {
                    report.line(&Line { library, suite, step, size, us, runs: args.runs });
                }
                report.ratio(&Ratio { suite, step, size, ratio });
                then(suite, step, size, ratio);
            }
        }
    }
}

/// Compares every ratio that has a target with it.
fn check(args: &Args) -> ExitCode {
    let sizes = if args.given_size { args.sizes.clone() } else { quorate_peers::sizes() };
    let (mut reached, mut missed) = (0usize, Vec::new());
    let wanted = |suite, step, size| target(suite, step, size).is_some();
    compare(args, &sizes, wanted, |suite, step, Size { t, n }, ratio| {
        match target(suite, step, Size { t, n }) {
            Some(target) if ratio < target => {
                missed.push(format!(
                    "{} {} {t}-of-{n}: {ratio:.2}, target {target}",
                    suite.name(),
                    step.name()
                ));
            }
            _ => reached += 1,
        }
    });
    eprintln!("{reached} targets reached, {} missed", missed.len());
    for miss in &missed {
        eprintln!("missed: {miss}");
    }
    if missed.is_empty() && reached > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints the peak of the heap and the allocations of the steps that use most of it.
fn memory(args: &Args) {
    for &suite in &args.suites {
        for &size in &args.sizes {
            let libraries: [&dyn Library; 2] = [&Frost, &Quorate];
            for library in libraries {
                let Some(fixture) = library.fixture(suite, size) else { continue };
                for step in args.steps(size).into_iter().filter(|step| HEAVY.contains(step)) {
                    let mut routine = fixture.routine(step);
                    // Tables that are built once are not the step's.
                    routine.run(1, &mut HeapMeter::default());
                    let mut heap = HeapMeter::default();
                    routine.run(1, &mut heap);
                    print_heap(args.json, library.name(), suite, step, size, &heap);
                }
            }
        }
    }
}

fn print_heap(
    json: bool,
    library: &str,
    suite: Suite,
    step: Operation,
    size: Size,
    heap: &HeapMeter,
) {
    let (suite, step, Size { t, n }) = (suite.name(), step.name(), size);
    let HeapMeter { peak, allocations, .. } = heap;
    if json {
        println!(
            "{{\"library\":\"{library}\",\"suite\":\"{suite}\",\"step\":\"{step}\",\"t\":{t},\"n\":{n},\
             \"peak_bytes\":{peak},\"allocations\":{allocations}}}"
        );
    } else {
        let size = format!("{t}-of-{n}");
        println!(
            "{suite:<14}{step:<16}{size:<13}{library:<11}{peak:>12} bytes at most {allocations:>8} allocations"
        );
    }
}
