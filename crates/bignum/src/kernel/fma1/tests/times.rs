//! Times of this kernel beside those of the others of its engine.

use core::time::Duration;
use std::println;
use std::time::Instant;

use super::super::super::batch::Batch;
use super::super::super::block::{Blocks, zeros};
use super::super::super::fma4::Fma4;
use super::super::super::mulx::Mulx;
use super::super::super::operations::Kernel;
use super::super::Fma1;
use crate::exponent::pairs::Squares;
use crate::{Modulus, Natural};

/// Operations between two looks at the clock.
const TIMES: u32 = 100;

/// An operation to be repeated on its own results.
struct Chain<'a> {
    kernel: &'a dyn Kernel,
    batch: Batch,
    value: Blocks,
    spare: Blocks,
    factor: Blocks,
    scratch: Blocks,
}

impl<'a> Chain<'a> {
    fn new(kernel: &'a dyn Kernel, modulus: &Modulus) -> Self {
        let parameters = &**modulus.parameters();
        let batch = kernel.batch(&vec![parameters; kernel.lanes()]).unwrap();
        let mut scratch = zeros(kernel.scratch(batch.limbs));
        let words = parameters.words();
        let base: Vec<u64> = words.iter().map(|word| word >> 1 ^ 0x5555).collect();
        let value = kernel.enter(&vec![base.as_slice(); kernel.lanes()], &batch, &mut scratch);
        Self { kernel, batch, spare: value.clone(), factor: value.clone(), value, scratch }
    }

    fn time(&mut self, square: bool) -> Duration {
        let clock = Instant::now();
        for _ in 0..TIMES {
            let Self { kernel, batch, value, spare, factor, scratch } = self;
            if square {
                kernel.sqr(spare, value, batch, scratch);
            } else {
                kernel.mul(spare, value, factor, batch, scratch);
            }
            core::mem::swap(value, spare);
        }
        clock.elapsed()
    }
}

/// An odd number of exactly so many bits, a multiple of 64.
fn number(bits: u32) -> Natural {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let words: Vec<u64> = (0..bits >> 6)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state | 1 << 63 | 1
        })
        .collect();
    Natural::from_words(&words)
}

#[test]
#[ignore = "takes times"]
fn times() {
    let (mulx, fma1) = (Mulx::detect().unwrap(), Fma1::detect().unwrap());
    let fma4 = Fma4::detect().unwrap();
    let (square1, square4) = (Squares(fma1), Squares(fma4));
    let plain: [(&str, &dyn Kernel); 3] = [("mulx", &mulx), ("fma1", &fma1), ("fma4", &fma4)];
    let squares: [(&str, &dyn Kernel); 3] =
        [("mulx", &mulx), ("pairs", &square1), ("pairs4", &square4)];
    for bits in [512, 768, 1024, 1280, 1536, 1792, 2048, 3072, 4096, 6144] {
        let modulus = Modulus::new(&number(bits)).unwrap();
        print(&modulus, "", plain);
        let root = Modulus::new(&number(bits >> 1)).unwrap();
        print(&Modulus::square_of(&root).unwrap(), "root known, ", squares);
    }
}

fn print(modulus: &Modulus, what: &str, kernels: [(&str, &dyn Kernel); 3]) {
    let mut chains = kernels.map(|(_, kernel)| Chain::new(kernel, modulus));
    for square in [true, false] {
        let mut least = [Duration::MAX; 3];
        for _ in 0..1000 {
            for (chain, least) in chains.iter_mut().zip(&mut least) {
                *least = chain.time(square).min(*least);
            }
        }
        let [first, ..] = least.map(|time| time.as_secs_f64());
        let operation = if square { "square" } else { "product" };
        for ((name, _), time) in kernels.iter().zip(least) {
            let ratio = time.as_secs_f64() / first;
            println!(
                "{} bits, {what}{operation}: {name:<6} {:>6} ns {ratio:.3}",
                modulus.bits(),
                (time / TIMES).as_nanos()
            );
        }
    }
}
