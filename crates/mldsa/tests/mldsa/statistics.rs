//! How often attempts succeed and signers accept, against the model: p = M^-T · P[z, δ and the hint are in their
//! limits]. A success is one good slot of K.
//!
//! These tests do not test secrecy, since a signer that gives its secret away may accept as often. Tests of secrecy
//! are in `src/sign/mask/tests/secrecy.rs`, by ⟨z, c·s⟩.

use crate::common::{deal, params};
use quorate_mldsa::{Level, Sign};
use quorate_testkit::lockstep::{honest, parties, sid, start};

/// A row: level, T, N, K, M^-1 and p of the model.
type Row = (Level, u16, u16, u16, f64, f64);

/// (r/r′)^D, and p by the model with a hint's bit of probability |δ|/2γ2.
const ROWS: [Row; 5] = [
    (Level::MlDsa44, 2, 2, 2, 0.6405, 0.351),
    (Level::MlDsa44, 2, 3, 3, 0.5974, 0.255),
    (Level::MlDsa44, 3, 3, 4, 0.6280, 0.183),
    (Level::MlDsa65, 2, 3, 5, 0.4211, 0.129),
    (Level::MlDsa87, 2, 3, 4, 0.5379, 0.184),
];

/// Returns whether `found` of `count` is within five deviations of a chance.
fn near(found: f64, count: f64, chance: f64) -> bool {
    // The model is accurate to 5 %.
    (found - count * chance).abs()
        < 5.0 * (count * chance * (1.0 - chance)).sqrt() + 0.05 * count * chance
}

fn follows_the_model((level, threshold, count, slots, accepts, p): Row, attempts: u16) {
    let dealt = deal(level, threshold, count);
    let signers = parties(1..=threshold);
    let (mut good, mut accepted) = (0.0, 0.0);
    for number in 0..attempts {
        let mu = dealt.public.verifying_key().represent(&number.to_be_bytes(), b"").unwrap();
        let byte = number.to_be_bytes()[1];
        let steps = signers.iter().map(|me| {
            let params = params(&dealt, me, &signers, mu, sid(byte), number.into());
            start::<Sign>(sid(byte), me, &signers, params)
        });
        let result = honest::<Sign>(steps.collect(), |_| {}).swap_remove(0);
        good += f64::from(u8::from(result.signature.is_some()));
        accepted += result.accepted.values().map(|count| f64::from(*count)).sum::<f64>();
    }
    let tried = f64::from(attempts) * f64::from(slots) * f64::from(threshold);
    assert!(
        near(accepted, tried, accepts),
        "{level} {threshold} of {count}: {accepted} of {tried}"
    );
    let success = 1.0 - (1.0 - p).powi(slots.into());
    assert!(
        near(good, attempts.into(), success),
        "{level} {threshold} of {count}: {good} of {attempts}"
    );
}

#[test]
fn attempts_succeed_as_often_as_the_model_says() {
    ROWS.into_iter().for_each(|row| follows_the_model(row, 120));
}

#[test]
#[ignore = "minutes: 4000 attempts of each row"]
fn attempts_succeed_as_often_as_the_model_says_in_many_attempts() {
    ROWS.into_iter().for_each(|row| follows_the_model(row, 4000));
}

/// Coefficients of z are those of a sum of points of a ball, and not uniform below γ1 − β. So one signature shows
/// that the key is shared.
#[test]
fn an_observer_tells_the_key_apart() {
    let dealt = deal(Level::MlDsa44, 3, 3);
    let (mut squares, mut count) = (0.0, 0.0);
    for message in 0..4 {
        let mu = dealt.public.verifying_key().represent(&[message], b"").unwrap();
        let signature = crate::common::sign(&dealt, &parties([1, 2, 3]), mu).to_bytes();
        // Behind c̃, four polynomials of 18 bits a coefficient: γ1 − z.
        let bits: Vec<u8> = signature[32..32 + 4 * 576]
            .iter()
            .flat_map(|byte| (0..8).map(move |at| byte >> at & 1))
            .collect();
        for bits in bits.chunks(18) {
            let packed = bits.iter().rev().fold(0_u32, |all, bit| all << 1 | u32::from(*bit));
            squares += (f64::from(1 << 17) - f64::from(packed)).powi(2);
            count += 1.0;
        }
    }
    let deviation = f64::sqrt(squares / count);
    // ν·r·√(T/(D + 2)), 28 300, and (γ1 − β)/√3, 75 600.
    let expected = 3.0 * 246_490.0 * f64::sqrt(3.0 / 2050.0);
    assert!((deviation / expected - 1.0).abs() < 0.05, "{deviation}");
    assert!(2.5 * deviation < f64::from((1 << 17) - 78) / f64::sqrt(3.0));
}
