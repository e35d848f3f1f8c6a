//! Shares of derived keys. The vectors of BIP-32 and SLIP-10 are in the tests of `quorate-keys`, which derives.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that fails stops"
)]

use quorate_cggmp::curves::Secret;
use quorate_cggmp::keys::derive;
use quorate_cggmp::single_point_of_failure::{export, import};
use quorate_cggmp::{DerivationPath, DeriveError, Derived, EcdsaCurve, KeyShare, P256, Secp256k1};
use quorate_session::Parties;

/// Shares derived by each party alone are shares of the derived key.
fn shares_of_children<C: EcdsaCurve>() {
    let parties = Parties::numbered(4).unwrap();
    let mut rng = quorate_testkit::rng(1);
    let secret = Secret::new(C::Scalar::from(99));
    let shares = import::<C>(secret, Some([4; 32]), 3, &parties, &mut rng).unwrap();
    let path: DerivationPath = "m/44/0/7".parse().unwrap();
    let children: Vec<_> = shares.iter().map(|share| share.derive(&path).unwrap()).collect();
    let expected = shares[0].public().derive(&path).unwrap();
    let derived = shares[0].public().derivation(&path).unwrap();
    assert!(*expected.verifying_key() == derived.key);
    let (key, code) = (shares[0].public().verifying_key(), shares[0].public().chain_code());
    assert!(Derived::at(key, code, &path).unwrap() == derived);
    let found = derive::Derived::<C>::at(key.point(), code, &path).unwrap();
    assert!((found.tweak, found.key) == (derived.tweak, *derived.key.point()));
    assert_eq!(*expected.chain_code(), derived.chain_code);
    assert!(expected.key_id() != shares[0].public().key_id());
    for child in &children {
        assert_eq!(*child.public(), expected);
        KeyShare::<C>::from_bytes(&child.to_bytes(), &expected).unwrap();
        child.additive(&parties).unwrap();
    }
    let whole = export(&children[1..]).unwrap();
    assert!(*whole.expose() == C::Scalar::from(99) + derived.tweak);
    // One step after the other, and no step at all.
    let stepwise = ["m/44", "m/0/7"].iter().fold(shares[0].public().clone(), |info, path| {
        info.derive(&path.parse().unwrap()).unwrap()
    });
    assert_eq!(stepwise, expected);
    assert_eq!(shares[0].public().derive(&"m".parse().unwrap()).unwrap(), *shares[0].public());
    // A shift that makes the key the identity.
    let away = shares[0].shift(&-C::Scalar::from(99), [0; 32]);
    assert_eq!(away.unwrap_err(), DeriveError::Identity);
}

#[test]
fn shares_of_children_over_secp256k1() {
    shares_of_children::<Secp256k1>();
}

#[test]
fn shares_of_children_over_p256() {
    shares_of_children::<P256>();
}
