//! Reading one entry of a table for each lane.

use core::arch::x86_64::{
    _mm256_and_si256, _mm256_cmpeq_epi64, _mm256_or_si256, _mm256_set1_epi64x,
};

use super::split::{V, splat};

/// Limbs that are gathered in registers at once when a whole table is read.
const STRIP: usize = 8;

/// The limbs from `first` on, `N` of them, that each lane takes of its entry. `limb` gives those of an entry, in all lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn strip<const N: usize, T>(
    out: &mut [V; N],
    table: &[T],
    (size, first): (usize, usize),
    index: V,
    limb: impl Fn(&T) -> V,
) {
    let mut words = [_mm256_set1_epi64x(0); N];
    for (at, entry) in (0i64..).zip(table.chunks_exact(size)) {
        let wanted = _mm256_cmpeq_epi64(index, _mm256_set1_epi64x(at));
        let part = entry.get(first..).and_then(|rest| rest.first_chunk::<N>());
        let Some(part) = part else { return };
        for (word, from) in words.iter_mut().zip(part) {
            *word = _mm256_or_si256(*word, _mm256_and_si256(wanted, limb(from)));
        }
    }
    *out = words;
}

/// The limbs that each lane takes of its entry.
#[inline]
#[target_feature(enable = "avx2")]
fn strips<T>(out: &mut [V], table: &[T], index: V, limb: impl Fn(&T) -> V) {
    let size = out.len();
    let (strips, rest) = out.as_chunks_mut::<STRIP>();
    let mut first = 0;
    for out in strips {
        strip(out, table, (size, first), index, &limb);
        first += STRIP;
    }
    for out in rest.as_chunks_mut::<1>().0 {
        strip(out, table, (size, first), index, &limb);
        first += 1;
    }
}

/// One table for each lane, all of it read. Lanes that point beyond the table become zero.
#[target_feature(enable = "avx2")]
pub(crate) fn private(out: &mut [V], table: &[V], index: V) {
    strips(out, table, index, |limb| *limb);
}

/// One table for all lanes, with one word for each limb of an entry, all of it read. Lanes that point beyond the table become
/// zero.
#[target_feature(enable = "avx2,fma")]
pub(crate) fn shared(out: &mut [V], table: &[u64], index: V) {
    strips(out, table, index, |limb| splat(*limb));
}

/// Reads as [`private`], in a time and with accesses that show the index. An element has this many lanes and as many words as
/// `out`.
pub(crate) fn private_vartime(out: &mut [u64], table: &[u64], index: &[u64]) {
    let len = out.len();
    for (lane, &wanted) in index.iter().enumerate() {
        let entry = entry(table, len, wanted);
        copy_lane(out, index.len(), lane, entry.iter().copied().skip(lane).step_by(index.len()));
    }
}

/// Reads as [`shared`], in a time and with accesses that show the index.
pub(crate) fn shared_vartime(out: &mut [u64], table: &[u64], limbs: usize, index: &[u64]) {
    for (lane, &wanted) in index.iter().enumerate() {
        copy_lane(out, index.len(), lane, entry(table, limbs, wanted).iter().copied());
    }
}

/// The entry of `len` words at this place; nothing beyond the table.
fn entry(table: &[u64], len: usize, wanted: u64) -> &[u64] {
    let start = usize::try_from(wanted).ok().and_then(|entry| entry.checked_mul(len));
    start.and_then(|start| table.get(start..)?.get(..len)).unwrap_or_default()
}

/// Puts `limbs`, and zeros after them, into one lane.
fn copy_lane(out: &mut [u64], lanes: usize, lane: usize, mut limbs: impl Iterator<Item = u64>) {
    for word in out.iter_mut().skip(lane).step_by(lanes) {
        *word = limbs.next().unwrap_or(0);
    }
}
