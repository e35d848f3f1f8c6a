//! Uses that may happen once: the same use again gets a receipt, another use never does.

use quorate_session::{ClaimRecord, RecordError, SpentInMemory, SpentTable, TableEntry};

const ID: [u8; 32] = [1; 32];

fn on(digest: u8) -> ClaimRecord {
    ClaimRecord { id: ID, digest: [digest; 32] }
}

#[test]
fn the_same_use_again_is_receipted_and_another_is_not() {
    let mut table = SpentInMemory::new();
    let first = on(2).store(&mut table).unwrap();
    assert!(first.record() == &on(2) && first.is_new());
    for _ in 0..2 {
        let again = on(2).store(&mut table).unwrap();
        assert!(again.record() == &on(2) && !again.is_new());
    }
    let spent = RecordError::Spent { id: ID, on: [2; 32] };
    assert_eq!(on(3).store(&mut table).unwrap_err(), spent);
    assert_eq!(table.len(), 1);
    assert_eq!(spent.to_string(), "already spent: 0101010101010101… was used on 0202020202020202…");
}

#[test]
fn a_table_that_fails_gives_no_receipt() {
    struct Broken;
    impl SpentTable for Broken {
        type Error = core::fmt::Error;
        fn record(&mut self, _: &[u8; 32], _: &[u8; 32]) -> Result<TableEntry, core::fmt::Error> {
            Err(core::fmt::Error)
        }
    }
    assert_eq!(on(2).store(&mut Broken).unwrap_err(), RecordError::Table(core::fmt::Error));
}
