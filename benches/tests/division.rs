//! The heap by crate: the parts are the whole, at the peak and in the end, and each block is where it belongs.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use quorate_benches::ecdsa::{EcdsaCurve, EcdsaStep, Ledger, Level, QuorateEcdsa, Setup};
use quorate_benches::{CountingAllocator, Division, HeapMeter, Meter as _, OTHERS, generator};
use quorate_bignum::Engine;
use quorate_curve::Ed25519;
use quorate_sharing::Polynomial;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn the_parts_are_the_whole() {
    let division = Division::begin();
    let setup = Setup { curve: EcdsaCurve::Secp256k1, level: Level::Bits112, n: 3, t: 3, k: 1 };
    let mut fixture = QuorateEcdsa(Engine::detect()).toy(setup);
    let mut meter = HeapMeter::default();
    meter.start();
    fixture.prepare(EcdsaStep::Presign);
    meter.stop();
    assert!(meter.left > 1000, "{} bytes", meter.left);
    let hint = "no line tables: CARGO_PROFILE_TEST_DEBUG=line-tables-only cargo test -p quorate-benches --test division";
    assert!(!meter.left_parts.is_empty(), "{hint}");
    assert_eq!(meter.left_parts.values().sum::<isize>(), meter.left, "{:?}", meter.left_parts);
    let mut ledger = Ledger::counting();
    fixture.run(EcdsaStep::Presign, &mut ledger);
    let (peak, parts) = (ledger.peak(), ledger.peak_parts());
    assert_eq!(parts.values().sum::<isize>(), peak.cast_signed(), "{parts:?}");
    for name in ["bignum", "session", "zk", "cggmp"] {
        assert!(parts.get(name).is_some_and(|bytes| *bytes > 0), "{name} in {parts:?}");
    }
    let others = parts.get(OTHERS).copied().unwrap_or(0);
    assert!(others.unsigned_abs() * 5 < peak, "{others} of {peak} bytes are nobody's");

    // Blocks of this file belong to no crate. A block that grows moves to the crate that makes it grow. A freed block is
    // subtracted where it was counted.
    let mut meter = HeapMeter::default();
    meter.start();
    let polynomial = Polynomial::<Ed25519>::random(8, &mut generator(1)).unwrap();
    let commitment = polynomial.commit();
    let mut bytes = Vec::<u8>::with_capacity(10);
    commitment.encode_into(&mut bytes);
    drop(polynomial);
    let own = vec![0u8; 1000];
    meter.stop();
    assert_eq!(meter.left_parts.values().sum::<isize>(), meter.left, "{:?}", meter.left_parts);
    assert_eq!(meter.left_parts[OTHERS], own.len().cast_signed(), "{:?}", meter.left_parts);
    let capacity = bytes.capacity().cast_signed();
    assert!(meter.left_parts["sharing"] >= capacity && capacity >= 8 * 32, "{capacity}");
    drop(division);

    // Outside a division there are no parts.
    let mut meter = HeapMeter::default();
    meter.start();
    let block = vec![0u8; 1000];
    meter.stop();
    assert!(meter.left_parts.is_empty() && meter.left >= block.len().cast_signed());
}
