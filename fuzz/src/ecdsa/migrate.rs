//! Key shares of other libraries.

use quorate_cggmp::{KeyShare, PublicKeyPackage};

use super::fixture::Suite;
use crate::input::Input;
use crate::migrate::line;

/// A file over a curve.
pub(crate) fn stored<C: Suite>(name: &str) -> &'static [u8] {
    const FILES: [&str; 2] = [
        include_str!("../../../crates/keys/tests/migrate/fixtures/cggmp-secp256k1.txt"),
        include_str!("../../../crates/keys/tests/migrate/fixtures/cggmp-p256.txt"),
    ];
    let curve = format!("\"{}\"", C::SEC_2);
    let file = FILES.into_iter().find(|file| file.contains(&curve)).expect("every curve has one");
    line(file, name).as_bytes()
}

/// The first byte: a share, or the public side of a key.
pub(crate) fn migrate_ecdsa<C: Suite>(data: &[u8]) -> bool {
    let mut input = Input::new(data);
    let is_share = input.byte() % 2 == 0;
    let bytes = input.bytes(usize::MAX);
    if is_share {
        let Ok(share) = KeyShare::<C>::migrate(bytes) else { return false };
        check(share.public());
        let stored = KeyShare::<C>::from_bytes(&share.to_bytes(), share.public());
        assert!(stored.is_ok_and(|again| again.id() == share.id()), "cannot be stored");
    } else {
        let Ok(info) = PublicKeyPackage::<C>::migrate(bytes) else { return false };
        check(&info);
    }
    true
}

fn check<C: Suite>(info: &PublicKeyPackage<C>) {
    assert!(info.threshold() >= 2 && usize::from(info.threshold()) <= info.parties().len());
    assert_eq!(info.epoch(), 0);
    let again = PublicKeyPackage::<C>::from_bytes(&info.to_bytes());
    assert!(again.is_ok_and(|again| again == *info), "taken, but cannot be stored");
}
