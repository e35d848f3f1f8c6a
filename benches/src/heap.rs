//! A counting allocator, and the meter that reads it.

mod division;

use core::alloc::{GlobalAlloc, Layout};
use core::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering::Relaxed};
use std::alloc::System;

pub use division::{Division, OTHERS, Parts, add_parts};

use crate::Meter;

/// Nothing is counted outside the measured parts, so that the allocator is no slower than the system's when
/// time is measured instead.
static COUNTING: AtomicBool = AtomicBool::new(false);
/// Bytes allocated less bytes freed since the start; negative when a consumed input is freed.
static LIVE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);
static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator with four counters: bytes that are live, their peak, allocations and their bytes. A
/// reallocation counts as one allocation, during which (as in the worst case) both blocks are live.
pub struct CountingAllocator;

fn gained(bytes: usize) {
    if COUNTING.load(Relaxed) && !division::keeps() {
        BYTES.fetch_add(bytes, Relaxed);
        let bytes = bytes.cast_signed();
        PEAK.fetch_max(LIVE.fetch_add(bytes, Relaxed).wrapping_add(bytes), Relaxed);
        ALLOCATIONS.fetch_add(1, Relaxed);
    }
}

/// A new block.
fn came(block: *mut u8, size: usize) {
    gained(size);
    if COUNTING.load(Relaxed) {
        division::gained(block, size);
    }
}

fn lost(bytes: usize) {
    if COUNTING.load(Relaxed) && !division::keeps() {
        LIVE.fetch_sub(bytes.cast_signed(), Relaxed);
    }
}

#[allow(unsafe_code, reason = "a global allocator cannot be written otherwise")]
// SAFETY: every call goes to the system's allocator with the very arguments it came with, and the counters
// are atomics that never allocate, so the contract of `GlobalAlloc` holds because it holds for `System`.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `alloc`.
        let block = unsafe { System.alloc(layout) };
        came(block, layout.size());
        block
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `alloc_zeroed`.
        let block = unsafe { System.alloc_zeroed(layout) };
        came(block, layout.size());
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        lost(layout.size());
        division::lost(block, layout.size(), COUNTING.load(Relaxed));
        // SAFETY: the caller upholds the contract of `dealloc`.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        gained(size);
        // SAFETY: the caller upholds the contract of `realloc`.
        let moved = unsafe { System.realloc(block, layout, size) };
        lost(layout.size());
        division::moved([block, moved], [layout.size(), size], COUNTING.load(Relaxed));
        moved
    }
}

/// Use of the heap in the measured parts of a routine. Works where [`CountingAllocator`] is the global
/// allocator, in a program of one thread.
#[derive(Default)]
pub struct HeapMeter {
    /// Bytes that were live at most, above those that were live at the start.
    pub peak: usize,
    /// Allocations and reallocations.
    pub allocations: usize,
    /// Bytes of all of them.
    pub bytes: usize,
    /// Bytes that were live at the end, above those that were live at the start; less than none when what
    /// was made before was freed.
    pub left: isize,
    /// The peak by crate, under a [`Division`].
    pub peak_parts: Parts,
    /// The bytes of `left` by crate, under a [`Division`].
    pub left_parts: Parts,
}

impl HeapMeter {
    /// Bytes that are live now, above those at the start of the meter that runs.
    #[must_use]
    pub fn live() -> isize {
        LIVE.load(Relaxed)
    }
}

impl Meter for HeapMeter {
    fn start(&mut self) {
        LIVE.store(0, Relaxed);
        PEAK.store(0, Relaxed);
        ALLOCATIONS.store(0, Relaxed);
        BYTES.store(0, Relaxed);
        division::start();
        COUNTING.store(true, Relaxed);
    }

    fn stop(&mut self) {
        COUNTING.store(false, Relaxed);
        let [at_peak, left] = division::stop();
        if PEAK.load(Relaxed).unsigned_abs() > self.peak {
            self.peak_parts = at_peak;
        }
        add_parts(&mut self.left_parts, &left);
        self.peak = self.peak.max(PEAK.load(Relaxed).unsigned_abs());
        self.allocations += ALLOCATIONS.load(Relaxed);
        self.bytes += BYTES.load(Relaxed);
        self.left += LIVE.load(Relaxed);
    }
}
