//! The cases that are explored, and the guards that a variant leaves out.

/// A guard of a node, of a gateway, or of the service.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Guard {
    /// A node that has signed a value at this place refuses another one (`watermark.rs`, `check`).
    Watermark,
    /// A node gives shares for one time stamp (`recorded.rs`, `other`).
    Bound,
    /// The record is on the disk before the share leaves (`release.rs`, `release`).
    Durable,
    /// A node that was restored gives no share (`watermark.rs`, `check_kept`).
    Restored,
    /// Any two sets of signers have an honest member in common (`spec.rs`, `quorums_meet`).
    Quorums,
    /// A gateway begins no attempt of its own for an earlier vote (`earlier.rs`, `open_earlier`).
    Joins,
    /// A gateway that cannot have a signature of its own orders the rest of the earlier shares (`earlier.rs`, `awaits_earlier`).
    Orders,
}

/// A request for a vote.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Request {
    /// The block.
    pub value: u8,
    /// The time stamp.
    pub time: u8,
}

/// A case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The name.
    pub name: &'static str,
    /// The number of nodes.
    pub nodes: u8,
    /// The number of signers of an attempt.
    pub threshold: u8,
    /// The requests, each at a gateway of its own, unless a hostile one has them all.
    pub requests: &'static [Request],
    /// The nodes from this one on are corrupt: they give every share.
    pub honest: u8,
    /// `true` if the gateway shows any request to any node, with any signers.
    pub hostile: bool,
    /// The crashes that there can be.
    pub crashes: u8,
    /// The nodes that can be restored to before the vote.
    pub restores: u8,
    /// The guard that is left out.
    pub without: Option<Guard>,
}

const fn request(value: u8, time: u8) -> Request {
    Request { value, time }
}

/// One vote with two time stamps.
const TWO: &[Request] = &[request(1, 1), request(1, 2)];
/// And a vote for another block.
const THREE: &[Request] = &[request(1, 1), request(1, 2), request(2, 1)];

const PLAIN: Case = Case {
    name: "2 of 3, two gateways",
    nodes: 3,
    threshold: 2,
    requests: TWO,
    honest: 3,
    hostile: false,
    crashes: 0,
    restores: 0,
    without: None,
};

/// The cases in which every property holds.
#[must_use]
pub fn cases() -> Vec<Case> {
    let hostile = Case { hostile: true, ..PLAIN };
    vec![
        PLAIN,
        Case { name: "2 of 2, two gateways", nodes: 2, honest: 2, ..PLAIN },
        Case {
            name: "2 of 3, another block, a hostile gateway",
            requests: THREE,
            ..hostile.clone()
        },
        Case { name: "2 of 3, a crash, a hostile gateway", crashes: 1, ..hostile.clone() },
        Case { name: "2 of 3, a restored node, a hostile gateway", restores: 1, ..hostile.clone() },
        Case {
            name: "3 of 4, a corrupt node, a hostile gateway",
            nodes: 4,
            honest: 3,
            threshold: 3,
            requests: THREE,
            ..hostile
        },
    ]
}

/// For each guard a case without it, and the property that fails.
#[must_use]
pub fn variants() -> Vec<(Case, &'static str)> {
    let hostile = Case { hostile: true, ..PLAIN };
    let without = |guard, case| Case { without: Some(guard), ..case };
    let other = Case { requests: THREE, ..hostile.clone() };
    let crash = Case { crashes: 1, ..hostile.clone() };
    let restore = Case { restores: 1, ..hostile.clone() };
    let quorums = Case { nodes: 4, honest: 4, ..hostile.clone() };
    vec![
        (without(Guard::Watermark, other), "one"),
        (without(Guard::Bound, hostile), "one"),
        (without(Guard::Durable, crash), "one"),
        (without(Guard::Restored, restore), "one"),
        (without(Guard::Quorums, quorums), "one"),
        (without(Guard::Joins, PLAIN), "same"),
        (without(Guard::Orders, PLAIN), "ends"),
    ]
}

impl Case {
    /// Returns whether the guard is there.
    pub(super) fn on(&self, guard: Guard) -> bool {
        self.without != Some(guard)
    }

    /// Returns whether of two time stamps one always finds enough signers.
    pub(super) fn always_ends(&self) -> bool {
        let is_odd = self.nodes + 1 == 2 * self.threshold;
        is_odd && self.requests.len() == 2 && self.honest == self.nodes && !self.hostile
    }
}
