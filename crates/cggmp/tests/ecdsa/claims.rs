//! Claims: the messages that a presignature may be spent on, and the shares that result.

use core::time::Duration;
use std::time::Instant;

use quorate_cggmp::curves::Curve;
use quorate_cggmp::{
    AggregateError, ClaimError, DecodeError, Derived, Ecdsa, KeyShare, MessageDigest, Mismatch,
    Presignature, PresignatureInfo, Presignatures, RawDigest, Secp256k1, ShareFault, ShareMismatch,
    ShareRejected, single_point_of_failure,
};
use quorate_curve::Secret;
use quorate_keys::{Family as _, KeyTypes as _, SecretShare, ShareState};
use quorate_session::container::{ContainerError, HEADER};
use quorate_session::{Parties, RecordError, SpentInMemory};

use crate::support::*;

type C = Secp256k1;

const SIGNERS: [u16; 3] = NUMBERS;

#[test]
fn the_record_names_presignature_and_message() {
    let group = Group::<C>::new(2);
    let made = group.presign(40, &[2, 7]);
    let (key, name) = (group.key_of(id(2)), made[0].id());
    let stored = made[0].to_bytes();
    let mut table = SpentInMemory::new();
    let claim = made
        .into_iter()
        .next()
        .unwrap()
        .claim(key, &no_path(), MessageDigest::sha256(b"message"))
        .unwrap();
    let record = claim.record();
    assert_eq!(record.id, name.name());
    let receipt = record.store(&mut table).unwrap();
    let share = claim.release(receipt).unwrap();
    assert_eq!((share.id(), share.presignature()), (id(2), name));
    // Restored from a store, the same message has the same record and gives the same share: a crash
    // between storing and sending loses nothing.
    let restored = || Presignature::<C>::from_bytes(&stored).unwrap();
    let again = restored().claim(key, &no_path(), MessageDigest::sha256(b"message")).unwrap();
    assert_eq!(again.record(), record);
    let receipt = again.record().store(&mut table).unwrap();
    assert!(again.release(receipt).unwrap() == share);
    // Another message has another record under the same name, which the table refuses.
    let other = restored().claim(key, &no_path(), MessageDigest::sha256(b"another")).unwrap();
    let spent = RecordError::Spent { id: name.name(), on: record.digest };
    assert_eq!(other.record().store(&mut table).unwrap_err(), spent);
    // A receipt for another record is refused.
    let receipt = record.store(&mut table).unwrap();
    assert_eq!(other.release(receipt), Err(ClaimError::OtherReceipt));
}

/// A digest that was made elsewhere is signed as the message that it is the hash of: the record and the share are the same. Zero is no hash.
#[test]
fn a_raw_digest_is_signed_as_its_message() {
    let group = Group::<C>::new(2);
    let key = group.key_of(id(2));
    let stored = group.presign(49, &[2, 7]).remove(0).to_bytes();
    let fresh = || Presignature::<C>::from_bytes(&stored).unwrap();
    let digest = MessageDigest::sha256(b"message");
    let raw = RawDigest::assume_hash_of_known_message(*digest.as_bytes());
    let claim = fresh().claim_raw_digest(key, &no_path(), raw).unwrap();
    let same = fresh().claim(key, &no_path(), digest).unwrap();
    assert_eq!(claim.record(), same.record());
    assert!(release(claim) == release(same));

    let mut order = C::encode_scalar(&-<C as Curve>::Scalar::from(1));
    order[31] += 1;
    for zero in [[0; 32], order] {
        let zero = RawDigest::assume_hash_of_known_message(zero);
        let refused = fresh().claim_raw_digest(key, &no_path(), zero).map(|_| ()).unwrap_err();
        assert_eq!(refused, ClaimError::ZeroDigest);
    }

    // Out of an inventory. A refused claim leaves the presignature there.
    let mut held = Presignatures::new(id(2));
    held.insert(fresh()).unwrap();
    let name = fresh().id();
    let mut claim =
        |raw| held.claim_raw_digest(&name, key, &no_path(), raw).map(|claim| claim.record());
    let zero = RawDigest::assume_hash_of_known_message([0; 32]);
    assert_eq!(claim(zero), Err(ClaimError::ZeroDigest));
    assert_eq!(claim(raw).unwrap().id, name.name());
    assert_eq!(claim(raw), Err(ClaimError::Unknown));
}

/// The reason for this rule: signing two messages gives this signer's share of the key away.
#[test]
fn two_messages_give_the_share_away() {
    let group = Group::<C>::new(2);
    let made = group.presign(41, &[2, 7]);
    let nonces = [b"one", b"two"].map(|message| nonce(made[0].info(), &group.itself(), message));
    let stored: Vec<_> = made.iter().map(|one| one.to_bytes()).collect();
    let sigma = |place: usize, message: &[u8]| {
        let one = Presignature::<C>::from_bytes(&stored[place]).unwrap();
        sigma(&release(
            one.claim(&group.keys[place], &no_path(), MessageDigest::sha256(message)).unwrap(),
        ))
    };
    let (mut k, mut chi) = (<C as Curve>::Scalar::default(), <C as Curve>::Scalar::default());
    for place in 0..2 {
        let [its_k, its_chi] = solved([sigma(place, b"one"), sigma(place, b"two")], nonces);
        (k, chi) = (k + its_k, chi + its_chi);
    }
    assert!(C::mul_base(&(chi * C::invert(&k))) == *group.keys[0].verifying_key().point());
}

/// Only the signer's own share of the package with which it was made spends a presignature. The compiler refuses the public
/// side of an earlier epoch in place of a share (see `Presignature`).
#[test]
fn refused_with_another_share_or_epoch() {
    let group = Group::<C>::new(2);
    let key = group.key_of(id(2));
    let fresh = || group.presign(42, &[2, 7]).remove(0);
    assert!(fresh().claim(key, &no_path(), MessageDigest::sha256(b"message")).is_ok());
    let refused = |key: &KeyShare<C>| {
        fresh().claim(key, &no_path(), MessageDigest::sha256(b"message")).map(|_| ()).unwrap_err()
    };
    assert_eq!(refused(group.key_of(id(7))), ClaimError::OtherParty);
    // The share of an older file, from before it was confirmed.
    let (shared, secret) =
        (key.public().shared(), Secret::new(*key.secret_share().secret().expose()));
    let older = SecretShare::new(id(2), shared, secret, ShareState::Unconfirmed).unwrap();
    assert_eq!(refused(&Ecdsa::<C>::key_share(older, shared)), ClaimError::Unconfirmed);
    let child = key.derive(&"m/0".parse().unwrap()).unwrap();
    assert_eq!(refused(&child), ClaimError::Mismatch(Mismatch::WrongKey));
    let others = keys::<C>(&NUMBERS, 3);
    assert_eq!(refused(&others[0]), ClaimError::Mismatch(Mismatch::WrongKey));
    let copy =
        |key: &KeyShare<C>| KeyShare::<C>::from_bytes(&key.to_bytes(), key.public()).unwrap();
    let shares: Vec<_> = group.keys.iter().map(|key| copy(key)).collect();
    let secret = single_point_of_failure::export(&shares).unwrap();
    let all: Parties = parties(NUMBERS);
    let rng = &mut seeded(1);
    let chain_code = *key.public().chain_code();
    let again = single_point_of_failure::import(secret, Some(chain_code), 2, &all, rng).unwrap();
    assert!(again[0].verifying_key() == key.verifying_key());
    assert_eq!(refused(&again[0]), ClaimError::Mismatch(Mismatch::WrongPackage { epoch: 0 }));
}

fn setting() -> (PresignatureInfo<C>, Derived<C>, Vec<Sent>) {
    let group = Group::<C>::new(3);
    let made = group.presign(43, &SIGNERS);
    let info = made[0].info().clone();
    (info, group.itself(), signature_shares(&group, made, b"message"))
}

/// A share with one byte of its stored form changed.
fn altered(bytes: &[u8], at: usize, bit: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 1 << bit;
    crate::aux_info::resealed(&bytes)
}

/// Where the fields of a share are: behind the header the party, the presignature, its digest,
/// the key, the digest of the message and σ.
const PARTY: usize = HEADER + 1;
/// The end of σ.
const END: usize = HEADER + 167;
const FIELDS: [(usize, Option<ShareMismatch>); 10] = [
    (HEADER + 2, Some(ShareMismatch::OtherPresignature)),
    (HEADER + 37, Some(ShareMismatch::OtherPresignature)),
    (HEADER + 38, Some(ShareMismatch::OtherPoints)),
    (HEADER + 69, Some(ShareMismatch::OtherPoints)),
    (HEADER + 70, Some(ShareMismatch::OtherKey)),
    (HEADER + 102, Some(ShareMismatch::OtherKey)),
    (HEADER + 103, Some(ShareMismatch::OtherMessage)),
    (HEADER + 134, Some(ShareMismatch::OtherMessage)),
    (HEADER + 141, None),
    (HEADER + 166, None),
];

/// If a share is not what it claims to be, its sender is at fault. If it names something else, no party is
/// to blame.
#[test]
fn every_wrong_share_is_named() {
    let (info, key, good) = setting();
    let aggregate = |shares: &[Sent]| {
        info.aggregate(&key, MessageDigest::sha256(b"message"), shares.iter().cloned())
    };
    assert!(aggregate(&good).is_ok());
    let mut turned = good.clone();
    turned.rotate_left(1);
    assert!(aggregate(&turned).is_ok());
    for (from, share) in &good {
        info.verify_share(&key, MessageDigest::sha256(b"message"), *from, share).unwrap();
    }
    for (at, mismatch) in FIELDS {
        let expected = match mismatch {
            Some(mismatch) => ShareRejected::Mismatch(mismatch),
            None => ShareRejected::Fault(ShareFault::Equation),
        };
        for places in [&[0][..], &[1], &[2], &[0, 2], &[0, 1, 2]] {
            let mut shares = good.clone();
            for place in places {
                let (from, share) = &mut shares[*place];
                *share = altered(share, at, *place);
                let found = info
                    .verify_share(&key, MessageDigest::sha256(b"message"), *from, share)
                    .map(|_| ());
                assert_eq!(found, Err(expected));
            }
            let ids = places.iter().map(|place| id(SIGNERS[*place]));
            let error = aggregate(&shares).unwrap_err();
            match mismatch {
                None => {
                    let named: Vec<_> = ids.map(|id| (id, ShareFault::Equation)).collect();
                    assert!(error.culprits().eq(named.iter().map(|(party, _)| *party)));
                    assert_eq!(error, AggregateError::Cheaters(named));
                }
                Some(mismatch) => {
                    assert_eq!(error.culprits().count(), 0);
                    let list: Vec<_> = ids.map(|id| (id, mismatch)).collect();
                    assert_eq!(error, AggregateError::Mismatch(list));
                }
            }
        }
    }
    let error = info.aggregate(&key, MessageDigest::sha256(b"another"), good).unwrap_err();
    let all = SIGNERS.map(|number| (id(number), ShareMismatch::OtherMessage)).to_vec();
    assert_eq!(error, AggregateError::Mismatch(all));
}

/// The negative of s makes a signature, too, of the negative nonce: its recovery id would be a wrong one.
#[test]
fn a_share_that_negates_the_sum_is_named() {
    let (info, key, mut sent) = setting();
    let place = END - 32..END;
    let [one, two, three] =
        [0, 1, 2].map(|at: usize| C::decode_scalar(&sent[at].1[place.clone()]).unwrap());
    let last = -(one + one + two + two + three);
    sent[2].1[place].copy_from_slice(&C::encode_scalar(&last));
    sent[2].1 = crate::aux_info::resealed(&sent[2].1);
    let error = info.aggregate(&key, MessageDigest::sha256(b"message"), sent).unwrap_err();
    assert_eq!(error, AggregateError::Cheaters(vec![(id(40), ShareFault::Equation)]));
}

/// The transport names the sender: if a share is in another party's name, its sender is at fault, and the
/// other party's own share is accepted.
#[test]
fn a_share_in_anothers_name_is_its_senders_fault() {
    let (info, key, good) = setting();
    let [first, second, third] = good.clone().try_into().unwrap();
    let fault = ShareFault::Malformed(DecodeError::NotTheSenders { sender: id(7), named: id(2) });
    let forged = (id(7), first.1.clone());
    let found =
        info.verify_share(&key, MessageDigest::sha256(b"message"), forged.0, &forged.1).map(|_| ());
    assert_eq!(found, Err(ShareRejected::Fault(fault)));
    for shares in [
        vec![first.clone(), forged.clone(), third.clone()],
        vec![forged.clone(), first.clone(), second.clone(), third.clone()],
        vec![forged, third.clone()],
    ] {
        let error = info.aggregate(&key, MessageDigest::sha256(b"message"), shares).unwrap_err();
        assert_eq!(error, AggregateError::Cheaters(vec![(id(7), fault)]));
    }
    // A wrong share in another's name does not make it look wrong.
    let wrong = (id(7), altered(&first.1, END - 1, 0));
    let error =
        info.aggregate(&key, MessageDigest::sha256(b"message"), [first, wrong, third]).unwrap_err();
    assert_eq!(error, AggregateError::Cheaters(vec![(id(7), fault)]));
}

#[test]
fn shares_of_each_signer_and_none_besides() {
    let (info, key, good) = setting();
    let aggregate = |shares: &[Sent]| {
        info.aggregate(&key, MessageDigest::sha256(b"message"), shares.iter().cloned())
    };
    let refused = |shares: &[Sent]| aggregate(shares).unwrap_err();
    assert_eq!(refused(&[]), AggregateError::Missing(SIGNERS.map(id).to_vec()));
    assert_eq!(refused(&good[1..]), AggregateError::Missing(vec![id(2)]));
    // The same share twice is one, a second other one is wrong.
    assert!(aggregate(&[&good[..], &good[1..2]].concat()).is_ok());
    let other = (id(7), altered(&good[1].1, END - 1, 0));
    let wrong = AggregateError::Cheaters(vec![(id(7), ShareFault::Equation)]);
    assert_eq!(refused(&[&good[..], core::slice::from_ref(&other)].concat()), wrong);
    assert_eq!(refused(&[good[0].clone(), good[1].clone(), other]), wrong);
    let stranger = (id(3), altered(&good[0].1, PARTY, 0));
    let found = info
        .verify_share(&key, MessageDigest::sha256(b"message"), stranger.0, &stranger.1)
        .map(|_| ());
    assert_eq!(found, Err(ShareRejected::NotASigner));
    assert_eq!(refused(&[&good[..], &[stranger]].concat()), AggregateError::Unexpected(id(3)));
}

/// A signer that sends its share and then another for something else keeps nobody from the signature. Where shares are
/// missing or wrong, the other one is reported as before.
#[test]
fn a_share_for_something_else_beside_the_right_ones() {
    let (info, key, good) = setting();
    let aggregate = |shares: &[Sent]| {
        info.aggregate(&key, MessageDigest::sha256(b"message"), shares.iter().cloned())
    };
    let signature = aggregate(&good).unwrap();
    for (at, mismatch) in FIELDS.into_iter().filter_map(|(at, what)| Some((at, what?))) {
        let other = (id(7), altered(&good[1].1, at, 0));
        for place in 0..=good.len() {
            let mut shares = good.clone();
            shares.insert(place, other.clone());
            assert_eq!(aggregate(&shares), Ok(signature));
        }
        let named = AggregateError::Mismatch(vec![(id(7), mismatch)]);
        let few = [good[0].clone(), good[1].clone(), other.clone()];
        assert_eq!(aggregate(&few), Err(named.clone()));
        assert_eq!(aggregate(&[good[0].clone(), other.clone(), good[2].clone()]), Err(named));
        let wrong = (id(40), altered(&good[2].1, END - 1, 0));
        let error = aggregate(&[good[0].clone(), good[1].clone(), other, wrong]);
        assert_eq!(error, Err(AggregateError::Cheaters(vec![(id(40), ShareFault::Equation)])));
    }
}

/// Thousands of different shares of one signer: it is named once, after the equations of two of them.
#[test]
fn a_flood_of_shares_ends_at_once() {
    let (info, key, good) = setting();
    let different = (1..=30_000u64).map(|number| {
        let mut bytes = good[1].1.clone();
        bytes[END - 32..END]
            .copy_from_slice(&C::encode_scalar(&<C as Curve>::Scalar::from(number)));
        (id(7), crate::aux_info::resealed(&bytes))
    });
    let sent: Vec<Sent> = good.iter().cloned().chain(different).collect();
    let start = Instant::now();
    let error = info.aggregate(&key, MessageDigest::sha256(b"message"), sent).unwrap_err();
    let time = start.elapsed();
    assert_eq!(error, AggregateError::Cheaters(vec![(id(7), ShareFault::Equation)]));
    // Work that is quadratic in their number takes minutes.
    assert!(time < Duration::from_secs(10), "{time:?}");
}

/// A signer with a wrong share is named, even if others are missing or sent shares for something else. Bytes that
/// are no share of this release blame no party; damaged ones blame their sender.
#[test]
fn what_does_not_decode() {
    let (info, key, good) = setting();
    let with = |bytes: Vec<u8>| {
        let shares = [(id(2), bytes), good[1].clone()];
        info.aggregate(&key, MessageDigest::sha256(b"message"), shares).unwrap_err()
    };
    let malformed = |error| AggregateError::Cheaters(vec![(id(2), ShareFault::Malformed(error))]);
    let (expected, got) = (good[0].1.len(), good[0].1.len() - 1);
    let truncated = DecodeError::Container(ContainerError::Truncated { expected, got });
    assert_eq!(with(good[0].1[..got].to_vec()), malformed(truncated));
    let mut damaged = good[0].1.clone();
    damaged[END - 1] ^= 1;
    assert_eq!(with(damaged), malformed(DecodeError::Container(ContainerError::Damaged)));
    for (at, error) in [
        (0, ContainerError::NotAContainer),
        (4, ContainerError::OlderVersion { expected: 1, got: 0 }),
        (5, ContainerError::WrongKind { expected: "a share of a signature", got: 36 }),
        (6, ContainerError::WrongCurve { expected: C::NAME, got: 4 }),
        (7, ContainerError::WrongFamily { expected: Ecdsa::<C>::NAME, got: 36 }),
    ] {
        let mismatch = ShareMismatch::OtherFormat(DecodeError::Container(error));
        let expected = AggregateError::Mismatch(vec![(id(2), mismatch)]);
        assert_eq!(with(altered(&good[0].1, at, 0)), expected);
    }
    // The index of a presignature, below the most that a run makes.
    let numbered = |index: u32| {
        let mut bytes = good[0].1.clone();
        bytes[HEADER + 34..HEADER + 38].copy_from_slice(&index.to_be_bytes());
        with(crate::aux_info::resealed(&bytes))
    };
    let other = AggregateError::Mismatch(vec![(id(2), ShareMismatch::OtherPresignature)]);
    assert_eq!(numbered(1023), other);
    assert_eq!(numbered(1024), malformed(DecodeError::BadIndex(1024)));
    let wrong = altered(&good[2].1, END - 1, 0);
    let other = altered(&good[1].1, HEADER + 70, 0);
    let error = info
        .aggregate(&key, MessageDigest::sha256(b"message"), [(id(40), wrong), (id(7), other)])
        .unwrap_err();
    assert_eq!(error, AggregateError::Cheaters(vec![(id(40), ShareFault::Equation)]));
}
