//! The groups of the vectors: how many parties, under which numbers, and who does what.

use quorate::keys::Committee;
use quorate::{Parties, PartyId};
use quorate_testkit::lockstep::{id, parties};

/// A group of n parties of which t sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    /// The parties.
    pub(crate) all: &'static [u16],
    /// The threshold.
    pub(crate) threshold: u16,
    /// The signers. There is auxiliary information among these and the group's other parties, or among these alone.
    pub(crate) signers: &'static [u16],
}

/// The party that joins in a resharing.
const NEWCOMER: u16 = 1000;

/// The groups.
pub(crate) const SHAPES: [Shape; 5] = [
    Shape { all: &[1, 2], threshold: 2, signers: &[1, 2] },
    Shape { all: &[2, 7, 40], threshold: 2, signers: &[2, 40] },
    Shape { all: &[2, 7, 40], threshold: 3, signers: &[2, 7, 40] },
    Shape { all: &[1, 5, 9, 300, 65535], threshold: 3, signers: &[1, 9, 65535] },
    Shape { all: &[1, 2, 5, 9, 300, 4000, 65535], threshold: 5, signers: &[1, 5, 9, 300, 65535] },
];

/// The parties of auxiliary information: of all groups' signers.
pub(crate) const AUX: [&[u16]; 3] = [&[1, 2], &[2, 7, 40], &[1, 5, 9, 300, 65535]];

impl Shape {
    /// `n-t`, as in the names of files.
    pub(crate) fn name(self) -> String {
        format!("{}-{}", self.all.len(), self.threshold)
    }

    /// The parties.
    pub(crate) fn parties(self) -> Parties {
        parties(self.all)
    }

    /// The party that cheats, if one does.
    pub(crate) fn second(self) -> PartyId {
        id(self.all[1])
    }

    /// The signers.
    pub(crate) fn signers(self) -> Parties {
        parties(self.signers)
    }

    /// The first t parties.
    pub(crate) fn first(self) -> Parties {
        parties(&self.all[..self.threshold.into()])
    }

    /// The committee as it is.
    pub(crate) fn committee(self) -> Committee {
        Committee::new(self.parties(), self.threshold).expect("a committee")
    }

    /// The committee without its first party and with a new one, of a threshold that is one more if it can be.
    pub(crate) fn next(self) -> Committee {
        let to = parties(self.all[1..].iter().copied().chain([NEWCOMER]));
        let threshold = (self.threshold + 1).min(to.count());
        Committee::new(to, threshold).expect("a committee")
    }

    /// The helpers and the target of a repair, if there are parties enough.
    pub(crate) fn repair(self) -> Option<(Parties, PartyId)> {
        let target = *self.all.last().expect("parties");
        (self.all.len() > usize::from(self.threshold)).then(|| (self.first(), id(target)))
    }
}
