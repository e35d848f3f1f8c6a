//! Signatures at the limits of what is accepted: z as long as it may be, and hints of every form. Two other
//! implementations give the same verdicts.
//!
//! Under a key whose t1 is zero, v = A·z for every challenge. So anybody can make a signature with any z and h: c̃
//! = H(μ ‖ UseHint(h, v)).

use super::*;
use crate::signature::Hint;

/// The key of this level with t1 = 0.
fn zero_key(level: Level) -> VerifyingKey {
    let mut bytes = alloc::vec![0; level.verifying_key_len()];
    bytes.iter_mut().take(32).for_each(|rho| *rho = 7);
    VerifyingKey::from_bytes(level, &bytes).unwrap()
}

/// The signature of "message" with this z and h, under the key with t1 = 0.
fn signature(level: Level, response: Vec<Poly>, hint: Hint) -> Signature {
    let key = zero_key(level);
    let mu = key.represent(b"message", b"context").unwrap();
    let v = key.commitment(&Matrix::expand(level, &key.rho), &Poly::ZERO.ntt(), &response);
    let w1 = v.iter().zip(hint.rows()).map(|(row, ones)| {
        Poly::of(row.iter().zip(ones).map(|(a, one)| use_hint_vartime(level, one, a)))
    });
    let challenge = commitment_hash(level, &mu, &w1.collect::<Vec<_>>());
    Signature { level, challenge, response, hint }
}

/// The verdicts of the crates `fips204` and `ml-dsa`.
macro_rules! others {
    ($key:expr, $signature:expr, $module:ident, $params:ident) => {{
        use fips204::traits::{SerDes, Verifier};
        let key = $key.to_bytes();
        let first =
            fips204::$module::PublicKey::try_from_bytes(key.clone().try_into().unwrap()).unwrap();
        let second =
            ml_dsa::VerifyingKey::<ml_dsa::$params>::decode(&key.as_slice().try_into().unwrap());
        let read = ml_dsa::Signature::<ml_dsa::$params>::try_from($signature);
        [
            first.verify(b"message", &$signature.try_into().unwrap(), b"context"),
            read.is_ok_and(|read| second.verify_with_context(b"message", b"context", &read)),
        ]
    }};
}

/// Returns whether the bytes are a signature of "message" under the key with t1 = 0. All verifiers agree.
fn accepts(level: Level, bytes: &[u8]) -> bool {
    let key = zero_key(level);
    let read = Signature::from_bytes(level, bytes);
    let found = read.is_ok_and(|read| key.verify(b"message", b"context", &read).is_ok());
    let others = match level {
        Level::MlDsa44 => others!(key, bytes, ml_dsa_44, MlDsa44),
        Level::MlDsa65 => others!(key, bytes, ml_dsa_65, MlDsa65),
        Level::MlDsa87 => others!(key, bytes, ml_dsa_87, MlDsa87),
    };
    assert_eq!(others, [found; 2]);
    found
}

/// Coefficients that are far from the limit.
fn short(level: Level) -> Vec<Poly> {
    let poly = |i| Poly::of((0..256).map(|j| (j * 37 + i) & 1023));
    (0..).map(poly).take(level.l()).collect()
}

fn none(level: Level) -> Hint {
    Hint::new(alloc::vec![Vec::new(); level.k()])
}

#[test]
fn z_reaches_to_its_limit_and_not_beyond() {
    for level in Level::ALL {
        let limit = level.gamma1() - level.beta();
        let last = (level.l() - 1, 255);
        for (row, at) in [(0, 0), (1, 128), last] {
            for (to, good) in [
                (limit - 1, true),
                (1 - limit, true),
                (limit, false),
                (-limit, false),
                (level.gamma1(), false),
                (1 - level.gamma1(), false),
            ] {
                let mut z = short(level);
                z[row].0[at] = to;
                let signature = signature(level, z, none(level));
                assert_eq!(accepts(level, &signature.to_bytes()), good, "{level} {to}");
            }
        }
    }
}

/// Hints of ω ones: spread, and all in the first or the last polynomial.
fn full_hints(level: Level) -> [Hint; 3] {
    let (k, omega) = (level.k(), level.omega());
    let ones: Vec<u8> = (0..=255).rev().take(omega).rev().collect();
    let alone = |row| {
        let mut rows = alloc::vec![Vec::new(); k];
        rows[row] = ones.clone();
        Hint::new(rows)
    };
    let mut rows: Vec<Vec<u8>> = alloc::vec![Vec::new(); k];
    (0..omega).for_each(|one| rows[one & 3].push(u8::try_from(3 * one).unwrap_or(255)));
    [Hint::new(rows), alone(0), alone(k - 1)]
}

#[test]
fn hints_have_up_to_omega_ones_in_one_form() {
    for level in Level::ALL {
        for hint in full_hints(level) {
            let made = signature(level, short(level), hint).to_bytes();
            assert!(accepts(level, &made), "{level}");
            // An end that is beyond ω.
            let mut more = made.clone();
            *more.last_mut().unwrap() += 1;
            assert!(!accepts(level, &more));
            // An end that is one less: the byte after it is not zero.
            let mut less = made.clone();
            *less.last_mut().unwrap() -= 1;
            assert!(!accepts(level, &less));
        }
    }
}

/// A hint with ones at 3 and 9, then 5, in the first two polynomials, and its encoding altered.
fn altered(level: Level, alter: impl FnOnce(&mut [u8], &mut [u8])) -> bool {
    let mut rows = alloc::vec![Vec::new(); level.k()];
    rows[0] = alloc::vec![3, 9];
    rows[1] = alloc::vec![5];
    let mut bytes = signature(level, short(level), Hint::new(rows)).to_bytes();
    let start = bytes.len() - level.omega() - level.k();
    let (positions, ends) = bytes[start..].split_at_mut(level.omega());
    assert_eq!((&positions[..4], &ends[..3]), (&[3, 9, 5, 0][..], &[2, 3, 3][..]));
    alter(positions, ends);
    accepts(level, &bytes)
}

#[test]
fn other_forms_of_a_hint_are_refused() {
    for level in Level::ALL {
        assert!(altered(level, |_, _| {}));
        // The same ones: out of order, and one twice.
        assert!(!altered(level, |positions, _| positions.swap(0, 1)));
        assert!(!altered(level, |positions, ends| {
            positions[..4].copy_from_slice(&[3, 3, 9, 5]);
            ends[0] = 3;
            ends[1..].fill(4);
        }));
        // A byte after the last one: next to it, and at the end.
        assert!(!altered(level, |positions, _| positions[3] = 1));
        assert!(!altered(level, |positions, _| *positions.last_mut().unwrap() = 1));
        // Ends that descend, and an end beyond ω.
        assert!(!altered(level, |_, ends| ends[1] = 1));
        assert!(!altered(level, |_, ends| *ends.last_mut().unwrap() = 2));
        assert!(!altered(level, |_, ends| *ends.last_mut().unwrap() = 0));
        assert!(!altered(level, |_, ends| *ends.last_mut().unwrap() = 255));
        let omega = u8::try_from(level.omega()).unwrap();
        assert!(!altered(level, |_, ends| ends.fill(omega + 1)));
    }
}
