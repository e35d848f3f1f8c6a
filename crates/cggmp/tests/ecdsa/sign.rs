use quorate_cggmp::{
    DerivationPath, Evidence, MessageDigest, P256, Presign, PresignMany, RawDigest, Secp256k1,
    Sign, SignParams,
};
use quorate_session::sim::Network;
use quorate_session::{Abort, Fault, Protocol as _, Rejected};
use std::sync::Arc;

use crate::support::*;

fn interactive<C: Verifier>() {
    let group = Group::<C>::new(2);
    let key = group.keys[0].verifying_key();
    for (session, signers) in [(30, &[2, 7][..]), (31, &[2, 7, 40])] {
        let message = [session; 7];
        let made = group.sign(session, signers, &message);
        assert!(made.iter().all(|signature| *signature == made[0]));
        C::verify(key.as_bytes(), &message, &made[0]);
    }
}

#[test]
fn interactive_secp256k1() {
    interactive::<Secp256k1>();
}

#[test]
fn interactive_p256() {
    interactive::<P256>();
}

/// Any three or more of five parties, the first and the last number among them.
#[test]
fn three_of_five() {
    let numbers = [1, 5, 9, 300, 65535];
    let group = Group::<Secp256k1>::of(&numbers, 3);
    let key = group.keys[0].verifying_key();
    for (session, signers) in [(34, &[1, 9, 65535][..]), (35, &[1, 5, 300, 65535]), (36, &numbers)]
    {
        let made = group.presign(session, signers);
        let info = made[0].info().clone();
        let signature = info
            .aggregate(
                &group.itself(),
                MessageDigest::sha256(b"message"),
                signature_shares(&group, made, b"message"),
            )
            .unwrap();
        Secp256k1::verify(key.as_bytes(), b"message", &signature);
    }
    let signature = group.sign(37, &[5, 9, 300, 65535], b"in one go")[0];
    Secp256k1::verify(key.as_bytes(), b"in one go", &signature);
}

/// Signing for a derived key, both ways.
#[test]
fn derived_keys_sign_both_ways() {
    let mut group = Group::<Secp256k1>::new(2);
    let path: DerivationPath = "m/44/0/7".parse().unwrap();
    let parent = *group.keys[0].verifying_key();
    group.keys = group.keys.iter().map(|key| Arc::new(key.derive(&path).unwrap())).collect();
    let child = *group.keys[0].verifying_key();
    assert!(child != parent);
    let signature = group.sign(32, &[2, 40], b"message")[0];
    Secp256k1::verify(child.as_bytes(), b"message", &signature);
    assert!(parent.verify(b"message", &signature).is_err());
    let made = group.presign(33, &[2, 40]);
    let info = made[0].info().clone();
    let signature = info
        .aggregate(
            &group.itself(),
            MessageDigest::sha256(b"message"),
            signature_shares(&group, made, b"message"),
        )
        .unwrap();
    Secp256k1::verify(child.as_bytes(), b"message", &signature);
}

/// The signer of another message, or for another derived key, does not meet the others.
#[test]
fn message_and_tweak_are_bound() {
    let group = Group::<Secp256k1>::new(2);
    let child = group.keys[1].derive(&"m/1".parse().unwrap()).unwrap();
    let child = Arc::new(child);
    for other in 0..2 {
        let params = |party| {
            let differs = party == id(7);
            let message = if differs && other == 0 { b"another" } else { b"message" };
            let params = if differs && other == 1 {
                let aux = Arc::clone(&group.aux[1]);
                quorate_cggmp::PresignParams::new(Arc::clone(&child), aux)
            } else {
                group.params(party)
            };
            SignParams::new(params, digest::<Secp256k1>(message))
        };
        let report = group.run::<Sign<Secp256k1>>(Network::new(1), &[2, 7], 34, params);
        let which = if other == 0 { "digest" } else { "key" };
        let expected = Rejected::OtherParameters { which };
        assert!(report.stats.rejected.iter().all(|(_, _, why)| *why == expected));
        assert!(report.results.into_values().all(|one| matches!(one, Err(Abort::Missing { .. }))));
    }
}

/// A digest made elsewhere, and hashes other than SHA-256.
#[test]
fn digests_of_other_hashes_are_signed() {
    let group = Group::<Secp256k1>::new(2);
    let key = group.keys[0].verifying_key();
    let raw = RawDigest::assume_hash_of_known_message([0x5a; 32]);
    let params = |party| SignParams::new(group.params(party), raw);
    let made = all(group.run::<Sign<Secp256k1>>(Network::new(1), &[2, 7], 35, params));
    let signature = made[&id(2)];
    key.verify_raw_digest(&raw, &signature).unwrap();
    assert!(signature.recover(&raw) == Some(*key));

    let double = MessageDigest::sha256d(b"message");
    let first = MessageDigest::sha256(b"message");
    assert_eq!(double, MessageDigest::sha256(first.as_bytes()));
    let reversed = MessageDigest::hashed_with(b"message", |message| {
        let mut hash = *MessageDigest::sha256(message).as_bytes();
        hash.reverse();
        hash
    });
    for (session, digest) in [(36, double), (37, reversed)] {
        let made = group.presign(session, &[7, 40]);
        let info = made[0].info().clone();
        let shares = made.into_iter().map(|one| {
            let (party, key) = (one.party_id(), group.key_of(one.party_id()));
            (party, release(one.claim(key, &no_path(), digest).unwrap()).to_bytes())
        });
        let signature = info.aggregate(&group.itself(), digest, shares).unwrap();
        key.verify_raw_digest(&digest.into(), &signature).unwrap();
    }
}

/// One signer's σ is no scalar, or has another length, and another's is wrong: both are named, and the evidence against each shows
/// its fault.
#[test]
fn a_share_that_does_not_read_hides_no_wrong_one() {
    let group = Group::<Secp256k1>::new(3);
    let signed = digest::<Secp256k1>(b"message");
    let params = |party| SignParams::new(group.params(party), signed);
    let numbers = parties(NUMBERS);
    let run = group.public(&numbers, SigningGoal::Signature(signed));
    for (cut, fault) in [(0, Fault::InvalidScalar), (1, Fault::WrongLength)] {
        let (_, results) =
            record::<Sign<Secp256k1>>(&numbers, sid(SESSION), params, |place, frame, _| {
                let end = frame.len();
                match (place.0.get(), place.1) {
                    (7, 4) => {
                        frame[end - 32..].fill(0xff);
                        frame.truncate(end - cut);
                    }
                    (40, 4) => frame[end - 1] ^= 1,
                    _ => {}
                }
            });
        let Err(Abort::Misbehaviour(blames)) = &results[&id(2)] else { panic!("two cheaters") };
        let named: Vec<_> = blames.iter().map(|blame| (blame.party, blame.fault)).collect();
        assert_eq!(named, [(id(7), fault), (id(40), Fault::InvalidSignatureShare)]);
        for blame in blames {
            assert_eq!(Evidence::from_blame(blame).unwrap().verify(&run), Ok(blame.fault));
        }
    }
}

#[test]
fn a_crash_after_every_frame_changes_nothing() {
    let group = Group::<Secp256k1>::new(2);
    let run = |network| {
        let params = |party| SignParams::new(group.params(party), digest::<Secp256k1>(b"message"));
        all(group.run::<Sign<Secp256k1>>(network, &[2, 7], 38, params))
    };
    assert!(run(Network::new(5)) == run(Network::new(5).crash(100)));
}

/// Once with moduli of 3072 bits.
#[test]
fn at_128_bits() {
    let numbers = [2, 7];
    let level = quorate_paillier::Level::Bits128;
    let aux = run_aux(Network::new(1), level, &numbers);
    let group = Group::<Secp256k1> { keys: keys(&NUMBERS, 2), aux };
    let signature = group.sign(39, &numbers, b"message")[0];
    Secp256k1::verify(group.keys[0].verifying_key().as_bytes(), b"message", &signature);
}

/// A broken generator is hedged with the party's own secret, whatever the run is for.
#[test]
fn every_run_is_hedged_with_the_partys_secret() {
    let group = Group::<Secp256k1>::new(2);
    let hedges = |party| {
        let one = Presign::<Secp256k1>::hedge(&group.params(party)).unwrap();
        let many = PresignMany::<Secp256k1>::hedge(&group.params_many(party, 2)).unwrap();
        let params = SignParams::new(group.params(party), digest::<Secp256k1>(b"message"));
        assert!(many == one && Sign::<Secp256k1>::hedge(&params).unwrap() == one);
        one
    };
    let [one, other] = [group.keys[0].id(), group.keys[1].id()].map(hedges);
    assert!(one.len() >= 32 && one != other);
}
