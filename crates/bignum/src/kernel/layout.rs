//! The layout of an element: how many numbers lie side by side, and in which form.

use super::block::{Block, Blocks, words, words_mut, zeros};
use crate::modular::form::Form;

/// Word `j * lanes + i` of an element is limb `j` of the number in lane `i`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// Numbers side by side.
    pub(crate) lanes: usize,
    /// The form of their limbs.
    pub(crate) form: Form,
}

impl Layout {
    /// The number of blocks of an element of `limbs` limbs.
    pub(crate) fn blocks(self, limbs: usize) -> usize {
        (limbs * self.lanes).div_ceil(8)
    }

    /// The element of these numbers, one a lane; lanes without one hold zero.
    pub(crate) fn packed<'a>(
        self,
        values: impl IntoIterator<Item = &'a [u64]>,
        limbs: usize,
    ) -> Blocks {
        let mut out = zeros(self.blocks(limbs));
        for (lane, value) in values.into_iter().enumerate().take(self.lanes) {
            self.pack(&mut out, lane, value, limbs);
        }
        out
    }

    /// The element that is one in every lane.
    pub(crate) fn unit(self, limbs: usize) -> Blocks {
        self.packed(core::iter::repeat_n(&[1][..], self.lanes), limbs)
    }

    /// Writes 64-bit words into one lane of an element as limbs.
    pub(crate) fn pack(self, out: &mut [Block], lane: usize, value: &[u64], limbs: usize) {
        self.pack_from(0, out, lane, value, limbs);
    }

    /// Writes the limbs of 64-bit words from the limb `first` on into one lane of an element.
    pub(crate) fn pack_from(
        self,
        first: usize,
        out: &mut [Block],
        lane: usize,
        value: &[u64],
        limbs: usize,
    ) {
        let radix = self.form.radix();
        let out = words_mut(out).iter_mut().skip(lane).step_by(self.lanes).take(limbs);
        for (k, limb) in (0u32..).skip(first).zip(out) {
            *limb = if radix == 64 {
                value.get(k as usize).copied().unwrap_or(0)
            } else {
                wide_window(value, k * radix, radix)
            };
        }
    }

    /// Reads one lane of an element, whose limbs are below the radix, as 64-bit words.
    pub(crate) fn unpack(self, value: &[Block], lane: usize, out: &mut [u64], limbs: usize) {
        let radix = self.form.radix();
        out.fill(0);
        let limbs = words(value).iter().skip(lane).step_by(self.lanes).take(limbs);
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
}

/// `width` bits from bit `index` up, `width` below 64.
fn wide_window(value: &[u64], index: u32, width: u32) -> u64 {
    let (word, shift) = ((index >> 6) as usize, index & 63);
    let low = value.get(word).map_or(0, |w| w >> shift);
    let high = if shift == 0 { 0 } else { value.get(word + 1).map_or(0, |w| w << (64 - shift)) };
    (low | high) & ((1u64 << width) - 1)
}
