//! Keys of other libraries.

use quorate_frost::{KeyShare, PublicKeyPackage};

use crate::fixture::Suite;
use crate::input::Input;

/// The files that the tests of `quorate-keys` read. A suite that no other library has has none.
macro_rules! files {
    ($($name:literal),*) => {
        &[$(include_str!(concat!("../../crates/keys/tests/migrate/fixtures/frost-", $name, ".txt"))),*]
    };
}

const FILES: &[&str] =
    files!("ed25519", "ristretto255", "secp256k1", "secp256k1-tr", "p256", "ed448");

/// The text that follows a name in a file.
pub(crate) fn line(file: &'static str, name: &str) -> &'static str {
    let found = file.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    found.expect("a key of this name")
}

/// A file of a suite, if another library has the suite.
pub(crate) fn stored<S: Suite>(name: &str) -> Option<Vec<u8>> {
    let found = line(FILES.iter().find(|file| file.contains(S::CIPHERSUITE))?, name);
    Some(if name.ends_with(".bin") { quorate_testkit::unhex(found) } else { found.into() })
}

/// The first byte: a public key package, a key package with the right public one, or both from the input, the first
/// with its length.
pub(crate) fn migrate_frost<S: Suite>(data: &[u8]) -> bool {
    let mut input = Input::new(data);
    let Some(honest) = stored::<S>("dkg0/public.bin") else { return false };
    match input.byte() % 3 {
        0 => {
            let (threshold, bytes) = (input.byte(), input.bytes(usize::MAX));
            let threshold = (threshold > 0).then_some(threshold.into());
            let Ok(public) = PublicKeyPackage::<S>::migrate(bytes, threshold) else { return false };
            assert!(threshold.is_none_or(|threshold| threshold == public.threshold()));
            check_public(&public);
        }
        1 => {
            let Ok((share, public)) = KeyShare::<S>::migrate(input.bytes(usize::MAX), &honest)
            else {
                return false;
            };
            let right = PublicKeyPackage::<S>::migrate(&honest, None).expect("a package");
            assert!(public == right, "the package is the other file's");
            check(&share, &public);
        }
        _ => {
            let length = input.pair();
            let (own, public) = (input.bytes(length.into()), input.bytes(usize::MAX));
            let Ok((share, public)) = KeyShare::<S>::migrate(own, public) else { return false };
            check(&share, &public);
        }
    }
    true
}

fn check_public<S: Suite>(public: &PublicKeyPackage<S>) {
    assert!(public.threshold() >= 2 && usize::from(public.threshold()) <= public.parties().len());
    let again = PublicKeyPackage::<S>::from_bytes(&public.to_bytes());
    assert!(again.is_ok_and(|again| again == *public), "taken, but cannot be stored");
}

fn check<S: Suite>(share: &KeyShare<S>, public: &PublicKeyPackage<S>) {
    check_public(public);
    assert_eq!((share.epoch(), share.package_id()), (0, public.package_id()));
    assert_eq!(Some(share.verifying_share()), public.verifying_share(share.id()));
    assert!(
        KeyShare::<S>::from_bytes(&share.to_bytes(), public).is_ok(),
        "taken, but cannot be stored"
    );
}
