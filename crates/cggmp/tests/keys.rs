//! Key shares: stored forms, additive shares, dealing and putting together.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "a test that fails stops"
)]

use quorate_cggmp::curves::Secret;
use quorate_cggmp::whole_key::{deal, reconstruct};
use quorate_cggmp::{
    DecodeError, EcdsaCurve, KeyInfo, KeyShare, MAX_PARTIES, SignersError, WholeKeyError,
};
use quorate_session::{Parties, Transcript};
use quorate_testkit::Stuck;
use quorate_testkit::lockstep::id;

fn dealt<C: EcdsaCurve>(seed: u8, t: u16, parties: &[u16]) -> Vec<KeyShare<C>> {
    let parties = Parties::new(parties.iter().map(|number| id(*number))).unwrap();
    let secret = Secret::new(C::Scalar::from(1000 + u64::from(seed)));
    let mut rng = quorate_testkit::rng(seed);
    deal(&secret, None, t, &parties, &mut rng).unwrap()
}

/// The digest at the end made right again, for whoever wants to lie and not merely damage.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let body = bytes.len() - 32;
    bytes.truncate(body);
    let mut transcript = Transcript::new("quorate-cggmp stored form");
    transcript.append("bytes", &bytes);
    bytes.extend_from_slice(&transcript.finish32());
    bytes
}

fn stored_forms<C: EcdsaCurve>() {
    for share in dealt::<C>(1, 2, &[5, 6, 900]) {
        let bytes = share.to_bytes();
        let again = KeyShare::<C>::from_bytes(&bytes).unwrap();
        assert_eq!(*again.to_bytes(), *bytes);
        assert_eq!((again.party(), again.info()), (share.party(), share.info()));
        let bytes = share.info().to_bytes();
        let again = KeyInfo::<C>::from_bytes(&bytes).unwrap();
        assert_eq!(again, *share.info());
        assert_eq!(again.to_bytes(), bytes);
        assert_eq!(again.key_id(), share.info().key_id());
    }
}

/// Every bit of a stored share, flipped; every shorter and some longer strings.
fn damaged_forms<C: EcdsaCurve>() {
    let share = &dealt::<C>(1, 2, &[5, 6, 900])[1];
    let bytes = share.to_bytes().to_vec();
    let info = share.info().to_bytes();
    for at in 0..bytes.len() * 8 {
        let mut damaged = bytes.clone();
        damaged[at / 8] ^= 1 << (at % 8);
        assert!(KeyShare::<C>::from_bytes(&damaged).is_err(), "bit {at}");
    }
    for at in 0..info.len() * 8 {
        let mut damaged = info.clone();
        damaged[at / 8] ^= 1 << (at % 8);
        assert!(KeyInfo::<C>::from_bytes(&damaged).is_err(), "bit {at}");
    }
    for length in 0..bytes.len() {
        assert!(KeyShare::<C>::from_bytes(&bytes[..length]).is_err());
        assert!(
            KeyShare::<C>::from_bytes(&sealed([&bytes[..length], &[0; 32]].concat())).is_err()
                || length == bytes.len() - 32
        );
    }
    let longer = [&bytes[..bytes.len() - 32], &[0; 33]].concat();
    assert_eq!(KeyShare::<C>::from_bytes(&sealed(longer)).unwrap_err(), DecodeError::TrailingBytes);
}

/// Each field altered, with a digest that fits.
fn altered_forms<C: EcdsaCurve>() {
    use DecodeError::*;
    let share = &dealt::<C>(1, 2, &[5, 6, 900])[1];
    let bytes = share.to_bytes().to_vec();
    // header 3, party 2, threshold 2, epoch 4, count 2, parties 3·2, points 2·33, chain code 32,
    // rid 32, secret 32, confirmed 1.
    let (party, threshold, count, parties, points) = (3, 5, 11, 13, 19);
    let secret = points + 66 + 64;
    assert_eq!(bytes.len(), secret + 32 + 1 + 32);
    let with = |at: usize, new: &[u8]| {
        let mut altered = bytes.clone();
        altered[at..at + new.len()].copy_from_slice(new);
        KeyShare::<C>::from_bytes(&sealed(altered)).map(|_| ())
    };
    let mut order = [0; 32];
    let limbs = C::ORDER.iter().rev().flat_map(|limb| limb.to_be_bytes());
    order.iter_mut().zip(limbs).for_each(|(to, from)| *to = from);
    let other_curve = C::CODE ^ 1;
    let other_name = if other_curve == 4 { "P-256" } else { "secp256k1" };
    let kind = |found| WrongKind { expected: "a key share", found };
    let secret_share = Inconsistent("the secret is not that of the party's public share");
    let generator = C::encode_point(&C::generator());
    for (at, new, error) in [
        (0, &[2][..], UnknownVersion { found: 2 }),
        (1, &[34], kind("the public side of a key")),
        (1, &[1], kind("an object of FROST")),
        (2, &[other_curve], WrongCurve { expected: C::NAME, found: other_name }),
        (secret + 32, &[2], BadFlag(2)),
        (party, &[0, 0], BadIdentifier(0)),
        (party, &[0, 7], BadIdentifier(7)),
        (party, &[0, 5], secret_share),
        (threshold, &[0, 0], BadThreshold { threshold: 0, parties: 3 }),
        (threshold, &[0, 1], BadThreshold { threshold: 1, parties: 3 }),
        (threshold, &[0, 4], BadThreshold { threshold: 4, parties: 3 }),
        (count, &[0, 0], BadParties { got: 0 }),
        (count, &[0, 1], BadParties { got: 1 }),
        (count, &[0, 129], BadParties { got: 129 }),
        (count, &[255, 255], BadParties { got: 65_535 }),
        (parties, &[0, 0], BadIdentifier(0)),
        (parties, &[0, 6], BadOrder),
        (parties, &[0, 9], BadOrder),
        (points, &generator, secret_share),
        (points + 33, &generator, secret_share),
        (points, &[0; 33], BadPoint),
        (points + 33, &[0; 33], BadPoint),
        (points, &[4], BadPoint),
        (secret, &[0; 32], secret_share),
        (secret, &[0xff; 32], BadScalar),
        (secret, &order, BadScalar),
    ] {
        assert_eq!(with(at, new).unwrap_err(), error, "{at} {new:?}");
    }
    assert_eq!(with(3, &[0, 6]), Ok(()));
}

/// All sets of at least t signers have shares that add up to the key.
fn additive_shares<C: EcdsaCurve>() {
    let numbers = [1, 4, 9, 60000, 65535];
    let shares = dealt::<C>(2, 3, &numbers);
    let info = shares[0].info();
    for mask in 0u32..32 {
        let chosen: Vec<usize> = (0..5).filter(|bit| mask >> bit & 1 == 1).collect();
        let Ok(signers) = Parties::new(chosen.iter().map(|at| id(numbers[*at]))) else { continue };
        if chosen.len() < 3 {
            let error = SignersError::TooFew { got: 2, need: 3 };
            assert_eq!(info.additive(&signers).unwrap_err(), error);
            continue;
        }
        let public = info.additive(&signers).unwrap();
        let mut sum = C::Scalar::default();
        for (at, share) in shares.iter().enumerate() {
            if !chosen.contains(&at) {
                assert_eq!(share.additive(&signers).unwrap_err(), SignersError::NotASigner);
                assert!(public.share_point(share.party()).is_none());
                continue;
            }
            let additive = share.additive(&signers).unwrap();
            assert_eq!(additive.party(), share.party());
            assert_eq!(*additive.info(), public);
            let point = C::mul_base(additive.secret().expose());
            assert!(public.share_point(share.party()) == Some(&point));
            sum = sum + *additive.secret().expose();
        }
        assert!(sum == C::Scalar::from(1002));
    }
    let strangers = Parties::new([1, 4, 5].map(id)).unwrap();
    let error = SignersError::Unknown(id(5));
    assert_eq!(shares[0].additive(&strangers).unwrap_err(), error);
}

fn whole_keys<C: EcdsaCurve>() {
    let shares = dealt::<C>(3, 2, &[1, 2, 3]);
    assert!(*reconstruct(&shares).unwrap().expose() == C::Scalar::from(1003));
    assert!(*reconstruct(&shares[1..]).unwrap().expose() == C::Scalar::from(1003));
    let error = WholeKeyError::TooFew { got: 1, need: 2 };
    assert_eq!(reconstruct(&shares[..1]).unwrap_err(), error);
    assert!(reconstruct::<C>(&[]).is_err());
    let again = KeyShare::from_bytes(&shares[0].to_bytes()).unwrap();
    let mut mixed = shares;
    mixed.push(again);
    assert_eq!(reconstruct(&mixed).unwrap_err(), WholeKeyError::DuplicateParty(id(1)));
    mixed.pop();
    mixed.extend(dealt::<C>(4, 2, &[1, 2, 3]).pop());
    assert_eq!(reconstruct(&mixed).unwrap_err(), WholeKeyError::Mixed);
}

fn dealing_is_checked<C: EcdsaCurve>() {
    let mut rng = quorate_testkit::rng(1);
    let mut try_deal = |secret: u64, t, n| {
        let parties = Parties::numbered(n).unwrap();
        deal::<C>(&Secret::new(secret.into()), Some([8; 32]), t, &parties, &mut rng)
    };
    assert_eq!(try_deal(1, 1, 2).unwrap_err(), WholeKeyError::BadThreshold);
    assert_eq!(try_deal(1, 3, 2).unwrap_err(), WholeKeyError::BadThreshold);
    assert_eq!(try_deal(0, 2, 2).unwrap_err(), WholeKeyError::ZeroKey);
    assert_eq!(try_deal(1, 2, 129).unwrap_err(), WholeKeyError::TooManyParties);
    let shares = try_deal(1, 2, u16::try_from(MAX_PARTIES).unwrap()).unwrap();
    let (secret, parties) = (Secret::new(C::Scalar::from(1)), Parties::numbered(3).unwrap());
    let zeros = deal::<C>(&secret, None, 2, &parties, &mut Stuck::at(0));
    assert_eq!(zeros.unwrap_err(), WholeKeyError::Randomness);
    assert_eq!(*shares[0].info().chain_code(), [8; 32]);
    assert!(*shares[0].verifying_key().point() == C::generator());
}

/// Who prints a secret sees its type.
fn secrets_do_not_print<C: EcdsaCurve>() {
    let share = &dealt::<C>(3, 2, &[1, 2, 3])[0];
    assert_eq!(format!("{share:?}"), "KeyShare { .. }");
    let additive = share.additive(share.info().parties()).unwrap();
    assert_eq!(format!("{additive:?}"), "AdditiveShare { .. }");
}

quorate_testkit::curve_tests!(
    stored_forms,
    damaged_forms,
    altered_forms,
    additive_shares,
    whole_keys,
    dealing_is_checked,
    secrets_do_not_print
);
