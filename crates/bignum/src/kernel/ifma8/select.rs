//! Reading one entry per lane from tables.

use core::arch::x86_64::{
    _mm512_cmpeq_epi64_mask, _mm512_mask_mov_epi64, _mm512_mask_set1_epi64, _mm512_set1_epi64,
};

use super::super::ifma::{Block, load, store, zero};

/// Limbs that are gathered in registers at once when a whole table is read.
const STRIP: usize = 10;

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
    for (strip, out) in out.chunks_mut(STRIP).enumerate() {
        let mut words = [zero(); STRIP];
        for (at, entry) in (0i64..).zip(table.chunks_exact(size)) {
            let lanes = _mm512_cmpeq_epi64_mask(wanted, _mm512_set1_epi64(at));
            let part = entry.chunks(STRIP).nth(strip).unwrap_or_default();
            for (word, block) in words.iter_mut().zip(part) {
                *word = _mm512_mask_mov_epi64(*word, lanes, load(block));
            }
        }
        for (out, word) in out.iter_mut().zip(words) {
            store(out, word);
        }
    }
}

/// One table for all lanes, each lane's entry read alone.
#[target_feature(enable = "avx512f")]
pub(super) fn shared_vartime(out: &mut [Block], table: &[u64], index: &Block) {
    let entries = index.0.map(|index| entry(table, out.len(), index));
    for (limb, out) in out.iter_mut().enumerate() {
        let mut word = zero();
        for (lane, entry) in LANES.into_iter().zip(entries) {
            if let Some(limb) = entry.get(limb) {
                word = _mm512_mask_set1_epi64(word, lane, limb.cast_signed());
            }
        }
        store(out, word);
    }
}

/// One table for all lanes, all of it read.
#[target_feature(enable = "avx512f")]
pub(super) fn shared(out: &mut [Block], table: &[u64], index: &Block) {
    let wanted = load(index);
    let size = out.len();
    for (strip, out) in out.chunks_mut(STRIP).enumerate() {
        let mut words = [zero(); STRIP];
        for (at, entry) in (0i64..).zip(table.chunks_exact(size)) {
            let lanes = _mm512_cmpeq_epi64_mask(wanted, _mm512_set1_epi64(at));
            let part = entry.chunks(STRIP).nth(strip).unwrap_or_default();
            for (word, limb) in words.iter_mut().zip(part) {
                *word = _mm512_mask_set1_epi64(*word, lanes, limb.cast_signed());
            }
        }
        for (out, word) in out.iter_mut().zip(words) {
            store(out, word);
        }
    }
}
