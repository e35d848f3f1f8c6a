//! Messages into a buffer that is used again: the same bytes, and nothing allocated.
#![allow(missing_docs, reason = "a test")]

use quorate_benches::report::encoding::messages;
use quorate_benches::{CountingAllocator, HeapMeter, Meter as _};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn a_buffer_that_is_reused_takes_every_message() {
    let all = messages(4);
    assert!(all.len() >= 6);
    for message in all {
        let fresh = (message.fresh)();
        let mut buffer = b"before".to_vec();
        (message.into)(&mut buffer);
        assert_eq!(buffer.strip_prefix(b"before"), Some(&*fresh), "{}", message.name);
        buffer.clear();
        let mut meter = HeapMeter::default();
        meter.measure(|| (message.into)(&mut buffer));
        assert_eq!((meter.allocations, &buffer), (0, &fresh), "{}", message.name);
        // A new one is of the right size at once.
        let mut meter = HeapMeter::default();
        let again = meter.measure(|| (message.fresh)());
        assert_eq!((meter.allocations, again), (1, fresh), "{}", message.name);
    }
}
