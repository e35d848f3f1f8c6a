//! The reference table of big-number operations, engine by engine, then Criterion's report of the same.
//! `cargo bench --bench bignum --features gmp,openssl` adds the engines of those libraries.
#![allow(missing_docs, reason = "criterion_main! writes an undocumented main")]

use core::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use quorate_benches::bignum::{BignumArgs, Contender, Inputs, Op, report};
use quorate_benches::{Meter as _, Stopwatch};

fn table(_: &mut Criterion) {
    if let Ok(matches) = BignumArgs::command().try_get_matches_from(["bignum", "--runs", "5"]) {
        report(&BignumArgs::new(&matches));
    }
}

fn operations(criterion: &mut Criterion) {
    for op in Op::ALL.into_iter().filter(|&op| op != Op::SafePrime) {
        for bits in [2048, 4096] {
            let inputs = Inputs::new(bits);
            let mut group = criterion.benchmark_group(format!("bignum/{}/{bits}", op.name()));
            group
                .sample_size(10)
                .warm_up_time(Duration::from_millis(100))
                .measurement_time(Duration::from_secs(1));
            for contender in Contender::all() {
                let Some(mut work) = op.work(contender, &inputs) else { continue };
                group.bench_function(contender.name(), |bencher| {
                    bencher.iter_custom(|iterations| {
                        let mut stopwatch = Stopwatch::default();
                        stopwatch.start();
                        for _ in 0..iterations {
                            (work.run)();
                        }
                        stopwatch.stop();
                        stopwatch.total()
                    });
                });
            }
            group.finish();
        }
    }
}

criterion_group!(benches, table, operations);
criterion_main!(benches);
