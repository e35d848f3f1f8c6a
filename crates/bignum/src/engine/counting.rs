//! Engines that count their products, and single operations to be timed. Behind the feature `counting`.

use alloc::vec::Vec;

#[cfg(target_arch = "x86_64")]
use super::choice::SquareKernels;
use super::choice::{Alone, Counted, Engine, Kernels};
use crate::kernel::batch::Batch;
use crate::kernel::block::{Blocks, zeros};
use crate::kernel::counting::Operation;
use crate::kernel::operations::Kernel;
use crate::modular::modulus::Modulus;
use crate::modular::parameters::Parameters;
use crate::number::natural::Natural;

impl Counted {
    /// The engine's name and kernels.
    pub(super) const fn arm(&self) -> (&'static str, Kernels<'_>) {
        match self {
            Self::Portable(kernel) => {
                let one = Alone::with(kernel);
                ("portable", Kernels { one, many: kernel, squares: None })
            }
            #[cfg(target_arch = "aarch64")]
            Self::Aarch64(kernel) => {
                let one = Alone::with(kernel);
                ("aarch64", Kernels { one, many: kernel, squares: None })
            }
            #[cfg(target_arch = "x86_64")]
            Self::X86_64(short, long, many, square, squares) => {
                ("x86-64", Kernels::x86_64([short, long], many, [square, squares]))
            }
            #[cfg(target_arch = "x86_64")]
            Self::Ifma(one, many, square, squares) => {
                let one = Alone::with(one);
                let squares = Some(SquareKernels { one: square, from: 0, many: squares });
                ("ifma", Kernels { one, many, squares })
            }
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd(kernel) => {
                let one = Alone::with(kernel);
                ("wasm-simd", Kernels { one, many: kernel, squares: None })
            }
            #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
            Self::Relaxed(one, many) => {
                let one = Alone::with(one);
                ("wasm-relaxed", Kernels { one, many, squares: None })
            }
        }
    }
}

/// An operation on numbers of its own, repeated any number of times, in all lanes of a kernel. It measures the
/// best possible time, in which nothing waits for a table, an exponent or memory.
pub struct Repeated<'a> {
    kernel: &'a dyn Kernel,
    square: bool,
    batch: Batch,
    factor: Blocks,
    value: Blocks,
    spare: Blocks,
    scratch: Blocks,
}

/// An odd number of exactly `bits` bits, a multiple of 64; another one for each `seed`.
fn number(bits: u32, seed: u64) -> Natural {
    let mut state = 0x9e37_79b9_7f4a_7c15 ^ seed;
    let mut word = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut words: Vec<u64> = (0..bits >> 6).map(|_| word()).collect();
    if let Some(low) = words.first_mut() {
        *low |= 1;
    }
    if let Some(high) = words.last_mut() {
        *high |= 1 << 63;
    }
    Natural::from_words(&words)
}

impl Engine {
    /// This operation in the kernel for many numbers at once, or in that for one. `None` if the engine is another
    /// library's or has no pairs, or if the modulus of the operation does not consist of whole words.
    #[must_use]
    pub fn repeated(&self, operation: Operation, many: bool) -> Option<Repeated<'_>> {
        let Operation { bits, rooted, square } = operation;
        let Kernels { one, many: lanes, squares } = self.kernels()?;
        let kernel: &dyn Kernel = match (rooted, many) {
            (false, false) => one.kernel(bits),
            (false, true) => lanes,
            (true, false) => squares?.one,
            (true, true) => squares?.many,
        };
        let modulus = |lane| {
            if rooted {
                Modulus::square_of(&Modulus::new(&number(bits >> 1, lane))?)
            } else {
                Modulus::new(&number(bits, lane))
            }
        };
        let places = 0..kernel.lanes() as u64;
        let moduli: Vec<Modulus> = places.map(modulus).collect::<Result<_, _>>().ok()?;
        let parameters: Vec<&Parameters> = moduli.iter().map(|n| &**n.parameters()).collect();
        let batch = kernel.batch(&parameters).ok()?;
        let base = |(n, lane): (&Modulus, u64)| {
            n.reduce(&number(bits, 99 + lane)).to_words(n.parameters().words().len())
        };
        let bases: Vec<Vec<u64>> = moduli.iter().zip(0..).map(base).collect();
        let bases: Vec<&[u64]> = bases.iter().map(Vec::as_slice).collect();
        let mut scratch = zeros(kernel.scratch(batch.limbs));
        let factor = kernel.enter(&bases, &batch, &mut scratch);
        let spare = zeros(kernel.blocks(batch.limbs));
        let value = factor.clone();
        Some(Repeated { kernel, square, batch, factor, value, spare, scratch })
    }
}

impl Repeated<'_> {
    /// The numbers that are made at once.
    #[must_use]
    pub fn numbers(&self) -> usize {
        self.kernel.lanes()
    }

    /// Performs the operation `times` times, each on the result of the one before. Returns whether the kernel
    /// succeeded.
    pub fn run(&mut self, times: u32) -> bool {
        let Self { kernel, square, batch, factor, value, spare, scratch } = self;
        for _ in 0..times {
            if *square {
                kernel.sqr(spare, value, batch, scratch);
            } else {
                kernel.mul(spare, value, factor, batch, scratch);
            }
            core::mem::swap(value, spare);
        }
        batch.sound().is_ok()
    }
}
