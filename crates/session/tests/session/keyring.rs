//! Seal keys that are replaced, lost, mixed up and damaged.

use core::sync::atomic::{AtomicU32, Ordering};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use quorate_session::keyring::{KeyService, Keyring, KeyringError, SealKeyId, ServiceError};
use quorate_session::{SealError, SealKey};

const PURPOSE: &str = "a row";

/// Keys by number; the number 0 for the current one stands for a service that is down.
#[derive(Default)]
struct Service {
    current: AtomicU32,
    keys: Mutex<BTreeMap<u32, u8>>,
    asked: AtomicU32,
}

impl Service {
    fn new(keys: &[(u32, u8)]) -> Arc<Self> {
        let service = Self::default();
        service.current.store(keys.last().unwrap().0, Ordering::Relaxed);
        *service.keys.lock().unwrap() = keys.iter().copied().collect();
        Arc::new(service)
    }

    fn set(&self, number: u32, key: u8) {
        self.keys.lock().unwrap().insert(number, key);
    }

    fn destroy(&self, number: u32) {
        self.keys.lock().unwrap().remove(&number);
    }
}

impl KeyService for Service {
    fn current(&self) -> Result<SealKeyId, ServiceError> {
        let number = self.current.load(Ordering::Relaxed);
        SealKeyId::new(number).ok_or_else(|| "no route to the KMS".into())
    }

    fn key(&self, id: SealKeyId) -> Result<Option<SealKey>, ServiceError> {
        self.current()?;
        self.asked.fetch_add(1, Ordering::Relaxed);
        Ok(self.keys.lock().unwrap().get(&id.get()).map(|byte| SealKey::new([*byte; 32])))
    }
}

fn id(number: u32) -> SealKeyId {
    SealKeyId::new(number).unwrap()
}

fn text<T: core::fmt::Debug>(result: Result<T, KeyringError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn rows_under_an_older_key_open_and_move_under_the_current_one() {
    let service = Service::new(&[(1, 7)]);
    let first = Keyring::open(service.clone()).unwrap();
    let row = first.seal(PURPOSE, b"content");
    assert_eq!(row, first.seal(PURPOSE, b"content"), "equal contents, equal rows");
    assert_eq!(first.reseal(PURPOSE, &row).unwrap(), None);

    service.set(2, 8);
    service.current.store(2, Ordering::Relaxed);
    assert!(first.is_superseded().unwrap());
    let second = Keyring::open(service.clone()).unwrap();
    assert!(!second.is_superseded().unwrap());
    let moved = second.reseal(PURPOSE, &row).unwrap().unwrap();
    assert!(moved.starts_with(&second.stamp()) && !row.starts_with(&second.stamp()));
    // A process that still has the older ring reads what the newer one wrote.
    assert_eq!(first.open_row(PURPOSE, &moved).unwrap().as_slice(), b"content");

    service.destroy(1);
    let alone = Keyring::open(service).unwrap();
    assert_eq!(alone.open_row(PURPOSE, &moved).unwrap().as_slice(), b"content");
}

#[test]
fn an_older_key_is_fetched_once() {
    let service = Service::new(&[(1, 7), (2, 8)]);
    let row = Keyring::open(Service::new(&[(1, 7)])).unwrap().seal(PURPOSE, b"content");
    let ring = Keyring::open(service.clone()).unwrap();
    for _ in 0..3 {
        ring.open_row(PURPOSE, &row).unwrap();
    }
    assert_eq!(service.asked.load(Ordering::Relaxed), 2);
}

#[test]
fn a_destroyed_key_is_named() {
    let row = Keyring::open(Service::new(&[(1, 7)])).unwrap().seal(PURPOSE, b"content");
    let ring = Keyring::open(Service::new(&[(2, 8)])).unwrap();
    assert!(matches!(ring.key_of(&row), Err(KeyringError::Missing(of)) if of == id(1)));
    assert_eq!(
        text(ring.open_row(PURPOSE, &row)),
        "the key service has no seal key 1, which is needed: give it back"
    );
    let empty = Service::new(&[(3, 7)]);
    empty.destroy(3);
    assert!(matches!(Keyring::open(empty), Err(KeyringError::Missing(of)) if of == id(3)));
}

#[test]
fn the_wrong_key_under_a_right_id_is_not_taken_for_damage() {
    let own = Service::new(&[(1, 7), (2, 8)]);
    let row = Keyring::open(own.clone()).unwrap().seal(PURPOSE, b"content");
    let older = Keyring::open(Service::new(&[(1, 7)])).unwrap().seal(PURPOSE, b"content");
    let other = Service::new(&[(1, 17), (2, 18)]);
    let ring = Keyring::open(other.clone()).unwrap();
    for (number, row) in [(1, &older), (2, &row)] {
        let Err(KeyringError::OtherKey { id: of, expected, got }) = ring.open_row(PURPOSE, row)
        else {
            panic!("{number}")
        };
        let fingerprint = |byte: u32| SealKey::new([u8::try_from(byte).unwrap(); 32]).fingerprint();
        assert_eq!(
            (of, expected, got),
            (id(number), fingerprint(6 + number), fingerprint(16 + number))
        );
    }
    assert!(text(ring.open_row(PURPOSE, &row)).contains("another key 2 with fingerprint "));
    // The wrong key was not remembered: the right one opens the row at once.
    other.set(1, 7);
    assert_eq!(ring.open_row(PURPOSE, &older).unwrap().as_slice(), b"content");
}

#[test]
fn a_damaged_row_is_told_from_a_wrong_key() {
    let ring = Keyring::open(Service::new(&[(1, 7)])).unwrap();
    let row = ring.seal(PURPOSE, b"content");
    let mut damaged = row.clone();
    *damaged.last_mut().unwrap() ^= 1;
    assert!(matches!(ring.open_row(PURPOSE, &damaged), Err(KeyringError::Seal(_))));
    let other_purpose = ring.open_row("another", &row);
    assert!(matches!(other_purpose, Err(KeyringError::Seal(SealError::Unauthentic))));
    for length in 4..Keyring::STAMP {
        assert!(matches!(
            ring.key_of(&row[..length]),
            Err(KeyringError::Seal(SealError::Malformed))
        ));
    }
    let mut zero = row.clone();
    zero[4..8].fill(0);
    assert!(matches!(ring.key_of(&zero), Err(KeyringError::Seal(SealError::Malformed))));
    let mut later = row;
    later[3] = 9;
    assert_eq!(
        text(ring.key_of(&later)),
        "got a stamp of version 9, expected 2: open the row with the release that wrote it"
    );
}

#[test]
fn a_row_without_a_stamp_is_of_the_first_key() {
    let row = SealKey::new([7; 32]).seal_bytes(PURPOSE, b"content");
    let ring = Keyring::open(Service::new(&[(1, 7), (2, 8)])).unwrap();
    assert_eq!(ring.open_row(PURPOSE, &row).unwrap().as_slice(), b"content");
    let moved = ring.reseal(PURPOSE, &row).unwrap().unwrap();
    assert!(moved.starts_with(&ring.stamp()));
}

#[test]
fn a_wrong_first_key_is_not_remembered_from_a_row_without_a_stamp() {
    let first = SealKey::new([7; 32]);
    let bare = first.seal_bytes(PURPOSE, b"content");
    let stamped = Keyring::open(Service::new(&[(1, 7)])).unwrap().seal(PURPOSE, b"content");
    let service = Service::new(&[(1, 17), (2, 8)]);
    let ring = Keyring::open(service.clone()).unwrap();
    assert!(matches!(ring.open_row(PURPOSE, &bare), Err(KeyringError::Seal(_))));
    ring.key_of(&bare).unwrap();
    // The operator gives the right key back, and the process that works need not be started anew.
    service.set(1, 7);
    assert_eq!(ring.open_row(PURPOSE, &bare).unwrap().as_slice(), b"content");
    assert_eq!(ring.open_row(PURPOSE, &stamped).unwrap().as_slice(), b"content");
    // A key that has opened a row is asked for no more.
    let asked = service.asked.load(Ordering::Relaxed);
    ring.open_row(PURPOSE, &bare).unwrap();
    assert_eq!(service.asked.load(Ordering::Relaxed), asked);
}

#[test]
fn a_ring_of_an_older_key_takes_no_row_back_to_it() {
    let service = Service::new(&[(1, 7), (2, 8)]);
    let second = Keyring::open(service.clone()).unwrap();
    let row = second.seal(PURPOSE, b"content");
    // A process that has not looked since, or a service that was rolled back to before the rotation.
    service.current.store(1, Ordering::Relaxed);
    let first = Keyring::open(service.clone()).unwrap();
    assert_eq!(first.reseal(PURPOSE, &row).unwrap(), None);
    assert_eq!(first.open_row(PURPOSE, &row).unwrap().as_slice(), b"content");
    assert!(second.is_superseded().unwrap());
    // The row is left for a ring of the second key, also where the first key is gone already.
    service.current.store(2, Ordering::Relaxed);
    service.destroy(1);
    let second = Keyring::open(service).unwrap();
    assert_eq!(second.open_row(PURPOSE, &row).unwrap().as_slice(), b"content");
}

/// Whoever can write to the store changes stamps: the names of keys are not sealed.
#[test]
fn stamps_that_are_exchanged_or_cut_off_open_nothing_else() {
    let service = Service::new(&[(1, 7), (2, 8)]);
    let first = Keyring::open(Service::new(&[(1, 7)])).unwrap();
    let second = Keyring::open(service).unwrap();
    let (one, two) = (first.seal(PURPOSE, b"one"), second.seal(PURPOSE, b"two"));
    let head = Keyring::STAMP;
    for exchanged in [[&one[..head], &two[head..]].concat(), [&two[..head], &one[head..]].concat()]
    {
        assert!(matches!(second.open_row(PURPOSE, &exchanged), Err(KeyringError::Seal(_))));
    }
    // Without its stamp a row is of the first key: its own, or a wrong one.
    assert_eq!(second.open_row(PURPOSE, &one[head..]).unwrap().as_slice(), b"one");
    assert!(matches!(second.open_row(PURPOSE, &two[head..]), Err(KeyringError::Seal(_))));
    // The id of another key under the fingerprint of this one.
    let mut renamed = two.clone();
    renamed[7] = 1;
    assert!(matches!(second.open_row(PURPOSE, &renamed), Err(KeyringError::OtherKey { .. })));
}

#[test]
fn a_service_that_is_down_gives_its_own_error_and_may_come_back() {
    let service = Service::new(&[(1, 7), (2, 8)]);
    let row = Keyring::open(Service::new(&[(1, 7)])).unwrap().seal(PURPOSE, b"content");
    let ring = Keyring::open(service.clone()).unwrap();
    service.current.store(0, Ordering::Relaxed);
    assert_eq!(text(ring.open_row(PURPOSE, &row)), "the key service failed: no route to the KMS");
    assert!(matches!(ring.is_superseded(), Err(KeyringError::Service(_))));
    assert!(Keyring::open(service.clone()).is_err());
    service.current.store(2, Ordering::Relaxed);
    assert_eq!(ring.open_row(PURPOSE, &row).unwrap().as_slice(), b"content");
}

#[test]
fn one_key_is_a_service_of_its_own() {
    let ring = Keyring::open(Arc::new(SealKey::new([7; 32]))).unwrap();
    assert_eq!(ring.current_id(), SealKeyId::FIRST);
    assert_eq!(
        ring.open_row(PURPOSE, &ring.seal(PURPOSE, b"content")).unwrap().as_slice(),
        b"content"
    );
    assert_eq!(format!("{ring:?}"), "Keyring(current: 1)");
}

#[test]
fn an_id_is_a_number_from_1_in_one_spelling() {
    assert_eq!("12".parse(), Ok(id(12)));
    for text in ["0", "01", "+1", "-1", "", "x", "4294967296"] {
        assert!(text.parse::<SealKeyId>().is_err(), "{text}");
    }
    assert_eq!((SealKeyId::new(0), id(u32::MAX).next(), id(1).next()), (None, None, Some(id(2))));
}

/// Stored bytes: what this release writes, every later one opens.
#[test]
fn the_stamp_is_as_documented() {
    let ring = Keyring::open(Service::new(&[(0x0102_0304, 7)])).unwrap();
    let stamp: String = ring.stamp().iter().map(|byte| format!("{byte:02x}")).collect();
    let fingerprint = ring.current().fingerprint().to_string();
    assert_eq!(stamp, format!("51534b0201020304{fingerprint}"));
    assert_eq!(fingerprint, "3525714363db13b9");
}
