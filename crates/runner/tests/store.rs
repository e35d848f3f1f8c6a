//! The store in memory keeps the contract; one that breaks it is found.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use quorate_runner::MemoryStore;
use quorate_runner::testing::conformance;

#[test]
fn the_store_in_memory_keeps_the_contract() {
    conformance(MemoryStore::new, |store| store).unwrap();
}
