//! Criterion benches of every step and suite, at sizes that keep a whole run short. Choose with a filter:
//! `cargo bench --bench frost -- 'ed25519/67-of-100/round2'`.
#![allow(missing_docs, reason = "criterion_main! writes an undocumented main")]

use core::hint::black_box;
use core::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use quorate_benches::{Library, Operation, Quorate, Size, Stopwatch, Suite};
use quorate_session::stock::Ranges;

const SIZES: [Size; 3] = [Size { t: 2, n: 3 }, Size { t: 7, n: 10 }, Size { t: 67, n: 100 }];

fn steps(criterion: &mut Criterion) {
    for suite in Suite::ALL.iter().copied() {
        for size in SIZES {
            let Some(fixture) = Quorate.fixture(suite, size) else { continue };
            let mut group =
                criterion.benchmark_group(format!("{}/{}-of-{}", suite.name(), size.t, size.n));
            group
                .sample_size(20)
                .warm_up_time(Duration::from_millis(200))
                .measurement_time(Duration::from_secs(1));
            for step in Operation::ALL {
                // Made on the first call, so that a filter pays only for what it chooses.
                let mut routine = None;
                group.bench_function(step.name(), |bencher| {
                    bencher.iter_custom(|iterations| {
                        let mut stopwatch = Stopwatch::default();
                        routine
                            .get_or_insert_with(|| fixture.routine(step))
                            .run(iterations, &mut stopwatch);
                        stopwatch.total()
                    });
                });
            }
            group.finish();
        }
    }
}

/// The names that two stocks of a million have in common.
fn stock(criterion: &mut Criterion) {
    let mine: Ranges = (0..2_000_000).step_by(2).collect();
    let theirs: Ranges = (0..3_000_000).step_by(3).collect();
    criterion.bench_function("stock/a-million-ranges/intersect", |bencher| {
        bencher.iter(|| black_box(&mine).intersect(black_box(&theirs)));
    });
}

criterion_group!(benches, steps, stock);
criterion_main!(benches);
