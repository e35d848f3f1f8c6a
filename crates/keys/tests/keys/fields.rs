//! Alters every field of every message. Everybody names the sender, with the right fault.

use quorate_curve::Curve;
use quorate_keys::session::{Abort, Fault};

use crate::forge::{complaint, d_of};
use crate::play::Said;
use crate::repair::{TARGET, repair};
use crate::reshare::{Case, confirmation, opening, y, zero};

#[derive(Clone, Copy)]
enum Kind {
    Point,
    Scalar,
}

/// The other values of a field.
fn alterations<C: Curve>(kind: Kind, field: &[u8]) -> Vec<Vec<u8>> {
    let with = |at: usize, bit: u8| {
        let mut other = field.to_vec();
        other[at] ^= bit;
        other
    };
    let mut all = vec![
        with(0, 1),
        with(0, 0x80),
        with(field.len() - 1, 1),
        with(field.len() - 1, 0x80),
        vec![0; field.len()],
        vec![0xff; field.len()],
    ];
    match kind {
        Kind::Point => {
            let point = C::decode_point(field).unwrap();
            let others = [-point, point + C::generator(), C::generator(), C::identity()];
            all.extend(others.map(|one| C::encode_point(&one).as_ref().to_vec()));
        }
        Kind::Scalar => {
            let scalar = C::decode_scalar(field).unwrap();
            let others = [-scalar, scalar + C::Scalar::from(1)];
            all.extend(others.map(|one| C::encode_scalar(&one).as_ref().to_vec()));
        }
    }
    all.retain(|one| one != field);
    all
}

/// The fault in a field that does not decode.
fn undecodable<C: Curve>(kind: Kind, field: &[u8]) -> Option<Fault> {
    match kind {
        Kind::Point => C::decode_point(field).is_none().then_some(Fault::InvalidPoint),
        Kind::Scalar => C::decode_scalar(field).is_none().then_some(Fault::InvalidScalar),
    }
}

/// `body` with each of its fields, which start at `start`, altered in each way: the kind, the field, and the
/// whole body.
fn altered<C: Curve>(body: &[u8], start: usize, kinds: &[Kind]) -> Vec<(Kind, Vec<u8>, Vec<u8>)> {
    let mut at = start;
    let mut all = vec![];
    for kind in kinds {
        let length = match kind {
            Kind::Point => size_of::<C::PointBytes>(),
            Kind::Scalar => size_of::<C::ScalarBytes>(),
        };
        for other in alterations::<C>(*kind, &body[at..at + length]) {
            let mut changed = body.to_vec();
            changed[at..at + length].copy_from_slice(&other);
            all.push((*kind, other, changed));
        }
        at += length;
    }
    assert_eq!(at, body.len());
    all
}

fn lengths(body: &[u8]) -> [Vec<u8>; 3] {
    [vec![], body[..body.len() - 1].to_vec(), body[1..].to_vec()]
}

/// Round 1: a key that is not a point. Any other key is as good as the right one.
fn opening_keys<C: Curve>() {
    let body = opening::<C>(4);
    let said = |body: Vec<u8>, fault| {
        let case = Case::<C>::new();
        let ended = case.play(&[4], |_, _, _, _| Some(body.clone()));
        ended.named(&[(4, fault)]);
        let ended = repair::<C>(&[4], |_, _, _, _| Some(body.clone()));
        ended.named(&[(4, fault)]);
    };
    for (kind, field, changed) in altered::<C>(&body, 0, &[Kind::Point]) {
        if let Some(fault) = undecodable::<C>(kind, &field) {
            said(changed, fault);
        }
    }
    lengths(&body).into_iter().for_each(|body| said(body, Fault::WrongLength));
    // A dealer that leaves has none to give.
    let case = Case::<C>::new();
    case.play(&[1], |_, _, _, _| Some(opening::<C>(1))).named(&[(1, Fault::WrongLength)]);
    case.play(&[1], |_, _, _, _| Some(vec![0])).named(&[(1, Fault::WrongLength)]);
}

/// Round 2: the proof covers the whole deal.
fn deals<C: Curve>() {
    use Kind::{Point, Scalar};
    let case = Case::<C>::new();
    let tried = core::cell::Cell::new(usize::MAX);
    let mut number = 0;
    while number < tried.get() {
        let mut expected = None;
        let ended = case.play(&[1], |round, _, _, said| {
            if round > 1 {
                let body = case.forged(1, said, &zero::<C>).body();
                let all = altered::<C>(
                    &body,
                    0,
                    &[Point, Point, Point, Point, Scalar, Scalar, Scalar, Scalar],
                );
                tried.set(all.len());
                let (kind, field, changed) = &all[number];
                expected = undecodable::<C>(*kind, field).or(Some(Fault::InvalidProofOfPossession));
                return Some(changed.clone());
            }
            Some(vec![])
        });
        ended.named(&[(1, expected.unwrap())]);
        number += 1;
    }
    assert!(number > 50);
    for which in 0..3 {
        let ended = case.play(&[1], |round, _, _, said| {
            let body = case.forged(1, said, &zero::<C>);
            Some(if round == 1 { vec![] } else { lengths(&body.body())[which].clone() })
        });
        ended.named(&[(1, Fault::WrongLength)]);
    }
    // A party that does not deal has no message in this round.
    let ended =
        case.play(&[4], |round, _, _, _| Some(if round == 1 { opening::<C>(4) } else { vec![0] }));
    ended.named(&[(4, Fault::WrongLength)]);
    let ended = repair::<C>(&[TARGET], |round, _, _, _| {
        Some(if round == 1 { opening::<C>(4) } else { vec![0] })
    });
    ended.named(&[(TARGET, Fault::WrongLength)]);
}

/// Round 3: the digest.
fn confirmations<C: Curve>() {
    let case = Case::<C>::new();
    let ended_by = |last: &dyn Fn(&Said) -> Vec<u8>, fault| {
        let ended = case.play(&[4], |round, _, _, said| match round {
            1 => Some(opening::<C>(4)),
            2 => Some(vec![]),
            _ => Some(last(said)),
        });
        ended.named(&[(4, fault)]);
        for party in [1, 2, 3] {
            let kept = ended.unconfirmed(party).unwrap();
            assert_eq!(kept.share.is_some(), party != 1);
        }
    };
    for (at, bit) in [(1, 1), (1, 0x80), (17, 4), (32, 1), (32, 0x80)] {
        let last = |said: &Said| {
            let mut body = confirmation(said);
            body[at] ^= bit;
            body
        };
        ended_by(&last, Fault::InvalidConfirmation);
    }
    for tag in [2, 0x80, 0xff] {
        ended_by(&|said| [&[tag], &confirmation(said)[1..]].concat(), Fault::Malformed);
    }
    // A digest where complaints are due.
    ended_by(&|said| [&[1], &confirmation(said)[1..]].concat(), Fault::WrongLength);
    ended_by(&|_| vec![0; 33], Fault::InvalidConfirmation);
    for which in 0..2 {
        ended_by(&|said| lengths(&confirmation(said))[which].clone(), Fault::WrongLength);
    }
    ended_by(&|said| [confirmation(said), vec![0]].concat(), Fault::WrongLength);
}

/// Round 3: a complaint that would be valid if the share were wrong.
fn complaints<C: Curve>() {
    use Kind::{Point, Scalar};
    let case = Case::<C>::new();
    let tried = core::cell::Cell::new(usize::MAX);
    let mut number = 0;
    while number < tried.get() {
        let mut expected = None;
        let ended = case.play(&[4], |round, _, _, said| match round {
            1 => Some(opening::<C>(4)),
            2 => Some(vec![]),
            _ => {
                let d = d_of::<C>(said.by(2, 1), 2);
                let body =
                    complaint::<C>(&said.context, [1, 4], d, &y::<C>(4), &C::Scalar::default());
                let all = altered::<C>(&body, 2, &[Point, Scalar, Scalar]);
                tried.set(all.len());
                let (kind, field, changed) = &all[number];
                expected = undecodable::<C>(*kind, field).or(Some(Fault::InvalidProof));
                Some([&[1], &changed[..]].concat())
            }
        });
        ended.named(&[(4, expected.unwrap())]);
        number += 1;
    }
    assert!(number > 15);
}

/// A frame too long for its round is not accepted, and this is reported.
fn what_is_too_long_is_not_taken<C: Curve>() {
    let case = Case::<C>::new();
    for long in 1..=3 {
        let ended = case.play(&[4], |round, _, _, said| {
            let body = match round {
                1 => opening::<C>(4),
                2 => vec![],
                _ => confirmation(said),
            };
            Some(if round == long { vec![1; 100_000] } else { body })
        });
        for result in ended.results.values() {
            let Err(stopped) = result else { panic!() };
            let Abort::Missing { rejected, .. } = &stopped.abort else {
                panic!("{:?}", stopped.abort)
            };
            assert_eq!(rejected.len(), 1);
        }
    }
}

every_curve! { opening_keys deals confirmations complaints what_is_too_long_is_not_taken }
