//! The allocator.

#![allow(unsafe_code, reason = "a global allocator cannot be written otherwise")]

use core::alloc::{GlobalAlloc, Layout};
use core::cell::Cell;
use core::sync::atomic::{AtomicBool, Ordering};
use std::alloc::System;
use std::sync::{PoisonError, RwLock};

use super::forms::Index;
use super::hits::note;

static ARMED: AtomicBool = AtomicBool::new(false);
static INDEX: RwLock<Option<Index>> = RwLock::new(None);

std::thread_local! {
    /// `true` while this thread searches a block: the blocks that it allocates and frees for that are not searched.
    static LOOKING: Cell<bool> = const { Cell::new(false) };
}

/// The system's allocator; each block is searched and wiped before it is freed.
#[derive(Debug)]
pub struct WatchingAllocator;

/// Begins to look for the secrets in the index, or stops.
pub(super) fn arm(index: Option<Index>) {
    let armed = index.is_some();
    ARMED.store(false, Ordering::SeqCst);
    let mut place = INDEX.write().unwrap_or_else(PoisonError::into_inner);
    let before = core::mem::replace(&mut *place, index);
    drop(place);
    drop(before);
    ARMED.store(armed, Ordering::SeqCst);
}

/// The bytes of a value.
pub(super) fn bytes_of<T: Copy>(value: &T) -> &[u8] {
    // SAFETY: the bytes of a value that is borrowed may be read. The caller promises that there is no padding, whose
    // bytes would not be initialised.
    unsafe { core::slice::from_raw_parts(core::ptr::from_ref(value).cast(), size_of::<T>()) }
}

fn search(block: &[u8]) {
    if !ARMED.load(Ordering::Relaxed) || LOOKING.replace(true) {
        return;
    }
    if let Ok(index) = INDEX.try_read()
        && let Some(index) = &*index
    {
        search_for(index, block);
    }
    LOOKING.set(false);
}

fn search_for(index: &Index, block: &[u8]) {
    let mut at = 0;
    while let Some(rest) = block.get(at..)
        && let Some(word) = rest.first_chunk()
    {
        let first = u64::from_le_bytes(*word);
        // Most of freed memory is wiped.
        if first == 0 {
            at += 1 + usize::from(rest.get(8..16).is_some_and(|next| next == [0; 8])) * 7;
            continue;
        }
        let later =
            |offset: usize| rest.get(offset..)?.first_chunk().map(|w| u64::from_le_bytes(*w));
        match index.run_at(first, later) {
            Some(run) => {
                note(run.secret, run.form, block.len(), at);
                at += run.len;
            }
            None => at += 1,
        }
    }
}

/// Searches a block and wipes it.
///
/// # Safety
/// The block is allocated with this size, and nobody else uses it.
unsafe fn search_and_wipe(block: *mut u8, size: usize) {
    // SAFETY: the caller says that it may be read and written. Bytes that were never written are read as whatever the
    // memory holds: the block comes from outside of what the compiler sees.
    search(unsafe { core::slice::from_raw_parts(block, size) });
    // SAFETY: as above.
    unsafe { core::ptr::write_bytes(block, 0, size) };
    // Keeps the compiler from leaving the writes out, since freed bytes are not read.
    core::hint::black_box(block);
}

// SAFETY: every block is the system's, allocated and freed with the layout that came with the call. The default
// `realloc` moves a block.
unsafe impl GlobalAlloc for WatchingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block was allocated with this layout and is the caller's alone.
        unsafe { search_and_wipe(block, layout.size()) };
        // SAFETY: the caller upholds the contract of `dealloc`.
        unsafe { System.dealloc(block, layout) }
    }
}
