//! Identities and their sealed form.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::*;
use quorate_envelope::*;
use quorate_session::{ParamError, SealError, SealKey};
use quorate_testkit::{Stuck, rng};

#[test]
fn an_identity_is_sealed_and_opened_under_its_own_name() {
    let key = SealKey::new([1; 32]);
    let made = Identity::generate(name("n1"), &mut rng(1)).unwrap();
    let sealed = made.seal(&key);
    let opened = Identity::open(&name("n1"), &sealed, &key).unwrap();
    assert_eq!(
        (opened.name(), opened.public(), opened.id()),
        (made.name(), made.public(), made.id())
    );
    let public = PublicIdentity::from_bytes(&made.public().to_bytes()).unwrap();
    assert_eq!((&public, public.id()), (made.public(), made.id()));
    // Neither a name nor a key stands in clear.
    assert!(
        !sealed.windows(8).any(|window| made
            .public()
            .to_bytes()
            .windows(8)
            .any(|key| key == window))
    );
}

#[test]
fn an_identity_under_another_name_or_another_key_is_refused() {
    let (key, other) = (SealKey::new([1; 32]), SealKey::new([2; 32]));
    let sealed = identity("n1", 1).seal(&key);
    let error = Identity::open(&name("n2"), &sealed, &key).unwrap_err();
    assert_eq!(error, IdentityError::OtherName { expected: name("n2"), got: name("n1") });
    assert_eq!(error.to_string(), "expected the identity of n2, got that of n1");
    let error = Identity::open(&name("n1"), &sealed, &other).unwrap_err();
    assert_eq!(error, IdentityError::Seal(SealError::Unauthentic));
    for place in 0..sealed.len() {
        let mut altered = sealed.clone();
        altered[place] ^= 1;
        assert!(Identity::open(&name("n1"), &altered, &key).is_err(), "{place}");
        assert!(Identity::open(&name("n1"), &sealed[..place], &key).is_err(), "{place}");
    }
    // Something else under the same seal key.
    let bytes = key.seal_bytes("something else", &[7; 40]);
    assert!(matches!(
        Identity::open(&name("n1"), &bytes, &key),
        Err(IdentityError::Seal(SealError::Container(_)))
    ));
}

#[test]
fn secrets_are_not_printed_and_a_broken_generator_makes_no_identity() {
    let made = identity("n1", 1);
    assert_eq!(format!("{made:?}"), format!("Identity(n1, {})", made.id()));
    assert_eq!(format!("{:?}", made.public()), format!("PublicIdentity({})", made.id()));
    let broken = Identity::generate(name("n1"), &mut Stuck::at(0)).unwrap_err();
    assert_eq!(broken, ParamError::Randomness);
    assert_ne!(identity("n1", 1).id(), identity("n1", 2).id());
}
