//! Kernels that count their products, and the tally of a thread. It is behind the feature `counting`, for
//! measurements only. An engine counts only if it was asked to ([`Engine::counting`](crate::Engine::counting)),
//! and other engines do not know about it.

use alloc::collections::BTreeMap;
use core::cell::{Cell, RefCell};

use super::batch::Batch;
use super::block::{Block, Blocks, words};
use super::layout::Layout;
use super::operations::{Kernel, Shared};
#[cfg(target_arch = "x86_64")]
use super::operations::{Pairs, UnderRoot};

/// A kind of Montgomery product. A product of a number with itself, made as a square, takes less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Operation {
    /// Bits of the modulus, rounded up to whole words of 64.
    pub bits: u32,
    /// `true` if the modulus is a square whose root is known, and numbers are pairs under the root.
    pub rooted: bool,
    /// `true` if the operation is a squaring.
    pub square: bool,
}

/// The number of times that an operation was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// The number of results that were needed.
    pub numbers: u64,
    /// The number of lanes in which they were made, including lanes whose results were not needed.
    pub lanes: u64,
}

/// The products of a piece of work.
pub type Products = BTreeMap<Operation, Made>;

std::thread_local! {
    /// The tally; `None` while the thread does not count.
    static TALLY: RefCell<Option<Products>> = const { RefCell::new(None) };
    /// The number of lanes whose results are needed.
    static FILLED: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// The result of `work`, and the products that counting engines make in it on this thread. They include those in
/// windows, tables, combs and tests of primes, and those that take numbers into Montgomery's form and out of it.
/// They exclude divisions, inverses and the few products between the parts of a result. Work within `work` is not
/// counted separately.
pub fn counted<T>(work: impl FnOnce() -> T) -> (T, Products) {
    TALLY.set(Some(Products::new()));
    let done = work();
    (done, TALLY.take().unwrap_or_default())
}

/// A guard. While it exists, this number of lanes of a kernel is needed.
pub(crate) struct Filled(usize);

impl Filled {
    pub(crate) fn by(numbers: usize) -> Self {
        Self(FILLED.replace(numbers))
    }
}

impl Drop for Filled {
    fn drop(&mut self) {
        FILLED.set(self.0);
    }
}

/// Records an operation. `n` has the moduli of its lanes.
fn made(layout: Layout, n: &[Block], rooted: bool, square: bool) {
    TALLY.with_borrow_mut(|tally| {
        let Some(tally) = tally else { return };
        let bits = bits(layout, n).next_multiple_of(64) << u32::from(rooted);
        let one = tally.entry(Operation { bits, rooted, square }).or_default();
        one.numbers += layout.lanes.min(FILLED.get()) as u64;
        one.lanes += layout.lanes as u64;
    });
}

/// Bits of the modulus in the first lane.
fn bits(layout: Layout, n: &[Block]) -> u32 {
    let limbs = (0u32..).zip(words(n).iter().step_by(layout.lanes));
    let top = limbs.filter(|(_, limb)| **limb != 0).last();
    top.map_or(0, |(at, limb)| at * layout.form.radix() + limb.ilog2() + 1)
}

/// Records a product that a kernel was asked for outside of any engine.
pub(crate) fn alone(kernel: &dyn Kernel, batch: &Batch, square: bool) {
    made(kernel.layout(), &batch.n, false, square);
}

/// A kernel that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counting<K>(pub(crate) K);

impl<K: Kernel> Kernel for Counting<K> {
    fn layout(&self) -> Layout {
        self.0.layout()
    }

    fn blocks(&self, limbs: usize) -> usize {
        self.0.blocks(limbs)
    }

    fn scratch(&self, limbs: usize) -> usize {
        self.0.scratch(limbs)
    }

    fn prepare(&self, n: &[Block], k0: &Block, limbs: usize) -> Blocks {
        self.0.prepare(n, k0, limbs)
    }

    fn is_ready(&self) -> bool {
        self.0.is_ready()
    }

    fn mul(
        &self,
        out: &mut [Block],
        a: &[Block],
        b: &[Block],
        batch: &Batch,
        scratch: &mut [Block],
    ) {
        made(self.layout(), &batch.n, false, false);
        self.0.mul(out, a, b, batch, scratch);
    }

    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]) {
        made(self.layout(), &batch.n, false, true);
        self.0.sqr(out, a, batch, scratch);
    }

    fn select_vartime(&self, out: &mut [Block], table: &[Block], index: &Block) {
        self.0.select_vartime(out, table, index);
    }

    fn select(&self, out: &mut [Block], table: &[Block], index: &Block) {
        self.0.select(out, table, index);
    }

    fn shift(&self, value: &mut [Block], shifts: &Block) {
        self.0.shift(value, shifts);
    }
}

#[cfg(target_arch = "x86_64")]
impl<K: Pairs> Pairs for Counting<K> {
    fn pair_scratch(&self, limbs: usize) -> usize {
        self.0.pair_scratch(limbs)
    }

    fn mul_pairs(
        &self,
        out: &mut [Block],
        x: &[Block],
        y: &[Block],
        under: UnderRoot<'_>,
        scratch: &mut [Block],
    ) {
        made(self.layout(), under.n, true, false);
        self.0.mul_pairs(out, x, y, under, scratch);
    }

    fn sqr_pairs(
        &self,
        out: &mut [Block],
        x: &[Block],
        under: UnderRoot<'_>,
        scratch: &mut [Block],
    ) {
        made(self.layout(), under.n, true, true);
        self.0.sqr_pairs(out, x, under, scratch);
    }
}

impl<K: Shared> Shared for Counting<K> {
    fn arranged(&self, table: Vec<u64>, limbs: usize) -> Vec<u64> {
        self.0.arranged(table, limbs)
    }

    fn select_shared_vartime(&self, out: &mut [Block], table: &[u64], limbs: usize, index: &Block) {
        self.0.select_shared_vartime(out, table, limbs, index);
    }

    fn select_shared(&self, out: &mut [Block], table: &[u64], limbs: usize, index: &Block) {
        self.0.select_shared(out, table, limbs, index);
    }
}
