//! Keys from passphrases: the answers of the reference implementation, and parameters that are refused.

use quorate_session::passphrase::{Argon2id, PassphraseError};
use quorate_session::wire::Reader;

const PASSPHRASE: &[u8] = b"correct horse battery staple";

/// The stored form of parameters with the salt 0, 1, 2, …
fn stored(memory: u32, passes: u8, lanes: u8) -> Vec<u8> {
    let salt: Vec<u8> = (0..16).collect();
    [memory.to_be_bytes().as_slice(), &[passes, lanes], &salt].concat()
}

fn read(bytes: &[u8]) -> Result<Argon2id, PassphraseError> {
    Argon2id::read(&mut Reader::new(bytes))
}

/// From `argon2-cffi`, which has the code of the reference implementation: `hash_secret_raw`, version 1.3.
#[test]
fn keys_are_those_of_the_reference_implementation() {
    for (memory, passes, lanes, key) in [
        (65_536, 3, 4, "853b272a44db1421c02962669a55eb0994f3cab385ed1c4c79253eee19bab49e"),
        (64, 1, 2, "1087c9e8af7dedf3dd7ba38c7b67173428ab312b1ea39e09c1850a8282fa6a83"),
    ] {
        let bytes = stored(memory, passes, lanes);
        let argon2id = read(&bytes).unwrap();
        assert_eq!(argon2id.to_bytes().as_slice(), bytes);
        let found = argon2id.key(PASSPHRASE).unwrap().to_secret_bytes();
        let found: String = found.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(found, key);
    }
}

#[test]
fn fresh_parameters_are_those_of_rfc_9106_with_another_salt_each_time() {
    let mut rng = quorate_testkit::rng(3);
    let [one, other] = [(); 2].map(|()| Argon2id::fresh(&mut rng).to_bytes());
    assert_eq!(one[..6], [0, 1, 0, 0, 3, 4]);
    assert_ne!(one[6..], other[6..]);
    assert!(!read(&one).unwrap().is_weak() && !read(&stored(1 << 20, 3, 1)).unwrap().is_weak());
    for weak in [stored(65_535, 16, 4), stored(1 << 20, 2, 16)] {
        assert!(read(&weak).unwrap().is_weak());
    }
}

#[test]
fn parameters_that_ask_for_too_much_are_refused_before_any_work() {
    let most = 1 << 20;
    read(&stored(most, 16, 16)).unwrap();
    for bytes in [stored(most + 1, 1, 1), stored(64, 17, 1), stored(64, 1, 17)] {
        assert_eq!(read(&bytes), Err(PassphraseError::TooMuchWork));
    }
    let whole = stored(64, 1, 1);
    for length in 0..whole.len() {
        assert_eq!(read(&whole[..length]), Err(PassphraseError::Truncated));
    }
}

#[test]
fn parameters_that_argon2id_does_not_have_give_no_key() {
    for bytes in [stored(64, 0, 1), stored(64, 1, 0), stored(7, 1, 1), stored(15, 1, 2)] {
        let refused = read(&bytes).unwrap().key(PASSPHRASE).unwrap_err();
        assert_eq!(refused, PassphraseError::Refused);
        assert!(refused.to_string().contains("no such parameters"));
    }
}
