//! Two that misbehave at once, in random ways: the culprits are exactly these two.

use chacha20::rand_core::Rng;
use quorate::frost::ed25519::Ed25519Sha512 as S;
use quorate::frost::generic::curve::Curve;
use quorate::frost::generic::{AggregateError, KeySuite, Scalar};
use quorate::{Abort, Parties, PartyId};

use super::cheat::scalar_bytes;
use super::dkg::{BODY, assert_unharmed, keygen_among};
use super::fr::plus;
use super::harness::{Key, id, parties, rng};
use quorate_testkit::encodings::{flip_off_curve, order_plus, point_len, scalar_len};

type C = <S as KeySuite>::Curve;

const NUMBERS: [u16; 5] = [1, 2, 5, 300, 65535];

fn below(rng: &mut impl Rng, bound: usize) -> usize {
    usize::try_from(rng.next_u32()).unwrap() % bound
}

/// Two distinct parties, ascending.
fn pair(rng: &mut impl Rng) -> [PartyId; 2] {
    let first = below(rng, 5);
    let second = (first + 1 + below(rng, 4)) % 5;
    let mut pair = [id(NUMBERS[first]), id(NUMBERS[second])];
    pair.sort_unstable();
    pair
}

/// Spoils a message of round 1 in a way that anybody can see.
fn spoil_announcement(body: &mut Vec<u8>, how: usize) {
    let (point, length) = (point_len::<C>(), body.len());
    match how {
        0 => body.clear(),
        1 => body.truncate(length - 1),
        2 | 3 => {
            let at = (how - 2) * point;
            let off = flip_off_curve::<C>(&body[at..at + point]);
            body[at..at + point].copy_from_slice(&off);
        }
        4 => body[length - scalar_len::<C>()..].copy_from_slice(&order_plus::<C>(0)),
        5 => body[length - scalar_len::<C>()] ^= 1,
        6 => body.copy_within(point..2 * point, 0),
        _ => body[length - scalar_len::<C>()..].fill(0),
    }
}

/// Spoils a share in a way that its recipient can see; what the two do never cancels.
fn spoil_share(body: &mut Vec<u8>, how: usize, which: usize) {
    match how {
        0 => body.clear(),
        1 => body.truncate(body.len() - 1),
        2 => body.copy_from_slice(&order_plus::<C>(1)),
        3 => body.fill(0),
        _ => body[which] ^= 1,
    }
}

/// The parties that each honest party blames, for every honest party that does not merely wait.
fn culprits(all: &Parties, pair: [PartyId; 2], round: u8, seed: u64) -> Vec<Vec<PartyId>> {
    let mut choice = rng(seed);
    let hows = [below(&mut choice, 8), below(&mut choice, 8)];
    let report = keygen_among::<S>(3, all, 1, |mut one| {
        if let Some(at) = pair.iter().position(|party| *party == one.from)
            && one.round.get() == round
        {
            let mut body = one.bytes.split_off(BODY[usize::from(round) - 1]);
            match round {
                1 => spoil_announcement(&mut body, hows[at]),
                _ => spoil_share(&mut body, hows[at], at),
            }
            one.bytes.extend(body);
        }
        vec![one]
    });
    let honest = report.results.into_iter().filter(|(party, _)| !pair.contains(party));
    honest
        .map(|(_, result)| match result.unwrap_err() {
            Abort::Misbehaviour(blames) => blames.iter().map(|blame| blame.party).collect(),
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn pairs_in_key_generation() {
    let all = parties(NUMBERS);
    for seed in 0..150 {
        let mut rng = rng(seed);
        let pair = pair(&mut rng);
        for round in [1, 2] {
            let found = culprits(&all, pair, round, seed);
            assert_eq!(found, vec![pair.to_vec(); 3], "seed {seed}, round {round}");
        }
    }
}

/// Shares are checked by their sum: two dealers whose errors cancel towards a party give it the
/// right share all the same. Documented, and harmless: the key is the one that was committed to.
#[test]
fn dealers_whose_errors_cancel() {
    let all = parties(NUMBERS);
    let report = keygen_among::<S>(3, &all, 1, |mut one| {
        if one.round.get() == 2 && one.to == id(1) && [id(2), id(5)].contains(&one.from) {
            let share = one.bytes.split_off(BODY[1]);
            let error = Scalar::<S>::from(1);
            let error = if one.from == id(2) { error } else { -error };
            let share = <S as KeySuite>::Curve::decode_scalar(&share).unwrap() + error;
            one.bytes.extend(scalar_bytes::<S>(&share));
        }
        vec![one]
    });
    assert_unharmed(&report);
    let share = report.results[&id(1)].as_ref().unwrap();
    assert_eq!(share.public.verifying_share(id(1)), Some(share.share.verifying_share()));
}

#[test]
fn pairs_in_signing() {
    let key = Key::<S>::among(3, &parties(NUMBERS), 1);
    for seed in 0..300 {
        let mut rng = rng(seed);
        let pair = pair(&mut rng);
        let signed = key.sign(&NUMBERS, &seed.to_be_bytes(), seed);
        let shares: Vec<_> = signed
            .shares
            .iter()
            .map(|one| match pair.contains(&one.id()) {
                true => plus(one, (rng.next_u64() | 1).into()),
                false => *one,
            })
            .collect();
        let found = key.public.aggregate(&signed.package, &shares).unwrap_err();
        assert_eq!(found, AggregateError::Cheaters(pair.to_vec()), "seed {seed}");
    }
}
