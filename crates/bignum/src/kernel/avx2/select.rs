//! Reading one entry of a table for each lane.

use core::arch::x86_64::{
    _mm256_and_si256, _mm256_cmpeq_epi64, _mm256_or_si256, _mm256_set1_epi64x, _mm256_setzero_si256,
};

use super::super::block::Block;
use super::four::{Four, broadcast, vectors, vectors_mut};
use super::vector::{LANES, V};

/// Limbs that are gathered in registers at once when a whole table is read. Two are left of some numbers.
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
    let mut words = [V(_mm256_setzero_si256()); N];
    for (at, entry) in (0i64..).zip(table.chunks_exact(size)) {
        let wanted = _mm256_cmpeq_epi64(index.0, _mm256_set1_epi64x(at));
        let part = entry.get(first..).and_then(|rest| rest.first_chunk::<N>());
        let Some(part) = part else { return };
        for (word, from) in words.iter_mut().zip(part) {
            word.0 = _mm256_or_si256(word.0, _mm256_and_si256(wanted, limb(from).0));
        }
    }
    *out = words;
}

/// The limbs that each lane takes of its entry, an even number of them.
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
    for out in rest.as_chunks_mut::<2>().0 {
        strip(out, table, (size, first), index, &limb);
        first += 2;
    }
}

/// One table for each lane, all of it read.
#[target_feature(enable = "avx2")]
fn private(out: &mut [V], table: &[V], index: &[u64; LANES]) {
    strips(out, table, broadcast(index), |limb| *limb);
}

/// One table for all lanes, all of it read.
#[target_feature(enable = "avx2")]
fn shared(out: &mut [V], table: &[u64], index: &[u64; LANES]) {
    strips(out, table, broadcast(index), |limb| V(_mm256_set1_epi64x(limb.cast_signed())));
}

impl Four {
    /// Lane i of `out` takes lane i of entry `index[i]`; `table` is a row of elements as long as `out`. Lanes that
    /// point beyond the table become zero. Constant time: reads every entry.
    pub(crate) fn select(self, out: &mut [Block], table: &[Block], index: &[u64; LANES]) {
        // SAFETY: the token proves AVX2.
        unsafe { private(vectors_mut(out), vectors(table), index) }
    }

    /// Selects as [`Self::select`], in a time and with accesses that show `index`.
    pub(crate) fn select_vartime(self, out: &mut [Block], table: &[Block], index: &[u64; LANES]) {
        let len = out.len();
        for (lane, &wanted) in index.iter().enumerate() {
            let start = usize::try_from(wanted).ok().and_then(|e| e.checked_mul(len));
            let entry = start.and_then(|s| table.get(s..)?.get(..len)).unwrap_or_default();
            copy_lane(
                out,
                lane,
                entry.iter().flat_map(|b| b.0.into_iter().skip(lane).step_by(LANES)),
            );
        }
    }

    /// Lane i of `out` takes entry `index[i]` of a table common to all lanes. Each entry has one word for each
    /// limb of an element, consecutively. Lanes that point beyond the table become zero. Constant time: it reads
    /// every entry.
    pub(crate) fn select_shared(self, out: &mut [Block], table: &[u64], index: &[u64; LANES]) {
        // SAFETY: the token proves AVX2.
        unsafe { shared(vectors_mut(out), table, index) }
    }

    /// Selects as [`Self::select_shared`], in a time and with accesses that show `index`.
    pub(crate) fn select_shared_vartime(
        self,
        out: &mut [Block],
        table: &[u64],
        index: &[u64; LANES],
    ) {
        let len = 2 * out.len();
        for (lane, &wanted) in index.iter().enumerate() {
            let start = usize::try_from(wanted).ok().and_then(|e| e.checked_mul(len));
            let entry = start.and_then(|s| table.get(s..)?.get(..len)).unwrap_or_default();
            copy_lane(out, lane, entry.iter().copied());
        }
    }
}

/// Puts `limbs`, and zeros after them, into one lane.
fn copy_lane(out: &mut [Block], lane: usize, mut limbs: impl Iterator<Item = u64>) {
    for block in out {
        for word in block.0.iter_mut().skip(lane).step_by(LANES) {
            *word = limbs.next().unwrap_or(0);
        }
    }
}
