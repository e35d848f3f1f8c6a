//! The cases that are explored, and the guards that a variant leaves out.

/// A guard of the store, or of its caller.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Guard {
    /// A claim is recorded before the share is released (`frost`'s `claim.rs`, `release` takes a receipt).
    RecordedFirst,
    /// Of two workers one finds a name free (`records.rs`, `claim_in`).
    OneWriter,
    /// A name stays spent on what it was spent on (`records.rs`, `claim_in`).
    Stays,
    /// A name that was spent on something else gives no receipt (`spend.rs`, `store`).
    SameDigest,
    /// The table of what was spent is in a database that no backup reaches.
    Apart,
    /// The database of the runs is told of a claim before the claim is answered (`store.rs`, `tell_runs`).
    Told,
    /// The runs' database is told too if the claim was there already (`store.rs`, `claim`).
    ToldAgain,
    /// Databases are compared when they are opened (`pair.rs`, `check`).
    Compared,
    /// A database is compared before the other one is told more of it (`pair.rs`, `expect_seen`).
    Seen,
    /// The runs are compared also by a handle that has nothing new to tell (`pair.rs`, `tell_spent`).
    SeenAlways,
    /// A handle that has told of its mark looks whether the mark is still there (`pair.rs`, `expect`).
    OwnMark,
    /// Marks are random (`pair.rs`, `leave`).
    RandomMarks,
    /// A claim leaves a mark in the database of the runs, too (`pair.rs`, `tell_runs`).
    MarkOfRuns,
    /// A witness is asked when the store is opened (`store.rs`, `standing`).
    Witness,
    /// The witness is told before anything is released (`store.rs`, `head`).
    WitnessFirst,
    /// A stock of before a restore is dropped (`continuity.rs`, `keeps_stock`).
    StockDropped,
    /// The disk has the stock without what was dropped before the party goes on.
    DroppedOnDisk,
    /// The stock is dropped before the databases are accepted as they are (`settle.rs`).
    DroppedFirst,
    /// Nobody else has the store open when it is accepted.
    Alone,
    /// A run that draws randomness when it starts needs a new receipt (`spend.rs`, `is_new`).
    NewReceipt,
    /// An answer replaces the session that it was made from (`runner`'s `store.rs`, `swap`).
    Swapped,
    /// An answer is stored before it is sent (`runner`'s `store.rs`, `swap`).
    AnsweredFirst,
    /// Messages are sent when the other database knows of their step, also by a worker that has not stored them (`store.rs`, `due`).
    DueTold,
    /// Open runs of before a restore are ended (`runner`'s `opening.rs`, `Continuity::Unknown`).
    Discontinued,
}

/// The kind of thing that is spent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Thing {
    /// A pair of nonces or a presignature of a stock. It may be spent on one of two messages.
    Nonce,
    /// An attempt whose run draws a mask when it begins, and answers one of two challenges.
    Attempt,
}

/// The stores that are copied at one moment and restored later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Restore {
    /// Nothing.
    Nothing,
    /// The database of the runs.
    Runs,
    /// The database of what was spent.
    Spent,
    /// The file of the stock.
    Stock,
    /// The runs and the stock, as a backup has them.
    Backup,
    /// The three of them, copied at one moment.
    All,
    /// The two databases, each copied at a time of its own, and the stock.
    Apart,
}

/// When a copy is restored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// While nobody has the store open.
    Closed,
    /// While workers have it open, and no call is between the commits of its two databases.
    BetweenCalls,
    /// At any time.
    AnyTime,
}

/// One thing to explore.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The name in the table.
    pub name: &'static str,
    /// The kind of thing that is spent.
    pub thing: Thing,
    /// The number of names.
    pub names: usize,
    /// The number of workers.
    pub workers: usize,
    /// Steps of other runs.
    pub others: u8,
    /// The stores that are restored.
    pub restore: Restore,
    /// When it is restored.
    pub when: When,
    /// There is a witness.
    pub witness: bool,
    /// Workers are alike, and their order makes no state. The workers of a trace change their numbers then.
    pub alike: bool,
    /// The guard that is left out.
    pub without: Option<Guard>,
}

impl Case {
    /// The case without a guard.
    #[must_use]
    pub fn without(mut self, guard: Guard) -> Self {
        self.without = Some(guard);
        self
    }

    /// Returns whether the guard holds.
    #[must_use]
    pub fn on(&self, guard: Guard) -> bool {
        self.without != Some(guard)
    }

    /// Returns whether a witness is asked.
    pub(super) fn asks(&self) -> bool {
        self.witness && self.on(Guard::Witness)
    }

    /// Returns whether what was spent is in a database of its own.
    pub(super) fn is_apart(&self) -> bool {
        self.on(Guard::Apart)
    }
}

const NONCE: Case = Case {
    name: "nonces, crashes",
    thing: Thing::Nonce,
    names: 2,
    workers: 2,
    others: 0,
    restore: Restore::Nothing,
    when: When::Closed,
    witness: false,
    alike: false,
    without: None,
};

const fn nonces(name: &'static str, restore: Restore) -> Case {
    Case { name, restore, names: 1, others: 1, when: When::AnyTime, ..NONCE }
}

const fn attempts(name: &'static str, restore: Restore) -> Case {
    let thing = Thing::Attempt;
    Case { name, thing, restore, names: 1, when: When::AnyTime, ..NONCE }
}

/// A restore of all three to one moment while nobody has them open.
const fn all(name: &'static str) -> Case {
    Case { when: When::Closed, ..nonces(name, Restore::All) }
}

/// The cases in which every property holds.
#[must_use]
pub fn cases() -> Vec<Case> {
    let witness = |case: Case| Case { witness: true, ..case };
    let apart = |name| Case { restore: Restore::Apart, ..all(name) };
    let cases = [
        NONCE,
        nonces("nonces, runs restored", Restore::Runs),
        nonces("nonces, spent restored", Restore::Spent),
        nonces("nonces, stock restored", Restore::Stock),
        nonces("nonces, runs and stock restored", Restore::Backup),
        witness(all("nonces, all restored, a witness")),
        witness(apart("nonces, all restored apart, a witness")),
        attempts("attempts, crashes", Restore::Nothing),
        attempts("attempts, runs restored", Restore::Runs),
        attempts("attempts, spent restored", Restore::Spent),
    ];
    let alike = cases.into_iter().map(|case| Case { alike: true, ..case });
    // Two names, with one worker at a time.
    let names = [
        nonces("nonces, runs restored, two names", Restore::Runs),
        nonces("nonces, spent restored, two names", Restore::Spent),
        nonces("nonces, runs and stock restored, two names", Restore::Backup),
        witness(all("nonces, all restored, two names, a witness")),
        witness(apart("nonces, all restored apart, two names, a witness")),
    ];
    let one = |case: Case| Case { names: 2, workers: 1, ..case };
    alike.chain(names.into_iter().map(one)).collect()
}

/// Restores that the store does not notice. In each case something is spent twice.
#[must_use]
pub fn unnoticed() -> Vec<Case> {
    let open =
        Case { when: When::BetweenCalls, ..all("nonces, all restored while open, a witness") };
    vec![
        all("nonces, all restored"),
        apart(),
        Case { witness: true, ..open },
        Case { when: When::Closed, ..attempts("attempts, all restored", Restore::All) },
    ]
}

/// The databases are copied at times of their own, and nobody knows more.
#[must_use]
pub fn apart() -> Case {
    Case { restore: Restore::Apart, names: 2, workers: 1, ..all("nonces, all restored apart") }
}

/// Every guard left out once, with a property that fails for it.
#[must_use]
pub fn variants() -> Vec<(Case, &'static str)> {
    let witness = || Case { witness: true, ..all("nonces, all restored, a witness") };
    let spent = || nonces("nonces, spent restored", Restore::Spent);
    let runs = || attempts("attempts, runs restored", Restore::Runs);
    let open = || Case { when: When::BetweenCalls, ..runs() };
    let tries = || attempts("attempts, crashes", Restore::Nothing);
    vec![
        (NONCE.without(Guard::RecordedFirst), "once"),
        (NONCE.without(Guard::OneWriter), "once"),
        (NONCE.without(Guard::Stays), "once"),
        (NONCE.without(Guard::SameDigest), "once"),
        (nonces("nonces, runs and stock restored", Restore::Backup).without(Guard::Apart), "once"),
        (spent().without(Guard::Told), "once"),
        (spent().without(Guard::ToldAgain), "once"),
        (Case { when: When::Closed, ..spent() }.without(Guard::Compared), "fit"),
        (spent().without(Guard::Seen), "once"),
        (open().without(Guard::SeenAlways), "once"),
        (spent().without(Guard::OwnMark), "once"),
        (runs().without(Guard::OwnMark), "once"),
        (spent().without(Guard::RandomMarks), "once"),
        (witness().without(Guard::MarkOfRuns), "once"),
        (witness().without(Guard::Witness), "once"),
        (witness().without(Guard::WitnessFirst), "once"),
        (spent().without(Guard::StockDropped), "once"),
        (witness().without(Guard::DroppedOnDisk), "once"),
        (spent().without(Guard::DroppedFirst), "once"),
        (spent().without(Guard::Alone), "once"),
        (runs().without(Guard::NewReceipt), "once"),
        (tries().without(Guard::Swapped), "once"),
        (tries().without(Guard::AnsweredFirst), "once"),
        (runs().without(Guard::DueTold), "once"),
        (runs().without(Guard::Discontinued), "once"),
    ]
}
