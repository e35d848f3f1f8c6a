//! A comparison with the code of the paper's authors (github.com/Threshold-ML-DSA/Threshold-ML-DSA), on the same
//! keys and the same points of the ball. Keys, w, c̃, the accepted slots, z1 and the signature are equal byte for
//! byte.
//!
//! `tests/authors.txt` has the output of their code and describes it. Three things differ and are not compared: the
//! way a point is drawn (they call the host's logarithm and cosine), the hash that commits to w, and the zeros in
//! place of what a party rejects. Rounding is the same except for halves, which do not occur: they round u1 + ν·x1,
//! and halves away from zero. They refuse ‖δ‖∞ = γ2, and do not check whether z1 fits its encoding. No attempt here
//! meets either case.

use alloc::sync::Arc;
use alloc::vec::Vec;
use std::path::Path;

use quorate_session::{Parties, PerParty};
use quorate_testkit::lockstep::parties;
use quorate_testkit::{hex, unhex};

use super::aggregate::aggregate;
use super::mask::Masks;
use super::terms::{Terms, bitmap_len};
use super::view::View;
use crate::ball::Point;
use crate::float::{circle, ln, sqrt, swap, unit};
use crate::hash::{h, shake256, take};
use crate::level::Level;
use crate::matrix::Matrix;
use crate::package::PublicKeyPackage;
use crate::packing::all_full;
use crate::profile::Profile;
use crate::secret::{SEED, Seed, image};
use crate::set::ParameterSet;
use crate::share::KeyShare;
use crate::subset::Subset;

/// An attempt: level, threshold and number of parties, positions of the signers, and the attempt's number.
struct Attempt<'l> {
    level: Level,
    threshold: u16,
    parties: Parties,
    signers: Subset,
    number: u8,
    /// The output of the authors' code.
    expected: Vec<&'l str>,
}

/// The lines. Each has the level, T, N, the signers as bits, the attempt, SHAKE256 of the public key, SHAKE256 of
/// the w of each signer, and that of all c̃. Then come the accepted slots of each signer with SHAKE256 of their z1,
/// and the signature or `-`.
fn attempts() -> impl Iterator<Item = Attempt<'static>> {
    let lines = include_str!("../../tests/authors.txt").lines();
    lines.filter(|line| !line.starts_with('#')).map(|line| {
        let mut words = line.split(' ');
        let mut word = || words.next().unwrap();
        let level = word();
        Attempt {
            level: Level::ALL.into_iter().find(|of| of.name() == level).unwrap(),
            threshold: word().parse().unwrap(),
            parties: parties(1..=word().parse().unwrap()),
            signers: Subset(u8::from_str_radix(word(), 2).unwrap()),
            number: word().parse().unwrap(),
            expected: words.collect(),
        }
    })
}

impl Attempt<'_> {
    /// A signer's masks.
    fn masks(&self, position: u8) -> Masks {
        let set = self.set();
        let seed = [16 * self.number + position; SEED];
        let points = (0..set.slots.into()).map(|slot| Point::of(point(&set, &seed, slot)));
        Masks::of(&set, points.collect())
    }

    fn set(&self) -> ParameterSet {
        let shape = (self.level, Profile::Published);
        PublicKeyPackage::parameters(shape, self.threshold, &self.parties).unwrap().0
    }

    /// The key of the seed 0, 1, …, 31, expanded as in the authors' code: ρ, 32 bytes for each party, and a seed for each
    /// subset.
    fn shares(&self) -> Vec<KeyShare> {
        let (level, parties) = (self.level, &self.parties);
        let parameters =
            PublicKeyPackage::parameters((level, Profile::Published), self.threshold, parties)
                .unwrap();
        let seed: Vec<u8> = (0..32).collect();
        let [k, l] = [level.k(), level.l()].map(|n| u8::try_from(n).unwrap());
        let mut stream = shake256(&[&seed, &[k, l]]);
        let rho: [u8; 32] = take(&mut stream);
        for _ in parties.iter() {
            let _: [u8; 32] = take(&mut stream);
        }
        let seeds: Vec<(Subset, [u8; SEED])> =
            parameters.1.subsets().map(|set| (set, take(&mut stream))).collect();
        let again = |seed: &[u8; SEED]| Seed::filled(|bytes| *bytes = *seed);
        let a = Matrix::expand(level, &rho);
        let mut each = seeds.iter();
        let value = |_| image(level, &a, &again(&each.next().unwrap().1));
        let public = PublicKeyPackage::new(parameters, parties.clone(), rho, value);
        let public = Arc::new(public);
        let share = |(party, position)| {
            let own = seeds.iter().filter(|(set, _)| set.contains(position));
            let own = own.map(|(set, seed)| (*set, again(seed))).collect();
            KeyShare::new(party, Arc::clone(&public), own)
        };
        parties.iter().zip(0..).map(share).collect()
    }

    /// The output of our code, split like a line.
    fn run(&self) -> Vec<String> {
        let shares = self.shares();
        let public = shares[0].shared_public();
        let mu = public.verifying_key().represent(b"message", b"context").unwrap();
        let signers: Vec<(&KeyShare, Masks)> =
            self.signers.members().map(|at| (&shares[usize::from(at)], self.masks(at))).collect();
        let present = Parties::new(signers.iter().map(|(share, _)| share.id())).unwrap();
        let terms = Terms::new(Arc::clone(&public), &present, mu).unwrap();
        let openings: PerParty<Vec<u8>> = signers
            .iter()
            .map(|(share, masks)| (share.id(), masks.commitments(&terms.a)))
            .collect();
        let mut words = Vec::from([digest(&public.verifying_key().to_bytes())]);
        words.extend(openings.values().map(|w| digest(w)));
        let view = View::new(&terms, openings.map(|_, body| all_full(&body).unwrap())).unwrap();
        words.push(digest(
            &view.slots.iter().flat_map(|slot| slot.hash.clone()).collect::<Vec<_>>(),
        ));
        let mut responses = PerParty::new();
        for (share, masks) in &signers {
            let own = masks.respond(share, &terms, &view.slots);
            let body = own.to_bytes(terms.set());
            words.push(own.0.iter().map(|z1| if z1.is_some() { '1' } else { '0' }).collect());
            words.push(digest(&body[bitmap_len(terms.set())..]));
            // The responses pass the check that names cheaters.
            responses.insert(share.id(), view.verify_response(&terms, share.id(), &body).unwrap());
        }
        let signature = aggregate(&terms, &view, &responses).signature;
        words.push(signature.map_or_else(|| "-".into(), |signature| hex(&signature.to_bytes())));
        words
    }
}

/// The coordinates of the point that their code was given: normal numbers by pairs from SHAKE256, on a sphere,
/// without the last two.
fn point(set: &ParameterSet, seed: &[u8; SEED], slot: u32) -> Vec<f64> {
    let mut stream = shake256(&[b"quorate-mldsa ball v1", seed, &slot.to_be_bytes()]);
    let dimension = ParameterSet::dimension(set.level);
    let (mut point, mut square) = (Vec::new(), 0.0);
    while point.len() < dimension + 2 {
        let length = sqrt(0.0 - 2.0 * ln(unit(u64::from_le_bytes(take(&mut stream)), 0)));
        let angle = u64::from_le_bytes(take(&mut stream));
        let (cosine, sine) = circle(angle, swap(angle));
        let (x, y) = (length * cosine, length * sine);
        square += x * x + y * y;
        point.extend([x, y]);
    }
    let scale = f64::from(set.mask_radius) / sqrt(square);
    point.iter_mut().for_each(|x| *x *= scale);
    point.truncate(dimension);
    point
}

fn digest(bytes: &[u8]) -> String {
    hex(&h::<32>(&[bytes]))
}

#[test]
fn attempts_are_those_of_the_authors_code() {
    let (mut signed, mut unlucky, mut rejected) = (0, 0, 0);
    for attempt in attempts() {
        assert_eq!(attempt.run(), attempt.expected, "{} {}", attempt.level, attempt.number);
        let last = attempt.expected.last().unwrap();
        if *last == "-" {
            unlucky += 1;
        } else {
            signed += 1;
            assert_eq!(unhex(last).len(), attempt.level.signature_len());
        }
        let bits = attempt.expected.iter().filter(|word| word.len() < 64);
        rejected += bits.flat_map(|bits| bits.chars()).filter(|bit| *bit == '0').count();
    }
    assert_eq!((signed, unlucky), (5, 4));
    assert!(rejected > 10, "{rejected}");
}

/// Writes the points of each attempt, a file for each: the coordinates by signer and slot, 8 bytes each, the lowest first.
#[test]
#[ignore = "writes the points for the authors' code, into the folder QUORATE_POINTS"]
fn points_for_the_authors_code() {
    let folder = std::env::var("QUORATE_POINTS").unwrap();
    for attempt in attempts() {
        let count = attempt.parties.len();
        let set = attempt.set();
        let mut bytes = Vec::new();
        for signer in attempt.signers.members() {
            for slot in 0..set.slots.into() {
                let seed = [16 * attempt.number + signer; SEED];
                point(&set, &seed, slot).iter().for_each(|x| bytes.extend(x.to_le_bytes()));
            }
        }
        let name = format!("{}-{}-{count}-{}", set.level, attempt.threshold, attempt.number);
        std::fs::write(Path::new(&folder).join(name), bytes).unwrap();
    }
}
