//! A run that goes on and on neither slows down for good nor grows, and under more requests than it can serve it forgets none.
#![allow(missing_docs, reason = "a test")]

use core::time::Duration;

use quorate_benches::CountingAllocator;
use quorate_benches::report::{QUEUE, soak, stress};

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
    // What it serves, 174 % of it, and ten times as much as fits in the queue at once.
    let queue = QUEUE as u64;
    for capacity in [soak.rate(), 100_000.0] {
        let stress = stress(capacity, Duration::from_millis(50));
        assert_eq!(stress.lost(), 0, "{stress:?}");
        assert_eq!(stress.asked, stress.signed + stress.refused, "{stress:?}");
        assert!(stress.waiting <= QUEUE && stress.left <= 0, "{stress:?}");
        assert!(stress.asked >= stress.signed && stress.signed > 0, "{stress:?}");
        if capacity > 50_000.0 {
            assert!(stress.refused > queue && stress.waiting == QUEUE, "{stress:?}");
        }
    }
}
