//! Nothing piles up: after a thousand signatures as much is on the heap as before.
#![allow(missing_docs, clippy::expect_used, reason = "a test stops at the first surprise")]

use quorate_benches::ecdsa::{
    EcdsaCurve, EcdsaLibrary as _, EcdsaStep, Ledger, Level, QuorateEcdsa, Setup,
};
use quorate_benches::{CountingAllocator, HeapMeter, Meter as _};
use quorate_bignum::Engine;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn a_thousand_signatures_leave_nothing_behind() {
    let setup = Setup { curve: EcdsaCurve::Secp256k1, level: Level::Bits112, n: 3, t: 2, k: 1 };
    let mut fixture = QuorateEcdsa(Engine::detect()).fixture(setup).expect("all of it");
    let mut sign = |times: usize| {
        for _ in 0..times {
            fixture.prepare(EcdsaStep::Sign);
            fixture.run(EcdsaStep::Sign, &mut Ledger::timing());
        }
    };
    // Keys, presignatures, and what is made once.
    sign(3);
    let mut meter = HeapMeter::default();
    meter.measure(|| sign(1000));
    assert_eq!(meter.left, 0, "bytes left behind, of {} allocations", meter.allocations);
    assert!(meter.peak < 100_000, "{} bytes at the peak", meter.peak);
}
