//! The heap of a party in a run for many presignatures.
#![allow(
    missing_docs,
    clippy::integer_division_remainder_used,
    clippy::integer_division,
    reason = "a test"
)]

use quorate_benches::CountingAllocator;
use quorate_benches::ecdsa::{EcdsaCurve, EcdsaStep, Ledger, Level, QuorateEcdsa, Setup};
use quorate_bignum::Engine;
use quorate_paillier::Level as Sizes;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const N: u16 = 9;

/// The peak of a party of nine, with moduli of 768 bits.
fn peak(k: u16) -> usize {
    let setup = Setup { curve: EcdsaCurve::Secp256k1, level: Level::Bits112, n: N, t: N, k };
    let mut fixture = QuorateEcdsa(Engine::detect()).toy(setup);
    fixture.prepare(EcdsaStep::PresignMany);
    let mut ledger = Ledger::counting();
    fixture.run(EcdsaStep::PresignMany, &mut ledger);
    ledger.peak()
}

/// Memory grows with the number of presignatures by what a party was sent and keeps, sixty ciphertexts for each peer at
/// this size: proofs are made and verified block by block.
#[test]
fn heap_of_a_run_for_many() {
    let [at_8, at_32] = [8, 32].map(peak);
    let each = at_32.saturating_sub(at_8) / 24;
    assert!(at_32 < 4_000_000, "{at_32} bytes at the peak");
    assert!(
        each < 60 * usize::from(N - 1) * Sizes::Toy.ciphertext_bytes() * 11 / 10,
        "{each} bytes for each"
    );
}
