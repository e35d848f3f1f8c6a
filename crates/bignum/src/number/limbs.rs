//! Little-endian slices of 64-bit words: the common ground between the numbers and the kernels.
//!
//! Lengths and indices are public and show in the time; the words do not, but where a name says `vartime`.

use alloc::vec::Vec;

use crypto_bigint::{BoxedUint, Word};
use subtle::{Choice, ConditionallySelectable};
use zeroize::Zeroizing;

use super::word::Carry;

/// 64-bit words that are wiped when dropped.
pub(crate) type Words = Zeroizing<Vec<u64>>;

/// Machine words in 64 bits.
const PER_WORD: u32 = 64u32.div_ceil(Word::BITS);

/// Words of 64 bits that hold `bits` bits; at least one.
pub(crate) fn words_for(bits: u32) -> usize {
    (bits.max(1)).div_ceil(64) as usize
}

/// The number as `len` 64-bit words. Higher bits are cut off.
pub(crate) fn to_words(value: &BoxedUint, len: usize) -> Vec<u64> {
    let per = PER_WORD as usize;
    // Room for all at once: a vector that grew would leave a copy behind.
    let mut out = Vec::with_capacity(len);
    out.extend(value.as_words().chunks(per).take(len).map(join));
    out.resize(len, 0);
    out
}

/// A secret number with a zero word on top.
pub(crate) fn widened(words: &[u64]) -> Words {
    // Room for all at once, for the same reason.
    let mut out = Words::new(Vec::with_capacity(words.len() + 1));
    out.extend_from_slice(words);
    out.push(0);
    out
}

/// One 64-bit word of one or two machine words.
fn join(chunk: &[Word]) -> u64 {
    let mut out = 0u64;
    for (k, &word) in (0u32..).zip(chunk) {
        // On a 64-bit machine `u64::from` is the identity and the shift is by nothing.
        #[allow(clippy::useless_conversion, reason = "Word is u32 on some targets")]
        let word = u64::from(word);
        out |= word << (k * Word::BITS);
    }
    out
}

/// A number of `bits` bits of precision from 64-bit words. Higher bits are cut off.
pub(crate) fn from_words(words: &[u64], bits: u32) -> BoxedUint {
    let per = PER_WORD;
    #[allow(clippy::cast_possible_truncation, reason = "the low machine word is what is wanted")]
    let split = words.iter().flat_map(|&w| (0..per).map(move |k| (w >> (k * Word::BITS)) as Word));
    BoxedUint::from_words_with_precision(
        split.take((bits.max(1)).div_ceil(Word::BITS) as usize),
        bits.max(1),
    )
}

/// Bit length, in variable time.
pub(crate) fn bits_vartime(words: &[u64]) -> u32 {
    let mut bits = 0;
    for (k, &word) in (0u32..).zip(words) {
        if word != 0 {
            bits = 64 * k + 64 - word.leading_zeros();
        }
    }
    bits
}

/// The bit at `index`; bits past the end are zero. The index is public.
pub(crate) fn bit(words: &[u64], index: u32) -> u64 {
    words.get((index >> 6) as usize).map_or(0, |w| (w >> (index & 63)) & 1)
}

/// `width` bits from bit `index` up, `width` at most 32; bits past the end are zero. The index is public.
pub(crate) fn window(words: &[u64], index: u32, width: u32) -> u64 {
    let (word, shift) = ((index >> 6) as usize, index & 63);
    let low = words.get(word).map_or(0, |w| w >> shift);
    let high = if shift == 0 { 0 } else { words.get(word + 1).map_or(0, |w| w << (64 - shift)) };
    (low | high) & ((1u64 << width) - 1)
}

/// `a - b`, written to `a`; true if it borrowed. `b` is as long as `a` or shorter.
pub(crate) fn sub_assign(a: &mut [u64], b: &[u64]) -> Choice {
    let mut borrow = false;
    for (x, y) in a.iter_mut().zip(b.iter().copied().chain(core::iter::repeat(0))) {
        (*x, borrow) = x.sub_borrow(y, borrow);
    }
    Choice::from(u8::from(borrow))
}

/// `a + b`, written to `a`; true if it carried. `b` is as long as `a` or shorter.
pub(crate) fn add_assign(a: &mut [u64], b: &[u64]) -> Choice {
    let mut carry = false;
    for (x, y) in a.iter_mut().zip(b.iter().copied().chain(core::iter::repeat(0))) {
        (*x, carry) = x.add_carry(y, carry);
    }
    Choice::from(u8::from(carry))
}

/// `a = b` where `choice`, in constant time.
pub(crate) fn select(a: &mut [u64], b: &[u64], choice: Choice) {
    for (x, y) in a.iter_mut().zip(b) {
        x.conditional_assign(y, choice);
    }
}

/// Subtracts `n` from `a` once if `a >= n`, in constant time; `spare` is room of the same length.
pub(crate) fn reduce_once(a: &mut [u64], n: &[u64], spare: &mut [u64]) {
    spare.copy_from_slice(a);
    let borrow = sub_assign(spare, n);
    select(a, spare, !borrow);
}

/// `a = 2 a mod n` of a residue, in constant time; `spare` is room of the same length.
pub(crate) fn double_mod(a: &mut [u64], n: &[u64], spare: &mut [u64]) {
    let (mut top, mut borrow) = (0, false);
    for ((x, less), n) in a.iter_mut().zip(spare.iter_mut()).zip(n) {
        let doubled = *x << 1 | top;
        top = *x >> 63;
        *x = doubled;
        (*less, borrow) = doubled.sub_borrow(*n, borrow);
    }
    // The difference is the residue where the double has a bit more than `n` has words, or nothing was borrowed.
    let keep = core::hint::black_box(u64::from(borrow)).wrapping_neg() & top.wrapping_sub(1);
    for (x, less) in a.iter_mut().zip(spare.iter()) {
        *x = *x & keep | less & !keep;
    }
}
