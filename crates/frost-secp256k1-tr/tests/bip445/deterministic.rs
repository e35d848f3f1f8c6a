//! Attacks on the signer that keeps no state: one nonce for two shares is the key share.

use std::collections::BTreeMap;

use k256::elliptic_curve::PrimeField as _;
use k256::{ProjectivePoint, Scalar};
use quorate_frost_secp256k1_tr::bip445::{
    AggregateNonce, Error, PublicNonce, SignatureShare, Signers, Tweak, sign_deterministically,
};

use super::draft::{Context, coefficient, compressed, point, scalar};
use super::group::{Group, negative};

const TEXT: &[u8] = b"signed twice";

/// A list that fits the negative of the group's key, with the victim's own public share in it as it is.
fn list_for_the_negative_key(group: &Group) -> ([(u32, [u8; 33]); 2], [u8; 33]) {
    let [victim, other] = [group.listed(0), group.listed(1)];
    let ids = [victim.0, other.0];
    let ratio = coefficient(&ids, ids[0]) * coefficient(&ids, ids[1]).invert().unwrap();
    let [own, others] = [&victim.1, &other.1].map(|share| point(share).unwrap());
    let moved = -others - own * ratio - own * ratio;
    ([victim, (other.0, compressed(&moved))], negative(&group.key()))
}

/// The share that two partial signatures with one nonce give, if it is the victim's.
fn extracted(
    group: &Group,
    others: &PublicNonce,
    [first, second]: [&(PublicNonce, SignatureShare); 2],
) -> bool {
    let context = Context {
        ids: vec![group.listed(0).0, group.listed(1).0],
        shares: Vec::new(),
        key: group.key(),
        tweaks: Vec::new(),
        sum: *AggregateNonce::sum(&[first.0, *others]).unwrap().as_bytes(),
        message: TEXT.to_vec(),
    };
    let weight = context.values().unwrap().e * coefficient(&context.ids, context.ids[0]);
    let difference = scalar(&first.1).unwrap() - scalar(&second.1).unwrap();
    let share = difference * (weight + weight).invert().unwrap();
    let public = point(&group.listed(0).1).unwrap();
    let found = ProjectivePoint::GENERATOR * share;
    first.0 == second.0 && (found == public || found == -public)
}

#[test]
fn a_list_for_the_negative_key_extracts_no_share() {
    let mut found = 0;
    for seed in 0..20 {
        let group = Group::new(2, &[1, 2, 3], seed);
        let others = *group.nonce(1, 100 + seed).public();
        let ask = |list: &[(u32, [u8; 33])], key: &[u8; 33]| {
            let signers = Signers::from_untrusted_list(2, 3, list, key).unwrap();
            sign_deterministically(&group.shares[0], &signers, Some(&others), &[], TEXT, None)
        };
        let honest = ask(&[group.listed(0), group.listed(1)], &group.key()).unwrap();
        let (list, key) = list_for_the_negative_key(&group);
        match ask(&list, &key) {
            Ok(second) => found += usize::from(extracted(&group, &others, [&honest, &second])),
            Err(why) => assert_eq!(why, Error::OtherShare),
        }
    }
    assert_eq!(found, 0, "shares extracted from 20 keys");
}

/// Lists that are consistent, and that the first signer of a group signs for.
fn lists(group: &Group) -> Vec<Signers> {
    let ids = |places: &[usize]| places.iter().map(|at| group.shares[*at].id()).collect::<Vec<_>>();
    let of = |places: &[usize]| Signers::of(&group.public, ids(places)).unwrap();
    // Two public shares of others that are moved against each other.
    let all = [group.listed(0), group.listed(1), group.listed(2)];
    let numbers = all.map(|(id, _)| id);
    let ratio =
        coefficient(&numbers, numbers[1]) * coefficient(&numbers, numbers[2]).invert().unwrap();
    let mut moved = all;
    let by = ProjectivePoint::GENERATOR * Scalar::from(3u64);
    moved[1].1 = compressed(&(point(&all[1].1).unwrap() + by));
    moved[2].1 = compressed(&(point(&all[2].1).unwrap() - by * ratio));
    let moved = Signers::from_untrusted_list(2, 3, &moved, &group.key()).unwrap();
    let negative = negative(&group.key());
    let mut lists = vec![of(&[0, 1]), of(&[0, 2]), of(&[0, 1, 2]), moved];
    lists.extend(lists.clone().iter().map(|list| list.for_key(&negative).unwrap()));
    lists
}

/// Chains of tweaks, several of which end at one x-coordinate.
fn chains() -> Vec<Vec<Tweak>> {
    let bytes = |scalar: Scalar| <[u8; 32]>::from(scalar.to_repr());
    let [zero, t, minus] = [Scalar::ZERO, Scalar::from(5u64), -Scalar::from(5u64)].map(bytes);
    vec![
        vec![],
        vec![Tweak::plain(zero)],
        vec![Tweak::x_only(zero)],
        vec![Tweak::plain(t)],
        vec![Tweak::x_only(t)],
        vec![Tweak::plain(minus)],
        vec![Tweak::plain(t), Tweak::plain(minus)],
        vec![Tweak::plain(t), Tweak::x_only(zero)],
        vec![Tweak::plain(minus), Tweak::x_only(zero)],
    ]
}

#[test]
fn one_deterministic_nonce_is_of_one_session_and_makes_one_share() {
    let group = Group::new(2, &[1, 2, 3], 50);
    let [one, two] = [1, 2].map(|seed| *group.nonce(1, seed).public());
    let minus = {
        let [first, second] =
            [&one[..33], &one[33..]].map(|half| negative(half.try_into().unwrap()));
        PublicNonce::try_from([first, second].concat()).unwrap()
    };
    let mut made = BTreeMap::new();
    let mut asked = 0;
    for signers in lists(&group) {
        for tweaks in chains() {
            for (others, message) in
                [(&one, TEXT), (&one, b"another"), (&two, TEXT), (&minus, TEXT)]
            {
                let (share, others) = (&group.shares[0], Some(others));
                let (nonce, part) =
                    sign_deterministically(share, &signers, others, &tweaks, message, None)
                        .unwrap();
                assert!(made.insert(nonce, part).is_none(), "{asked}");
                asked += 1;
            }
        }
    }
    assert_eq!(made.len(), asked);
}

#[test]
fn the_order_of_the_list_changes_neither_nonce_nor_share() {
    let group = Group::new(2, &[1, 2, 3], 51);
    let others = *group.nonce(1, 3).public();
    let sign = |order: [usize; 3]| {
        let signers = Signers::of(&group.public, order.map(|at| group.shares[at].id())).unwrap();
        sign_deterministically(&group.shares[0], &signers, Some(&others), &[], TEXT, None).unwrap()
    };
    assert_eq!(sign([0, 1, 2]), sign([2, 0, 1]));
    assert_eq!(sign([0, 1, 2]), sign([1, 2, 0]));
}
