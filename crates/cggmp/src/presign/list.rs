//! The lists by which signers tell each other which presignatures they hold.

use alloc::vec::Vec;

use quorate_session::stock::Ranges;
use quorate_session::{Parties, PartyId, PerParty};

use super::id::{MAX_PRESIGNATURES, PresignatureId};
use crate::wire::{PRESIGNATURE_LIST, curve_label, put_parties, read_parties, read_party};
use crate::{DecodeError, EcdsaCurve, IntersectError, ListFault, ListMismatch};

/// The most ranges in a list. Ranges beyond these, in ascending order of the runs, are left out.
pub(super) const MAX_RANGES: usize = 1 << 16;

/// The presignatures of one signer that take certain signers.
#[derive(PartialEq)]
pub(super) struct List {
    pub(super) party: PartyId,
    pub(super) signers: Parties,
    /// By ascending run.
    pub(super) runs: Vec<Run>,
}

/// The presignatures of one run.
#[derive(PartialEq)]
pub(super) struct Run {
    pub(super) run: [u8; 32],
    /// The digest of all results of the run.
    pub(super) results: [u8; 32],
    /// Never empty.
    pub(super) left: Ranges,
}

/// The presignatures that all signers hold: [`Presignatures::intersect`](crate::Presignatures::intersect).
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct HeldByAll(Vec<([u8; 32], Ranges)>);

impl HeldByAll {
    /// The number of them.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.0.iter().fold(0, |sum, (_, left)| sum + left.len())
    }

    /// Returns whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Their names, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = PresignatureId> + '_ {
        self.0
            .iter()
            .flat_map(|(run, left)| left.iter().map(move |index| PresignatureId::new(*run, index)))
    }
}

impl List {
    /// party ‖ signers ‖ for each run its name ‖ digest ‖ ranges.
    pub(super) fn to_bytes<C: EcdsaCurve>(&self) -> Vec<u8> {
        let signers = (self.signers.len() + 2) * 2;
        let runs = self.runs.iter().map(|run| run.left.encoded_len() + 64);
        let label = curve_label::<C>(PRESIGNATURE_LIST);
        let mut bytes = label.start(runs.fold(signers, usize::saturating_add));
        bytes.extend_from_slice(&self.party.get().to_be_bytes());
        put_parties(&mut bytes, &self.signers);
        let mut room = MAX_RANGES;
        for Run { run, results, left } in &self.runs {
            let Some(rest) = room.checked_sub(left.ranges().len()) else { break };
            room = rest;
            bytes.extend_from_slice(run);
            bytes.extend_from_slice(results);
            left.put(&mut bytes);
        }
        label.end_public(bytes)
    }

    /// Reads the list that `sender` has sent.
    fn from_bytes<C: EcdsaCurve>(sender: PartyId, bytes: &[u8]) -> Result<Self, DecodeError> {
        let (_, mut reader) = curve_label::<C>(PRESIGNATURE_LIST).open(bytes)?;
        let (party, signers) = (read_party(&mut reader)?, read_parties(&mut reader)?);
        if party != sender {
            return Err(DecodeError::NotTheSenders { sender, named: party });
        }
        let mut runs: Vec<Run> = Vec::new();
        let mut room = MAX_RANGES;
        while reader.remaining() > 0 {
            let run = reader.array()?;
            if runs.last().is_some_and(|last| last.run >= run) {
                return Err(DecodeError::BadOrder);
            }
            let results = reader.array()?;
            let left = Ranges::read(&mut reader, room, u32::from(MAX_PRESIGNATURES) - 1)?;
            if left.is_empty() {
                return Err(DecodeError::Inconsistent("a run of which nothing is left"));
            }
            room = room.saturating_sub(left.ranges().len());
            runs.push(Run { run, results, left });
        }
        Ok(Self { party, signers, runs })
    }

    /// The presignatures that this list and those of all other signers have in common, with equal results of their runs.
    /// Its steps are as many as there are ranges in all lists.
    pub(super) fn intersect<C: EcdsaCurve, B: AsRef<[u8]>>(
        self,
        others: impl IntoIterator<Item = (PartyId, B)>,
    ) -> Result<HeldByAll, IntersectError> {
        let lists = self.received::<C, B>(others)?;
        let meet = |mine, list: &Self| common(mine, &list.runs);
        let runs = lists.values().fold(self.runs, meet).into_iter();
        Ok(HeldByAll(runs.map(|run| (run.run, run.left)).collect()))
    }

    /// The lists of all other signers, each from its sender.
    fn received<C: EcdsaCurve, B: AsRef<[u8]>>(
        &self,
        others: impl IntoIterator<Item = (PartyId, B)>,
    ) -> Result<PerParty<Self>, IntersectError> {
        if !self.signers.contains(self.party) {
            return Err(IntersectError::NotASigner);
        }
        let mut lists = PerParty::<Self>::new();
        let (mut faults, mut mismatches) = (PerParty::new(), PerParty::new());
        for (from, bytes) in others {
            if from == self.party || !self.signers.contains(from) {
                return Err(IntersectError::Unexpected(from));
            }
            match self.read::<C>(from, bytes.as_ref()) {
                Ok(list) if lists.get(from).is_some_and(|other| *other != list) => {
                    return Err(IntersectError::Duplicate(from));
                }
                Ok(list) => lists.or_insert(from, list),
                Err(Refused::Fault(fault)) => faults.or_insert(from, fault),
                Err(Refused::Mismatch(mismatch)) => mismatches.or_insert(from, mismatch),
            }
        }
        if !faults.is_empty() {
            return Err(IntersectError::Cheaters(faults.into_iter().collect()));
        }
        if !mismatches.is_empty() {
            return Err(IntersectError::Mismatch(mismatches.into_iter().collect()));
        }
        let came = |id: &PartyId| *id == self.party || lists.get(*id).is_some();
        let missing: Vec<_> = self.signers.iter().filter(|id| !came(id)).collect();
        if missing.is_empty() { Ok(lists) } else { Err(IntersectError::Missing(missing)) }
    }

    /// Reads the list of another signer.
    fn read<C: EcdsaCurve>(&self, sender: PartyId, bytes: &[u8]) -> Result<Self, Refused> {
        let list = Self::from_bytes::<C>(sender, bytes).map_err(|error| {
            if error.is_another_format() {
                Refused::Mismatch(ListMismatch::OtherFormat(error))
            } else {
                Refused::Fault(ListFault::Malformed(error))
            }
        })?;
        if list.signers != self.signers {
            return Err(Refused::Mismatch(ListMismatch::OtherSigners));
        }
        Ok(list)
    }
}

/// The runs that are in both lists with the same results, and the indices that both have left of them. A run with other
/// results is not in common: one of the two restored a session and ended it differently, and it is not known which.
fn common(mine: Vec<Run>, theirs: &[Run]) -> Vec<Run> {
    let mut theirs = theirs.iter().peekable();
    let both = |run: Run| {
        while theirs.next_if(|other| other.run < run.run).is_some() {}
        let other = theirs.next_if(|other| other.run == run.run && other.results == run.results)?;
        let left = run.left.intersect(&other.left);
        (!left.is_empty()).then_some(Run { left, ..run })
    };
    mine.into_iter().filter_map(both).collect()
}

/// The reason why a list is not taken.
enum Refused {
    Fault(ListFault),
    Mismatch(ListMismatch),
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "tests"
)]
mod tests {
    use alloc::collections::BTreeSet;
    use core::time::Duration;
    use std::time::Instant;

    use quorate_curve::Secp256k1 as C;
    use quorate_session::stock::RangesError;

    use super::{DecodeError, List, ListFault, MAX_PRESIGNATURES, Parties, PartyId, Ranges, Run};
    use crate::IntersectError;
    use crate::wire::{PRESIGNATURE_LIST, curve_label};

    type Held = BTreeSet<(u16, u32)>;

    fn id(number: u16) -> PartyId {
        PartyId::new(number).unwrap()
    }

    fn name(run: u16) -> [u8; 32] {
        let mut name = [0; 32];
        name[..2].copy_from_slice(&run.to_be_bytes());
        name
    }

    fn list(party: u16, held: &Held) -> List {
        let mut runs: Vec<Run> = Vec::new();
        for (run, index) in held {
            let run = name(*run);
            match runs.last_mut() {
                Some(last) if last.run == run => last.left.push(*index),
                _ => runs.push(Run { run, results: [7; 32], left: [*index].into_iter().collect() }),
            }
        }
        List { party: id(party), signers: Parties::numbered(3).unwrap(), runs }
    }

    fn sent(party: u16, held: &Held) -> (PartyId, Vec<u8>) {
        (id(party), list(party, held).to_bytes::<C>())
    }

    #[test]
    fn what_all_hold_is_the_intersection_of_the_sets() {
        let mut random = quorate_testkit::Lcg(3);
        for _ in 0..500 {
            let mut set = || -> Held {
                let (count, runs, span) =
                    (random.below(60), 1 + random.below(5), 1 + random.below(40));
                let number = |below: usize, random: &mut quorate_testkit::Lcg| {
                    u16::try_from(random.below(below)).unwrap()
                };
                (0..count)
                    .map(|_| (number(runs, &mut random), number(span, &mut random).into()))
                    .collect()
            };
            let sets = [set(), set(), set()];
            let others = [sent(2, &sets[1]), sent(3, &sets[2])];
            let found = list(1, &sets[0]).intersect::<C, _>(others).unwrap();
            let expected: Vec<_> = sets[0]
                .iter()
                .filter(|one| sets[1].contains(one) && sets[2].contains(one))
                .collect();
            assert_eq!(found.len(), expected.len() as u64);
            assert_eq!(found.is_empty(), expected.is_empty());
            let named = expected.iter().map(|(run, index)| (name(*run), *index));
            assert!(found.iter().map(|id| (*id.run(), id.index())).eq(named));
        }
    }

    #[test]
    fn a_million_names_meet_in_no_time() {
        let all = |party| {
            let left: Ranges = (0..u32::from(MAX_PRESIGNATURES))
                .filter(|index| index % 16 != u32::from(party))
                .collect();
            let run = |run| Run { run: name(run), results: [7; 32], left: left.clone() };
            let signers = Parties::numbered(3).unwrap();
            List { party: id(party), signers, runs: (0..1000).map(run).collect() }
        };
        let others = [2, 3].map(|party| (id(party), all(party).to_bytes::<C>()));
        let begun = Instant::now();
        let found = all(1).intersect::<C, _>(others).unwrap();
        assert_eq!(found.len(), 1000 * u64::from(MAX_PRESIGNATURES) / 16 * 13);
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        assert_eq!(found.iter().count() as u64, found.len());
    }

    /// A list of party 2 with these bytes behind the signers.
    fn forged(runs: &[u8]) -> Vec<u8> {
        let bytes = list(2, &Held::new()).to_bytes::<C>();
        curve_label::<C>(PRESIGNATURE_LIST).altered(&bytes, |bytes| bytes.extend_from_slice(runs))
    }

    fn run(number: u16, ranges: &[(u32, u32)]) -> Vec<u8> {
        let mut bytes = [name(number), [7; 32]].concat();
        bytes.extend(u32::try_from(ranges.len()).unwrap().to_be_bytes());
        bytes.extend(ranges.iter().flat_map(|(a, b)| [*a, *b]).flat_map(u32::to_be_bytes));
        bytes
    }

    #[test]
    fn hostile_lists_name_their_sender() {
        let held: Held = [(1, 0), (1, 5)].into();
        let third = sent(3, &held);
        let with =
            |bytes: Vec<u8>| list(1, &held).intersect::<C, _>([(id(2), bytes), third.clone()]);
        assert_eq!(with(forged(&run(1, &[(0, 0), (5, 5)]))).unwrap().len(), 2);
        let ranges = DecodeError::Ranges;
        let million: Vec<_> = (0..1_000_000).map(|at| (2 * at, 2 * at)).collect();
        for (bytes, why) in [
            (run(1, &[(0, 5), (3, 9)]), ranges(RangesError::NotApart { end: 5, first: 3 })),
            (run(1, &[(5, 5), (0, 0)]), ranges(RangesError::NotApart { end: 5, first: 0 })),
            (run(1, &[(0, 4), (5, 5)]), ranges(RangesError::NotApart { end: 4, first: 5 })),
            (run(1, &[(5, 0)]), ranges(RangesError::Backwards { first: 5, last: 0 })),
            (
                run(1, &[(0, u32::MAX)]),
                ranges(RangesError::OutOfRange { most: 1023, got: u32::MAX }),
            ),
            (run(1, &[(u32::MAX, 0)]), ranges(RangesError::Backwards { first: u32::MAX, last: 0 })),
            (run(1, &million), ranges(RangesError::TooMany { most: 1 << 16, got: 1_000_000 })),
            (
                [run(1, &[]), run(2, &[])].concat(),
                DecodeError::Inconsistent("a run of which nothing is left"),
            ),
            ([run(2, &[(0, 0)]), run(1, &[(0, 0)])].concat(), DecodeError::BadOrder),
            ([run(1, &[(0, 0)]), run(1, &[(5, 5)])].concat(), DecodeError::BadOrder),
            ([name(1), [7; 32]].concat(), ranges(RangesError::Truncated)),
            (run(1, &[(0, 0)])[..70].to_vec(), ranges(RangesError::Truncated)),
            (vec![1], DecodeError::Truncated),
        ] {
            let fault = ListFault::Malformed(why);
            assert_eq!(with(forged(&bytes)), Err(IntersectError::Cheaters(vec![(id(2), fault)])));
        }
        // Many runs of few ranges are bounded as well.
        let many: Vec<u8> = (0..=u16::MAX).flat_map(|number| run(number, &[(0, 0)])).collect();
        assert!(with(forged(&many)).is_ok());
        let last = [[255; 32], [7; 32]].concat();
        let more = [&many[..], &last, &run(1, &[(0, 0)])[64..]].concat();
        let fault = ListFault::Malformed(ranges(RangesError::TooMany { most: 0, got: 1 }));
        assert_eq!(with(forged(&more)), Err(IntersectError::Cheaters(vec![(id(2), fault)])));
        // Runs that are unknown here, or have other results, do not match and are no fault.
        assert!(with(forged(&run(9, &[(0, 5)]))).unwrap().is_empty());
        let other = [&name(1)[..], &[8; 32], &run(1, &[(0, 5)])[64..]].concat();
        assert!(with(forged(&other)).unwrap().is_empty());
    }
}
