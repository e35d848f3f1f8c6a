//! A run that goes on and on neither slows down for good nor grows.
#![allow(missing_docs, reason = "a test")]

use core::time::Duration;

use quorate_benches::CountingAllocator;
use quorate_benches::report::soak;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn nothing_piles_up_in_a_soak() {
    let soak = soak(Duration::from_millis(400), 8, |_, _| ());
    assert!(soak.start > 1000, "the committee is on the heap: {} bytes", soak.start);
    assert!(soak.signatures >= 8);
    for interval in &soak.intervals {
        assert_eq!(interval.heap, soak.start, "after {} signatures", soak.signatures);
    }
}
