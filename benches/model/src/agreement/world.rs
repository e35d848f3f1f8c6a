//! The state of everything.

use std::sync::Arc;

use super::case::Case;
use super::party::{Bits, Party, Stores, has};

/// A copy of one party's stores.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Copy {
    /// None was made.
    None,
    /// A copy of this party's stores.
    Of(usize, Arc<Party>),
    /// A copy of which one store was restored, and the other may be restored later.
    Half(usize, Arc<Party>),
    /// The copy was restored.
    Restored,
}

/// The state of everything.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct World {
    /// The honest parties.
    pub(super) parties: Vec<Arc<Party>>,
    /// For each attempt, the honest parties that ever said `Prepared`.
    pub(super) prepared: Vec<Bits>,
    /// For each attempt, the honest parties that ever said `Committed`.
    pub(super) committed: Vec<Bits>,
    /// For each party, the attempts whose shares it was ever given.
    pub(super) made: Vec<Bits>,
    /// The attempts that any honest party ever committed; all have committed the first.
    pub(super) ever: Bits,
    /// The attempts that were dealt.
    pub(super) dealt: Bits,
    /// The copy of a party's stores.
    pub(super) copy: Copy,
    /// A share was deleted without anything newer to sign with.
    pub(super) lost: bool,
    /// A crash after a whole step would change something.
    pub(super) forgot: bool,
}

impl World {
    pub(super) fn first(case: &Case) -> Self {
        let count = case.honest.len();
        let party = |party| case.memory.party(case, party, Stores::first(case, party));
        let runs = case.runs.len();
        Self {
            parties: (0..count).map(party).collect(),
            prepared: vec![0; runs],
            committed: vec![0; runs],
            made: vec![1; count],
            ever: 1,
            dealt: 1,
            copy: Copy::None,
            lost: false,
            forgot: false,
        }
    }

    /// The number of honest parties that hold a share of the attempt.
    pub(super) fn holders(&self, run: usize) -> usize {
        self.parties.iter().filter(|party| has(party.stores.shares, run)).count()
    }
}
