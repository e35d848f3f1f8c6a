//! Rows of the application, beside the runs and beside what was spent.
#![cfg(feature = "sqlite")]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod common;

use common::Folder;
use quorate_session::{ClaimRecord, SpentTable as _, TableEntry};
use quorate_store::{Error, RolledBack, SqliteStore, Standing};

const CLAIM: ClaimRecord = ClaimRecord { id: [1; 32], digest: [2; 32] };

fn names(
    store: &mut SqliteStore,
    prefix: &[u8],
    after: Option<&[u8]>,
    most: usize,
) -> Vec<Vec<u8>> {
    let rows = store.read_records(|rows| rows.list(7, prefix, after, most)).unwrap();
    rows.into_iter().map(|row| row.name).collect()
}

#[test]
fn row_is_stored_replaced_and_removed_in_its_space() {
    let folder = Folder::new();
    let mut store = folder.pair().unwrap();
    store
        .records(|rows| {
            rows.put(7, b"name", b"first").and_then(|()| rows.put(8, b"name", b"other"))
        })
        .unwrap();
    store.records(|rows| rows.put(7, b"name", b"second")).unwrap();
    drop(store);
    let mut store = folder.pair().unwrap();
    assert_eq!(store.read_records(|rows| rows.get(7, b"name")), Ok(Some(b"second".to_vec())));
    assert_eq!(store.read_ledger(|rows| rows.get(7, b"name")), Ok(None));
    assert_eq!(store.records(|rows| rows.remove(7, b"name")), Ok(true));
    assert_eq!(store.records(|rows| rows.remove(7, b"name")), Ok(false));
    assert_eq!(store.read_records(|rows| rows.get(8, b"name")), Ok(Some(b"other".to_vec())));
}

#[test]
fn rows_are_listed_counted_and_removed_by_the_beginnings_of_their_names() {
    let mut store = SqliteStore::in_memory().unwrap();
    let all: [&[u8]; 6] = [b"", b"a", b"a\xff", b"a\xff\xff", b"b", b"\xff\xff"];
    store.records(|rows| all.iter().try_for_each(|name| rows.put(7, name, b"x"))).unwrap();
    assert_eq!(names(&mut store, b"", None, 9), all);
    assert_eq!(names(&mut store, b"a", None, 9), &all[1..4]);
    assert_eq!(names(&mut store, b"a\xff", None, 9), &all[2..4]);
    assert_eq!(names(&mut store, b"\xff", None, 9), &all[5..]);
    assert_eq!(names(&mut store, b"", Some(b"a\xff"), 2), &all[3..5]);
    assert_eq!(names(&mut store, b"a", Some(b""), 9), &all[1..4]);
    assert_eq!(store.read_records(|rows| rows.count(7, b"a")), Ok(3));
    assert_eq!(store.records(|rows| rows.remove_all(7, b"a")), Ok(3));
    assert_eq!(names(&mut store, b"", None, 9), [all[0], all[4], all[5]]);
    assert_eq!(store.records(|rows| rows.remove_all(7, b"")), Ok(3));
}

#[test]
fn all_rows_are_listed_however_many_there_are() {
    for count in [0_u16, 255, 256, 257, 600] {
        let mut store = SqliteStore::in_memory().unwrap();
        let mut names = (0..count).map(|number| [&[1], &number.to_be_bytes()[..]].concat());
        store
            .records(|rows| {
                rows.put(7, b"", b"x")?;
                names.clone().try_for_each(|name| rows.put(7, &name, b"x"))
            })
            .unwrap();
        let all = store.read_records(|rows| rows.all(7, &[1])).unwrap();
        assert_eq!(all.len(), usize::from(count));
        assert!(all.iter().all(|row| Some(&row.name) == names.next().as_ref()));
        assert_eq!(store.read_records(|rows| rows.all(7, b"")).unwrap().len(), all.len() + 1);
    }
}

#[test]
fn claims_and_rows_are_stored_together_or_not_at_all() {
    let folder = Folder::new();
    let mut store = folder.pair().unwrap();
    let refused = store.spend(|ledger| {
        assert_eq!(ledger.claim(&CLAIM), Ok(TableEntry::New));
        ledger.put(7, b"share", b"s")?;
        Err::<(), _>(Error::Refused("it is too late".into()))
    });
    assert_eq!(refused, Err(Error::Refused("it is too late".into())));
    assert_eq!(store.read_ledger(|rows| rows.get(7, b"share")), Ok(None));
    let other = ClaimRecord { id: [3; 32], ..CLAIM };
    let both = store.spend(|ledger| {
        ledger.put(7, b"share", b"s")?;
        Ok([ledger.claim(&CLAIM)?, ledger.claim(&other)?])
    });
    assert_eq!(both, Ok([TableEntry::New; 2]));
    let again = store.spend(|ledger| ledger.claim(&ClaimRecord { digest: [9; 32], ..CLAIM }));
    assert_eq!(again, Ok(TableEntry::Before([2; 32])));
    assert_eq!(store.read_ledger(|rows| rows.get(7, b"share")), Ok(Some(b"s".to_vec())));
    // The same table as that of `SpentTable`.
    assert_eq!(store.record(&CLAIM.id, &[8; 32]), Ok(TableEntry::Before([2; 32])));
}

#[test]
fn rows_beside_the_runs_are_written_with_the_step_that_spends() {
    let folder = Folder::new();
    for mut store in [folder.pair().unwrap(), SqliteStore::in_memory().unwrap()] {
        store.records(|rows| rows.put(7, b"nonces", b"n")).unwrap();
        let refused = Err::<(), _>(Error::Refused("it is too late".into()));
        let not_spent =
            store.spend_then(|_| refused.clone(), |rows, ()| rows.remove(7, b"nonces").map(drop));
        assert_eq!(not_spent, refused);
        assert_eq!(store.read_records(|rows| rows.get(7, b"nonces")), Ok(Some(b"n".to_vec())));
        let before = store.head().unwrap();
        let entry = store.spend_then(
            |ledger| ledger.claim(&CLAIM),
            |rows, entry| {
                assert_eq!(*entry, TableEntry::New);
                rows.remove(7, b"nonces").map(drop)
            },
        );
        assert_eq!(entry, Ok(TableEntry::New));
        assert_eq!(store.read_records(|rows| rows.get(7, b"nonces")), Ok(None));
        assert!(store.head().unwrap() > before);
    }
    // If the second part alone fails, what was spent stays so.
    let mut store = folder.pair().unwrap();
    let other = ClaimRecord { id: [3; 32], ..CLAIM };
    let failed = Err::<(), _>(Error::Refused("it is too late".into()));
    let spent = store.spend_then(|ledger| ledger.claim(&other).map(drop), |_, ()| failed.clone());
    assert_eq!(spent, failed);
    let again = store.spend(|ledger| ledger.claim(&other));
    assert_eq!(again, Ok(TableEntry::Before(other.digest)));
}

#[test]
fn last_row_of_a_space_is_the_one_with_the_greatest_name() {
    let mut store = SqliteStore::in_memory().unwrap();
    assert_eq!(store.read_records(|rows| rows.last(7)), Ok(None));
    store
        .records(|rows| {
            rows.put(7, &[0, 9], b"first")?;
            rows.put(7, &[1, 0], b"last")?;
            rows.put(8, &[9, 9], b"other")
        })
        .unwrap();
    let last = store.read_records(|rows| rows.last(7)).unwrap().unwrap();
    assert_eq!((last.name, last.content), (vec![1, 0], b"last".to_vec()));
}

#[test]
fn rows_beside_what_was_spent_are_a_step_that_both_databases_know() {
    let folder = Folder::new();
    let mut store = folder.pair().unwrap();
    assert_eq!(store.spend(|ledger| ledger.claim(&CLAIM)), Ok(TableEntry::New));
    let before = store.head().unwrap().unwrap();
    drop(store);
    folder.back_up("node.db");
    folder.back_up("spent.db");
    let mut store = folder.pair().unwrap();
    store.spend(|ledger| ledger.put(7, b"mark", b"1")).unwrap();
    let after = store.head().unwrap().unwrap();
    assert!(after.step > before.step);
    drop(store);
    folder.restore("spent.db");
    let found = folder.pair().map(drop);
    assert!(
        matches!(found, Err(Error::RolledBack(RolledBack { is_spent: true, .. }))),
        "{found:?}"
    );
    folder.restore("node.db");
    let mut both = folder.pair().unwrap();
    assert_eq!(both.standing(&after), Ok(Standing::Unknown));
}

#[test]
fn claims_of_one_database_are_refused_where_another_one_has_them() {
    let folder = Folder::new();
    let mut alone = SqliteStore::open(folder.file("node.db")).unwrap();
    assert_eq!(alone.spend(|ledger| ledger.claim(&CLAIM)), Ok(TableEntry::New));
    drop(folder.pair().unwrap());
    assert_eq!(alone.spend(|ledger| ledger.claim(&CLAIM)), Err(Error::SpentIsApart));
}
