//! The heap of the board, and how much of heap and stack a task has used.

use core::alloc::{GlobalAlloc, Layout};
use core::mem::MaybeUninit;
use core::ptr::{addr_of, addr_of_mut, with_exposed_provenance, with_exposed_provenance_mut};
use core::sync::atomic::{AtomicUsize, Ordering};

use embedded_alloc::LlffHeap;

use crate::serial::Serial;

/// The heap's size, some times what is allocated at most: its blocks are of many sizes, and it needs room between them.
const HEAP: usize = 96 * 1024;
static mut BYTES: [MaybeUninit<u8>; HEAP] = [MaybeUninit::uninit(); HEAP];

#[global_allocator]
static ALLOCATOR: Counted = Counted(LlffHeap::empty());

/// The bytes that are allocated, and the most since the last report.
static USED: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// A heap that counts the bytes that were asked for.
struct Counted(LlffHeap);

// SAFETY: all calls go on to the heap as they are.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's.
        let block = unsafe { self.0.alloc(layout) };
        if !block.is_null() {
            let used = USED.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
            PEAK.fetch_max(used, Ordering::Relaxed);
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's.
        unsafe { self.0.dealloc(block, layout) }
    }
}

unsafe extern "C" {
    /// The lowest and the highest address of the stack, from the linker. They are places, and no values.
    static __sheap: [u8; 0];
    static _stack_start: [u8; 0];
}

const PAINT: u32 = 0x5a5a_5a5a;
const WORD: usize = size_of::<u32>();
/// The bytes below the stack pointer that stay as they are: the frame of the function that paints.
const OWN: usize = 256;

/// The memory of the board.
pub struct Memory(());

impl Memory {
    /// Makes the heap, and paints the stack that is not used yet.
    ///
    /// # Safety
    /// Call it once, before anything is allocated.
    pub unsafe fn new() -> Self {
        // SAFETY: nothing else uses these bytes.
        unsafe { ALLOCATOR.0.init(addr_of_mut!(BYTES).expose_provenance(), HEAP) };
        let memory = Self(());
        memory.paint();
        memory
    }

    /// Says how much stack and heap was in use at most since the last report, in bytes.
    pub fn report(&self, serial: &mut Serial, word: &str) {
        let (mut lowest, top) = (bottom(), addr_of!(_stack_start).addr());
        let is_painted = |address: usize| {
            // SAFETY: between the statics and the top of the stack there is nothing but memory.
            unsafe { with_exposed_provenance::<u32>(address).read_volatile() == PAINT }
        };
        while lowest < top && is_painted(lowest) {
            lowest += WORD;
        }
        let used = [top - lowest, PEAK.load(Ordering::Relaxed)];
        let used = used.map(|bytes| u32::try_from(bytes).unwrap_or(u32::MAX).to_be_bytes());
        PEAK.store(USED.load(Ordering::Relaxed), Ordering::Relaxed);
        self.paint();
        serial.say(word, &[used.as_flattened()]);
    }

    fn paint(&self) {
        let here = usize::try_from(cortex_m::register::msp::read()).unwrap_or_default();
        for address in (bottom()..here.saturating_sub(OWN)).step_by(WORD) {
            // SAFETY: it is below all frames of the stack, and above the statics.
            unsafe { with_exposed_provenance_mut::<u32>(address).write_volatile(PAINT) };
        }
    }
}

/// The lowest address of the stack. Nothing guards it here: see `flip-link`.
fn bottom() -> usize {
    addr_of!(__sheap).expose_provenance().next_multiple_of(WORD)
}
