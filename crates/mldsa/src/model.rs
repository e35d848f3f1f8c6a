//! The formulae from which the sets of parameters are computed, for tests.

use core::f64::consts::LN_2;

use crate::float::unit;
use crate::level::Level;
use crate::poly::N;
use crate::profile::Profile;
use crate::set::ParameterSet;
use crate::subset::Shape;

/// The sets of a profile and a level.
pub(crate) fn sets(profile: Profile, level: Level) -> impl Iterator<Item = (Shape, ParameterSet)> {
    let shapes = (2..=6)
        .flat_map(|parties| (2..=parties).map(move |threshold| Shape { threshold, parties }));
    shapes.filter_map(move |shape| Some((shape, ParameterSet::of(level, profile, shape)?)))
}

/// The greatest norm B of a party's part of the secret times a challenge: 1.3 times its root mean square.
pub(crate) fn bound(shape: Shape, level: Level, nu: f64) -> f64 {
    let values = f64::from(2 * level.eta() + 1);
    let variance = (values * values - 1.0) / 12.0;
    let most = shape.subsets().count().div_ceil(shape.threshold.into()) as f64;
    let weight = level.k() as f64 + level.l() as f64 / (nu * nu);
    1.3 * (level.tau() as f64 * 256.0 * weight * variance * most).sqrt()
}

/// ε of Theorem 3.2: the chance that a coordinate of a point of the sphere in D + 2 dimensions is above 1/φ.
fn epsilon(dimension: f64, phi: f64) -> f64 {
    let integral = |from: f64| {
        let steps = 40_000;
        let step = (1.0 - from) / f64::from(steps);
        let points = (0..steps).map(|i| from + (f64::from(i) + 0.5) * step);
        points.map(|t| ((dimension - 1.0) / 2.0 * (1.0 - t * t).ln()).exp()).sum::<f64>() * step
    };
    integral(1.0 / phi) / (2.0 * integral(0.0))
}

/// ε of these radii for a vector of this norm, by φ with r′² = r² + norm² + 2r·norm/φ. `None` if the radii do not
/// hide the vector.
pub(crate) fn hidden(set: &ParameterSet, norm: f64) -> Option<f64> {
    let [r, wide] = [set.radius, set.mask_radius].map(f64::from);
    let phi = 2.0 * r * norm / (wide * wide - r * r - norm * norm);
    (phi > 1.0).then(|| epsilon(ParameterSet::dimension(set.level) as f64, phi))
}

/// The binary logarithm of the attempts over all parties, by B and ε. `None` if the radii do not hide a vector of
/// norm B.
pub(crate) fn queries(shape: Shape, set: &ParameterSet) -> Option<f64> {
    let epsilon = hidden(set, bound(shape, set.level, set.stretch()))?;
    Some(-(f64::from(set.slots) * epsilon).log2())
}

/// The cost of all slots that a key may try in its life, in bits of a forger's chance (`docs/mldsa.md`, *Counting attempts*).
pub(crate) struct Cost {
    /// The part of the responses, which are cut to the radius r: the Rényi divergence of order ∞ from simulated
    /// responses, at the norm B.
    pub(crate) radii: f64,
    /// The part of the normal numbers, which end at the least length of the sampler.
    pub(crate) sampler: f64,
}

/// The cost of a key's slots at its count of attempts.
pub(crate) fn cost(shape: Shape, set: &ParameterSet) -> Option<Cost> {
    let epsilon = hidden(set, bound(shape, set.level, set.stretch()))?;
    let p = acceptance(set);
    let slots = set.attempts as f64 * f64::from(shape.parties) * f64::from(set.slots);
    // A pair of numbers is longer than every pair that is drawn if a number uniform up to 1 is below the least
    // number drawn.
    let pairs = (ParameterSet::dimension(set.level) + 2) as f64 / 2.0;
    let longer = pairs * unit(u64::MAX, u64::MAX);
    Some(Cost {
        radii: slots * (p * epsilon / (1.0 - p)).ln_1p() / LN_2,
        sampler: slots * -(-longer).ln_1p() / LN_2,
    })
}

/// (r/r′)^D, the chance that one signer accepts a slot.
pub(crate) fn acceptance(set: &ParameterSet) -> f64 {
    let ratio = f64::from(set.radius) / f64::from(set.mask_radius);
    ratio.powf(ParameterSet::dimension(set.level) as f64)
}

/// The chance p that a slot gives a signature: all T signers accept, and z, δ and the hint are within their limits.
/// The coordinates of points of a ball are taken as normal. A bit of a hint is one with probability |δ|/2γ2.
pub(crate) fn slot(shape: Shape, set: &ParameterSet) -> f64 {
    let level = set.level;
    let signers = f64::from(shape.threshold);
    let deviation = f64::from(set.radius) / (ParameterSet::dimension(level) as f64 + 2.0).sqrt();
    let z = signers.sqrt() * set.stretch() * deviation;
    // c·t0, with t0 uniform in 2^13 numbers.
    let low = level.tau() as f64 * f64::from(1 << 26) / 12.0;
    let delta = (signers * deviation * deviation + low).sqrt();
    let bit = delta * (2.0 / core::f64::consts::PI).sqrt() / f64::from(2 * level.gamma2());
    let coordinates = |length: usize| (length * N) as f64;
    acceptance(set).powf(signers)
        * within(f64::from(level.gamma1() - level.beta()) / z).powf(coordinates(level.l()))
        * within(f64::from(level.gamma2()) / delta).powf(coordinates(level.k()))
        * at_most(level.omega(), level.k() * N, bit)
}

/// The chance that an attempt gives a signature.
pub(crate) fn success(shape: Shape, set: &ParameterSet) -> f64 {
    1.0 - (1.0 - slot(shape, set)).powi(set.slots.into())
}

/// P[|g| ≤ x] for a normal g.
fn within(x: f64) -> f64 {
    let step = x / 2000.0;
    let density = |t: f64| (-t * t / 2.0).exp();
    let inner: f64 = (0..2000).map(|i| density((f64::from(i) + 0.5) * step)).sum();
    (inner * step * (2.0 / core::f64::consts::PI).sqrt()).min(1.0)
}

/// The chance of at most `most` ones among `count` bits.
fn at_most(most: usize, count: usize, bit: f64) -> f64 {
    let mut chance = (1.0 - bit).powf(count as f64);
    let mut sum = chance;
    for ones in 0..most {
        chance *= (count - ones) as f64 / (ones + 1) as f64 * bit / (1.0 - bit);
        sum += chance;
    }
    sum
}
