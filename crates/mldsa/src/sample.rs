//! Sampling from hash streams (FIPS 204, §7.3).

use quorate_declassify::declassify;
use zeroize::Zeroizing;

use crate::field::Q;
use crate::hash::{shake128, shake256, take};
use crate::level::Level;
use crate::poly::{N, Ntt, Poly, SecretVector};

/// The challenge of this hash (SampleInBall, Algorithm 29): τ coefficients are 1 or −1, the others 0. It is public.
pub(crate) fn challenge_vartime(level: Level, hash: &[u8]) -> Poly {
    let mut stream = shake256(&[hash]);
    let mut signs = u64::from_le_bytes(take(&mut stream));
    let mut c = Poly::ZERO;
    for i in (N - level.tau())..N {
        let j = loop {
            let [j] = take(&mut stream);
            if usize::from(j) <= i {
                break usize::from(j);
            }
        };
        c.0.swap(i, j);
        if let Some(at) = c.0.get_mut(j) {
            *at = if signs & 1 == 0 { 1 } else { -1 };
        }
        signs >>= 1;
    }
    c
}

/// A polynomial of A, transformed (RejNTTPoly, Algorithm 30).
pub(crate) fn uniform(rho: &[u8; 32], column: u8, row: u8) -> Ntt {
    let mut stream = shake128(&[rho, &[column, row]]);
    let mut values = Poly::ZERO;
    let mut places = values.0.iter_mut();
    'blocks: loop {
        let block: [u8; 168] = take(&mut stream);
        for [low, middle, high] in block.as_chunks().0 {
            let candidate = i32::from_le_bytes([*low, *middle, high & 0x7f, 0]);
            if candidate < Q {
                let Some(place) = places.next() else { break 'blocks };
                *place = candidate;
            }
        }
    }
    Ntt::of(values)
}

/// A secret, s1 of ℓ and s2 of k polynomials with coefficients from −η to η (ExpandS, Algorithm 33).
///
/// The time shows which half-bytes are refused, but reveals nothing about those that are taken.
pub(crate) fn secret(level: Level, seed: &[u8; 64]) -> (SecretVector, SecretVector) {
    let mut all = (0_u16..).map(|index| bounded(level, seed, index));
    let s1 = Zeroizing::new(all.by_ref().take(level.l()).collect());
    (s1, Zeroizing::new(all.take(level.k()).collect()))
}

/// RejBoundedPoly (Algorithm 31).
fn bounded(level: Level, seed: &[u8; 64], index: u16) -> Poly {
    let mut stream = shake256(&[seed, &index.to_le_bytes()]);
    let mut poly = Poly::ZERO;
    let mut places = poly.0.iter_mut();
    'blocks: loop {
        let block: Zeroizing<[u8; 136]> = Zeroizing::new(take(&mut stream));
        for half in block.iter().flat_map(|byte| [byte & 15, byte >> 4]) {
            let (coefficient, taken) = from_half_byte(level, half);
            // A refused half-byte reveals nothing about those that are taken.
            if declassify(taken) {
                let Some(place) = places.next() else { break 'blocks };
                *place = coefficient;
            }
        }
    }
    poly
}

/// CoeffFromHalfByte (Algorithm 15): a coefficient, and whether it is to be taken.
fn from_half_byte(level: Level, half: u8) -> (i32, bool) {
    let half = i32::from(half);
    match level {
        // 2 − (b mod 5)
        Level::MlDsa44 | Level::MlDsa87 => (2 - (half - ((205 * half) >> 10) * 5), half < 15),
        Level::MlDsa65 => (4 - half, half < 9),
    }
}

#[cfg(test)]
#[allow(clippy::integer_division_remainder_used, reason = "the definitions, by division")]
mod tests {
    use super::*;

    #[test]
    fn challenges_have_tau_signs() {
        for level in Level::ALL {
            for seed in 0..20 {
                let c = challenge_vartime(level, &[seed; 32]);
                assert_eq!(c.iter().filter(|a| *a != 0).count(), level.tau());
                assert!(c.iter().all(|a| a.abs() <= 1));
            }
        }
    }

    #[test]
    fn half_bytes_give_the_coefficients_of_the_standard() {
        for half in 0..16_u8 {
            let found = |level| {
                let (coefficient, taken) = from_half_byte(level, half);
                taken.then_some(coefficient)
            };
            let two = (half < 15).then(|| 2 - i32::from(half % 5));
            assert_eq!(found(Level::MlDsa44), two);
            assert_eq!(found(Level::MlDsa87), two);
            assert_eq!(found(Level::MlDsa65), (half < 9).then(|| 4 - i32::from(half)));
        }
    }

    #[test]
    fn secrets_take_every_coefficient() {
        for level in Level::ALL {
            let (s1, s2) = secret(level, &[7; 64]);
            assert_eq!((s1.len(), s2.len()), (level.l(), level.k()));
            for value in -level.eta() - 1..=level.eta() + 1 {
                let found = s1.iter().chain(s2.iter()).any(|poly| poly.iter().any(|a| a == value));
                assert_eq!(found, value.abs() <= level.eta());
            }
        }
    }
}
