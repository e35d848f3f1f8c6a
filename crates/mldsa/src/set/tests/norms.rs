//! The distribution of ‖c·s‖ over keys and challenges, by splitting, far beyond what drawing them shows. Pairs of a
//! key and a challenge are moved at random, but never below a norm that half of them had before. Then the norm is
//! raised.

#![allow(
    clippy::cast_possible_truncation,
    clippy::integer_division_remainder_used,
    reason = "small numbers of a simulation"
)]

use core::ops::AddAssign;
use std::vec::Vec;

use rand_core::Rng;

use super::*;
use crate::model::{bound, hidden};

const PAIRS: usize = 256;

type Numbers = [i32; N];

/// A key's secrets of one signer, a challenge, and their product.
#[derive(Clone)]
struct Pair {
    /// The places and signs of c.
    c: Vec<(usize, i32)>,
    /// For each polynomial, the coefficients of every secret, and their sum.
    secrets: Vec<(Vec<Numbers>, Numbers)>,
    u: Vec<Numbers>,
    square: f64,
}

/// The numbers of a row of a table.
struct World {
    eta: i32,
    /// The weight of each polynomial in the norm: 1/ν² or 1.
    weights: Vec<f64>,
    bound: f64,
}

fn below(rng: &mut impl Rng, limit: usize) -> usize {
    ((u64::from(rng.next_u32()) * limit as u64) >> 32) as usize
}

/// The place and the sign of x^i.
const fn turned(i: usize) -> (usize, i32) {
    if i < N { (i, 1) } else { (i - N, -1) }
}

/// sign·x^place·s, added.
fn add(u: &mut Numbers, s: &Numbers, (place, sign): (usize, i32)) {
    for (j, s) in s.iter().enumerate() {
        let (at, turn) = turned(j + place);
        u[at].add_assign(sign * turn * s);
    }
}

fn squares(u: &Numbers) -> f64 {
    u.iter().map(|u| f64::from(u * u)).sum()
}

impl World {
    fn new(shape: Shape, set: &ParameterSet) -> Self {
        let nu = set.stretch();
        let weights = core::iter::repeat_n(1.0 / (nu * nu), set.level.l());
        let weights = weights.chain(core::iter::repeat_n(1.0, set.level.k())).collect();
        Self { eta: set.level.eta(), weights, bound: bound(shape, set.level, nu) }
    }

    fn coefficient(&self, rng: &mut impl Rng) -> i32 {
        below(rng, 2 * self.eta as usize + 1) as i32 - self.eta
    }

    fn draw(&self, shape: Shape, set: &ParameterSet, rng: &mut impl Rng) -> Pair {
        let secrets = shape.subsets().count().div_ceil(shape.threshold.into());
        let mut c: Vec<(usize, i32)> = Vec::new();
        while c.len() < set.level.tau() {
            let place = below(rng, N);
            if c.iter().all(|(other, _)| *other != place) {
                c.push((place, 1 - 2 * below(rng, 2) as i32));
            }
        }
        let mut pair = Pair { c, secrets: Vec::new(), u: Vec::new(), square: 0.0 };
        for weight in &self.weights {
            let mut one = || core::array::from_fn(|_| self.coefficient(rng));
            let parts: Vec<Numbers> = (0..secrets).map(|_| one()).collect();
            let sum = core::array::from_fn(|j| parts.iter().map(|part: &Numbers| part[j]).sum());
            let mut u = [0; N];
            pair.c.iter().for_each(|one| add(&mut u, &sum, *one));
            pair.square += weight * squares(&u);
            pair.secrets.push((parts, sum));
            pair.u.push(u);
        }
        pair
    }

    /// Another value of one coefficient, unless the norm falls below the least.
    fn move_coefficient(&self, pair: &mut Pair, least: f64, rng: &mut impl Rng) {
        let (poly, j) = (below(rng, self.weights.len()), below(rng, N));
        let (parts, sum) = &mut pair.secrets[poly];
        let part = below(rng, parts.len());
        let to = self.coefficient(rng);
        let by = to - parts[part][j];
        let u = &mut pair.u[poly];
        let change = |(place, sign): &(usize, i32)| {
            let (at, turn) = turned(j + place);
            (at, sign * turn * by)
        };
        let more: i32 =
            pair.c.iter().map(change).map(|(at, change)| change * (2 * u[at] + change)).sum();
        let square = pair.square + self.weights[poly] * f64::from(more);
        if square >= least {
            pair.c.iter().map(change).for_each(|(at, change)| u[at] += change);
            parts[part][j] = to;
            sum[j] += by;
            pair.square = square;
        }
    }

    /// Another place and sign for one coefficient of the challenge, unless the norm falls below the least.
    fn move_challenge(&self, pair: &mut Pair, least: f64, rng: &mut impl Rng) {
        let (index, place) = (below(rng, pair.c.len()), below(rng, N));
        if pair.c.iter().enumerate().any(|(i, one)| i != index && one.0 == place) {
            return;
        }
        let (old, new) = (pair.c[index], (place, 1 - 2 * below(rng, 2) as i32));
        let mut moved = pair.u.clone();
        let mut square = 0.0;
        for ((u, (_, sum)), weight) in moved.iter_mut().zip(&pair.secrets).zip(&self.weights) {
            add(u, sum, (old.0, -old.1));
            add(u, sum, new);
            square += weight * squares(u);
        }
        if square >= least {
            pair.c[index] = new;
            (pair.u, pair.square) = (moved, square);
        }
    }

    fn stir(&self, pair: &mut Pair, least: f64, rng: &mut impl Rng) {
        for _ in 0..2 * self.weights.len() * N {
            self.move_coefficient(pair, least, rng);
        }
        (0..80).for_each(|_| self.move_challenge(pair, least, rng));
    }
}

/// The binary logarithm of ε for each hundredth of B.
fn epsilons(set: &ParameterSet, bound: f64) -> Vec<f64> {
    let of = |i: i32| hidden(set, f64::from(i) / 100.0 * bound).map_or(0.0, f64::log2);
    (0..=180).map(|i| if i < 40 { f64::NEG_INFINITY } else { of(i) }).collect()
}

/// The binary logarithms of P[‖c·s‖ > B], and of the mean of ε(‖c·s‖) as a fraction of ε(B).
fn beyond((shape, set): (Shape, ParameterSet), seed: u8) -> [f64; 2] {
    let world = World::new(shape, &set);
    let rng = &mut quorate_testkit::rng(seed);
    let epsilons = epsilons(&set, world.bound);
    let mut pairs: Vec<Pair> = (0..PAIRS).map(|_| world.draw(shape, &set, rng)).collect();
    let (mut mass, mut mean, mut chance, mut told) = (1.0, 0.0, None, 0.7);
    let part = |pair: &Pair| pair.square.sqrt() / world.bound;
    while part(&pairs[0]) < 1.5 {
        pairs.sort_by(|a, b| a.square.total_cmp(&b.square));
        let above = pairs.iter().filter(|pair| part(pair) > 1.0).count();
        if chance.is_none() && 2 * above >= PAIRS {
            chance = Some(mass * above as f64 / PAIRS as f64);
        }
        let (low, high) = pairs.split_at_mut(PAIRS / 2);
        for pair in &*low {
            let at = part(pair) * 100.0;
            let [from, to] = [epsilons[at as usize], epsilons[at as usize + 1]];
            let log = from + (to - from) * at.fract() - epsilons[100];
            mean += mass / PAIRS as f64 * log.exp2();
        }
        mass /= 2.0;
        let least = high[0].square;
        low.clone_from_slice(high);
        pairs.iter_mut().for_each(|pair| world.stir(pair, least, rng));
        if least.sqrt() / world.bound > told {
            std::println!(
                "  2^{:.0} beyond {told:.2} B, mean so far 2^{:.1}",
                mass.log2(),
                mean.log2()
            );
            told += 0.1;
        }
    }
    [chance.unwrap_or(1.0).log2(), mean.log2()]
}

/// Drawn norms, for the rest of the distribution. The mean of ε depends on the usual norms, not on B.
#[test]
fn the_mean_over_drawn_norms_is_far_below_the_bound() {
    for (profile, most) in [(Profile::Published, -17.0), (Profile::Strict, -25.0)] {
        let shape = Shape { threshold: 2, parties: 2 };
        let set = ParameterSet::of(Level::MlDsa44, profile, shape).unwrap();
        let world = World::new(shape, &set);
        let rng = &mut quorate_testkit::rng(1);
        let at_bound = hidden(&set, world.bound).unwrap();
        let ratio = |_| {
            let norm = world.draw(shape, &set, rng).square.sqrt();
            hidden(&set, norm).unwrap() / at_bound
        };
        let mean = (0..25).map(ratio).sum::<f64>() / 25.0;
        assert!(mean.log2() < most, "{profile}: {}", mean.log2());
    }
}

#[test]
#[ignore = "minutes with --release"]
fn the_mean_over_norms_is_far_below_the_bound() {
    for (profile, level, threshold, parties) in [
        (Profile::Published, Level::MlDsa44, 2, 2),
        (Profile::Strict, Level::MlDsa44, 2, 2),
        (Profile::Strict, Level::MlDsa44, 2, 3),
        (Profile::Strict, Level::MlDsa65, 2, 2),
        (Profile::Strict, Level::MlDsa87, 2, 2),
    ] {
        let shape = Shape { threshold, parties };
        let set = ParameterSet::of(level, profile, shape).unwrap();
        let found: Vec<[f64; 2]> = (1..=3).map(|seed| beyond((shape, set), seed)).collect();
        std::println!("{level} {profile} {threshold} of {parties}: {found:.1?}");
        assert!(found.iter().all(|[chance, mean]| *chance < -30.0 && *mean < -15.0));
    }
}
