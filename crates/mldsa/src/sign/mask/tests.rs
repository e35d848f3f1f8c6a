//! Statistics of rejection sampling, seeded and with wide tolerances: what is sent is independent of the secret.

mod heap;
mod odds;
mod secrecy;

use super::*;
use crate::level::Level;
use crate::model::{acceptance, bound, sets};
use crate::profile::Profile;
use crate::sample::{challenge_vartime, secret};
use crate::sign::view::is_short;
use crate::subset::Shape;

/// A set, with its shape.
fn set(profile: Profile, level: Level, threshold: u8, parties: u8) -> (Shape, ParameterSet) {
    let shape = Shape { threshold, parties };
    (shape, ParameterSet::of(level, profile, shape).unwrap())
}

/// c·s for this number of secrets of a level, or zero if there are none.
fn shift(level: Level, secrets: u8) -> (SecretVector, SecretVector) {
    let c = challenge_vartime(level, &[secrets; 32]).ntt();
    let (mut u1, mut u2) = (zeros(level.l()), zeros(level.k()));
    for seed in 0..secrets {
        let (s1, s2) = secret(level, &[seed; 64]);
        add_all(&mut u1, &times(&c, &transforms(&s1)));
        add_all(&mut u2, &times(&c, &transforms(&s2)));
    }
    (Zeroizing::new(u1), Zeroizing::new(u2))
}

/// A vector of the greatest norm B for which the radii are made, along two axes.
fn longest(shape: Shape, set: &ParameterSet) -> (SecretVector, SecretVector) {
    let b = bound(shape, set.level, set.stretch());
    let (mut u1, mut u2) = (zeros(set.level.l()), zeros(set.level.k()));
    u2[0].0[0] = nearest(b * 0.7);
    u1[0].0[5] = nearest(b * 0.7 * set.stretch());
    (Zeroizing::new(u1), Zeroizing::new(u2))
}

/// The counts of rejection sampling over a number of slots.
#[derive(Default)]
struct Tally {
    tried: f64,
    accepted: f64,
    /// Accepted points in the inner half of the ball of radius r.
    inner: f64,
    /// The sum of the squares of a coefficient of z1, over 256ℓ.
    variance: f64,
    /// Accepted points that the check of the others refuses.
    long: u32,
}

type Rule<'r> = &'r dyn Fn(&Cut, &Point, &[Poly], &[Poly]) -> (SecretVector, bool);

fn honest(cut: &Cut, point: &Point, u1: &[Poly], u2: &[Poly]) -> (SecretVector, bool) {
    cut.cut(point, u1, u2)
}

/// Counts slots of a cut, with the numbers that the set `right` demands.
fn tally(
    cut: &Cut,
    right: &ParameterSet,
    rule: Rule<'_>,
    u: &[SecretVector; 2],
    slots: u32,
) -> Tally {
    let dimension = ParameterSet::dimension(right.level) as f64;
    let inner = f64::from(right.radius).powi(2) * 0.5_f64.powf(2.0 / dimension);
    let mut tally = Tally { tried: slots.into(), ..Tally::default() };
    for slot in 0..slots {
        let point = cut.point(&[8; 64], slot);
        let (z1, accepted) = rule(cut, &point, &u[0], &u[1]);
        if !accepted {
            continue;
        }
        tally.accepted += 1.0;
        let (first, second) = cut.halves(&point);
        let square = square(first, &u[0], cut.unstretch) + square(second, &u[1], 1.0);
        tally.inner += f64::from(u8::from(square <= inner));
        let squares = z1.iter().flat_map(Poly::iter).map(|z| f64::from(z).powi(2));
        tally.variance += squares.sum::<f64>() / (z1.len() * N) as f64;
        let (_, mut z2) = cut.mask(&point);
        add_all(&mut z2, &u[1]);
        tally.long += u32::from(!is_short(right, &z1, &z2));
    }
    tally
}

/// Returns whether a tally is that of rejection sampling by this set. One slot in M is accepted. Accepted points
/// are uniform in the ball of radius r, with the variance that ν gives z1. The check of the others passes all of
/// them.
fn is_sound(tally: &Tally, right: &ParameterSet) -> bool {
    let dimension = ParameterSet::dimension(right.level) as f64;
    let rate = acceptance(right);
    let near = |found: f64, count: f64, chance: f64| {
        (found - count * chance).abs() < 5.0 * (count * chance * (1.0 - chance)).sqrt()
    };
    let stretched = right.stretch() * f64::from(right.radius);
    let variance = stretched * stretched / (dimension + 2.0);
    near(tally.accepted, tally.tried, rate)
        && near(tally.inner, tally.accepted, 0.5)
        && (tally.variance / tally.accepted / variance - 1.0).abs() < 0.02
        && tally.long == 0
}

/// The tally is sound for no secret, an honest one, another one, and one at the greatest norm.
fn sound_for_every_secret((shape, set): (Shape, ParameterSet), slots: u32) {
    let (level, profile) = (set.level, set.profile);
    for (u1, u2) in [shift(level, 0), shift(level, 1), shift(level, 2), longest(shape, &set)] {
        let tally = tally(&Cut::new(&set), &set, &honest, &[u1, u2], slots);
        let of = tally.accepted;
        assert!(is_sound(&tally, &set), "{level} {profile} {shape:?}: {of} of {slots}");
    }
}

/// Takes the norm before the division by ν, with the radius as it is, and with the radius times ν.
fn undivided(
    cut: &Cut,
    factor: f64,
    point: &Point,
    u1: &[Poly],
    u2: &[Poly],
) -> (SecretVector, bool) {
    let (first, second) = cut.halves(point);
    let stretched: Vec<f64> = first.iter().map(|x| cut.stretch * x).collect();
    let square = square(&stretched, u1, 1.0) + square(second, u2, 1.0);
    (cut.cut(point, u1, u2).0, square <= cut.square * factor * factor)
}

/// [`is_sound`] finds each of the errors that were in published code.
fn mutants_are_found(set: &ParameterSet, slots: u32) {
    let (u1, u2) = shift(set.level, 2);
    let u = [u1, u2];
    let right = Cut::new(set);
    let verdict = |cut: &Cut, rule: Rule<'_>| is_sound(&tally(cut, set, rule, &u, slots), set);
    assert!(verdict(&right, &honest));
    for factor in [1.0, right.stretch] {
        assert!(!verdict(&right, &|cut, point, u1, u2| undivided(cut, factor, point, u1, u2)));
    }
    let swapped = ParameterSet { radius: set.mask_radius, mask_radius: set.radius, ..*set };
    assert!(!verdict(&Cut::new(&swapped), &honest));
    let others = [1.0, 2.0, 2.5, 3.0, 4.0, 6.0, 6.5, 7.0, 7.5, 8.0];
    for nu in others.into_iter().filter(|nu| *nu != right.stretch) {
        assert!(!verdict(&Cut { stretch: nu, unstretch: 1.0 / nu, ..right }, &honest), "{nu}");
    }
    // A signer that rejects nothing, and one that sends a response that it should reject.
    assert!(!verdict(&right, &|cut, point, u1, u2| (cut.cut(point, u1, u2).0, true)));
}

#[test]
fn what_is_accepted_is_independent_of_the_secret() {
    for (profile, slots) in [(Profile::Published, 1000), (Profile::Strict, 700)] {
        sound_for_every_secret(set(profile, Level::MlDsa44, 2, 3), slots);
        sound_for_every_secret(set(profile, Level::MlDsa65, 2, 3), slots);
        sound_for_every_secret(set(profile, Level::MlDsa87, 3, 3), slots);
    }
}

#[test]
fn errors_of_published_code_are_found() {
    for level in Level::ALL {
        mutants_are_found(&set(Profile::Published, level, 2, 3).1, 400);
    }
    mutants_are_found(&set(Profile::Strict, Level::MlDsa44, 3, 5).1, 400);
}

/// The long form: all sets of a level.
fn every_set(level: Level) {
    for set in Profile::ALL.into_iter().flat_map(|profile| sets(profile, level)) {
        sound_for_every_secret(set, 4000);
        mutants_are_found(&set.1, 400);
    }
}

#[test]
#[ignore = "minutes: every set, 4000 slots"]
fn every_set_of_44_is_independent_of_the_secret() {
    every_set(Level::MlDsa44);
}

#[test]
#[ignore = "minutes: every set, 4000 slots"]
fn every_set_of_65_is_independent_of_the_secret() {
    every_set(Level::MlDsa65);
}

#[test]
#[ignore = "minutes: every set, 4000 slots"]
fn every_set_of_87_is_independent_of_the_secret() {
    every_set(Level::MlDsa87);
}

/// The response of a slot that exceeds its encoding is not sent, whatever its norm.
#[test]
fn a_response_that_does_not_fit_is_rejected() {
    let (_, set) = set(Profile::Published, Level::MlDsa44, 2, 3);
    let cut = Cut::new(&set);
    let (mut u1, u2) = shift(set.level, 0);
    let accepted = (0..).find(|slot| cut.cut(&cut.point(&[8; 64], *slot), &u1, &u2).1).unwrap();
    let point = cut.point(&[8; 64], accepted);
    let (z1, _) = cut.cut(&point, &u1, &u2);
    for (to, fits) in [(set.level.gamma1() - 1, true), (set.level.gamma1(), false)] {
        for sign in [1, -1] {
            u1[0].0[0] = sign * to - z1[0].0[0];
            // A radius that leaves room for the one coefficient.
            let wide = Cut { square: cut.square * 4.0, ..cut };
            let (moved, accepted) = wide.cut(&point, &u1, &u2);
            assert_eq!((moved[0].0[0], accepted), (sign * to, fits));
        }
    }
}

/// The number of points held has a limit. The points beyond it are the same when drawn again.
#[test]
fn points_beyond_the_limit_are_drawn_again() {
    let bytes =
        |masks: &Masks| masks.points.iter().map(|x| 8 * x.coordinates().len()).sum::<usize>();
    let (_, small) = set(Profile::Published, Level::MlDsa44, 3, 3);
    let a = Matrix::expand(Level::MlDsa44, &[5; 32]);
    let masks = || Masks::new(&small, Seed::filled(|seed| seed.fill(6)));
    let all = masks();
    assert_eq!((all.points.len(), bytes(&all)), (4, 4 * 2048 * 8));
    let few = Masks { points: masks().points.drain(..1).collect(), ..masks() };
    assert_eq!(all.commitments(&a), few.commitments(&a));
    let (_, large) = set(Profile::Published, Level::MlDsa65, 4, 5);
    let masks = Masks::new(&large, Seed::filled(|seed| seed.fill(6)));
    assert_eq!((large.slots, masks.points.len()), (205, 186));
    assert!(bytes(&masks) <= HELD);
}
