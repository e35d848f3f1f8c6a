//! Which multiples the lanes of a sum add, and in which order.
//!
//! The digits at one position of the terms' numbers make a run: the multiples that are added there. First the runs are
//! summed, as many at once as there are lanes: a round. Runs of nearly equal length are summed together, so hardly a
//! lane is idle, however the digits lie. A run of one multiple needs no sum.
//!
//! Then the positions are cut into as many slices of one length as there are lanes. Each lane has a slice, and all
//! double and add together. The lanes' results are joined in the end, by doublings of one point.

use alloc::vec::Vec;

use crate::msm::{Digits, Term};

/// For each lane the place of its multiple in the table, twice, plus one if it is subtracted. The neutral point has the
/// first place.
pub(super) type Step<const N: usize> = [u32; N];

/// All additions of a sum.
pub(super) struct Schedule<const N: usize> {
    digits: Digits,
    /// The runs of each round, with the longest first.
    rounds: Vec<[(usize, usize); N]>,
    /// The additions of the last part, that of the lowest positions first.
    pub(super) slices: Vec<Step<N>>,
}

impl<const N: usize> Schedule<N> {
    /// The schedule of a sum, where the sums of the rounds get the places from `end` on.
    pub(super) fn new<P>(terms: &[Term<P>], end: usize) -> Self {
        let digits = Digits::new(terms);
        let mut runs: Vec<Run> = Vec::with_capacity(digits.counts.len());
        let mut start = 0;
        for (position, length) in digits.counts.iter().enumerate() {
            runs.push(Run { length: *length, start, position });
            start += length;
        }
        let mut slices = alloc::vec![[0; N]; runs.len().div_ceil(N)];
        let mut set = |position: usize, entry: u32| {
            let lane = position.checked_div(slices.len()).unwrap_or(0);
            let at = position - lane * slices.len();
            if let Some(place) = slices.get_mut(at).and_then(|step| step.get_mut(lane)) {
                *place = entry;
            }
        };
        for Run { length, start, position } in &runs {
            if let (1, Some(entry)) = (length, digits.entries.get(*start)) {
                set(*position, entry + 2);
            }
        }
        runs.retain(|run| run.length > 1);
        runs.sort_unstable_by_key(|run| core::cmp::Reverse(run.length));
        let mut rounds = Vec::with_capacity(runs.len().div_ceil(N));
        let mut place = end;
        for some in runs.chunks(N) {
            let mut round = [(0, 0); N];
            for (lane, (in_round, run)) in round.iter_mut().zip(some).enumerate() {
                *in_round = (run.start, run.length);
                set(run.position, u32::try_from(2 * (place + lane)).unwrap_or(0));
            }
            place += N;
            rounds.push(round);
        }
        Self { digits, rounds, slices }
    }

    /// The rounds: for each the steps.
    pub(super) fn rounds(&self) -> impl Iterator<Item = impl Iterator<Item = Step<N>>> {
        let entry = |(start, length): (usize, usize), at: usize| {
            let entry = self.digits.entries.get(start + at).filter(|_| at < length);
            entry.map_or(0, |entry| entry + 2)
        };
        self.rounds.iter().map(move |round| {
            let longest = round.first().map_or(0, |(_, length)| *length);
            (0..longest).map(move |at| round.map(|run| entry(run, at)))
        })
    }

    /// Length of the slices.
    pub(super) fn slice(&self) -> u32 {
        u32::try_from(self.slices.len()).unwrap_or(0)
    }
}

/// The digits at one position.
struct Run {
    length: usize,
    /// The place of the first among all digits.
    start: usize,
    position: usize,
}
