//! The correlation of responses with the secret: ⟨z, c·s⟩ over slots with real secrets, challenges and points.
//!
//! If a mask is moved by c·s and not cut, or cut in the wrong place, z has a mean of c·s. The product with c·s
//! itself sums that up over all coordinates. A product with s, or one coordinate of z, sees a fraction of it, since
//! c turns s another way in each slot.

#![allow(clippy::integer_division_remainder_used, reason = "every tenth slot")]

use std::println;

use super::*;
use crate::hash::h;

/// The counts of one signer's slots.
#[derive(Default)]
struct Slots {
    tried: f64,
    accepted: f64,
    /// The points that lie in the ball of radius r before they are moved: the sampler alone.
    alone: f64,
    /// The number of accepted slots less that of points alone, and the number of slots in which the two differ.
    differ: [f64; 2],
    /// The sum of ⟨z, c·s⟩/‖c·s‖ over accepted slots.
    lean: f64,
    /// The sum of ‖c·s‖ over accepted slots: the correlation of a mask that is moved and not cut.
    moved: f64,
}

impl Slots {
    fn count(&mut self, cut: &Cut, point: &Point, Moved { u1, u2, norm }: &Moved, rule: Rule<'_>) {
        let alone = square_of(cut, point, u1, u2, 0.0) <= cut.square;
        let (z1, accepted) = rule(cut, point, u1, u2);
        self.alone += f64::from(u8::from(alone));
        let differ = f64::from(u8::from(accepted)) - f64::from(u8::from(alone));
        self.differ = [self.differ[0] + differ, self.differ[1] + differ.abs()];
        if accepted {
            let mut z2 = cut.mask(point).1;
            add_all(&mut z2, u2);
            let weight = cut.unstretch * cut.unstretch;
            self.accepted += 1.0;
            self.lean += (weight * product(&z1, u1) + product(&z2, u2)) / norm;
            self.moved += norm;
        }
    }

    /// The number of accepted slots, or of points alone, in deviations from the number that the radii give.
    fn rate(&self, found: f64, set: &ParameterSet) -> f64 {
        let chance = acceptance(set);
        (found - self.tried * chance) / (self.tried * chance * (1.0 - chance)).sqrt()
    }

    /// A sum of products in deviations: a coordinate of a point uniform in the ball of radius r has r/√(D + 2).
    fn deviations(&self, sum: f64, set: &ParameterSet) -> f64 {
        let dimension = ParameterSet::dimension(set.level) as f64;
        sum / (f64::from(set.radius) * (self.accepted / (dimension + 2.0)).sqrt())
    }
}

/// c·s, and its norm when s1 is divided by ν.
struct Moved {
    u1: SecretVector,
    u2: SecretVector,
    norm: f64,
}

/// A signer of a dealer's key.
struct Signer {
    cut: Cut,
    s1: Vec<Ntt>,
    s2: Vec<Ntt>,
}

impl Signer {
    /// A signer that answers for this number of secrets, each of them `factor` times as long as it should be.
    fn new(set: &ParameterSet, secrets: u8, factor: i32) -> Self {
        let (mut s1, mut s2) = (zeros(set.level.l()), zeros(set.level.k()));
        for seed in 0..secrets {
            let (first, second) = secret(set.level, &[seed; 64]);
            add_all(&mut s1, &first);
            add_all(&mut s2, &second);
        }
        let longer = |poly: &mut Poly| poly.each(|a| factor * a);
        s1.iter_mut().chain(&mut s2).for_each(longer);
        Self { cut: Cut::new(set), s1: transforms(&s1), s2: transforms(&s2) }
    }

    fn slots(&self, name: &[u8], rule: Rule<'_>, slots: u32) -> Slots {
        let mut found = Slots { tried: slots.into(), ..Slots::default() };
        let mut moved = self.moved(name, 0);
        for slot in 0..slots {
            // The number of accepted points does not depend on what moves them. Ten points share one challenge, to
            // save time.
            if slot % 10 == 0 {
                moved = self.moved(name, slot);
            }
            let point = self.cut.point(&h(&[b"x", name]), slot);
            found.count(&self.cut, &point, &moved, rule);
        }
        found
    }

    /// c·s for the challenge of a slot.
    fn moved(&self, name: &[u8], slot: u32) -> Moved {
        let level = self.cut.set.level;
        let hash = h::<64>(&[b"c", name, &slot.to_be_bytes()]);
        let c = challenge_vartime(level, &hash[..level.challenge_len()]).ntt();
        let (u1, u2) = (times(&c, &self.s1), times(&c, &self.s2));
        let weight = self.cut.unstretch * self.cut.unstretch;
        let norm = (weight * product(&u1, &u1) + product(&u2, &u2)).sqrt();
        Moved { u1, u2, norm }
    }
}

/// ⟨a, b⟩
fn product(a: &[Poly], b: &[Poly]) -> f64 {
    let pairs = a.iter().flat_map(Poly::iter).zip(b.iter().flat_map(Poly::iter));
    pairs.map(|(a, b)| f64::from(a) * f64::from(b)).sum()
}

/// The square of the norm of a point that is moved by a fraction of u.
fn square_of(cut: &Cut, point: &Point, u1: &[Poly], u2: &[Poly], fraction: f64) -> f64 {
    let (first, second) = cut.halves(point);
    square(first, u1, fraction * cut.unstretch) + square(second, u2, fraction)
}

/// Masks that are cut by their own norm, before they are moved.
fn mask_is_cut(cut: &Cut, point: &Point, u1: &[Poly], u2: &[Poly]) -> (SecretVector, bool) {
    (cut.cut(point, u1, u2).0, square_of(cut, point, u1, u2, 0.0) <= cut.square)
}

#[test]
fn responses_do_not_lean_to_the_secret() {
    for level in Level::ALL {
        let (_, set) = set(Profile::Published, level, 2, 3);
        let found = Signer::new(&set, 2, 1).slots(b"honest", &honest, 400);
        let lean = found.deviations(found.lean, &set);
        assert!(lean.abs() < 4.5, "{level}: {lean}");
    }
}

/// With a secret twenty times too long, some hundred slots show it. With one of its length, 45 000 do.
#[test]
fn responses_of_masks_that_are_cut_before_they_are_moved_lean_to_the_secret() {
    for level in Level::ALL {
        let (_, set) = set(Profile::Published, level, 2, 3);
        let found = Signer::new(&set, 2, 20).slots(b"cut", &mask_is_cut, 300);
        let lean = found.deviations(found.lean, &set);
        assert!(lean > 9.0, "{level}: {lean}");
    }
}

/// The long form, with secrets of the true length.
#[test]
#[ignore = "a minute with --release: 200 000 slots of each level"]
fn responses_do_not_lean_to_the_secret_in_many_slots() {
    for level in Level::ALL {
        let (_, set) = set(Profile::Published, level, 2, 3);
        let signer = Signer::new(&set, 2, 1);
        for (name, rule) in [("honest", &honest as Rule<'_>), ("cut before", &mask_is_cut)] {
            let found = signer.slots(name.as_bytes(), rule, 200_000);
            let [lean, power] = [found.lean, found.moved].map(|sum| found.deviations(sum, &set));
            println!("{level}, {name}: {lean:+.2} deviations, {power:.1} if it leaned");
            let expected = if name == "honest" { 0.0 } else { power };
            assert!(power > 13.0 && (lean - expected).abs() < 4.5);
        }
    }
}

/// One cell, with ten million slots: level 65, 2 of 3, party 2, which answers for one secret. The sampler alone is
/// counted too, on the same points.
#[test]
#[ignore = "ten minutes with --release: ten million slots"]
fn party_2_of_level_65_accepts_as_often_as_the_radii_say() {
    let (_, set) = set(Profile::Published, Level::MlDsa65, 2, 3);
    let signer = Signer::new(&set, 1, 1);
    let mut all = Slots::default();
    for run in 0..100_u8 {
        let found = signer.slots(&[run], &honest, 100_000);
        all.tried += found.tried;
        all.accepted += found.accepted;
        all.alone += found.alone;
        all.differ = [all.differ[0] + found.differ[0], all.differ[1] + found.differ[1]];
        all.lean += found.lean;
        all.moved += found.moved;
        let [accepted, alone] = [all.accepted, all.alone].map(|count| all.rate(count, &set));
        let [lean, power] = [all.lean, all.moved].map(|sum| all.deviations(sum, &set));
        let differ = all.differ[0] / all.differ[1].sqrt();
        println!(
            "{}: accepted {} ({accepted:+.2}), alone {} ({alone:+.2}), difference {} ({differ:+.2}), \
             lean {lean:+.2} of {power:.1}",
            all.tried, all.accepted, all.alone, all.differ[0]
        );
    }
    let far = |deviations: f64| deviations.abs() > 4.5;
    assert!(!far(all.rate(all.accepted, &set)) && !far(all.rate(all.alone, &set)));
    assert!(!far(all.differ[0] / all.differ[1].sqrt()) && !far(all.deviations(all.lean, &set)));
}
