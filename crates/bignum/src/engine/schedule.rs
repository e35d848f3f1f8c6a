//! Which jobs go side by side.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::job::Job;
use crate::power::comb::CombJob;

/// Jobs that one call of a kernel does: several in lanes, or one alone.
pub(super) struct Group {
    /// Indices into the list of jobs.
    pub(super) members: Vec<usize>,
}

/// Lanes of eight cost about five numbers alone, lanes of four about two: below that many, numbers go alone.
fn worth_filling(lanes: usize) -> usize {
    (lanes * 5).div_ceil(8)
}

/// Jobs whose numbers have the same count of limbs go side by side, the longest exponents together. `limbs` gives that
/// count for a modulus of so many bits.
pub(super) fn groups(lanes: usize, limbs: impl Fn(u32) -> u32, jobs: &[Job]) -> Vec<Group> {
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    let length = |i: usize| jobs.get(i).map_or(0, |j| limbs(j.modulus.bits()));
    let longest = |i: usize| jobs.get(i).map_or(0, Job::longest);
    let terms = |i: usize| jobs.get(i).map_or(0, |j| j.powers.len());
    order.sort_by_key(|&i| (length(i), Reverse(longest(i)), terms(i)));
    let mut out = Vec::new();
    for same in order.chunk_by(|&i, &j| length(i) == length(j)) {
        split(lanes, same, &mut out);
    }
    out
}

/// Jobs over the same comb go side by side.
pub(super) fn comb_groups(lanes: usize, jobs: &[CombJob<'_>]) -> Vec<Group> {
    let mut out = Vec::new();
    let mut rest: Vec<usize> = (0..jobs.len()).collect();
    while let Some(comb) = rest.first().and_then(|&i| jobs.get(i)).map(|j| j.comb) {
        let (same, other): (Vec<usize>, Vec<usize>) =
            rest.into_iter().partition(|&i| jobs.get(i).is_some_and(|j| j.comb.same(comb)));
        split(lanes, &same, &mut out);
        rest = other;
    }
    out
}

fn split(lanes: usize, members: &[usize], out: &mut Vec<Group>) {
    for chunk in members.chunks(lanes.max(1)) {
        if chunk.len() >= worth_filling(lanes) && lanes > 1 {
            out.push(Group { members: chunk.to_vec() });
        } else {
            out.extend(chunk.iter().map(|&i| Group { members: vec![i] }));
        }
    }
}
