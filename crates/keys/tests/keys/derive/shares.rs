//! Shares of descendants.

use quorate_curve::{Curve, Ed25519, P256, Secp256k1, Secret};
use quorate_keys::derive::{Derivable, DeriveError, ExtendedKey, Shifted};
use quorate_keys::{Mismatch, SecretShare, ShareState, SharedKey};
use quorate_sharing::{Polynomial, lagrange};

use super::path;
use crate::group::{Key, Of, committee, id, rng};

every_curve!(shares_and_watchers_derive_the_same shifts_of_other_keys_are_refused no_identity);

/// The secret of these shares.
pub(super) fn whole<C: Curve>(shares: &[(u16, &Secret<C::Scalar>)]) -> C::Scalar {
    let ids: Vec<_> = shares.iter().map(|(party, _)| id(*party)).collect();
    shares.iter().fold(C::Scalar::default(), |sum, (party, secret)| {
        sum + lagrange::one_at_zero::<C>(&ids, id(*party)).unwrap() * *secret.expose()
    })
}

fn shares_and_watchers_derive_the_same<C: Derivable>() {
    let key = Key::<C>::dealt(&[1, 2, 5], 2, 1);
    let root = key.public.extended_key([4; 32]);
    let path = path("m/44/0/7");
    let watched = root.derive(&path).unwrap();
    let by = root.derivation(&path).unwrap();
    assert!((by.key, by.chain_code) == (*watched.key(), *watched.chain_code()));

    let child: Shifted<Of<C>, Of<C>> = key.public.derive(&root, &path, by.chain_code).unwrap();
    assert!(*child.key().key() == by.key && *child.key().extra() == by.chain_code);
    assert_eq!(child.from(), key.public.package_id());
    assert!(child.key().package_id().key_id() != key.public.package_id().key_id());
    let shares: Vec<_> = key.shares.values().map(|share| share.shift(&child).unwrap()).collect();
    for (share, parent) in shares.iter().zip(key.shares.values()) {
        share.check_belongs_to(child.key()).unwrap();
        assert_eq!(share.check_belongs_to(&key.public), Err(Mismatch::WrongKey));
        assert_eq!(parent.check_belongs_to(child.key()), Err(Mismatch::WrongKey));
        assert!(*share.secret().expose() == *parent.secret().expose() + by.tweak);
        let stored = SecretShare::<Of<C>>::from_bytes(&share.to_bytes()).unwrap();
        assert_eq!(*stored.to_bytes(), *share.to_bytes());
    }
    let stored = SharedKey::<Of<C>>::from_bytes(&child.key().to_bytes()).unwrap();
    assert!(stored == *child.key());
    for two in [[0, 1], [0, 2], [1, 2]] {
        let two = two.map(|at| (shares[at].id().get(), shares[at].secret()));
        assert!(whole::<C>(&two) == key.x + by.tweak);
    }
    // One level after the other, and zero levels.
    let above: Shifted<Of<C>> = key.public.derive(&root, &super::path("m/44"), [0; 32]).unwrap();
    let below = root.derive(&super::path("m/44")).unwrap();
    let below: Shifted<Of<C>> =
        above.key().derive(&below, &super::path("m/0/7"), by.chain_code).unwrap();
    assert!(below.key() == child.key());
    let same: Shifted<Of<C>> = key.public.derive(&root, &super::path("m"), [9; 32]).unwrap();
    assert!(*same.key() == key.public);

    // The next epoch has the same descendants, and other shares of them.
    let next = key.reshared(&[1, 5], &[2, 3, 5], 3, 7);
    let later: Shifted<Of<C>> = next.public.derive(&root, &path, by.chain_code).unwrap();
    assert!(later.key().key() == child.key().key() && later.key().epoch() == 1);
    let why = Mismatch::WrongEpoch { expected: 1, got: 0 };
    assert_eq!(key.shares[&2].shift(&later).unwrap_err(), why);
    assert_eq!(shares[1].check_belongs_to(later.key()), Err(why));
    let share = next.shares[&2].shift(&later).unwrap();
    assert!(share.state() == next.shares[&2].state() && share.epoch() == 1);
}

fn shifts_of_other_keys_are_refused<C: Derivable>() {
    let (key, other) = (Key::<C>::dealt(&[1, 2, 3], 2, 1), Key::<C>::dealt(&[1, 2, 3], 2, 2));
    let root = key.public.extended_key([4; 32]);
    let refused = other.public.derive::<Of<C>>(&root, &path("m/0"), [0; 32]);
    assert_eq!(refused.unwrap_err(), DeriveError::OtherKey);
    // This family has keys of both signs, and the negative is another key.
    let negative = ExtendedKey::root(-*key.public.key(), [4; 32]).unwrap();
    let refused = key.public.derive::<Of<C>>(&negative, &path("m/0"), [0; 32]);
    assert_eq!(refused.unwrap_err(), DeriveError::OtherKey);

    let child = key.public.derive::<Of<C>>(&root, &path("m/0"), [0; 32]).unwrap();
    assert_eq!(other.shares[&1].shift(&child).unwrap_err(), Mismatch::WrongKey);
    // Another sharing of the same key, in the same epoch.
    let mut rng = rng(3);
    let sharing = Polynomial::<C>::with_constant(&key.x, 2, &mut rng).unwrap();
    let again =
        SharedKey::<Of<C>>::new(committee(&[1, 2, 3], 2), 0, sharing.commit(), [9; 32]).unwrap();
    let secret = Secret::new(sharing.evaluate(id(1)));
    let share = SecretShare::new(id(1), &again, secret, ShareState::Unconfirmed).unwrap();
    assert_eq!(share.shift(&child).unwrap_err(), Mismatch::WrongPackage { epoch: 0 });
    // An unconfirmed share stays unconfirmed.
    let child = again.derive::<Of<C>>(&root, &path("m/0"), [0; 32]).unwrap();
    assert_eq!(share.shift(&child).unwrap().state(), ShareState::Unconfirmed);

    assert_eq!(key.public.public_chain_code(), again.public_chain_code());
    assert_ne!(key.public.public_chain_code(), other.public.public_chain_code());
}

fn no_identity<C: Derivable>() {
    let key = Key::<C>::dealt(&[1, 2, 3], 2, 1);
    let away = [-key.x, -*key.shares[&3].secret().expose()];
    for shift in away {
        let found = key.public.shift::<Of<C>>(&shift, [0; 32]);
        assert_eq!(found.unwrap_err(), DeriveError::Identity);
    }
}

/// A family's name is hashed into the chain code that follows from a key, so curves differ.
#[test]
fn public_chain_codes_of_families_differ() {
    fn code<C: Derivable>() -> [u8; 32] {
        Key::<C>::dealt(&[1, 2], 2, 1).public.public_chain_code()
    }
    let all = [code::<Secp256k1>(), code::<P256>(), code::<Ed25519>()];
    assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2]);
}
