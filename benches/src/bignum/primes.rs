//! Safe primes: the mean over many, since one search takes a random time.

use std::io::Write as _;

use quorate_bignum::{Engine, SafePrimeSearch};

use super::{BignumArgs, Contender, Op, plain};
use crate::{Meter as _, Stopwatch};

/// A contender's sums.
struct Total {
    contender: Contender,
    seconds: f64,
    tests: u64,
    expected: f64,
}

/// One search to its end: seconds of the thread, candidates tested, and the number that theory expects.
fn search(engine: Engine, bits: u32, seed: u64) -> (f64, u64, f64) {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut stopwatch = Stopwatch::default();
    stopwatch.start();
    let mut search =
        SafePrimeSearch::from_seed(bits, &engine, bytes.into()).expect("a length in range");
    let expected = search.progress().expected;
    let mut tests = 0;
    loop {
        // A step of eight tests, so that the count is right to a batch.
        let before = search.progress().tests;
        if search.step(8).expect("the engine works").is_some() {
            tests += 8;
            break;
        }
        tests += search.progress().tests - before;
    }
    stopwatch.stop();
    (stopwatch.total().as_secs_f64(), tests, expected)
}

#[cfg(feature = "openssl")]
fn openssl(bits: u32) -> f64 {
    let mut stopwatch = Stopwatch::default();
    stopwatch.start();
    let mut prime = openssl::bn::BigNum::new().expect("memory");
    prime.generate_prime(bits.cast_signed(), true, None, None).expect("a safe prime");
    stopwatch.stop();
    stopwatch.total().as_secs_f64()
}

fn one(total: &mut Total, bits: u32, seed: u64) -> Option<()> {
    let (seconds, tests, expected) = match total.contender {
        #[cfg(feature = "openssl")]
        Contender::Engine(engine) if engine == Engine::openssl() => (openssl(bits), 0, 0.0),
        Contender::Engine(engine) => search(engine, bits, seed),
        Contender::CryptoBigint | Contender::NumBigint => return None,
    };
    total.seconds += seconds;
    total.tests += tests;
    total.expected = expected;
    Some(())
}

/// Seconds of the thread for one safe prime: with an engine by its own search, with other libraries by a plain one.
#[must_use]
pub fn search_once(contender: Contender, bits: u32, seed: u64) -> f64 {
    let fermat: plain::Fermat = match contender {
        #[cfg(feature = "openssl")]
        Contender::Engine(engine) if engine == Engine::openssl() => return openssl(bits),
        Contender::Engine(engine) => return search(engine, bits, seed).0,
        Contender::CryptoBigint => plain::crypto_bigint,
        Contender::NumBigint => plain::num_bigint,
    };
    let mut stopwatch = Stopwatch::default();
    stopwatch.measure(|| core::hint::black_box(plain::safe_prime(bits, seed, fermat)));
    stopwatch.total().as_secs_f64()
}

/// Finds as many primes as asked for with every contender in turns, ours from the same seeds, and prints the means.
pub(super) fn report(args: &BignumArgs, bits: u32) {
    let zero = |&contender| Total { contender, seconds: 0.0, tests: 0, expected: 0.0 };
    let mut totals: Vec<Total> = args.contenders.iter().map(zero).collect();
    for seed in 0..args.primes as u64 {
        totals.retain_mut(|total| one(total, bits, seed).is_some());
    }
    #[allow(clippy::cast_precision_loss, reason = "counts of primes and tests are small")]
    let mean = |sum: f64| sum / args.primes as f64;
    let reference =
        |name: &str| totals.iter().find(|t| t.contender.name() == name).map(|t| t.seconds);
    let mut out = std::io::stdout();
    for total in &totals {
        let (engine, us) = (total.contender.name(), mean(total.seconds * 1e6));
        #[allow(clippy::cast_precision_loss, reason = "counts of primes and tests are small")]
        let tests = mean(total.tests as f64);
        let line = if args.json {
            format!(
                r#"{{"engine":"{engine}","op":"{}","bits":{bits},"exponent_bits":0,"us":{us:.2},"runs":{}}}"#,
                Op::SafePrime.name(),
                args.primes
            )
        } else {
            let ratios: String = ["gmp", "openssl"]
                .into_iter()
                .filter_map(|name| Some((name, reference(name)? / total.seconds)))
                .map(|(name, ratio)| format!(", {ratio:.1} x {name}"))
                .collect();
            format!(
                "{:<22}{bits:>6}  {engine:<14}{:>10.1} ms mean of {}, {tests:.0} tests (theory {:.0}){ratios}",
                Op::SafePrime.name(),
                us / 1e3,
                args.primes,
                total.expected,
            )
        };
        writeln!(out, "{line}").expect("standard output is open");
    }
}
