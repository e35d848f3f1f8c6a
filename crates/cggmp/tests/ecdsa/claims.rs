//! What a presignature may be spent on, and what becomes of the shares.

use quorate_cggmp::curves::Curve;
use quorate_cggmp::{
    ClaimError, CombineError, KeyInfo, PartialFault, PartialSignature, PresignatureId,
    Presignatures, Secp256k1, whole_key,
};
use quorate_session::{Parties, SealKey};

use crate::support::*;

type C = Secp256k1;

const SIGNERS: [u16; 3] = NUMBERS;

#[test]
fn the_record_names_presignature_and_message() {
    let group = Group::<C>::new(2);
    let made = group.presign(40, &[2, 7]);
    let (key, id) = (group.keys[0].info(), made[0].id());
    let stored = made[0].to_bytes();
    let claim = made.into_iter().next().unwrap().claim(key, b"message").unwrap();
    let record = claim.record();
    assert_eq!(record.id, id);
    assert_eq!(record.digest, *digest::<C>(b"message").as_bytes());
    assert_eq!(record.to_bytes()[..32], id.0);
    let share = claim.release();
    assert_eq!((share.party(), share.presignature()), (crate::support::id(2), id));
    // Restored from a store, the same message has the same record and gives the same share; another
    // message has another record under the same name, which is where a unique key says no.
    let restored = || quorate_cggmp::Presignature::<C>::from_bytes(&stored).unwrap();
    let again = restored().claim(key, b"message").unwrap();
    assert_eq!(again.record(), record);
    assert!(again.release() == share);
    let other = restored().claim(key, b"another").unwrap();
    assert!(other.record().id == id && other.record() != record);
}

/// Why that matters: two messages give this signer's share of the key.
#[test]
fn two_messages_give_the_share_away() {
    let group = Group::<C>::new(2);
    let made = group.presign(41, &[2, 7]);
    let r = {
        let partials = partials(&group, group.presign(41, &[2, 7]), b"one");
        *made[0].info().combine(b"one", &partials).unwrap().r()
    };
    let stored: Vec<_> = made.iter().map(|one| one.to_bytes()).collect();
    let sigma = |place: usize, message: &[u8]| {
        let one = quorate_cggmp::Presignature::<C>::from_bytes(&stored[place]).unwrap();
        let bytes = one.claim(group.keys[0].info(), message).unwrap().release().to_bytes();
        C::decode_scalar(&bytes[bytes.len() - 64..bytes.len() - 32]).unwrap()
    };
    let m = |message: &[u8]| C::scalar_from_wide(digest::<C>(message).as_bytes());
    let (mut k, mut chi) = (<C as Curve>::Scalar::default(), <C as Curve>::Scalar::default());
    for place in 0..2 {
        let (one, two) = (sigma(place, b"one"), sigma(place, b"two"));
        let k_i = (one - two) * C::invert(&(m(b"one") - m(b"two")));
        k = k + k_i;
        chi = chi + (one - k_i * m(b"one")) * C::invert(&r);
    }
    assert!(C::mul_base(&(chi * C::invert(&k))) == *group.keys[0].verifying_key().point());
}

/// The same key dealt again, which is what a refresh comes to for whoever holds a presignature.
#[test]
fn refused_under_another_key_or_epoch() {
    let group = Group::<C>::new(2);
    let key = group.keys[0].info();
    let fresh = || group.presign(42, &[2, 7]).remove(0);
    assert!(fresh().claim(key, b"message").is_ok());
    let child = key.derive(&"m/0".parse().unwrap()).unwrap();
    let refused = |key: &KeyInfo<C>| fresh().claim(key, b"message").map(|_| ()).unwrap_err();
    assert_eq!(refused(&child), ClaimError::OtherKey);
    let others = keys::<C>(&NUMBERS, 3);
    assert_eq!(refused(others[0].info()), ClaimError::OtherKey);
    let shares: Vec<_> = group
        .keys
        .iter()
        .map(|key| quorate_cggmp::KeyShare::<C>::from_bytes(&key.to_bytes()).unwrap())
        .collect();
    let secret = whole_key::reconstruct(&shares).unwrap();
    let all: Parties = parties(&NUMBERS);
    let rng = &mut seeded(1);
    let again = whole_key::deal(&secret, Some(*key.chain_code()), 2, &all, rng).unwrap();
    assert!(again[0].verifying_key() == key.verifying_key());
    assert_eq!(refused(again[0].info()), ClaimError::OtherShares);
    // The next epoch, as stored bytes.
    let mut bytes = key.to_bytes();
    bytes[8] = 1;
    let next = KeyInfo::from_bytes(&crate::aux_info::resealed(&bytes)).unwrap();
    assert_eq!(next.epoch(), 1);
    assert_eq!(refused(&next), ClaimError::OtherEpoch { made: 0, now: 1 });
}

fn setting() -> (quorate_cggmp::PresignatureInfo<C>, Vec<PartialSignature<C>>) {
    let group = Group::<C>::new(3);
    let made = group.presign(43, &SIGNERS);
    let info = made[0].info().clone();
    (info, partials(&group, made, b"message"))
}

/// A share with one byte of its stored form changed.
fn altered(share: &PartialSignature<C>, at: usize, bit: usize) -> PartialSignature<C> {
    let mut bytes = share.to_bytes();
    bytes[at] ^= 1 << bit;
    PartialSignature::from_bytes(&crate::aux_info::resealed(&bytes)).unwrap()
}

#[test]
fn every_wrong_share_is_named() {
    let (info, good) = setting();
    assert!(info.combine(b"message", &good).is_ok());
    let mut turned = good.clone();
    turned.rotate_left(1);
    assert!(info.combine(b"message", &turned).is_ok());
    for share in &good {
        info.verify_partial(b"message", share).unwrap();
    }
    // party 2, presignature 32, digest 32, σ 32, behind a header of 3.
    let fields = [
        (5, PartialFault::OtherPresignature),
        (36, PartialFault::OtherPresignature),
        (37, PartialFault::OtherMessage),
        (68, PartialFault::OtherMessage),
        (75, PartialFault::Equation),
        (100, PartialFault::Equation),
    ];
    for (at, fault) in fields {
        for culprits in [&[0][..], &[1], &[2], &[0, 2], &[0, 1, 2]] {
            let mut shares = good.clone();
            for place in culprits {
                shares[*place] = altered(&shares[*place], at, *place);
                assert_eq!(info.verify_partial(b"message", &shares[*place]), Err(fault));
            }
            let expected: Vec<_> =
                culprits.iter().map(|place| (id(SIGNERS[*place]), fault)).collect();
            let error = info.combine(b"message", &shares).unwrap_err();
            assert!(error.culprits().eq(expected.iter().map(|(party, _)| *party)));
            assert_eq!(error, CombineError::Cheaters(expected));
        }
    }
    let error = info.combine(b"another", &good).unwrap_err();
    let all = SIGNERS.map(|number| (id(number), PartialFault::OtherMessage)).to_vec();
    assert_eq!(error, CombineError::Cheaters(all));
}

#[test]
fn shares_of_each_signer_and_none_besides() {
    let (info, good) = setting();
    let combine = |shares: &[PartialSignature<C>]| info.combine(b"message", shares).unwrap_err();
    assert_eq!(combine(&[]), CombineError::Missing(SIGNERS.map(id).to_vec()));
    assert_eq!(combine(&good[1..]), CombineError::Missing(vec![id(2)]));
    let twice = [&good[..], &good[1..2]].concat();
    assert_eq!(combine(&twice), CombineError::Duplicate(id(7)));
    let mut bytes = good[0].to_bytes();
    bytes[4] = 3;
    let stranger = PartialSignature::from_bytes(&crate::aux_info::resealed(&bytes)).unwrap();
    assert_eq!(combine(&[&good[..], &[stranger]].concat()), CombineError::Unexpected(id(3)));
    assert_eq!(info.verify_partial(b"message", &stranger), Err(PartialFault::NotASigner));
}

#[test]
fn inventories() {
    let group = Group::<C>::new(2);
    let key = group.keys[0].info();
    let mut held = [Presignatures::new(), Presignatures::new()];
    for session in 44..47 {
        for (one, inventory) in group.presign(session, &[2, 7]).into_iter().zip(&mut held) {
            inventory.insert(one);
        }
    }
    let ids: Vec<_> = held[0].ids().collect();
    assert_eq!((held[0].len(), ids.is_sorted()), (3, true));
    // The second has lost one, and has its claim for another.
    held[1].claim(&ids[1], key, b"message").unwrap();
    assert_eq!(held[1].claim(&ids[1], key, b"message").map(|_| ()), Err(ClaimError::Unknown));
    let theirs: Vec<_> = held[1].ids().collect();
    let common = held[0].intersect([theirs.as_slice()]);
    assert_eq!(common, [ids[0], ids[2]]);
    let ours: Vec<_> = held[0].ids().collect();
    assert_eq!(held[1].intersect([ours.as_slice()]), common);
    assert_eq!(held[0].intersect([&[PresignatureId([0; 32])][..]]), []);
    assert_eq!(held[0].intersect([]), ids);
    // Refused, it stays.
    let child = key.derive(&"m/0".parse().unwrap()).unwrap();
    assert_eq!(held[0].claim(&ids[0], &child, b"message").map(|_| ()), Err(ClaimError::OtherKey));
    let seal = SealKey::new([9; 32]);
    let mut held = held.map(|one| Presignatures::<C>::open(&one.seal(&seal), &seal).unwrap());
    assert!(Presignatures::<C>::open(&held[0].seal(&seal), &SealKey::new([8; 32])).is_err());
    assert_eq!(held[0].ids().collect::<Vec<_>>(), ids);
    let info = held[0].info(&common[0]).unwrap().clone();
    let shares: Vec<_> = held
        .iter_mut()
        .map(|one| one.claim(&common[0], key, b"message").unwrap().release())
        .collect();
    let signature = info.combine(b"message", &shares).unwrap();
    key.verifying_key().verify(b"message", &signature).unwrap();
    assert_eq!(held[0].keep_only(key), 0);
    assert_eq!(held[0].keep_only(&child), 2);
    assert!(held[0].is_empty() && !held[1].is_empty());
}
