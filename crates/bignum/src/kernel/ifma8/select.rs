//! Reading one entry per lane from tables.

use alloc::vec::Vec;
use core::arch::x86_64::{
    _mm512_cmpeq_epi64_mask, _mm512_loadu_si512, _mm512_mask_mov_epi64,
    _mm512_mask_permutexvar_epi64, _mm512_mask_set1_epi64, _mm512_set1_epi64, _mm512_srli_epi64,
};

use super::super::ifma::{Block, V, load, store, zero};

/// Limbs that are gathered in registers at once when a whole table is read: all numbers have a multiple of it.
const STRIP: usize = 10;

/// Entries of a shared table that lie side by side: one instruction takes each lane's word from those of one limb.
const SIDE_BY_SIDE: usize = 8;

/// The eight lanes' masks.
const LANES: [u8; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

/// Entry `index` of a table with entries of `size` words or blocks; empty if there is none.
fn entry<T>(table: &[T], size: usize, index: u64) -> &[T] {
    let start = usize::try_from(index).ok().and_then(|index| index.checked_mul(size));
    start.and_then(|start| table.get(start..)?.get(..size)).unwrap_or_default()
}

/// One table per lane, each lane's entry read alone.
#[target_feature(enable = "avx512f")]
pub(super) fn private_vartime(out: &mut [Block], table: &[Block], index: &Block) {
    let entries = index.0.map(|index| entry(table, out.len(), index));
    for (limb, out) in out.iter_mut().enumerate() {
        let mut word = zero();
        for (lane, entry) in LANES.into_iter().zip(entries) {
            if let Some(block) = entry.get(limb) {
                word = _mm512_mask_mov_epi64(word, lane, load(block));
            }
        }
        store(out, word);
    }
}

/// One table per lane, all of it read.
#[target_feature(enable = "avx512f")]
pub(super) fn private(out: &mut [Block], table: &[Block], index: &Block) {
    let wanted = load(index);
    let size = out.len();
    for (strip, out) in out.as_chunks_mut::<STRIP>().0.iter_mut().enumerate() {
        let mut words = [zero(); STRIP];
        for (at, entry) in (0i64..).zip(table.chunks_exact(size)) {
            let Some(part) = entry.as_chunks::<STRIP>().0.get(strip) else { return };
            let lanes = _mm512_cmpeq_epi64_mask(wanted, _mm512_set1_epi64(at));
            for (word, block) in words.iter_mut().zip(part) {
                *word = _mm512_mask_mov_epi64(*word, lanes, load(block));
            }
        }
        for (out, word) in out.iter_mut().zip(words) {
            store(out, word);
        }
    }
}

/// A table for all lanes, of entries of `limbs` words one after the other, in the order in which [`shared`] reads it:
/// of eight entries, or of those that are left, the lowest words, then the next ones.
pub(super) fn arranged(table: &[u64], limbs: usize) -> Vec<u64> {
    let groups = table.chunks((limbs * SIDE_BY_SIDE).max(1));
    groups
        .flat_map(|group| {
            (0..limbs).flat_map(move |limb| group.iter().skip(limb).step_by(limbs).copied())
        })
        .collect()
}

/// The words of one limb of a group of entries.
fn words_of(group: &[u64], (limb, limbs): (usize, usize)) -> &[u64] {
    let count = group.len().checked_div(limbs).unwrap_or(0);
    group.get(limb * count..).and_then(|rest| rest.get(..count)).unwrap_or_default()
}

/// One [arranged] table for all lanes, each lane's entry read alone.
#[target_feature(enable = "avx512f")]
pub(super) fn shared_vartime(out: &mut [Block], table: &[u64], index: &Block) {
    let limbs = out.len();
    let places = index.0.map(|index| {
        let mut groups = table.chunks((limbs * SIDE_BY_SIDE).max(1));
        let index = usize::try_from(index).ok();
        index.and_then(|index| Some((groups.nth(index >> 3)?, index & 7))).unwrap_or_default()
    });
    for (limb, out) in out.iter_mut().enumerate() {
        let mut word = zero();
        for (lane, (group, at)) in LANES.into_iter().zip(places) {
            if let Some(limb) = words_of(group, (limb, limbs)).get(at) {
                word = _mm512_mask_set1_epi64(word, lane, limb.cast_signed());
            }
        }
        store(out, word);
    }
}

/// One [arranged] table for all lanes, all of it read.
#[target_feature(enable = "avx512f")]
pub(super) fn shared(out: &mut [Block], table: &[u64], index: &Block) {
    let wanted = load(index);
    let limbs = out.len();
    let groups = table.chunks_exact((limbs * SIDE_BY_SIDE).max(1));
    for (strip, out) in out.as_chunks_mut::<STRIP>().0.iter_mut().enumerate() {
        let mut words = [zero(); STRIP];
        let mut first = 0;
        for group in groups.clone() {
            let eights = group.as_chunks::<SIDE_BY_SIDE>().0;
            let Some(part) = eights.as_chunks::<STRIP>().0.get(strip) else { return };
            let lanes = _mm512_cmpeq_epi64_mask(
                _mm512_srli_epi64::<3>(wanted),
                _mm512_set1_epi64(first >> 3),
            );
            for (word, eight) in words.iter_mut().zip(part) {
                *word = _mm512_mask_permutexvar_epi64(*word, lanes, wanted, load_eight(eight));
            }
            first += 8;
        }
        for (limb, word) in (strip * STRIP..).zip(&mut words) {
            for (at, entry) in (first..).zip(words_of(groups.remainder(), (limb, limbs))) {
                let lanes = _mm512_cmpeq_epi64_mask(wanted, _mm512_set1_epi64(at));
                *word = _mm512_mask_set1_epi64(*word, lanes, entry.cast_signed());
            }
        }
        for (out, word) in out.iter_mut().zip(words) {
            store(out, word);
        }
    }
}

/// Eight words, wherever they lie.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_eight(from: &[u64; SIDE_BY_SIDE]) -> V {
    // SAFETY: the reference is valid for 64 bytes, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}
