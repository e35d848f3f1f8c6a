//! The shapes of tables: columns, teeth and blocks, by the fewest multiplications within a bound of memory.

use alloc::vec;
use alloc::vec::Vec;

const MAX_TEETH: u32 = 8;

/// The shape of the tables for some bases.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) columns: u32,
    /// Teeth and blocks for each base.
    pub(super) rows: Vec<(u32, u32)>,
    cost: u32,
}

/// The cheapest shape for bases of these exponent lengths, with at most `entries` table entries.
pub(super) fn shape(bits: &[u32], entries: usize) -> Option<Shape> {
    let longest = bits.iter().copied().max()?;
    (1..=longest.min(600))
        .filter_map(|columns| shape_of(bits, columns, entries))
        .min_by_key(|s| s.cost)
}

/// The best shape with `columns` columns. It starts from the smallest tables, and grows the one whose next step
/// saves the most multiplications for each entry, as long as there is room.
fn shape_of(bits: &[u32], columns: u32, entries: usize) -> Option<Shape> {
    let blocks = |bits: u32, teeth: u32| (bits + 1).div_ceil(teeth * columns);
    let size = |bits: u32, teeth: u32| (blocks(bits, teeth) as usize) << teeth;
    let mut teeth = vec![1u32; bits.len()];
    let mut used: usize = bits.iter().map(|&b| size(b, 1)).sum();
    if used > entries {
        return None;
    }
    loop {
        let candidates =
            bits.iter().zip(&teeth).enumerate().flat_map(|(i, (&b, &now))| {
                (now + 1..=MAX_TEETH).map(move |next| (i, b, now, next))
            });
        let best = candidates
            .filter_map(|(i, b, now, next)| {
                let saved = blocks(b, now).checked_sub(blocks(b, next)).filter(|&s| s > 0)?;
                let grown = size(b, next).saturating_sub(size(b, now));
                (used + grown <= entries).then_some((i, next, saved, grown))
            })
            .max_by(|x, y| {
                (u64::from(x.2) * (y.3 as u64 + 1)).cmp(&(u64::from(y.2) * (x.3 as u64 + 1)))
            });
        let Some((i, next, _, grown)) = best else { break };
        used += grown;
        if let Some(t) = teeth.get_mut(i) {
            *t = next;
        }
    }
    let rows: Vec<(u32, u32)> = bits.iter().zip(&teeth).map(|(&b, &t)| (t, blocks(b, t))).collect();
    // A squaring costs about three quarters of a multiplication.
    let cost = 3 * columns + 4 * columns * rows.iter().map(|&(_, v)| v).sum::<u32>();
    Some(Shape { columns, rows, cost })
}
