//! Enough deals that their points are decoded together: 16 dealers with 18 points each.

use quorate_curve::{Curve, Ed25519};
use quorate_keys::Reshare;
use quorate_keys::session::Fault;

use crate::group::{Key, Of};
use crate::play::{Ended, Lies, play};

type Reshared = quorate_keys::Reshared<Of<Ed25519>>;

fn refreshed(corrupt: &[u16], lies: impl Lies) -> Ended<Reshared> {
    let all: Vec<u16> = (1..=16).collect();
    let key = Key::<Ed25519>::dealt(&all, 16, 6);
    let plan = key.plan(&all, &all, 16);
    play::<Reshare<Of<Ed25519>>>(&plan.parties(), corrupt, |me| key.part(&plan, me), lies)
}

/// The point (−x, −y): P and the point (0, −1) of order two.
fn moved(point: &[u8]) -> Vec<u8> {
    let mut prime = [0xff; 32];
    (prime[0], prime[31]) = (0xed, 0x7f);
    let mut y: Vec<u8> = point.to_vec();
    let sign = y[31] >> 7;
    y[31] &= 0x7f;
    let mut borrow = 0;
    for (digit, prime) in y.iter_mut().zip(prime) {
        let value = prime - i32::from(*digit) - borrow;
        borrow = i32::from(value < 0);
        *digit = (value & 0xff) as u8;
    }
    y[31] |= (1 - sign) << 7;
    y
}

#[test]
fn sixteen_parties_refresh_together() {
    let ended = refreshed(&[], |_, _, _, _| None);
    assert!(ended.results.len() == 16 && ended.results.values().all(Result::is_ok));
}

/// Alone, and in a case where the sum of the points is in the subgroup.
#[test]
fn who_deals_points_outside_the_subgroup_is_named() {
    let generator = Ed25519::encode_point(&Ed25519::generator());
    assert!(Ed25519::decode_point(&moved(&generator)).is_none());
    for corrupt in [&[16][..], &[4, 16]] {
        let ended = refreshed(corrupt, |round, from, _, said| match round {
            1 => Some(generator.to_vec()),
            _ => {
                let mut deal = said.by(2, 1).to_vec();
                let at = usize::from(from) * 32..usize::from(from + 1) * 32;
                let point = moved(&deal[at.clone()]);
                deal[at].copy_from_slice(&point);
                Some(deal)
            }
        });
        let named: Vec<_> = corrupt.iter().map(|party| (*party, Fault::InvalidPoint)).collect();
        ended.named(&named);
    }
}
