//! What happens, in the order that a seed gives.

/// Something that happens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// A worker of a node is killed.
    KillWorker,
    /// The gateway is killed.
    KillGateway,
    /// The keeper of the broker's streams is killed.
    KillKeeper,
    /// The broker is killed.
    KillBroker,
    /// The broker is killed, and everything that it has stored is gone.
    WipeBroker,
    /// PostgreSQL's first process is killed: the databases of all nodes and of the gateway are away.
    KillDatabase,
    /// That of the ledgers.
    KillLedger,
    /// A process stands still for some seconds.
    Stall,
    /// The clock of a process jumps, and jumps back after seconds.
    Clock,
}

/// All, with how many of 26 each is.
const KINDS: [(Kind, u64); 9] = [
    (Kind::KillWorker, 9),
    (Kind::KillGateway, 4),
    (Kind::KillKeeper, 1),
    (Kind::KillBroker, 2),
    (Kind::WipeBroker, 2),
    (Kind::KillDatabase, 2),
    (Kind::KillLedger, 1),
    (Kind::Stall, 3),
    (Kind::Clock, 2),
];

impl Kind {
    /// Its name in tables.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::KillWorker => "kill -9 of a worker",
            Self::KillGateway => "kill -9 of the gateway",
            Self::KillKeeper => "kill -9 of the keeper",
            Self::KillBroker => "kill -9 of the broker",
            Self::WipeBroker => "broker killed, store wiped",
            Self::KillDatabase => "kill -9 of PostgreSQL",
            Self::KillLedger => "kill -9 of the ledgers' PostgreSQL",
            Self::Stall => "a process stopped for seconds",
            Self::Clock => "a clock jumps and jumps back",
        }
    }
}

/// So many events: first one of each kind as far as they reach, in an order of the seed's, then any.
pub(super) fn schedule(count: u32, random: &mut Random) -> Vec<Kind> {
    let mut first: Vec<Kind> = KINDS.iter().map(|(kind, _)| *kind).collect();
    for at in (1..first.len()).rev() {
        let other = random.below(u64::try_from(at).unwrap_or(0).saturating_add(1));
        first.swap(at, usize::try_from(other).unwrap_or(0));
    }
    let all = first.into_iter().chain(core::iter::repeat_with(|| any(random)));
    all.take(usize::try_from(count).unwrap_or(usize::MAX)).collect()
}

fn any(random: &mut Random) -> Kind {
    let total = KINDS.iter().map(|(_, weight)| weight).sum();
    let mut left = random.below(total);
    for (kind, weight) in KINDS {
        if left < weight {
            return kind;
        }
        left = left.saturating_sub(weight);
    }
    Kind::KillWorker
}

/// Numbers that a seed gives (SplitMix64). Not for secrets.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below this; 0 if there is none.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.next().checked_rem(bound).unwrap_or(0)
    }

    /// One of these.
    pub(super) fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        let at = self.below(u64::try_from(of.len()).unwrap_or(0));
        of.get(usize::try_from(at).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_seed_gives_the_same_events_and_every_kind() {
        let of = |seed| schedule(60, &mut Random::new(seed));
        assert_eq!(of(7), of(7));
        assert_ne!(of(7), of(8));
        let early: BTreeSet<Kind> = of(9).into_iter().take(KINDS.len()).collect();
        assert_eq!(early.len(), KINDS.len());
        assert_eq!(schedule(3, &mut Random::new(1)).len(), 3);
    }
}
