//! How often a slot and an attempt succeed, for keys of a dealer, against the model. Secrets, points and limits are
//! real. Challenges and w are drawn with the distribution of a hash and of an instance of MLWE.

use std::string::String;
use std::sync::Arc;
use std::{format, println};

use quorate_session::{Parties, PartyId};
use quorate_testkit::rng;

use super::*;
use crate::dealer::Dealing;
use crate::hash::h;
use crate::message::MessageRepresentative;
use crate::model::{slot, success};
use crate::package::PublicKeyPackage;
use crate::poly::Ntt;
use crate::rounding::{high_bits, power2_round, reaches_vartime};
use crate::sample::uniform;

/// Keys that the attempts of a row are divided among.
const KEYS: u8 = 8;

/// A key, as the first T parties sign with it.
struct Key {
    parts: Vec<Part>,
    /// The transform of t0.
    low: Vec<Ntt>,
}

impl Key {
    fn new(shape: Shape, set: &ParameterSet, seed: u8) -> Self {
        let (level, threshold) = (set.level, shape.threshold.into());
        let parties = Parties::numbered(shape.parties.into()).unwrap();
        let dealt =
            Dealing::with_profile(set.profile, level, threshold, &parties, &mut rng(seed)).unwrap();
        let ids: Vec<PartyId> = parties.iter().take(threshold.into()).collect();
        let (signers, mu) = (Parties::new(ids).unwrap(), MessageRepresentative::external([0; 64]));
        let terms = Terms::new(Arc::new(dealt.public.clone()), &signers, mu).unwrap();
        let shares = dealt.shares.iter().take(threshold.into());
        let parts = shares.map(|share| Part::new(share, &terms)).collect();
        Self { parts, low: transforms(&low(shape, &dealt.public)) }
    }
}

/// t0
fn low(shape: Shape, public: &PublicKeyPackage) -> Vec<Poly> {
    let mut t = zeros(public.level().k());
    shape.subsets().for_each(|subset| add_all(&mut t, public.image(subset).unwrap()));
    t.iter_mut().for_each(Poly::canonicalize);
    t.iter().map(|t| Poly(t.0.map(|t| power2_round(t).1))).collect()
}

/// The counts of a row.
#[derive(Default)]
struct Count {
    slots: f64,
    good_slots: f64,
    attempts: f64,
    good_attempts: f64,
    /// The number of signers that have tried a slot, and the number that have accepted it. The first that rejects
    /// ends a slot.
    tried: f64,
    accepted: f64,
}

/// Returns whether a slot gives a signature: all accept, and z, δ and the hint's weight are within their limits
/// (ePrint 2026/013, Figure 8).
fn is_good(cut: &Cut, key: &Key, name: &[u8], index: u32, count: &mut Count) -> bool {
    let level = cut.set.level;
    let at = index.to_be_bytes();
    let c = challenge_vartime(level, &h::<64>(&[b"c", name, &at])[..level.challenge_len()]).ntt();
    let (mut z, mut delta) = (zeros(level.l()), zeros(level.k()));
    for (signer, part) in (0_u8..).zip(&key.parts) {
        let (u1, u2) = (times(&c, &part.s1), times(&c, &part.s2));
        let point = cut.point(&h(&[b"x", name, &[signer]]), index);
        let (z1, accepted) = cut.cut(&point, &u1, &u2);
        count.tried += 1.0;
        if !accepted {
            return false;
        }
        count.accepted += 1.0;
        add_all(&mut z, &z1);
        add_all(&mut delta, &cut.mask(&point).1);
        add_all(&mut delta, &u2);
    }
    delta.iter_mut().zip(&*times(&c, &key.low)).for_each(|(delta, low)| delta.sub(low));
    let limit = level.gamma1() - level.beta();
    if z.iter().flat_map(Poly::iter).any(|z| reaches_vartime(z, limit)) {
        return false;
    }
    let weight = (0..).zip(&delta).map(|(row, delta)| hints(level, delta, &[name, &at], row));
    weight.sum::<usize>() <= level.omega()
        && !delta.iter().flat_map(Poly::iter).any(|d| reaches_vartime(d, level.gamma2() + 1))
}

/// The number of ones in a row of a hint: the places where w, which is drawn, and w − δ have different high bits.
fn hints(level: Level, delta: &Poly, name: &[&[u8]; 2], row: u8) -> usize {
    // The transform of uniform numbers is uniform too.
    let mut w = uniform(&h(&[b"w", name[0], name[1]]), row, 0).inverse();
    w.canonicalize();
    let mut v = w.clone();
    v.sub(delta);
    v.canonicalize();
    let differs = |(w, v): &(i32, i32)| high_bits(level, *w) != high_bits(level, *v);
    w.iter().zip(v.iter()).filter(differs).count()
}

/// Counts this number of attempts of a set.
fn count(shape: Shape, set: &ParameterSet, attempts: u32) -> Count {
    let cut = Cut::new(set);
    let keys: Vec<Key> = (0..KEYS).map(|seed| Key::new(shape, set, seed)).collect();
    let mut count = Count { attempts: attempts.into(), ..Count::default() };
    for (attempt, key) in (0..attempts).zip(keys.iter().cycle()) {
        let name = attempt.to_be_bytes();
        let good = (0..set.slots).map(u32::from);
        let good = good.filter(|slot| is_good(&cut, key, &name, *slot, &mut count)).count() as f64;
        count.slots += f64::from(set.slots);
        count.good_slots += good;
        count.good_attempts += good.min(1.0);
    }
    count
}

/// Returns whether `found` of `count` is within four deviations of a chance, to which the model is good to 5 %.
fn near(found: f64, count: f64, chance: f64) -> bool {
    let expected = count * chance;
    (found - expected).abs() < 4.0 * (expected * (1.0 - chance)).sqrt() + 0.05 * expected
}

/// A line of the table in `docs/mldsa.md`.
fn line(shape: Shape, set: &ParameterSet, count: &Count) -> String {
    let p = count.good_slots / count.slots;
    let deviation = (p * (1.0 - p) / count.slots).sqrt();
    let good = count.good_attempts / count.attempts;
    let spread = (good * (1.0 - good) / count.attempts).sqrt();
    format!(
        "{} {} {} of {}: K {}, p {:.4} model, {p:.4} ± {deviation:.4}; success {:.3} model, {good:.3} ± {spread:.3}, {:.2} attempts",
        set.level,
        set.profile,
        shape.threshold,
        shape.parties,
        set.slots,
        slot(shape, set),
        success(shape, set),
        1.0 / good,
    )
}

/// Counts a row, and checks that it follows the model.
fn follows_the_model((shape, set): (Shape, ParameterSet), attempts: u32) -> (Count, bool) {
    let count = count(shape, &set, attempts);
    let good = near(count.accepted, count.tried, acceptance(&set))
        && near(count.good_slots, count.slots, slot(shape, &set))
        && near(count.good_attempts, count.attempts, success(shape, &set));
    println!("{}{}", line(shape, &set, &count), if good { "" } else { " FAR" });
    (count, good)
}

#[test]
fn slots_and_attempts_succeed_as_often_as_the_model_says() {
    for (profile, level, threshold, parties) in [
        (Profile::Published, Level::MlDsa44, 2, 3),
        (Profile::Strict, Level::MlDsa44, 3, 5),
        (Profile::Strict, Level::MlDsa65, 3, 3),
        (Profile::Strict, Level::MlDsa87, 3, 3),
    ] {
        let row = set(profile, level, threshold, parties);
        assert!(follows_the_model(row, 150).1, "{level} {profile} {threshold} of {parties}");
    }
}

/// Every row of a table: 4000 attempts, and 1000 if an attempt has more than ten slots. A strict attempt succeeds
/// at least every second time, as far as that number of attempts can show.
fn every_row(profile: Profile, level: Level) {
    let mut far = Vec::new();
    for (shape, set) in sets(profile, level) {
        let attempts = if set.slots > 10 { 1000 } else { 4000 };
        let (count, good) = follows_the_model((shape, set), attempts);
        let half = 0.5 * count.attempts - 3.0 * (0.25 * count.attempts).sqrt();
        if !good || (profile == Profile::Strict && count.good_attempts < half) {
            far.push(shape);
        }
    }
    assert!(far.is_empty(), "{level} {profile}: {far:?}");
}

#[test]
#[ignore = "minutes: 1000 or 4000 attempts of every row"]
fn every_row_of_44_follows_the_model() {
    Profile::ALL.into_iter().for_each(|profile| every_row(profile, Level::MlDsa44));
}

#[test]
#[ignore = "minutes: 1000 or 4000 attempts of every row"]
fn every_row_of_65_follows_the_model() {
    Profile::ALL.into_iter().for_each(|profile| every_row(profile, Level::MlDsa65));
}

#[test]
#[ignore = "minutes: 1000 or 4000 attempts of every row"]
fn every_row_of_87_follows_the_model() {
    Profile::ALL.into_iter().for_each(|profile| every_row(profile, Level::MlDsa87));
}
