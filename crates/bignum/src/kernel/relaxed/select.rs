//! Reading one entry of a table for each of two lanes.

use core::arch::wasm32::{i64x2_eq, u64x2_splat, v128, v128_and, v128_or};
use core::hint::black_box;

use super::super::block::Block;

/// All ones in the lanes that want this entry.
fn mask(entry: u64, index: v128) -> v128 {
    black_box(i64x2_eq(u64x2_splat(entry), index))
}

/// Each lane of `out` takes that lane of its entry; `table` is a row of elements as long as `out`. Lanes that point beyond the
/// table become zero. Constant time: reads every entry.
pub(super) fn select(out: &mut [v128], table: &[v128], index: v128) {
    out.fill(u64x2_splat(0));
    for (entry, at) in table.chunks_exact(out.len().max(1)).zip(0..) {
        let mask = mask(at, index);
        for (to, &from) in out.iter_mut().zip(entry) {
            *to = v128_or(*to, v128_and(from, mask));
        }
    }
}

/// Selects as [`select`], in a time and with accesses that show `index`.
pub(super) fn select_vartime(out: &mut [u64], table: &[u64], index: &Block) {
    let len = out.len();
    for (lane, wanted) in index.0.into_iter().enumerate().take(2) {
        let entry = entry(table, len, wanted);
        copy_lane(out, lane, entry.iter().copied().skip(lane).step_by(2));
    }
}

/// Each lane of `out` takes its entry of a table common to both. Each entry has one word for each of `limbs` limbs. Lanes that
/// point beyond the table become zero. Constant time: reads every entry.
pub(super) fn select_shared(out: &mut [v128], table: &[u64], limbs: usize, index: v128) {
    out.fill(u64x2_splat(0));
    for (entry, at) in table.chunks_exact(limbs.max(1)).zip(0..) {
        let mask = mask(at, index);
        for (to, &from) in out.iter_mut().zip(entry) {
            *to = v128_or(*to, v128_and(u64x2_splat(from), mask));
        }
    }
}

/// Selects as [`select_shared`], in a time and with accesses that show `index`.
pub(super) fn select_shared_vartime(out: &mut [u64], table: &[u64], limbs: usize, index: &Block) {
    for (lane, wanted) in index.0.into_iter().enumerate().take(2) {
        copy_lane(out, lane, entry(table, limbs, wanted).iter().copied());
    }
}

/// The entry of `len` words at this place; nothing beyond the table.
fn entry(table: &[u64], len: usize, wanted: u64) -> &[u64] {
    let start = usize::try_from(wanted).ok().and_then(|entry| entry.checked_mul(len));
    start.and_then(|start| table.get(start..)?.get(..len)).unwrap_or_default()
}

/// Puts `limbs`, and zeros after them, into one lane.
fn copy_lane(out: &mut [u64], lane: usize, mut limbs: impl Iterator<Item = u64>) {
    for word in out.iter_mut().skip(lane).step_by(2) {
        *word = limbs.next().unwrap_or(0);
    }
}
