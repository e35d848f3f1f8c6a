//! The choice of jobs that go side by side.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::exponent::comb::CombJob;
use crate::exponent::job::Job;
use crate::modular::form::Form;

/// Jobs that one call of a kernel does: several in lanes, or one alone.
pub(super) struct Group {
    /// Indices into the list of jobs.
    pub(super) members: Vec<usize>,
}

/// The limbs of a number of 2048 bits in the kernel for four.
#[cfg(target_arch = "x86_64")]
const LIMBS_2048: u32 = Form::Fma.limbs(2048);

/// The count of numbers from which they go side by side. Below it they go alone.
///
/// Lanes of eight cost about as much as five numbers alone, and under squares with known roots less than four. Lanes of four
/// cost about as much as three numbers alone, or less, up to 2048 bits, or roots of that. Above that they cost more than
/// three, and less than four.
pub(super) fn worth_filling(form: Form, lanes: usize, [whole, root]: [u32; 2]) -> usize {
    #[cfg(target_arch = "x86_64")]
    if form == Form::Fma {
        let limbs = if root == 0 { whole } else { root };
        return if limbs > LIMBS_2048 { lanes } else { 3 };
    }
    let _ = (form, whole);
    if root == 0 { (lanes * 5).div_ceil(8) } else { lanes >> 1 }
}

/// Groups jobs of the same shape side by side, the longest exponents together. Those that have a public exponent
/// in common fill lanes by themselves as far as they can. `shape` is what numbers in lanes must have in common:
/// their counts of limbs. `worth` is the count of numbers of a shape from which they go side by side.
pub(super) fn groups(
    lanes: usize,
    shape: impl Fn(&Job) -> [u32; 2],
    worth: impl Fn([u32; 2]) -> usize,
    jobs: &[Job],
) -> Vec<Group> {
    let lanes = lanes.max(1);
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    let length = |i: usize| jobs.get(i).map_or([0, 0], &shape);
    let longest = |i: usize| jobs.get(i).map_or(0, Job::longest);
    let terms = |i: usize| jobs.get(i).map_or(0, |j| j.powers.len());
    let exponent = |i: usize| jobs.get(i).and_then(Job::public_exponent);
    let key = |i: usize| (length(i), Reverse(longest(i)), exponent(i), terms(i));
    order.sort_by(|&i, &j| key(i).cmp(&key(j)));
    let mut out = Vec::new();
    for same in order.chunk_by(|&i, &j| length(i) == length(j)) {
        let shape = same.first().map_or([0, 0], |&i| length(i));
        let mut rest = Vec::new();
        for common in same.chunk_by(|&i, &j| exponent(i).is_some() && exponent(i) == exponent(j)) {
            let full = common.chunks_exact(lanes);
            rest.extend(full.remainder());
            out.extend(full.map(|chunk| Group { members: chunk.to_vec() }));
        }
        for chunk in rest.chunks(lanes) {
            if lanes > 1 && chunk.len() >= worth(shape) {
                out.push(Group { members: chunk.to_vec() });
            } else {
                out.extend(chunk.iter().map(|&i| Group { members: vec![i] }));
            }
        }
    }
    out
}

/// Groups jobs over the same comb side by side, however few they are, because their tables are written for lanes.
/// The rest of one comb shares its lanes with the rest of others of the same shape, as far as all of it fits.
pub(super) fn comb_groups(lanes: usize, jobs: &[CombJob<'_>]) -> Vec<Group> {
    let lanes = lanes.max(1);
    let (mut full, mut partial) = (Vec::new(), Vec::<Group>::new());
    let comb = |members: &[usize]| members.first().and_then(|&i| jobs.get(i)).map(|j| j.comb);
    let mut rest: Vec<usize> = (0..jobs.len()).collect();
    while let Some(first) = comb(&rest) {
        let (same, other): (Vec<usize>, Vec<usize>) =
            rest.into_iter().partition(|&i| jobs.get(i).is_some_and(|j| j.comb.same(first)));
        for chunk in same.chunks(lanes) {
            let fits = |group: &&mut Group| {
                group.members.len() + chunk.len() <= lanes
                    && comb(&group.members).is_some_and(|comb| comb.is_alike(first))
            };
            let group = Group { members: chunk.to_vec() };
            match partial.iter_mut().find(fits) {
                _ if chunk.len() == lanes => full.push(group),
                Some(shared) => shared.members.extend(chunk),
                None => partial.push(group),
            }
        }
        rest = other;
    }
    full.append(&mut partial);
    full
}
