//! Share health: a party that has its share can prove it, and nobody else can.

use quorate_curve::Curve;
use quorate_keys::{
    DecodeError, HealthChallenge, HealthError, Mismatch, SecretShare, ShareHealth, SharedKey,
};

use crate::group::{Key, Of, copy, id, rng};
use crate::stored::{altered, body, with_body};

type Health<C> = ShareHealth<Of<C>>;

fn challenge(seed: u64) -> HealthChallenge {
    HealthChallenge::new(&mut rng(seed)).unwrap()
}

fn a_share_proves_itself_and_no_other<C: Curve>() {
    let key = Key::<C>::dealt(&[1, 2, 3], 2, 3);
    let asked = challenge(1);
    let stored = SecretShare::from_bytes(&key.shares[&2].to_bytes()).unwrap();
    let answer = stored.prove_health(&asked, &mut rng(2));
    let verify = |answer: &Health<C>, party, challenge: &HealthChallenge| {
        answer.verify(&key.public, id(party), challenge)
    };
    assert_eq!(verify(&answer, 2, &asked), Ok(()));
    assert_eq!((answer.id(), answer.package_id()), (id(2), key.public.package_id()));
    assert_eq!(verify(&answer, 2, &challenge(9)), Err(HealthError::OtherChallenge));
    let why = HealthError::OtherParty { expected: id(1), got: id(2) };
    assert_eq!(verify(&answer, 1, &asked), Err(why));
    // Another key, another epoch, another package of the same epoch.
    let against = |public: &SharedKey<Of<C>>| answer.verify(public, id(2), &asked);
    let other = Key::<C>::dealt(&[1, 2, 3], 2, 4);
    assert_eq!(against(&other.public), Err(HealthError::Mismatch(Mismatch::WrongKey)));
    let next = key.reshared(&[1, 2], &[1, 2, 3], 2, 5);
    let why = Mismatch::WrongEpoch { expected: 1, got: 0 };
    assert_eq!(against(&next.public), Err(HealthError::Mismatch(why)));
    let twin = key.reshared(&[1, 2], &[1, 2, 3], 3, 5);
    let of_next = next.shares[&2].prove_health(&asked, &mut rng(2));
    let why = HealthError::Mismatch(Mismatch::WrongPackage { epoch: 1 });
    assert_eq!(of_next.verify(&twin.public, id(2), &asked), Err(why));
    // The same share, generator and challenge again give the same answer, so no nonce is used under two
    // challenges.
    assert!(copy(&stored).prove_health(&asked, &mut rng(2)) == answer);
    let again = stored.prove_health(&challenge(9), &mut rng(2));
    let point = size_of::<C::PointBytes>();
    let (one, two) = (answer.to_bytes(), again.to_bytes());
    assert_ne!(body(&one)[102..102 + point], body(&two)[102..102 + point]);
}

fn every_field_of_an_answer_is_checked<C: Curve>() {
    let key = Key::<C>::dealt(&[1, 2, 3], 2, 3);
    let asked = challenge(1);
    let bytes = key.shares[&2].prove_health(&asked, &mut rng(2)).to_bytes();
    let judge = |bytes: &[u8]| {
        let answer = Health::<C>::from_bytes(bytes).unwrap();
        answer.verify(&key.public, id(2), &asked).unwrap_err()
    };
    assert!(Health::<C>::from_bytes(&bytes).unwrap().to_bytes() == bytes);
    let with = |at: usize, to: &[u8]| altered::<C>(&bytes, at, to);
    let point = size_of::<C::PointBytes>();
    assert_eq!(judge(&with(0, &[0, 1])), HealthError::OtherParty { expected: id(2), got: id(1) });
    assert_eq!(judge(&with(2, &[0; 32])), HealthError::Mismatch(Mismatch::WrongKey));
    assert!(matches!(judge(&with(34, &[1])), HealthError::Mismatch(Mismatch::WrongEpoch { .. })));
    assert!(matches!(
        judge(&with(38, &[0; 32])),
        HealthError::Mismatch(Mismatch::WrongPackage { .. })
    ));
    assert_eq!(judge(&with(70, &[0; 32])), HealthError::OtherChallenge);
    let generator = C::encode_point(&C::generator());
    assert_eq!(judge(&with(102, generator.as_ref())), HealthError::Invalid);
    let one = C::encode_scalar(&C::Scalar::from(1));
    assert_eq!(judge(&with(102 + point, one.as_ref())), HealthError::Invalid);
    let refused = |bytes: &[u8]| Health::<C>::from_bytes(bytes).unwrap_err();
    assert_eq!(refused(&with(0, &[0, 0])), DecodeError::BadOrder);
    assert_eq!(refused(&with(102, &vec![0xff; point])), DecodeError::BadPoint);
    let scalar = size_of::<C::ScalarBytes>();
    assert_eq!(refused(&with(102 + point, &vec![0xff; scalar])), DecodeError::BadScalar);
    let longer = [body(&bytes), &[0]].concat();
    assert!(matches!(refused(&with_body::<C>(&bytes, &longer)), DecodeError::Body(_)));
    // No other party can prove it, not even with a share of the same key.
    let mut thief = key.shares[&1].prove_health(&asked, &mut rng(2)).to_bytes();
    thief = altered::<C>(&thief, 0, &[0, 2]);
    assert_eq!(judge(&thief), HealthError::Invalid);
}

every_curve! { a_share_proves_itself_and_no_other every_field_of_an_answer_is_checked }

/// A party that has no share, according to the public value.
#[test]
fn strangers_hold_no_share() {
    use quorate_curve::Ed25519;
    let key = Key::<Ed25519>::dealt(&[1, 2, 3], 2, 3);
    let asked = challenge(1);
    let bytes = key.shares[&2].prove_health(&asked, &mut rng(2)).to_bytes();
    let named = Health::<Ed25519>::from_bytes(&altered::<Ed25519>(&bytes, 0, &[0, 9])).unwrap();
    assert_eq!(named.verify(&key.public, id(9), &asked), Err(HealthError::NotAHolder(id(9))));
    let zeros = HealthChallenge::from_bytes([0; 32]);
    assert_eq!(zeros.to_bytes(), [0; 32]);
}
