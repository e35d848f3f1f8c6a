//! Bytes that version 1 wrote, which open for ever: a record, sealed bytes, a sealed session and its tombstone.
//!
//! See [`quorate_testkit::golden`].

use crate::toy;

use quorate_session::{ClaimRecord, SealKey, Sealed, Session};
use quorate_testkit::golden;
use toy::{Sum, advance_all, exchange, id, params, start_all};

fn file(object: &str, make: impl FnOnce() -> Vec<u8>) -> Vec<u8> {
    golden::file(env!("CARGO_MANIFEST_DIR"), object, make)
}

#[test]
fn version_1_opens_for_ever() {
    let key = SealKey::new([7; 32]);
    let record = ClaimRecord { id: [1; 32], digest: [2; 32] };
    assert_eq!(ClaimRecord::from_bytes(&file("record", || record.to_bytes())), Ok(record));
    let bytes = file("sealed-bytes", || key.seal_bytes("golden", b"content"));
    assert_eq!(*key.open_bytes("golden", &bytes).unwrap(), *b"content");
    let parties = quorate_session::Parties::numbered(3).unwrap();
    let make = || exchange(advance_all(exchange(start_all(1, &parties)))).remove(0);
    let bytes = file("sealed-session", || make().seal(&key).as_bytes().to_vec());
    let sealed = Sealed::from_bytes(&bytes).unwrap();
    let step = Session::<Sum>::open(&sealed, params(id(1)), &key).unwrap();
    assert_eq!(step.session.seal(&key), sealed);
    assert_eq!(step.session.slot().length(), make().slot().length());
    let bytes = file("tombstone", || make().tombstone().as_bytes().to_vec());
    let tombstone = Sealed::from_bytes(&bytes).unwrap();
    assert!(tombstone.is_tombstone() && tombstone == make().tombstone());
}
