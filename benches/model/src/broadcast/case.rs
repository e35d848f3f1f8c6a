//! The cases that are explored, and the guards that a variant leaves out.

use std::sync::Arc;

use super::frame::{Bits, has};
use super::memory::Memory;

/// A guard of a session or of its caller.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Guard {
    /// The sender in a frame is the one that the transport names (`receiving.rs`, `place`).
    Sender,
    /// A frame is of this run (`receiving.rs`, `check_run`).
    Run,
    /// A frame is for this party (`receiving.rs`, `place`).
    Recipient,
    /// A repeated frame is no contradiction (`log.rs`, `store`).
    Repeated,
    /// The first frame of its place counts, whatever comes later (`log.rs`, `store`).
    First,
    /// Two frames of one place name their sender (`ending.rs`, `equivocation`).
    Contradiction,
    /// A round needs the messages of every party (`session.rs`, `advance`).
    Everybody,
    /// Echoes are compared (`echo.rs`, `check_echo`).
    Echo,
    /// The echo of every party has to agree, and not of one (`echo.rs`, `check_echo`).
    EveryEcho,
    /// The echo covers the broadcasts of all parties (`echo.rs`, `echo`).
    WholeEcho,
    /// Two frames of one sender with two echoes name their sender (`echo.rs`, `two_echoes`).
    TwoEchoes,
    /// An echo that differs names nobody (`echo.rs`, `check_echo`).
    Nobody,
    /// The evidence has the broadcasts that the party saw (`echo.rs`, `check_echo`).
    Seen,
    /// The protocol's checks come after the echo (`session.rs`, `advance`).
    EchoFirst,
    /// A run that is given up is judged by contradictions and echoes first (`ending.rs`, `give_up`).
    JudgedFirst,
    /// The session of a round is stored before its messages are sent (`runner`'s `store.rs`, `swap`).
    StoredFirst,
    /// A run starts once, whatever is delivered again (`runner`'s `store.rs`, `begin`).
    OneStart,
    /// A store gives back the latest session of a run (`runner`'s `store.rs`, `swap`).
    Latest,
    /// A run that ended is never opened again (`saving.rs`, `reopen`; `ending.rs`, `tombstone`).
    Tombstone,
    /// After a restore that somebody knows of no run is continued (`runner`'s `opening.rs`, `Continuity::Unknown`).
    Discontinued,
}

/// The fault of a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Store {
    /// Nobody crashes.
    Stays,
    /// One party crashes once, at any time.
    Crash,
    /// One party is restored to an older copy of its store.
    Restored,
}

/// One thing to explore.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name in the table.
    pub name: &'static str,
    /// The number of parties. The last ones are corrupt.
    pub parties: usize,
    /// The number of corrupt parties.
    pub corrupt: usize,
    /// Round 2 has a message to each party.
    pub direct: bool,
    /// Frames of the next round arrive early.
    pub early: bool,
    /// The protocol checks answers and confirmations against what a party saw. Corrupt parties send wrong ones.
    pub checks: bool,
    /// Frames are delivered when a party moves on or gives up, and not one by one. A session looks at them only then, so this
    /// leaves out no behaviour, and has fewer states.
    pub together: bool,
    /// Corrupt parties and the network deliver what a session rejects: forged, strayed and of another run.
    pub strays: bool,
    /// The fault of the stores.
    pub store: Store,
    /// The guard that is left out.
    pub without: Option<Guard>,
    pub(super) memory: Arc<Memory>,
}

impl Case {
    /// The case without a guard.
    #[must_use]
    pub fn without(mut self, guard: Guard) -> Self {
        self.without = Some(guard);
        self.memory = Arc::default();
        self
    }

    /// Returns whether the guard holds.
    #[must_use]
    pub fn on(&self, guard: Guard) -> bool {
        self.without != Some(guard)
    }

    /// The number of honest parties, which come first.
    #[must_use]
    pub const fn honest(&self) -> usize {
        self.parties - self.corrupt
    }

    /// The honest parties.
    #[must_use]
    pub const fn honest_bits(&self) -> Bits {
        (1 << self.honest()) - 1
    }

    /// The sets of corrupt parties: every echo that a corrupt party may send for one of two honest views.
    pub fn views(&self) -> impl Iterator<Item = Bits> + use<> {
        let honest = self.honest();
        (0..1_u8 << self.corrupt).map(move |bits| bits << honest)
    }

    pub(super) fn is_corrupt(&self, party: usize) -> bool {
        !has(self.honest_bits(), party)
    }
}

fn three() -> Case {
    Case {
        name: "3 parties, 1 corrupt",
        parties: 3,
        corrupt: 1,
        direct: false,
        early: false,
        checks: true,
        together: false,
        strays: false,
        store: Store::Stays,
        without: None,
        memory: Arc::default(),
    }
}
fn four() -> Case {
    Case { name: "4 parties, 1 corrupt", parties: 4, together: true, ..three() }
}

fn two() -> Case {
    Case { name: "4 parties, 2 corrupt", corrupt: 2, ..four() }
}

/// The cases in which every property holds.
#[must_use]
pub fn cases() -> Vec<Case> {
    let plain = || Case { checks: false, ..two() };
    vec![
        three(),
        Case { name: "3 parties, 1 corrupt; early", early: true, ..three() },
        Case {
            name: "3 parties, 1 corrupt; direct, strays",
            direct: true,
            strays: true,
            ..three()
        },
        Case { name: "3 parties, 1 corrupt; crash", store: Store::Crash, ..three() },
        Case { name: "3 parties, 1 corrupt; restored", store: Store::Restored, ..three() },
        Case { name: "3 parties, 1 corrupt; together", together: true, ..three() },
        four(),
        Case { name: "4 parties, 1 corrupt; direct", direct: true, ..four() },
        Case { name: "4 parties, 1 corrupt; crash", store: Store::Crash, ..four() },
        Case { name: "4 parties, 1 corrupt; restored", store: Store::Restored, ..four() },
        two(),
        Case { name: "4 parties, 2 corrupt; no checks", checks: false, ..two() },
        Case { name: "4 parties, 2 corrupt; no checks, crash", store: Store::Crash, ..plain() },
        Case {
            name: "4 parties, 2 corrupt; no checks, restored",
            store: Store::Restored,
            ..plain()
        },
    ]
}

/// Cases that take minutes.
#[must_use]
pub fn large() -> Vec<Case> {
    vec![
        Case { name: "4 parties, 2 corrupt; crash", store: Store::Crash, ..two() },
        Case { name: "4 parties, 2 corrupt; restored", store: Store::Restored, ..two() },
        Case { name: "3 parties, 1 corrupt; direct, early", direct: true, early: true, ..three() },
    ]
}

/// Every guard left out once, with a property that fails for it.
#[must_use]
pub fn variants() -> Vec<(Case, &'static str)> {
    let direct = || Case { direct: true, strays: true, ..three() };
    let store = |store| Case { store, ..three() };
    let plain = || Case { checks: false, ..three() };
    vec![
        (direct().without(Guard::Sender), "honest"),
        (direct().without(Guard::Run), "honest"),
        (direct().without(Guard::Recipient), "honest"),
        (three().without(Guard::Repeated), "honest"),
        (plain().without(Guard::First), "equal"),
        (three().without(Guard::Contradiction), "culprit"),
        (plain().without(Guard::Everybody), "equal"),
        (plain().without(Guard::Echo), "equal"),
        (plain().without(Guard::EveryEcho), "equal"),
        (plain().without(Guard::WholeEcho), "equal"),
        (direct().without(Guard::TwoEchoes), "culprit"),
        (three().without(Guard::Nobody), "honest"),
        (three().without(Guard::Seen), "convicts"),
        (three().without(Guard::EchoFirst), "honest"),
        (three().without(Guard::JudgedFirst), "honest"),
        (store(Store::Crash).without(Guard::StoredFirst), "honest"),
        (three().without(Guard::OneStart), "honest"),
        (three().without(Guard::Latest), "honest"),
        (three().without(Guard::Tombstone), "honest"),
        (store(Store::Restored).without(Guard::Discontinued), "honest"),
    ]
}
