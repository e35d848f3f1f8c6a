//! Entries of tables for kernels of one lane.

use subtle::{ConditionallySelectable, ConstantTimeEq};

/// Copies the entry at `index` of a table of elements, or zeros if there is no such entry. The addresses show the
/// index.
pub(super) fn pick_vartime<T: Copy + Default>(out: &mut [T], table: &[T], index: u64) {
    let entry = table.chunks_exact(out.len().max(1)).zip(0u64..).find(|&(_, k)| k == index);
    match entry {
        Some((entry, _)) => out.copy_from_slice(entry),
        None => out.fill(T::default()),
    }
}

/// Copies the entry at `index`, reading all of them.
pub(super) fn pick(out: &mut [u64], table: &[u64], index: u64) {
    out.fill(0);
    for (entry, k) in table.chunks_exact(out.len()).zip(0u64..) {
        let here = k.ct_eq(&index);
        for (word, from) in out.iter_mut().zip(entry) {
            word.conditional_assign(from, here);
        }
    }
}
