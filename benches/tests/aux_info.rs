//! The heap of a party that makes auxiliary information.
#![allow(missing_docs, reason = "a test")]

use quorate_benches::CountingAllocator;
use quorate_benches::ecdsa::{
    EcdsaCurve, EcdsaLibrary, EcdsaStep, Ledger, Level, QuorateEcdsa, Setup,
};
use quorate_bignum::Engine;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Of three parties, with moduli of 3072 bits and primes given, none has more than 1 MB (10^6 bytes) on the heap at any
/// time: its session with all frames, its own keys and the tables for its peers, and what it makes. Half of it is frames and
/// tables.
#[test]
fn heap_of_a_party_is_below_a_megabyte() {
    let setup = Setup { curve: EcdsaCurve::Secp256k1, level: Level::Bits128, n: 3, t: 3, k: 1 };
    let mut fixture = QuorateEcdsa(Engine::detect()).fixture(setup).unwrap();
    fixture.prepare(EcdsaStep::AuxInfoGivenPrimes);
    let mut ledger = Ledger::counting();
    fixture.run(EcdsaStep::AuxInfoGivenPrimes, &mut ledger);
    assert!(ledger.peak() <= 1_000_000, "{} bytes at the peak", ledger.peak());
    // The proofs and the tables are there.
    assert!(ledger.peak() > 500_000, "{} bytes at the peak", ledger.peak());
}
