//! Keys for sealing: made, kept, made again.

use quorate_session::{ParamError, SealError, SealKey};
use quorate_testkit::Stuck;

#[test]
fn generated_keys_differ_and_come_back_from_their_bytes() {
    let mut rng = quorate_testkit::rng(5);
    let (one, other) = (SealKey::generate(&mut rng).unwrap(), SealKey::generate(&mut rng).unwrap());
    let sealed = one.seal_bytes("test", b"content");
    let again = SealKey::new(*one.to_secret_bytes());
    assert_eq!(again.open_bytes("test", &sealed).unwrap().as_slice(), b"content");
    assert_eq!(other.open_bytes("test", &sealed), Err(SealError::Unauthentic));
    assert_eq!(format!("{one:?}"), "SealKey(..)");
}

#[test]
fn a_generator_that_gives_zeros_is_refused() {
    assert_eq!(SealKey::generate(&mut Stuck::at(0)).unwrap_err(), ParamError::Randomness);
}
