//! Databases that are restored to older copies: what is noticed, and what cannot be.
#![cfg(feature = "sqlite")]
#![allow(
    missing_docs,
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod common;

use std::sync::Arc;

use common::{Fixed, Folder, Toy, begin, end, party, sid};
use quorate_runner::{Bounds, Continuity, Job, MessageTable as _, RunTable as _, app_fn};
use quorate_session::{Parties, SealKey, SpentTable as _, TableEntry};
use quorate_store::{Error, Head, RolledBack, SqliteStore, Standing, settle_rolled_back};

const NODE: &str = "node.db";
const SPENT: &str = "spent.db";

fn rolled_back(folder: &Folder) -> Option<RolledBack> {
    match folder.pair() {
        Ok(_) => None,
        Err(Error::RolledBack(which)) => Some(which),
        Err(error) => panic!("{error}"),
    }
}

/// A pair with a run and a claim, and a copy of each file.
fn backed_up() -> Folder {
    let folder = Folder::new();
    let mut store = folder.pair().unwrap();
    begin(&mut store, 1).unwrap();
    assert_eq!(store.record(&[1; 32], &[2; 32]), Ok(TableEntry::New));
    drop(store);
    folder.back_up(NODE);
    folder.back_up(SPENT);
    folder
}

#[test]
fn runs_that_were_restored_are_noticed_after_one_step() {
    let folder = backed_up();
    begin(&mut folder.pair().unwrap(), 2).unwrap();
    folder.restore(NODE);
    // The first step makes the two a pair, and a claim is a step of both.
    assert_eq!(rolled_back(&folder), Some(RolledBack { is_spent: false, at: 3, seen: 4 }));
}

#[test]
fn claims_that_were_restored_are_noticed_after_one_claim() {
    let folder = backed_up();
    assert_eq!(folder.pair().unwrap().record(&[2; 32], &[2; 32]), Ok(TableEntry::New));
    folder.restore(SPENT);
    assert_eq!(rolled_back(&folder), Some(RolledBack { is_spent: true, at: 2, seen: 3 }));
}

#[test]
fn claims_that_are_missing_are_noticed() {
    let folder = backed_up();
    for end in ["", "-wal", "-shm"] {
        std::fs::remove_file(folder.file(&format!("{SPENT}{end}"))).ok();
    }
    assert_eq!(rolled_back(&folder), Some(RolledBack { is_spent: true, at: 0, seen: 2 }));
    assert!(rolled_back(&folder).is_some(), "the empty file that was made is none");
}

#[test]
fn runs_that_are_missing_are_noticed() {
    let folder = backed_up();
    for end in ["", "-wal", "-shm"] {
        std::fs::remove_file(folder.file(&format!("{NODE}{end}"))).ok();
    }
    let missing = RolledBack { is_spent: false, at: 0, seen: 2 };
    assert_eq!(rolled_back(&folder), Some(missing));
    // What is not there was not restored: nobody continues without it by mistake.
    let options = SqliteStore::options().spent(folder.file(SPENT)).allow_rolled_back();
    let opened = options.open(folder.file(NODE)).map(drop);
    assert_eq!(opened, Err(Error::RolledBack(missing)));
    assert!(missing.to_string().contains("look whether its disk is mounted"), "{missing}");
}

#[test]
fn copies_of_different_times_are_noticed() {
    let folder = backed_up();
    begin(&mut folder.pair().unwrap(), 2).unwrap();
    folder.back_up(SPENT);
    begin(&mut folder.pair().unwrap(), 3).unwrap();
    folder.restore(NODE);
    folder.restore(SPENT);
    assert!(rolled_back(&folder).is_some());
}

/// Each copy then has what the other one remembers: a database is told of the other's steps, and not of its own marks there.
#[test]
fn copies_of_different_times_may_fit_together() {
    for node_first in [true, false] {
        let folder = backed_up();
        let mut store = folder.pair().unwrap();
        if node_first {
            folder.back_up(NODE);
            assert_eq!(store.record(&[5; 32], &[2; 32]), Ok(TableEntry::New));
            folder.back_up(SPENT);
        } else {
            folder.back_up(SPENT);
            begin(&mut store, 2).unwrap();
            folder.back_up(NODE);
        }
        assert_eq!(store.record(&[6; 32], &[2; 32]), Ok(TableEntry::New));
        let told = store.head().unwrap().unwrap();
        drop(store);
        folder.restore(NODE);
        folder.restore(SPENT);
        assert_eq!(rolled_back(&folder), None);
        let mut store = folder.pair().unwrap();
        assert_eq!(store.standing(&told), Ok(Standing::Unknown), "a witness notices it");
        assert_eq!(store.record(&[6; 32], &[3; 32]), Ok(TableEntry::New), "the claim is forgotten");
    }
}

#[test]
fn both_restored_to_one_moment_are_noticed_by_a_witness_alone() {
    let folder = backed_up();
    let mut store = folder.pair().unwrap();
    begin(&mut store, 2).unwrap();
    let told: Head = store.head().unwrap().unwrap();
    drop(store);
    folder.restore(NODE);
    folder.restore(SPENT);
    assert_eq!(rolled_back(&folder), None, "nothing in the two files shows it");
    let mut store = folder.pair().unwrap();
    assert_eq!(store.standing(&told), Ok(Standing::Unknown));
    // It has come as far again, by another way.
    begin(&mut store, 3).unwrap();
    assert_eq!(store.head().unwrap().unwrap().step, told.step);
    assert_eq!(store.standing(&told), Ok(Standing::Unknown));
}

#[test]
fn claims_that_both_databases_lost_are_noticed_by_a_witness() {
    let folder = backed_up();
    let mut store = folder.pair().unwrap();
    // No run makes a step, as in a service that signs with presignatures.
    assert_eq!(store.record(&[3; 32], &[2; 32]), Ok(TableEntry::New));
    let told = store.head().unwrap().unwrap();
    assert_eq!(store.standing(&told), Ok(Standing::Known));
    assert_eq!(store.record(&[3; 32], &[2; 32]), Ok(TableEntry::Before([2; 32])));
    assert_eq!(store.head(), Ok(Some(told)), "a claim that is there is no step");
    drop(store);
    folder.restore(NODE);
    folder.restore(SPENT);
    let mut store = folder.pair().unwrap();
    assert_eq!(store.standing(&told), Ok(Standing::Unknown));
}

#[test]
fn a_claim_that_a_crash_held_back_is_a_step_when_it_is_asked_for_again() {
    let folder = backed_up();
    let busy = core::time::Duration::from_millis(1);
    let options = SqliteStore::options().spent(folder.file(SPENT)).busy_timeout(busy);
    let mut store = options.open(folder.file(NODE)).unwrap();
    let before = store.head().unwrap();
    let other = rusqlite::Connection::open(folder.file(NODE)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert!(matches!(store.record(&[3; 32], &[2; 32]), Err(Error::Busy(_))));
    other.execute_batch("ROLLBACK").unwrap();
    drop(store);
    let mut store = folder.pair().unwrap();
    assert_eq!(store.head().unwrap(), before);
    assert_eq!(store.record(&[3; 32], &[2; 32]), Ok(TableEntry::Before([2; 32])));
    assert_ne!(store.head().unwrap(), before);
}

#[test]
fn one_file_that_was_restored_is_noticed_by_a_witness_alone() {
    let folder = Folder::new();
    let mut store = SqliteStore::open(folder.file(NODE)).unwrap();
    begin(&mut store, 1).unwrap();
    folder.back_up(NODE);
    assert_eq!(store.record(&[1; 32], &[2; 32]), Ok(TableEntry::New));
    let told = store.head().unwrap().unwrap();
    assert_eq!(store.standing(&told), Ok(Standing::Known));
    drop(store);
    folder.restore(NODE);
    let mut store = SqliteStore::open(folder.file(NODE)).unwrap();
    assert_eq!(store.standing(&told), Ok(Standing::Unknown));
    assert_eq!(store.record(&[1; 32], &[3; 32]), Ok(TableEntry::New), "it has forgotten the claim");
}

#[test]
fn a_file_that_is_restored_while_a_handle_is_open_is_noticed_at_the_next_step() {
    let folder = backed_up();
    let mut store = folder.pair().unwrap();
    begin(&mut store, 2).unwrap();
    // As a server's database is restored: under the same connection.
    let other = rusqlite::Connection::open(folder.file(NODE)).unwrap();
    other.execute("DELETE FROM quorate_marks WHERE step > 2", []).unwrap();
    assert!(matches!(begin(&mut store, 3), Err(Error::RolledBack(which)) if !which.is_spent));
}

/// Makes a database in use as it was at this step. Its connections stay open, as those to a server that fails over.
fn roll_back(folder: &Folder, name: &str, step: i64) {
    let other = rusqlite::Connection::open(folder.file(name)).unwrap();
    other.execute("DELETE FROM quorate_marks WHERE step > ?", [step]).unwrap();
    other.execute("DELETE FROM claims", []).unwrap();
}

#[test]
fn a_database_that_fails_over_is_noticed_by_the_handle_that_made_none_of_the_lost_steps() {
    for is_spent in [true, false] {
        let folder = backed_up();
        let (mut idle, mut busy) = (folder.pair().unwrap(), folder.pair().unwrap());
        begin(&mut idle, 2).unwrap();
        assert_eq!(idle.record(&[9; 32], &[2; 32]), Ok(TableEntry::New));
        for run in 3_u8..6 {
            begin(&mut busy, run.into()).unwrap();
            assert_eq!(busy.record(&[run; 32], &[2; 32]), Ok(TableEntry::New));
        }
        let (name, its_last) = if is_spent { (SPENT, 3) } else { (NODE, 5) };
        roll_back(&folder, name, its_last);
        let noticed = if is_spent {
            // The busy one has claimed this, and somebody may have seen what for.
            idle.record(&[4; 32], &[3; 32]).map(drop)
        } else {
            begin(&mut idle, 9).map(drop)
        };
        assert!(
            matches!(noticed, Err(Error::RolledBack(which)) if which.is_spent == is_spent),
            "{noticed:?}"
        );
    }
}

/// One handle stores a step on the restored runs and finds out. The other has told of a step of that number before.
#[test]
fn a_handle_sends_nothing_that_another_one_stored_on_restored_runs() {
    let folder = backed_up();
    let (mut idle, mut busy) = (folder.pair().unwrap(), folder.pair().unwrap());
    let before = busy.head().unwrap().unwrap().step;
    begin(&mut busy, 2).unwrap();
    assert_eq!(busy.due(1, &Bounds::new(10), 10).map(|due| due.len()), Ok(2));
    roll_back(&folder, NODE, i64::try_from(before).unwrap());
    assert!(matches!(begin(&mut idle, 3), Err(Error::RolledBack(which)) if !which.is_spent));
    let sent = busy.due(1_000_000, &Bounds::new(10), 10).map(|due| due.len());
    assert!(matches!(sent, Err(Error::RolledBack(which)) if !which.is_spent), "{sent:?}");
}

#[test]
fn a_database_that_failed_over_stays_refused_when_it_has_more_steps_than_were_lost() {
    let folder = backed_up();
    let (mut idle, mut busy) = (folder.pair().unwrap(), folder.pair().unwrap());
    assert_eq!(busy.record(&[4; 32], &[2; 32]), Ok(TableEntry::New));
    roll_back(&folder, SPENT, 2);
    for name in 4..9 {
        assert!(matches!(idle.record(&[name; 32], &[3; 32]), Err(Error::RolledBack(_))));
        // Another handle is not told of this claim as of one that was made in time.
        assert!(matches!(busy.record(&[name; 32], &[3; 32]), Err(Error::RolledBack(_))));
    }
    assert!(rolled_back(&folder).is_some());
}

#[test]
fn a_claim_that_the_other_database_cannot_be_told_of_is_recorded() {
    let folder = backed_up();
    let busy = core::time::Duration::from_millis(1);
    let options = SqliteStore::options().spent(folder.file(SPENT)).busy_timeout(busy);
    let mut store = options.open(folder.file(NODE)).unwrap();
    let other = rusqlite::Connection::open(folder.file(NODE)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert!(matches!(store.record(&[3; 32], &[2; 32]), Err(Error::Busy(_))));
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(store.record(&[3; 32], &[4; 32]), Ok(TableEntry::Before([2; 32])));
}

#[test]
fn two_handles_that_take_turns_are_not_taken_for_a_restored_copy() {
    let folder = backed_up();
    let mut handles = [folder.pair().unwrap(), folder.pair().unwrap()];
    for (run, at) in (3_u8..9).zip([0, 1].into_iter().cycle()) {
        let store = &mut handles[at];
        begin(store, run.into()).unwrap();
        assert_eq!(store.record(&[run; 32], &[2; 32]), Ok(TableEntry::New));
        assert_eq!(store.record(&[run; 32], &[3; 32]), Ok(TableEntry::Before([2; 32])));
    }
    assert_eq!(rolled_back(&folder), None);
}

#[test]
fn a_store_that_was_rolled_back_stays_so_until_it_is_accepted() {
    let folder = backed_up();
    begin(&mut folder.pair().unwrap(), 2).unwrap();
    folder.restore(NODE);
    let open = || {
        let options = SqliteStore::options().spent(folder.file(SPENT)).allow_rolled_back();
        options.open(folder.file(NODE)).unwrap()
    };
    for run in 3..6 {
        // It goes beyond what the other has seen.
        let mut store = open();
        assert_eq!(store.continuity(Continuity::Operator), Ok(Continuity::Unknown));
        begin(&mut store, run).unwrap();
        assert!(store.record(&[9; 32], &[1; 32]).is_ok());
        drop(store);
        assert!(rolled_back(&folder).is_some());
    }
    let mut store = open();
    assert_eq!(end(&mut store, 1), Ok(true));
    store.accept_rolled_back().unwrap();
    assert!(store.rolled_back().is_none());
    drop(store);
    assert_eq!(rolled_back(&folder), None);
    begin(&mut folder.pair().unwrap(), 7).unwrap();
    assert_eq!(rolled_back(&folder), None);
}

#[test]
fn a_crash_between_the_two_commits_is_not_taken_for_a_restored_copy() {
    let folder = backed_up();
    begin(&mut folder.pair().unwrap(), 2).unwrap();
    assert_eq!(folder.pair().unwrap().record(&[2; 32], &[2; 32]), Ok(TableEntry::New));
    // Each has its own last step, and has not heard of the other's.
    for name in [NODE, SPENT] {
        let file = rusqlite::Connection::open(folder.file(name)).unwrap();
        let sql = "UPDATE quorate_store SET seen_step = 2, seen_mark = (SELECT mark FROM other.quorate_marks WHERE step = 2)";
        let other = folder.file(if name == NODE { SPENT } else { NODE });
        file.execute("ATTACH ? AS other", [other.display().to_string()]).unwrap();
        file.execute(sql, []).unwrap();
    }
    assert_eq!(rolled_back(&folder), None);
    begin(&mut folder.pair().unwrap(), 3).unwrap();
    assert_eq!(rolled_back(&folder), None);
}

#[test]
fn claims_move_when_they_are_kept_apart_and_the_file_opens_alone_no_more() {
    let folder = Folder::new();
    let mut alone = SqliteStore::open(folder.file(NODE)).unwrap();
    assert_eq!(alone.record(&[1; 32], &[2; 32]), Ok(TableEntry::New));
    let mut pair = folder.pair().unwrap();
    assert_eq!(pair.record(&[1; 32], &[3; 32]), Ok(TableEntry::Before([2; 32])));
    assert_eq!(alone.record(&[4; 32], &[4; 32]), Err(Error::SpentIsApart), "a handle of before");
    let again = SqliteStore::open(folder.file(NODE));
    assert_eq!(again.map(drop), Err(Error::SpentIsApart));
}

#[test]
fn files_in_each_others_place_and_files_of_another_store_are_refused() {
    let (folder, other) = (backed_up(), backed_up());
    let open = |runs, spent| SqliteStore::options().spent(spent).open(runs).map(drop);
    let error = open(folder.file(SPENT), folder.file(NODE));
    assert_eq!(error, Err(Error::OtherRole { is_spent: true }));
    let error = open(folder.file(NODE), folder.file(NODE));
    assert_eq!(error, Err(Error::OtherRole { is_spent: false }));
    let error = open(folder.file(NODE), other.file(SPENT));
    assert!(matches!(error, Err(Error::RolledBack(_))));
}

#[test]
fn a_new_store_says_so_and_a_used_one_passes_the_callers_word_on() {
    let folder = Folder::new();
    let mut store = folder.pair().unwrap();
    assert_eq!(store.continuity(Continuity::Operator), Ok(Continuity::NewStore));
    store.canary(b"sealed").unwrap();
    assert_eq!(store.continuity(Continuity::Operator), Ok(Continuity::Operator));
}

#[test]
fn a_store_that_is_empty_and_that_a_witness_knows_otherwise_is_not_called_new() {
    let folder = backed_up();
    let mut store = folder.pair().unwrap();
    store.canary(b"sealed").unwrap();
    let told = store.head().unwrap().unwrap();
    drop((store, folder));
    // The volume is gone, and both databases are made anew.
    let folder = Folder::new();
    let mut store = folder.pair().unwrap();
    assert_eq!(store.standing(&told), Ok(Standing::Unknown));
    assert_eq!(store.continuity(Continuity::Unknown), Ok(Continuity::Unknown));
}

type Node<A> = quorate_runner::Runner<SqliteStore, A>;

/// A runner on the pair, whatever was restored.
fn runner(folder: &Folder) -> Node<impl quorate_runner::App<Toy, Record = ()>> {
    let options = SqliteStore::options().spent(folder.file(SPENT)).allow_rolled_back();
    let mut store = options.open(folder.file(NODE)).unwrap();
    let continuity = store.continuity(Continuity::Operator).unwrap();
    let key = Arc::new(SealKey::new([1; 32]));
    let app = app_fn::<Toy, _>(|_| Some(()), |_, _| ());
    quorate_runner::Runner::builder(party(1), key, continuity)
        .protocol::<Toy>()
        .open(store, app)
        .unwrap()
}

fn job(number: u32) -> Job {
    let parties = Parties::numbered(2).unwrap();
    Job { sid: sid(number), parties, body: Vec::new(), deadline: 1000 }
}

#[test]
fn restored_runs_are_ended_and_the_stock_dropped_before_the_store_is_accepted() {
    let folder = Folder::new();
    let mut node = runner(&folder);
    node.start::<Toy>(&job(1), 0, &mut Fixed).unwrap();
    drop(node);
    folder.back_up(NODE);
    runner(&folder).start::<Toy>(&job(2), 0, &mut Fixed).unwrap();
    folder.restore(NODE);
    // A crash, or a full disk, before the stock is dropped: the next opening finds the same.
    let full = settle_rolled_back(&mut runner(&folder), 1, |_| {
        Err::<(), Box<dyn core::error::Error>>("full".into())
    });
    assert_eq!(full.unwrap_err().to_string(), "full");
    assert!(rolled_back(&folder).is_some());
    let mut dropped = 0;
    let mut node = runner(&folder);
    let found = settle_rolled_back(&mut node, 1, |_| {
        dropped += 1;
        Ok::<(), Box<dyn core::error::Error>>(())
    });
    assert!(found.unwrap().is_some_and(|found| !found.is_spent));
    let outcome = node.outcome(&job(1)).unwrap().unwrap();
    assert_eq!(outcome.kind, quorate_runner::EndKind::Discontinued);
    drop(node);
    assert_eq!(rolled_back(&folder), None);
    // Nothing is found any more, and nothing dropped.
    let again = settle_rolled_back(&mut runner(&folder), 2, |_| {
        dropped += 1;
        Ok::<(), Box<dyn core::error::Error>>(())
    });
    assert_eq!((again.unwrap(), dropped), (None, 1));
}
