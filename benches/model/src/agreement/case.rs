//! The cases that are explored: attempts, committees, faults, and the rule that is left out.

use std::sync::Arc;

use quorate_keys::agreement::{
    Attempt, Certificate, Committed, Guard, Guards, Prepared, Signed, Stage, Tally,
};
use quorate_keys::session::{Parties, PartyId};
use quorate_keys::{Committee, PackageId};

use super::party::Memory;

/// The name of the key.
pub const KEY: [u8; 32] = [7; 32];

/// The store of which an older copy is restored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Restore {
    /// None.
    Nothing,
    /// The database.
    Database,
    /// The ledger.
    Ledger,
    /// Both.
    Both,
    /// The ledger, and the database later, while the ledger is the latest.
    LedgerThenDatabase,
    /// The database, and the ledger later.
    DatabaseThenLedger,
}

impl Restore {
    /// Returns whether the database and whether the ledger are restored in the first step or the second.
    pub(super) fn stores(self, is_second: bool) -> (bool, bool) {
        match self {
            Self::Nothing => (false, false),
            Self::Database => (true, false),
            Self::Ledger => (false, true),
            Self::Both => (true, true),
            Self::LedgerThenDatabase => (is_second, !is_second),
            Self::DatabaseThenLedger => (!is_second, is_second),
        }
    }

    /// Returns whether one store is restored after the other.
    pub(super) fn is_twice(self) -> bool {
        matches!(self, Self::LedgerThenDatabase | Self::DatabaseThenLedger)
    }
}

/// A rule that is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// None: the protocol as it is.
    None,
    /// A guard of the state machine.
    Without(Guard),
    /// A party commits when the coordinator says so.
    CommitOnOrder,
    /// t statements make a certificate of `Prepared`.
    PreparedByT,
    /// Old shares go with a party's own commit.
    DeleteOnCommit,
    /// t statements make a certificate of `Committed`.
    CommittedByT,
    /// The caller sends before it stores.
    SendFirst,
    /// The ledger lets votes expire.
    VotesExpire,
    /// A share is not durable when it is said to be.
    NotDurable,
}

/// An attempt in a case. The first is the one that all begin with.
#[derive(Clone)]
pub struct Run {
    /// The letter.
    pub name: char,
    /// The attempt.
    pub attempt: Attempt,
    /// The attempts whose shares can be dealt from.
    pub from: Vec<usize>,
    /// A certificate of all, of each stage.
    pub prepared: Certificate<Prepared>,
    /// A certificate of all.
    pub committed: Certificate<Committed>,
}

/// One thing to explore.
#[derive(Clone)]
pub struct Case {
    /// The name in the table.
    pub name: &'static str,
    /// The attempts.
    pub runs: Vec<Run>,
    /// Corrupt parties.
    pub liars: Vec<u16>,
    /// Honest parties.
    pub honest: Vec<u16>,
    /// The fault of the stores.
    pub restore: Restore,
    /// Parties give up shares that have no vote.
    pub discards: bool,
    /// Shares come from a resharing that t holders deal. Without it they are there at any time, which is worse for safety.
    pub dealing: bool,
    /// The rule that is left out.
    pub variant: Variant,
    /// The answers of the state machine so far.
    pub(super) memory: Arc<Memory>,
}

impl Case {
    /// The case with a rule less.
    #[must_use]
    pub fn with(mut self, variant: Variant) -> Self {
        self.variant = variant;
        self.memory = Arc::default();
        self
    }

    /// The case with resharings that are dealt.
    #[must_use]
    pub fn dealt(mut self) -> Self {
        self.dealing = true;
        self
    }

    pub(super) fn guards(&self) -> Guards {
        match self.variant {
            Variant::Without(guard) => Guards::without(guard),
            _ => Guards::default(),
        }
    }

    /// The number of liars among an attempt's members.
    pub(super) fn liars_in(&self, run: usize) -> usize {
        let committee = self.runs[run].attempt.committee();
        self.liars.iter().filter(|liar| committee.contains(id(**liar))).count()
    }

    pub(super) fn is_member(&self, party: usize, run: usize) -> bool {
        self.runs[run].attempt.committee().contains(id(self.honest[party]))
    }
}

pub(super) fn id(number: u16) -> PartyId {
    PartyId::new(number).expect("a number from 1")
}

fn certificate<S: Stage>(stage: u8, attempt: &Attempt) -> Certificate<S> {
    let mut tally = Tally::<S>::new(attempt.clone());
    for party in attempt.committee().parties().iter() {
        let mut bytes = vec![stage];
        attempt.package_id().put(&mut bytes);
        bytes.extend_from_slice(&party.get().to_be_bytes());
        bytes.extend_from_slice(&[0, 0]);
        let signed = Signed::from_bytes(&bytes).expect("canonical");
        tally.add(signed, &|_: PartyId, _: &[u8], _: &[u8]| true).expect("a member");
    }
    tally.certificate().expect("complete")
}

/// Letter, epoch, members, threshold, and what it is dealt from.
type Plan<'a> = (char, u32, &'a [u16], u16, &'a [usize]);

fn run((name, epoch, members, threshold, from): Plan<'_>) -> Run {
    let parties = Parties::new(members.iter().copied().map(id)).expect("two or more");
    let committee = Committee::new(parties, threshold).expect("a committee");
    let attempt = Attempt::invented(KEY, epoch, [name as u8; 32], committee);
    let prepared = certificate(1, &attempt);
    let committed = certificate(2, &attempt);
    Run { name, attempt, from: from.to_vec(), prepared, committed }
}

/// A case; honest is who is in a committee and does not lie.
fn case(name: &'static str, liars: &[u16], plans: &[Plan<'_>], restore: Restore) -> Case {
    let runs: Vec<Run> = plans.iter().copied().map(run).collect();
    let mut honest: Vec<u16> = plans.iter().flat_map(|plan| plan.2).copied().collect();
    honest.sort_unstable();
    honest.dedup();
    honest.retain(|party| !liars.contains(party));
    let (liars, variant) = (liars.to_vec(), Variant::None);
    let memory = Arc::default();
    Case { name, runs, liars, honest, restore, discards: false, dealing: false, variant, memory }
}

const OLD: Plan<'_> = ('o', 1, &[1, 2, 3], 2, &[]);
const A: Plan<'_> = ('A', 2, &[1, 2, 3], 2, &[0]);

fn rivals(name: &'static str, liar: u16, b: &[u16], restore: Restore) -> Case {
    case(name, &[liar], &[OLD, A, ('B', 2, b, 2, &[0])], restore)
}

/// Two rivals and a later attempt by the honest parties alone. D makes room for the numbering of `Reshare`, whose new epoch is
/// one above the dealers'.
fn later(name: &'static str, liar: u16, b: &[u16], with_d: bool) -> Case {
    let mut honest: Vec<u16> = OLD.2.iter().chain(b).copied().filter(|p| *p != liar).collect();
    honest.sort_unstable();
    honest.dedup();
    let mut plans = vec![OLD, A, ('B', 2, b, 2, &[0][..])];
    if with_d {
        plans.push(('D', 2, &honest, 2, &[0]));
        plans.push(('C', 3, &honest, 2, &[1, 2, 3]));
    } else {
        plans.push(('C', 3, &honest, 2, &[1, 2]));
    }
    case(name, &[liar], &plans, Restore::Nothing)
}

/// Rivals with each restore, as a row's name says.
fn restored(restore: Restore, names: [&'static str; 4]) -> Vec<Case> {
    let settings: [(u16, &[u16]); 4] =
        [(3, &[1, 2, 4]), (1, &[1, 2, 4]), (3, &[1, 2, 3]), (3, &[1, 3, 4])];
    let one = |((liar, b), name): ((u16, &[u16]), _)| Case {
        discards: true,
        ..rivals(name, liar, b, restore)
    };
    settings.into_iter().zip(names).map(one).collect()
}

/// The cases in which every property holds.
#[must_use]
pub fn cases() -> Vec<Case> {
    use Restore::{Both, Database, DatabaseThenLedger, Ledger, LedgerThenDatabase, Nothing};
    let names = [
        "A, B {1,2,4}, liar 3",
        "A, B {1,2,4}, liar 1",
        "A, B {1,2,3}, liar 3",
        "A, B {1,3,4}, liar 3",
    ];
    let mut cases = vec![];
    for restore in [Nothing, Database, Ledger, Both, LedgerThenDatabase, DatabaseThenLedger] {
        cases.extend(restored(restore, names));
    }
    for restore in [Database, Ledger, Both] {
        cases.push(chain(restore));
    }
    cases.push(strangers());
    cases.push(again());
    cases.push(four(Nothing));
    cases.push(later("A, B {1,2,3}, C, liar 3", 3, &[1, 2, 3], false));
    cases.push(later("A, B {1,2,4}, C, liar 3", 3, &[1, 2, 4], false));
    cases
}

/// Cases that take minutes.
#[must_use]
pub fn large() -> Vec<Case> {
    let restores = [Restore::Database, Restore::Ledger, Restore::Both];
    let lost = restores.into_iter().map(lost_votes);
    lost.chain([four(Restore::Database)]).collect()
}

/// One change after the other.
fn chain(restore: Restore) -> Case {
    case("A, then C {1,2,3}, liar 3", &[3], &[OLD, A, ('C', 3, &[1, 2, 3], 2, &[1])], restore)
}

/// Rivals two epochs above what all hold, of which one may have a vote that nobody honest has heard.
fn lost_votes(restore: Restore) -> Case {
    let plans = [OLD, A, ('C', 3, &[1, 2, 3], 2, &[1][..]), ('E', 3, &[1, 3, 4], 2, &[1])];
    case("A, then C {1,2,3}, E {1,3,4}, liar 3", &[3], &plans, restore).dealt()
}

/// Two liars make up a committee of their own.
fn strangers() -> Case {
    let plans = [('o', 1, &[1, 2, 3, 4, 5][..], 3, &[][..]), ('Z', 9, &[3, 4], 2, &[])];
    case("Z {3,4} made up by liars 3, 4 of five", &[3, 4], &plans, Restore::Nothing)
}

/// A rival of what all hold already.
fn again() -> Case {
    let plans = [OLD, ('R', 1, &[1, 3, 4], 2, &[0])];
    case("R {1,3,4} of the first epoch, liar 3", &[3], &plans, Restore::Nothing)
}

/// A committee of four, with two honest parties in both rivals.
fn four(restore: Restore) -> Case {
    let plans: [Plan<'_>; 3] = [
        ('o', 1, &[1, 2, 3, 4], 2, &[]),
        ('A', 2, &[1, 2, 3, 4], 2, &[0]),
        ('B', 2, &[1, 2, 3, 5], 2, &[0]),
    ];
    case("A, B {1,2,3,5} of four, liar 4", &[4], &plans, restore)
}

/// The cases in which an end can be reached from every state.
#[must_use]
pub fn live() -> Vec<Case> {
    vec![
        later("A, B {1,2,3}, C, liar 3", 3, &[1, 2, 3], false).dealt(),
        later("A, B {1,2,3}, D, C, liar 3", 3, &[1, 2, 3], true).dealt(),
        later("A, B {1,2,4}, C, liar 3", 3, &[1, 2, 4], false).dealt(),
    ]
}

/// Every rule left out once, with a property that fails for it.
#[must_use]
pub fn variants() -> Vec<(Case, &'static str)> {
    use Restore::{Both, Database, Ledger, LedgerThenDatabase, Nothing};
    let one =
        |restore| Case { discards: true, ..rivals("A, B {1,3,4}, liar 3", 3, &[1, 3, 4], restore) };
    let wide = || rivals("A, B {1,2,4}, liar 3", 3, &[1, 2, 4], Nothing);
    let guard = Variant::Without;
    let next = later("A, B {1,2,3}, C, liar 3", 3, &[1, 2, 3], false);
    vec![
        (wide().with(Variant::CommitOnOrder), "S2"),
        (wide().with(Variant::PreparedByT), "S2"),
        (one(Nothing).with(Variant::VotesExpire), "S2"),
        (one(Nothing).with(Variant::SendFirst), "S2"),
        (one(Nothing).with(Variant::NotDurable), "S1"),
        (one(Database).with(Variant::DeleteOnCommit), "S1"),
        (one(Database).with(Variant::DeleteOnCommit), "S3"),
        (one(Database).with(Variant::CommittedByT), "S1"),
        (one(Nothing).with(guard(Guard::OneVote)), "S2"),
        (again().with(guard(Guard::NotOver)), "S2"),
        (one(Database).with(guard(Guard::Ledger)), "S2"),
        (one(Ledger).with(guard(Guard::Database)), "S2"),
        (one(LedgerThenDatabase).with(guard(Guard::KeepVotes)), "S1"),
        (one(LedgerThenDatabase).with(guard(Guard::KeepVotes)), "S2"),
        (one(Database).with(guard(Guard::Backups)), "S1"),
        (one(Both).with(guard(Guard::Barred)), "S2"),
        (lost_votes(Both).with(guard(Guard::Floor)), "S2"),
        (one(Both).with(guard(Guard::Signs)), "M"),
        (strangers().with(guard(Guard::Genuine)), "S1"),
        (next.with(guard(Guard::KeepLater)), "S1"),
        (one(Nothing).with(guard(Guard::KeepVoted)), "S1"),
        (one(Both).with(guard(Guard::KeepForgotten)), "S1"),
    ]
}

/// Old shares go with a party's own commit, and nobody is restored: that is not wrong.
#[must_use]
pub fn early_deletion() -> Case {
    rivals("A, B {1,2,4}, liar 3", 3, &[1, 2, 4], Restore::Nothing).with(Variant::DeleteOnCommit)
}

/// The name of an attempt as the state machine writes it.
pub(super) fn package(case: &Case, run: usize) -> PackageId {
    case.runs[run].attempt.package_id()
}
