//! Montgomery multiplication, in several ways behind one trait. Nothing outside this module and its callers in
//! `power` knows a limb, and nothing outside this module holds `unsafe` code.

#![allow(
    unsafe_code,
    reason = "SIMD and assembly live here and nowhere else; each block says why it is sound"
)]
#![allow(
    clippy::indexing_slicing,
    reason = "kernels index by loop counters over slices whose lengths they take first; a panic here is a bug of ours, no input's"
)]

use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;

use zeroize::Zeroize;

use crate::Error;
use crate::job::{Words, below};
use crate::modulus::Parameters;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod ifma;
#[cfg(target_arch = "x86_64")]
mod ifma1;
#[cfg(target_arch = "x86_64")]
mod ifma8;
#[cfg(target_arch = "x86_64")]
pub(crate) mod ifma8_square;
#[cfg(target_arch = "x86_64")]
mod mulx;
pub(crate) mod portable;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

/// Eight words on one cache line: the unit in which every kernel keeps its numbers.
#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
pub(crate) struct Block(pub(crate) [u64; 8]);

impl Block {
    /// Eight zero words.
    pub(crate) const ZERO: Self = Self([0; 8]);
}

impl zeroize::DefaultIsZeroes for Block {}

/// Blocks that are wiped when dropped.
pub(crate) type Blocks = zeroize::Zeroizing<Vec<Block>>;

/// `len` blocks of zeros.
pub(crate) fn zeros(len: usize) -> Blocks {
    Blocks::new(vec![Block::default(); len])
}

/// The words of some blocks, one after the other.
pub(crate) fn words(blocks: &[Block]) -> &[u64] {
    // SAFETY: a `Block` is eight `u64` without padding (size 64, alignment 64), any bits are a valid `u64`, and the
    // length in words is that of the same memory.
    unsafe { core::slice::from_raw_parts(blocks.as_ptr().cast(), blocks.len() * 8) }
}

/// The words of some blocks, to be written.
pub(crate) fn words_mut(blocks: &mut [Block]) -> &mut [u64] {
    // SAFETY: as in `words`; the borrow is exclusive.
    unsafe { core::slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), blocks.len() * 8) }
}

/// How a kernel writes its numbers, which decides the Montgomery radix `R` for a modulus of a given length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// 64-bit limbs, a multiple of eight of them.
    Words = 0,
    /// 52-bit limbs, a multiple of ten of them, and at least 8 bits to spare.
    #[cfg(target_arch = "x86_64")]
    Ifma = 1,
    /// 28-bit limbs, an even number of them, and at least 8 bits to spare.
    #[cfg(target_arch = "x86_64")]
    Avx2 = 2,
    /// 52-bit limbs, a multiple of eight of them, and at least 8 bits to spare.
    #[cfg(target_arch = "x86_64")]
    IfmaOne = 3,
}

impl Form {
    /// All forms that this target can use.
    #[cfg(target_arch = "x86_64")]
    pub(crate) const ALL: [Self; 4] = [Self::Words, Self::Ifma, Self::Avx2, Self::IfmaOne];
    /// All forms that this target can use.
    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) const ALL: [Self; 1] = [Self::Words];

    /// Bits of a limb.
    pub(crate) const fn radix(self) -> u32 {
        match self {
            Self::Words => 64,
            #[cfg(target_arch = "x86_64")]
            Self::Ifma | Self::IfmaOne => 52,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => 28,
        }
    }

    /// Limbs of a number under a modulus of `bits` bits.
    pub(crate) const fn limbs(self, bits: u32) -> u32 {
        match self {
            Self::Words => bits.div_ceil(64).next_multiple_of(8),
            #[cfg(target_arch = "x86_64")]
            Self::Ifma => (bits + 8).div_ceil(52).next_multiple_of(10),
            #[cfg(target_arch = "x86_64")]
            Self::IfmaOne => (bits + 8).div_ceil(52).next_multiple_of(8),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => (bits + 8).div_ceil(28).next_multiple_of(2),
        }
    }

    /// `log2 R` for a modulus of `bits` bits.
    pub(crate) const fn radix_bits(self, bits: u32) -> u32 {
        self.radix() * self.limbs(bits)
    }
}

/// The moduli of one batch, one a lane, as the kernel wants them.
pub(crate) struct Batch {
    /// Limbs of each number.
    pub(crate) limbs: usize,
    /// The moduli.
    pub(crate) n: Blocks,
    /// `-n^-1` modulo the radix; lane `i` in word `i`.
    pub(crate) k0: Block,
    /// What else the kernel wants of the moduli ([`Kernel::prepare`]).
    pub(crate) extra: Blocks,
    /// `R^2 mod n`.
    pub(crate) square: Blocks,
    /// `R mod n`, the Montgomery form of one.
    pub(crate) one: Blocks,
    /// Whether a kernel was given numbers of a wrong length: then nothing was worked out, and no value leaves.
    pub(crate) refused: Cell<bool>,
}

impl Drop for Batch {
    fn drop(&mut self) {
        self.k0.zeroize();
    }
}

impl Batch {
    /// The batch of these moduli, which must all have numbers of the same count of limbs; there are as many as
    /// [`Kernel::lanes`].
    pub(crate) fn new(kernel: &dyn Kernel, moduli: &[&Parameters]) -> Self {
        let form = kernel.form();
        let limbs = moduli.first().map_or(0, |m| form.limbs(m.bits()) as usize);
        let blocks = kernel.blocks(limbs);
        let mut batch = Self {
            limbs,
            n: zeros(blocks),
            k0: Block::default(),
            extra: zeros(0),
            square: zeros(blocks),
            one: zeros(blocks),
            refused: Cell::new(false),
        };
        let mask = u64::MAX >> (64 - form.radix());
        for (lane, modulus) in moduli.iter().enumerate() {
            pack(kernel, &mut batch.n, lane, modulus.words(), limbs);
            pack(kernel, &mut batch.square, lane, modulus.square(form), limbs);
            batch.k0.0[lane] = modulus.k0() & mask;
        }
        batch.extra = kernel.prepare(&batch.n, &batch.k0);
        let mut unit = zeros(blocks);
        for lane in 0..kernel.lanes() {
            pack(kernel, &mut unit, lane, &[1], limbs);
        }
        let mut scratch = zeros(kernel.scratch(limbs));
        let mut one = zeros(blocks);
        kernel.mul(&mut one, &batch.square, &unit, &batch, &mut scratch);
        batch.one = one;
        batch
    }

    /// Whether these elements, in the order out and factors, have the length of those of the batch and there is room
    /// enough. If not, nothing may be worked out, and no value leaves the batch.
    pub(crate) fn admits(
        &self,
        kernel: &dyn Kernel,
        elements: [&[Block]; 3],
        scratch: &[Block],
    ) -> bool {
        let blocks = kernel.blocks(self.limbs);
        let fits = blocks > 0
            && elements.iter().all(|element| element.len() == blocks)
            && scratch.len() >= kernel.scratch(self.limbs);
        if !fits {
            self.refused.set(true);
        }
        fits
    }

    /// The batch, if all that was worked out in it is right.
    ///
    /// # Errors
    /// [`Error::NoValue`] where a kernel was given numbers of a wrong length.
    pub(crate) fn sound(&self) -> Result<&Self, Error> {
        if self.refused.get() { Err(Error::NoValue) } else { Ok(self) }
    }
}

/// A way to multiply [`Self::lanes`] pairs of numbers at once, each pair under its own modulus of the batch.
///
/// A number is a slice of [`Self::blocks`] blocks; word `j * lanes + i` is limb `j` of lane `i`. Values stay below
/// twice the modulus from one operation to the next; inputs may be that large. All of it takes time independent of
/// the values, but for what has `vartime` in its name.
///
/// Windows, combs and the tests of candidates take a kernel as `&dyn Kernel` and are compiled once: beside a
/// multiplication of big numbers the call costs nothing.
pub(crate) trait Kernel {
    /// Numbers worked on at once.
    fn lanes(&self) -> usize;

    /// How numbers are written.
    fn form(&self) -> Form;

    /// Blocks of an element of so many limbs.
    fn blocks(&self, limbs: usize) -> usize {
        (limbs * self.lanes()).div_ceil(8)
    }

    /// Blocks of scratch space that a multiplication wants.
    fn scratch(&self, limbs: usize) -> usize;

    /// More that the kernel wants to know of the moduli, for [`Batch::extra`].
    fn prepare(&self, _n: &[Block], _k0: &Block) -> Blocks {
        zeros(0)
    }

    /// The kernel itself, if its numbers are pairs.
    #[cfg(target_arch = "x86_64")]
    fn pairs(&self) -> Option<&ifma8_square::Ifma8Square> {
        None
    }

    /// `out = a b / R` under each lane's modulus.
    fn mul(
        &self,
        out: &mut [Block],
        a: &[Block],
        b: &[Block],
        batch: &Batch,
        scratch: &mut [Block],
    );

    /// `out = a^2 / R` under each lane's modulus.
    fn sqr(&self, out: &mut [Block], a: &[Block], batch: &Batch, scratch: &mut [Block]);

    /// Lane `i` of `out` is lane `i` of entry `index[i]` of a table of elements, all zeros if there is none. Reads the
    /// entries asked for alone.
    fn select_vartime(&self, out: &mut [Block], table: &[Block], index: &Block);

    /// Selects as [`Self::select_vartime`], reading the whole table whatever the index.
    fn select(&self, out: &mut [Block], table: &[Block], index: &Block);
}

/// The batch of these moduli, as many as the kernel has lanes.
///
/// # Errors
/// [`Error::NoValue`] for a modulus that the kernel is not for.
pub(crate) fn batch(kernel: &dyn Kernel, moduli: &[&Parameters]) -> Result<Batch, Error> {
    #[cfg(target_arch = "x86_64")]
    if let Some(pairs) = kernel.pairs() {
        return pairs.batch(moduli);
    }
    Ok(Batch::new(kernel, moduli))
}

/// Numbers below their moduli, one a lane, in Montgomery form.
pub(crate) fn enter(
    kernel: &dyn Kernel,
    values: &[&[u64]],
    batch: &Batch,
    scratch: &mut [Block],
) -> Blocks {
    #[cfg(target_arch = "x86_64")]
    if let Some(pairs) = kernel.pairs() {
        return pairs.enter(values, batch, scratch);
    }
    let blocks = kernel.blocks(batch.limbs);
    let (mut raw, mut out) = (zeros(blocks), zeros(blocks));
    for (lane, value) in values.iter().enumerate().take(kernel.lanes()) {
        pack(kernel, &mut raw, lane, value, batch.limbs);
    }
    kernel.mul(&mut out, &raw, &batch.square, batch, scratch);
    out
}

/// Takes the numbers of as many lanes as there are moduli out of Montgomery form, each below its modulus.
///
/// # Errors
/// [`Error::NoValue`] if the kernel refused one of the operations that led there.
pub(crate) fn leave(
    kernel: &dyn Kernel,
    value: &[Block],
    batch: &Batch,
    moduli: &[&Parameters],
) -> Result<Vec<Words>, Error> {
    #[cfg(target_arch = "x86_64")]
    if let Some(pairs) = kernel.pairs() {
        return pairs.leave(value, batch, moduli);
    }
    let blocks = kernel.blocks(batch.limbs);
    let (mut unit, mut out) = (zeros(blocks), zeros(blocks));
    for lane in 0..kernel.lanes() {
        pack(kernel, &mut unit, lane, &[1], batch.limbs);
    }
    let mut scratch = zeros(kernel.scratch(batch.limbs));
    kernel.mul(&mut out, value, &unit, batch, &mut scratch);
    batch.sound()?;
    let values = moduli
        .iter()
        .enumerate()
        .map(|(lane, modulus)| {
            // A limb more than the modulus has, in case a value reaches it exactly.
            let len = modulus.words().len() + 1;
            let mut words = Words::new(vec![0; len]);
            unpack(kernel, &out, lane, &mut words, batch.limbs);
            below(words, modulus)
        })
        .collect();
    Ok(values)
}

/// Kernels that read tables which all lanes share.
pub(crate) trait Shared: Kernel {
    /// Lane `i` of `out` is entry `index[i]` of a table of numbers of `limbs` consecutive words that all lanes share.
    fn select_shared_vartime(&self, out: &mut [Block], table: &[u64], limbs: usize, index: &Block);

    /// Selects as [`Self::select_shared_vartime`], reading the whole table whatever the index.
    fn select_shared(&self, out: &mut [Block], table: &[u64], limbs: usize, index: &Block);
}

/// Kernels whose numbers have room for a few more bits.
pub(crate) trait Shift: Kernel {
    /// Lane `i` of `value` times two to the power `shifts[i]`, at most 3: for limbs of less than 64 bits, whose numbers
    /// have room for that. The products may go into one multiplication.
    fn shift(&self, value: &mut [Block], shifts: &Block) {
        let radix = self.form().radix() & 63;
        let mut carry = [0; 8];
        for limb in words_mut(value).chunks_exact_mut(self.lanes()) {
            for ((x, shift), carry) in limb.iter_mut().zip(shifts.0).zip(&mut carry) {
                let shifted = (*x << (shift & 3)) | *carry;
                *x = shifted & ((1 << radix) - 1);
                *carry = shifted >> radix;
            }
        }
    }
}

/// Writes 64-bit words into one lane of an element as limbs.
pub(crate) fn pack(
    kernel: &dyn Kernel,
    out: &mut [Block],
    lane: usize,
    value: &[u64],
    limbs: usize,
) {
    let radix = kernel.form().radix();
    let out = words_mut(out).iter_mut().skip(lane).step_by(kernel.lanes()).take(limbs);
    for (k, limb) in (0u32..).zip(out) {
        *limb = if radix == 64 {
            value.get(k as usize).copied().unwrap_or(0)
        } else {
            wide_window(value, k * radix, radix)
        };
    }
}

/// `width` bits from bit `index` up, `width` below 64.
fn wide_window(value: &[u64], index: u32, width: u32) -> u64 {
    let (word, shift) = ((index >> 6) as usize, index & 63);
    let low = value.get(word).map_or(0, |w| w >> shift);
    let high = if shift == 0 { 0 } else { value.get(word + 1).map_or(0, |w| w << (64 - shift)) };
    (low | high) & ((1u64 << width) - 1)
}

/// Reads one lane of an element, whose limbs are below the radix, as 64-bit words.
pub(crate) fn unpack(
    kernel: &dyn Kernel,
    value: &[Block],
    lane: usize,
    out: &mut [u64],
    limbs: usize,
) {
    let radix = kernel.form().radix();
    out.fill(0);
    let limbs = words(value).iter().skip(lane).step_by(kernel.lanes()).take(limbs);
    for (k, &limb) in (0u32..).zip(limbs) {
        let (word, shift) = (((k * radix) >> 6) as usize, (k * radix) & 63);
        if let Some(w) = out.get_mut(word) {
            *w |= limb << shift;
        }
        if shift + radix > 64
            && let Some(w) = out.get_mut(word + 1)
        {
            *w |= limb >> (64 - shift);
        }
    }
}
