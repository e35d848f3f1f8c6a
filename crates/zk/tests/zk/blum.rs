//! Πmod.

use quorate_bignum::{Integer, Modulus, Natural, PublicProduct};
use quorate_paillier::{EncryptionKey, Level};
use quorate_testkit::Stuck;
use quorate_testkit::fixtures;
use quorate_zk::testing::{ModulusAnswer, modulus_challenges, modulus_proof};
use quorate_zk::{ProofContext, ProofFault, pi_mod};

use crate::support::*;

fn verdict(key: &EncryptionKey, proof: &[u8], context: ProofContext<'_>) -> Result<(), ProofFault> {
    pi_mod::verify(&engine(), key, proof, context)
}

#[test]
fn accepts() {
    for level in Level::ALL {
        let key = &parties(level)[0].key;
        let proof = pi_mod::prove(&engine(), key, context(), &mut rng(1)).unwrap();
        assert_eq!(proof.as_bytes().len(), pi_mod::proof_bytes(level));
        assert_eq!(verdict(key.encryption_key(), proof.as_bytes(), context()), Ok(()));
    }
}

/// A generator that never gives a number of symbol -1.
#[test]
fn broken_generator() {
    let key = &parties(FAST)[0].key;
    let broken = quorate_zk::Error::from(quorate_bignum::Error::Randomness);
    for byte in [0, 255] {
        let proof = pi_mod::prove(&engine(), key, context(), &mut Stuck::at(byte));
        assert_eq!(proof.err(), Some(broken));
    }
}

#[test]
fn refuses() {
    let [prover, verifier, _] = parties(FAST);
    let key = prover.public();
    let proof = pi_mod::prove(&engine(), &prover.key, context(), &mut rng(1)).unwrap().into_bytes();
    let check = |bytes: &[u8]| verdict(key, bytes, context());
    // w, the flags, and numbers at the beginning, in the middle and at the end.
    let size = key.level().modulus_bytes();
    let first = size + 32;
    let entries = (0..256).map(|i| first + i * size + size - 1);
    for place in [0, size - 1].into_iter().chain(size..first).chain(entries.step_by(5)) {
        let mut bytes = proof.clone();
        bytes[place] ^= 1;
        assert!(check(&bytes).is_err(), "{place}");
    }
    // Every flag of a repetition; two answers exchanged.
    for bit in 0..8 {
        let mut bytes = proof.clone();
        bytes[size + 7] ^= 1 << bit;
        assert_eq!(check(&bytes), Err(ProofFault::Equation), "{bit}");
    }
    for half in [first, first + 128 * size] {
        let mut bytes = proof.clone();
        bytes[half..half + 2 * size].rotate_left(size);
        assert_eq!(check(&bytes), Err(ProofFault::Equation));
    }
    // One repetition more or less, none, all of them twice.
    for length in [0, size, first, proof.len() - 1, proof.len() - size] {
        assert_eq!(check(&proof[..length]), Err(ProofFault::Length));
    }
    assert_eq!(check(&[&proof[..], &proof[first..first + size]].concat()), Err(ProofFault::Length));
    assert_eq!(check(&[&proof[..], &proof[first..]].concat()), Err(ProofFault::Length));
    assert!(verdict(verifier.public(), &proof, context()).is_err());
    for context in elsewhere() {
        assert!(verdict(key, &proof, context).is_err());
    }
}

/// Zeros, non-units and non-canonical numbers.
#[test]
fn edges() {
    let [prover, _, _] = parties(FAST);
    let key = prover.public();
    let proof = pi_mod::prove(&engine(), &prover.key, context(), &mut rng(1)).unwrap().into_bytes();
    let size = key.level().modulus_bytes();
    let first = size + 32;
    let put = |place: usize, value: &Natural| {
        let mut bytes = proof.clone();
        bytes[place..place + size].copy_from_slice(&value.to_be_bytes(size).unwrap());
        verdict(key, &bytes, context())
    };
    let n = key.modulus().value();
    let past = n.add(&1u64.into());
    let p = Natural::from_be_bytes(&fixtures::paillier_primes(FAST, 0)[0].to_be_bytes());
    for value in [Natural::zero(), n.clone(), past.clone()] {
        assert_eq!(put(0, &value), Err(ProofFault::Unit("w")));
    }
    // With a factor of N in it, and with the symbol 1.
    for value in [p.clone(), Natural::from(4)] {
        assert_eq!(put(0, &value), Err(ProofFault::Jacobi));
    }
    for index in [0, 127, 128, 200, 255] {
        for value in [Natural::zero(), n.clone(), past.clone(), p.clone()] {
            assert_eq!(put(first + index * size, &value), Err(ProofFault::Unit("x or z")));
        }
    }
}

/// A modulus of many small factors: of the challenges some are no units, and nothing is asked of them.
#[test]
fn challenges_that_are_no_units() {
    // 2^2037 and a bit, times 1155: 2048 bits.
    let n = Natural::power_of_two(2037).add(&1u64.into()).mul(&Natural::from(3 * 5 * 7 * 11));
    let key = EncryptionKey::new(FAST, &n).unwrap();
    let w = (2u64..).map(Natural::from).find(|w| key.modulus().jacobi(w) == -1).unwrap();
    let one = || Natural::one();
    let answers: Vec<_> = (0..128)
        .map(|_| ModulusAnswer { negated: false, with_w: false, x: one(), z: one() })
        .collect();
    let proof = modulus_proof(&key, &w, &answers);
    assert_eq!(verdict(&key, proof.as_bytes(), context()), Err(ProofFault::Unit("y")));
}

/// Checks that the challenges differ, and that each of their bits varies.
#[test]
fn challenges() {
    let key = parties(FAST)[0].public();
    let y = modulus_challenges(key, &3u64.into(), context());
    assert_eq!(y.len(), 128);
    let (mut any, mut all) = ([0; 256], [0xff; 256]);
    for (index, one) in y.iter().enumerate() {
        assert!(y[..index].iter().all(|other| other != one));
        for (at, byte) in one.to_be_bytes(256).unwrap().into_iter().enumerate() {
            any[at] |= byte;
            all[at] &= byte;
        }
    }
    assert_eq!((&any[1..], &all[1..]), (&[0xff; 255][..], &[0; 255][..]));
    let other = modulus_challenges(key, &5u64.into(), context());
    assert!(y.iter().all(|one| !other.contains(one)));
}

/// Values that are missing are no verdict, whatever comes after them.
#[test]
fn missing_values() {
    let key = &parties(FAST)[0].key;
    let proof = pi_mod::prove(&engine(), key, context(), &mut rng(1)).unwrap();
    let check = || {
        pi_mod::Check::new(&engine(), key.encryption_key(), proof.as_bytes(), context()).unwrap()
    };
    let values = engine().evaluate_vartime(&check().products());
    let with = |count: usize| check().verdict(&mut values.iter().take(count).cloned());
    assert_eq!((values.len(), with(9)), (9, Ok(())));
    for count in [0, 1, 7, 8] {
        assert_eq!(with(count), Err(ProofFault::Values));
    }
    let mut calls = 0;
    let mut gap = core::iter::from_fn(|| {
        calls += 1;
        (calls > 1).then(|| Ok(Natural::from(5)))
    });
    assert_eq!(check().verdict(&mut gap), Err(ProofFault::Values));
}

fn power(modulus: &Modulus, base: &Natural, exponent: Natural) -> Natural {
    let product = PublicProduct::new(modulus).power(base, Integer::from(exponent));
    engine().evaluate_vartime(&[product]).remove(0).unwrap()
}

fn minus_one(n: &Natural) -> Natural {
    n.checked_sub(&1u64.into()).unwrap()
}

/// The first prime from `2^(bits - 1) + start` on that is 3 modulo 4, by Fermat's test.
fn prime(bits: u32, start: u64) -> Natural {
    let mut n = Natural::power_of_two(bits - 1).add(&start.into()).add(&3u64.into());
    loop {
        let small = [3u64, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47];
        if small.iter().all(|s| !n.div_rem(&(*s).into()).unwrap().1.is_zero()) {
            let modulus = Modulus::new(&n).unwrap();
            if power(&modulus, &2u64.into(), minus_one(&n)) == Natural::one() {
                return n;
            }
        }
        n = n.add(&4u64.into());
    }
}

/// The best proof for a product of different primes, all of them 3 modulo 4, and how many of its answers are right.
fn best_proof(key: &EncryptionKey, primes: &[Natural]) -> (Vec<u8>, usize) {
    // (p - 1) / 2 for all: the odd order of the squares, under which 1/4 and 1/N exist.
    let order = primes.iter().fold(Natural::one(), |product, p| product.mul(&p.shr(1)));
    let first = Modulus::new(&primes[0]).unwrap();
    best_of_orders(key, [&order; 2], |w| primes.len() == 1 || first.jacobi(w) == 1)
}

/// The best proof with fourth roots by one odd order, and N-th roots by another, to which N is prime. `w` and -1
/// differ under some of the primes, so that four classes of squares are reached.
fn best_of_orders(
    key: &EncryptionKey,
    orders: [&Natural; 2],
    splits: impl Fn(&Natural) -> bool,
) -> (Vec<u8>, usize) {
    let n = key.modulus();
    let [of_fourth, of_nth] = orders.map(|order| Modulus::new(order).unwrap());
    let quarter = of_fourth.inverse(&4u64.into()).unwrap();
    let mut root = of_nth.inverse(&of_nth.reduce(n.value())).unwrap();
    if !root.is_odd() {
        root = root.add(of_nth.value());
    }
    let good = |w: &Natural| n.jacobi(w) == -1 && splits(w);
    let w = (2u64..).map(Natural::from).find(good).unwrap();
    let mut right = 0;
    let answer = |y: &Natural| {
        let z = power(n, y, root.clone());
        let kinds = [(false, false), (true, false), (false, true), (true, true)];
        for (negated, with_w) in kinds {
            let target = if with_w { n.mul(y, &w) } else { y.clone() };
            let target = if negated { n.neg(&target) } else { target };
            let x = power(n, &target, quarter.clone());
            let square = n.mul(&x, &x);
            if n.mul(&square, &square) == target {
                right += 1;
                return ModulusAnswer { negated, with_w, x, z };
            }
        }
        ModulusAnswer { negated: false, with_w: false, x: Natural::one(), z }
    };
    let answers: Vec<_> = modulus_challenges(key, &w, context()).iter().map(answer).collect();
    (modulus_proof(key, &w, &answers).into_bytes(), right)
}

/// Returns whether a number passes Fermat's test to base 2.
fn passes(n: &Natural) -> bool {
    let modulus = Modulus::new(n).unwrap();
    power(&modulus, &2u64.into(), minus_one(n)) == Natural::one()
}

/// `N = p q` with p | q - 1: all fourth roots are there, and hardly any N-th root.
#[test]
fn combined_roots() {
    let p = prime(1000, 0);
    // q = 2 k p + 1 for an odd k.
    let start = Natural::power_of_two(48).add(&1u64.into());
    let k = (0u64..).map(|step| start.add(&Natural::from(2 * step)));
    let q = |k: &Natural| p.mul(k).shl(1).add(&1u64.into());
    let small = |q: &Natural| quorate_bignum::has_factor_below(q, 1 << 16);
    let k = k.into_iter().find(|k| !small(&q(k)) && passes(&q(k))).unwrap();
    let q = q(&k);
    let n = p.mul(&q);
    let key = EncryptionKey::new(FAST, &n).unwrap();
    let orders = [&p.shr(1).mul(&q.shr(1)), &p.shr(1).mul(&k)];
    let first = Modulus::new(&p).unwrap();
    let (proof, right) = best_of_orders(&key, orders, |w| first.jacobi(w) == 1);
    assert_eq!(right, 128);
    assert_eq!(verdict(&key, &proof, context()), Err(ProofFault::Equation));
    // Of a good modulus, with an error in two roots that cancels.
    let key = &parties(FAST)[0].key;
    let proof = pi_mod::prove(&engine(), key, context(), &mut rng(1)).unwrap().into_bytes();
    let (size, modulus) = (FAST.modulus_bytes(), key.encryption_key().modulus());
    let mut other = proof.clone();
    for (index, factor) in [(3, Natural::from(2)), (90, modulus.inverse(&2u64.into()).unwrap())] {
        let at = size + 32 + (128 + index) * size;
        let z = Natural::from_be_bytes(&proof[at..at + size]);
        other[at..at + size].copy_from_slice(&modulus.mul(&z, &factor).to_be_bytes(size).unwrap());
    }
    assert_eq!(verdict(key.encryption_key(), &proof, context()), Ok(()));
    assert_eq!(verdict(key.encryption_key(), &other, context()), Err(ProofFault::Equation));
}

/// The weights are a hash of the whole proof: a root times c and one times c² do not put c^(w N) and its square into the
/// combinations, as they would if the roots had no part in w.
#[test]
fn weights_follow_from_the_roots() {
    let key = &parties(FAST)[0].key;
    let (size, modulus) = (FAST.modulus_bytes(), key.encryption_key().modulus());
    let proof = pi_mod::prove(&engine(), key, context(), &mut rng(1)).unwrap().into_bytes();
    for index in [0, 127] {
        let combinations = |factor: u64| {
            let (mut proof, at) = (proof.clone(), size + 32 + (128 + index) * size);
            let z = modulus.mul(&Natural::from_be_bytes(&proof[at..at + size]), &factor.into());
            proof[at..at + size].copy_from_slice(&z.to_be_bytes(size).unwrap());
            let public = key.encryption_key();
            let check = pi_mod::Check::new(&engine(), public, &proof, context()).unwrap();
            let values = engine().evaluate_vartime(&check.products()).into_iter().take(8);
            values.collect::<Result<Vec<_>, _>>().unwrap()
        };
        let [one, two, four] = [1, 2, 4].map(combinations);
        for ((one, two), four) in one.iter().zip(&two).zip(&four) {
            assert_ne!(modulus.mul(two, two), modulus.mul(one, four), "{index}");
        }
    }
}

/// `N = r^a q` for a small prime r: all fourth roots are there, and Πfac would not mind.
#[test]
fn a_small_factor() {
    let r = Natural::from(65_519);
    let powers = core::iter::successors(Some(r.clone()), |power| Some(power.mul(&r)));
    let power = powers.into_iter().nth(62).unwrap();
    let q = prime(2048 - power.bits() + 1, 0);
    let n = power.mul(&q);
    let key = EncryptionKey::new(FAST, &n).unwrap();
    // (r - 1) / 2 · r^62 and (q - 1) / 2; r is no factor of the second.
    let (rest, _) = power.div_rem(&r).unwrap();
    let coprime = r.shr(1).mul(&q.shr(1));
    let orders = [&rest.mul(&coprime), &coprime];
    let first = Modulus::new(&r).unwrap();
    let splits = |w: &Natural| first.jacobi(&first.reduce(w)) == 1;
    let (proof, right) = best_of_orders(&key, orders, splits);
    assert_eq!(right, 128);
    assert_eq!(verdict(&key, &proof, context()), Err(ProofFault::SmallFactor));
}

/// Under a prime 3 modulo 4 every equation can be answered.
#[test]
fn prime_modulus() {
    let p = prime(2048, 0);
    let key = EncryptionKey::new(FAST, &p).unwrap();
    let (proof, right) = best_proof(&key, &[p]);
    assert_eq!(right, 128);
    assert_eq!(verdict(&key, &proof, context()), Err(ProofFault::Prime));
}

/// Of two primes all answers are right, of three about half, of four a quarter.
#[test]
fn number_of_primes() {
    for (count, expected) in [(2, 128..=128), (3, 40..=88), (4, 12..=54)] {
        // All just above powers of two, so that the product is one of 2048 bits.
        let length = 2048 / count;
        let bits = |i| if i == 0 { 2047 + count - (count - 1) * length } else { length };
        let primes: Vec<_> = (0..count).map(|i| prime(bits(i), u64::from(i) << 40)).collect();
        let n = primes.iter().fold(Natural::one(), |product, p| product.mul(p));
        let key = EncryptionKey::new(FAST, &n).unwrap();
        let (proof, right) = best_proof(&key, &primes);
        assert!(expected.contains(&right), "{count}: {right}");
        let all = right == 128;
        assert_eq!(
            verdict(&key, &proof, context()),
            if all { Ok(()) } else { Err(ProofFault::Equation) }
        );
    }
}

/// A `w` that is 0 under all primes but one, and 1 under that, takes every equation away.
#[test]
fn degenerate_w() {
    let p = prime(1025, 0);
    let other = prime(1024, 0);
    let n = p.mul(&other);
    let key = EncryptionKey::new(FAST, &n).unwrap();
    let inverse = Modulus::new(&p).unwrap().inverse(&other).unwrap();
    let w = key.modulus().mul(&other, &inverse);
    let y = modulus_challenges(&key, &w, context());
    let answers: Vec<_> = y
        .iter()
        .map(|y| ModulusAnswer { negated: false, with_w: true, x: y.clone(), z: y.clone() })
        .collect();
    let proof = modulus_proof(&key, &w, &answers);
    assert_eq!(verdict(&key, proof.as_bytes(), context()), Err(ProofFault::Jacobi));
}

/// The first and the last number of each block that the prover makes, and of each that the verifier combines; and blocks
/// exchanged, with their bits or without.
#[test]
fn blocks() {
    let prover = &parties(FAST)[0];
    let key = prover.public();
    let proof = pi_mod::prove(&engine(), &prover.key, context(), &mut rng(1)).unwrap().into_bytes();
    let size = key.level().modulus_bytes();
    let first = size + 32;
    for index in (0..256).filter(|index| [0, 7].contains(&(index % 8))) {
        let mut bytes = proof.clone();
        let number = &mut bytes[first + index * size..first + (index + 1) * size];
        let twice = key.modulus().mul(&Natural::from_be_bytes(number), &Natural::from(2));
        number.copy_from_slice(&twice.to_be_bytes(size).unwrap());
        assert_eq!(verdict(key, &bytes, context()), Err(ProofFault::Equation), "{index}");
    }
    for (block, other) in [(8, 1), (8, 15), (16, 1), (16, 7), (32, 3)] {
        // Fourth roots, N-th roots, bits.
        for what in [[true, false, false], [false, true, false], [true; 3]] {
            let (roots, bits) = (block * size, block >> 2);
            let places = [(first, roots), (first + 128 * size, roots), (size, bits)];
            let mut bytes = proof.clone();
            for ((at, length), _) in places.into_iter().zip(what).filter(|(_, what)| *what) {
                let (one, two) = bytes.split_at_mut(at + other * length);
                one[at..at + length].swap_with_slice(&mut two[..length]);
            }
            assert_eq!(
                verdict(key, &bytes, context()),
                Err(ProofFault::Equation),
                "{block} {what:?}"
            );
        }
    }
}
