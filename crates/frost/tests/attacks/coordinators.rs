//! Coordinators: wrong shares of every kind over real curves, many sessions finished together, sessions of another
//! coordinator.

use quorate_curve::Curve;
use quorate_frost::{AggregateError, Ciphersuite, Coordinator, Scalar};
use quorate_testkit::Lcg;

use super::bench::{Cheap, Edwards, Even, Key, Large, MESSAGE, id, rng};
use crate::for_suites;

/// Errors for as many signers, some of which cancel.
fn errors<S: Ciphersuite>(lcg: &mut Lcg, signers: usize) -> Vec<Scalar<S>> {
    let mut errors = vec![Scalar::<S>::default(); signers];
    let by = Scalar::<S>::from(1 + (lcg.number() >> 40));
    let [one, two, three] = [(); 3].map(|()| lcg.below(signers));
    let [first, second] =
        [(); 2].map(|()| S::Curve::batch_coefficient_vartime(&mut rng(0), 3 * signers));
    let kinds = [
        vec![(one, by)],
        vec![(one, by), (two, -by)],
        vec![(one, by), (two, by + by), (three, by + by + by)],
        vec![(one, by), (two, by + by), (three, -(by + by + by))],
        vec![(one, by * second), (two, -(by * first))],
        (0..signers).map(|at| (at, if at == one { Scalar::<S>::default() } else { by })).collect(),
    ];
    for (at, error) in &kinds[lcg.below(kinds.len())] {
        errors[*at] = errors[*at] + *error;
    }
    errors
}

fn searched<S: Ciphersuite>(cases: u8) {
    let mut lcg = Lcg(5);
    let (mut signed, mut named) = (0, 0);
    for case in 0..cases {
        let key = Key::<S>::new(3 + u16::from(case >> 2), 1);
        let coordinator = Coordinator::new(key.public.clone());
        let all = key.sign(MESSAGE, case);
        for _ in 0..4 {
            let errors = errors::<S>(&mut lcg, key.shares.len());
            let session = all.session(&coordinator, &all.wrong(&errors));
            let ids = || key.public.parties().iter();
            let bad: Vec<_> =
                ids().filter(|id| coordinator.verify_share(&session, *id).is_err()).collect();
            let wrong = ids().zip(&errors).filter(|(_, error)| **error != Scalar::<S>::default());
            assert!(wrong.map(|(id, _)| id).eq(bad.iter().copied()));
            match coordinator.aggregate(session) {
                Ok(signature) => {
                    signed += 1;
                    key.public.verifying_key().verify(MESSAGE, &signature).unwrap();
                }
                Err(why) => {
                    named += 1;
                    assert_eq!(why, AggregateError::Cheaters(bad));
                }
            }
        }
    }
    assert!(signed > 0 && named > 0);
}

#[test]
fn errors_over_real_curves_name_whom_each_share_names() {
    searched::<Cheap>(20);
    searched::<Edwards>(20);
    searched::<Even>(12);
    searched::<Large>(4);
}

/// Errors that cancel from session to session, plainly, as multiples, and under coefficients that are known beforehand.
fn across_sessions<S: Ciphersuite>() {
    let key = Key::<S>::new(3, 1);
    let coordinator = Coordinator::new(key.public.clone());
    let all = [b"a", b"b", b"c", b"d"].map(|text| key.sign(text, text[0]));
    let (zero, one) = (Scalar::<S>::default(), Scalar::<S>::from(1));
    let mut rng = rng(0);
    let known = [(); 2].map(|()| S::Curve::batch_coefficient_vartime(&mut rng, 8));
    for errors in [
        [one, -one, zero, zero],
        [one, one + one, -(one + one + one), zero],
        [known[1], -known[0], zero, zero],
        [one, -one, one, -one],
    ] {
        let sessions = all.iter().zip(&errors).map(|(signed, error)| {
            signed.session(&coordinator, &signed.wrong(&[zero, *error, zero]))
        });
        let results = coordinator.aggregate_all(sessions.collect());
        for ((result, error), signed) in results.into_iter().zip(&errors).zip(&all) {
            if *error == zero {
                let message = signed.package.message();
                key.public.verifying_key().verify(message, &result.unwrap()).unwrap();
            } else {
                assert_eq!(result, Err(AggregateError::Cheaters(vec![id(2)])));
            }
        }
    }
    // One session lacks a share, another's errors cancel in it.
    let short = all[0].session(&coordinator, &all[0].shares[..2]);
    let cancelled = all[1].session(&coordinator, &all[1].wrong(&[one, zero, -one]));
    let results = coordinator.aggregate_all(vec![short, cancelled]);
    assert_eq!(results[0], Err(AggregateError::MissingShares(vec![id(3)])));
    key.public.verifying_key().verify(b"b", results[1].as_ref().unwrap()).unwrap();
    assert!(coordinator.aggregate_all(Vec::new()).is_empty());
}

#[test]
fn errors_that_cancel_across_sessions_are_named_in_each() {
    for_suites!(across_sessions);
}

/// A session that was started for one package is finished by the coordinator of another, as when the key was refreshed in
/// between: it is refused, and the honest signers are not named. The sessions beside it are finished.
fn other_coordinators<S: Ciphersuite>() {
    let key = Key::<S>::new(3, 1);
    let first = Coordinator::new(key.public.clone());
    let signed = key.sign(MESSAGE, 4);
    let started = || signed.session(&first, &signed.shares);
    for other in [Key::<S>::new(3, 2), key.at_epoch(1)] {
        let coordinator = Coordinator::new(other.public.clone());
        let refused = |why: &AggregateError| {
            assert!(matches!(why, AggregateError::Mismatch { party: None, .. }), "{why:?}");
            assert!(why.culprits().is_empty());
        };
        refused(&coordinator.aggregate(started()).unwrap_err());
        refused(&coordinator.verify_share(&started(), id(1)).unwrap_err());
        let own = other.sign(b"own", 5);
        let own = own.session(&coordinator, &own.shares);
        let results = coordinator.aggregate_all(vec![started(), own]);
        refused(results[0].as_ref().unwrap_err());
        other.public.verifying_key().verify(b"own", results[1].as_ref().unwrap()).unwrap();
    }
}

#[test]
fn a_session_of_another_coordinator_is_refused_and_names_nobody() {
    other_coordinators::<Cheap>();
    other_coordinators::<Even>();
}
