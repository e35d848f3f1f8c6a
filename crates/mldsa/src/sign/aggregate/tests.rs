//! A slot that all signers have accepted, at the limits of what becomes a signature.
//!
//! The key has t = 0, so v = A·z, and any w near it can be chosen.

use alloc::sync::Arc;

use quorate_session::Parties;
use quorate_testkit::lockstep::parties;

use super::*;
use crate::level::Level;
use crate::package::PublicKeyPackage;
use crate::profile::Profile;
use crate::rounding::decompose;
use crate::verify::commitment_hash;

/// Two of two sign with the key t = 0.
fn terms(level: Level) -> Terms {
    let all: Parties = parties([1, 2]);
    let parameters = PublicKeyPackage::parameters((level, Profile::Published), 2, &all).unwrap();
    let public = PublicKeyPackage::new(parameters, all.clone(), [7; 32], |_| zeros(level.k()));
    let mu = public.verifying_key().represent(b"message", b"").unwrap();
    Terms::new(Arc::new(public), &all, mu).unwrap()
}

/// The signature of z = z1 + z1′, if there is one. w is v, except for `moved` coefficients. Those differ from v by
/// `by`, on the side on which the high bits change first.
fn finished(level: Level, longest: i32, moved: usize, by: i32) -> Option<Signature> {
    let terms = terms(level);
    let one = |i| Poly::of((0..256).map(|j| (j * 37 + i) & 1023));
    let first: Vec<Poly> = (0..).map(one).take(level.l()).collect();
    let mut second = first.clone();
    second[0].0[9] = longest - first[0].0[9];
    let mut z = first.clone();
    add_all(&mut z, &second);
    let zero = Poly::ZERO.ntt();
    let mut w = terms.public.verifying_key().commitment(&terms.a, &zero, &z);
    // Far from 0 and from q, where the intervals of high bits end.
    let edge = 4 * level.gamma2();
    let places = w.iter_mut().flat_map(|row| row.0.iter_mut());
    let middle = places.filter(|a| (edge..crate::field::Q - edge).contains(*a));
    let changed = middle.take(moved).map(|a| {
        *a += if decompose(level, *a).1 > 0 { by } else { -by };
    });
    assert_eq!(changed.count(), moved);
    let high = |row: &Poly| Poly(row.0.map(|a| high_bits(level, a)));
    let w1: Vec<Poly> = w.iter().map(high).collect();
    let hash = commitment_hash(level, &terms.mu, &w1);
    let c = crate::sample::challenge_vartime(level, &hash).ntt();
    let signature = sum(&terms, &Slot { w, hash, c }, Vec::from([&first[..], &second[..]]));
    if let Some(signature) = &signature {
        assert_eq!(signature.hint.rows().flatten().filter(|one| *one).count(), moved);
        let again = Signature::from_bytes(level, &signature.to_bytes());
        assert!(again.as_ref() == Ok(signature), "one form");
    }
    signature
}

#[test]
fn a_hint_has_at_most_omega_ones() {
    for level in Level::ALL {
        for (ones, good) in
            [(0, true), (1, true), (level.omega(), true), (level.omega() + 1, false)]
        {
            let found = finished(level, 5, ones, level.gamma2());
            assert_eq!(found.is_some(), good, "{level} {ones}");
        }
    }
}

#[test]
fn w_is_at_most_gamma2_from_what_verifiers_compute() {
    for level in Level::ALL {
        assert!(finished(level, 5, 3, level.gamma2()).is_some());
        // A verifier would accept it: the hint gives the direction, but not the distance.
        assert!(finished(level, 5, 3, level.gamma2() + 1).is_none());
    }
}

#[test]
fn z_is_below_its_limit() {
    for level in Level::ALL {
        let limit = level.gamma1() - level.beta();
        for (longest, good) in
            [(limit - 1, true), (1 - limit, true), (limit, false), (-limit, false)]
        {
            assert_eq!(finished(level, longest, 2, level.gamma2()).is_some(), good, "{longest}");
        }
    }
}
