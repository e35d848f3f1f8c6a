//! Reading one entry of a table for each lane.

use super::super::block::Block;
use super::four::Four;
use super::vector::LANES;

/// A mask of all ones if `x` is `y`, else zero.
fn equal_mask(x: u64, y: u64) -> u64 {
    let difference = x ^ y;
    core::hint::black_box(((difference | difference.wrapping_neg()) >> 63).wrapping_sub(1))
}

/// For each lane, all ones if it wants entry `entry`, else zero.
fn masks(entry: usize, index: &[u64; LANES]) -> [u64; LANES] {
    // This processor has lengths of 64 bits.
    let entry = entry as u64;
    index.map(|wanted| equal_mask(entry, wanted))
}

impl Four {
    /// Lane i of `out` takes lane i of entry `index[i]`; `table` is a row of elements as long as `out`. Lanes that
    /// point beyond the table become zero. Constant time: reads every entry.
    pub(crate) fn select(self, out: &mut [Block], table: &[Block], index: &[u64; LANES]) {
        out.fill(Block([0; 8]));
        for (e, entry) in table.chunks_exact(out.len().max(1)).enumerate() {
            let [a, b, c, d] = masks(e, index);
            let mask = [a, b, c, d, a, b, c, d];
            for (to, from) in out.iter_mut().zip(entry) {
                for ((to, from), mask) in to.0.iter_mut().zip(from.0).zip(mask) {
                    *to |= from & mask;
                }
            }
        }
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
        out.fill(Block([0; 8]));
        for (e, entry) in table.chunks_exact((2 * out.len()).max(1)).enumerate() {
            let [a, b, c, d] = masks(e, index);
            for (to, pair) in out.iter_mut().zip(entry.chunks_exact(2)) {
                let &[x, y] = pair else { continue };
                let picked = [x & a, x & b, x & c, x & d, y & a, y & b, y & c, y & d];
                for (to, from) in to.0.iter_mut().zip(picked) {
                    *to |= from;
                }
            }
        }
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
