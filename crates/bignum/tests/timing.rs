//! Does the time of a secret power depend on the secret? A statistical test in the manner of dudect (Reparaz, Balasch,
//! Verbauwhede, DATE 2017).
//!
//! Two classes of inputs take turns at random: one and the same secret, and secrets drawn anew. If the time depends on
//! the secret, the classes have different distributions, and Welch's t-test tells them apart. Chance
//! gives a `|t|` below 4.5; above [`THRESHOLD`] the test fails. An interruption makes a measurement longer in either
//! class. So the slowest measurements are cut off, at several percentiles, and the largest `|t|` of them counts.
//!
//! The test is ignored by default, because it needs an otherwise idle machine and a few minutes. With bad luck it
//! fails without a reason; a failure that comes back has one. The command:
//!
//! ```text
//! cargo test --release -p quorate-bignum --test timing -- --ignored --nocapture --test-threads 1
//! ```
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::integer_division_remainder_used,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "a test stops at the first surprise"
)]

use core::hint::black_box;
use std::time::Instant;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::Rng as _;
use quorate_bignum::{
    Comb, Engine, Integer, Modulus, Natural, PublicProduct, SecretInteger, SecretModulus,
    SecretNatural, SecretProduct,
};

/// Measurements of each comparison, both classes together.
const MEASUREMENTS: usize = 20_000;
/// The largest `|t|` that passes.
const THRESHOLD: f64 = 10.0;
/// Parts of the measurements that are kept, the fastest ones.
const KEPT: [f64; 6] = [0.3, 0.5, 0.7, 0.9, 0.97, 1.0];
const MODULUS_BITS: usize = 512;
const EXPONENT_BITS: usize = 128;

struct Source(ChaCha20Rng);

impl Source {
    fn new(seed: u64) -> Self {
        Self(quorate_testkit::rng_of(seed))
    }

    fn bytes(&mut self, bits: usize) -> Vec<u8> {
        let mut out = vec![0; bits / 8];
        self.0.fill_bytes(&mut out);
        out
    }

    /// An odd number with the top bit set.
    fn modulus(&mut self) -> Modulus {
        let mut bytes = self.bytes(MODULUS_BITS);
        bytes[0] |= 0x80;
        bytes[MODULUS_BITS / 8 - 1] |= 1;
        Modulus::new(&Natural::from_be_bytes(&bytes)).unwrap()
    }

    fn coin(&mut self) -> bool {
        self.0.next_u32() & 1 == 1
    }
}

/// Welch's t of two samples.
fn welch(classes: &[Vec<f64>; 2]) -> f64 {
    let [(mean_a, error_a), (mean_b, error_b)] = classes.each_ref().map(|sample| {
        let count = f64::from(u32::try_from(sample.len()).unwrap());
        let mean = sample.iter().sum::<f64>() / count;
        let variance = sample.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (count - 1.0);
        (mean, variance / count)
    });
    let error = (error_a + error_b).sqrt();
    if error == 0.0 { 0.0 } else { (mean_a - mean_b) / error }
}

/// The `t` of largest magnitude over the crops.
fn worst(samples: &[(bool, f64)]) -> f64 {
    let mut sorted: Vec<f64> = samples.iter().map(|&(_, time)| time).collect();
    sorted.sort_by(f64::total_cmp);
    let mut worst = 0.0f64;
    for kept in KEPT {
        let at = (sorted.len() as f64 * kept) as usize;
        let bound = sorted[at.clamp(1, sorted.len()) - 1];
        let class = |which| {
            samples
                .iter()
                .filter(|&&(c, time)| c == which && time <= bound)
                .map(|&(_, t)| t)
                .collect()
        };
        let classes: [Vec<f64>; 2] = [class(false), class(true)];
        if classes.iter().all(|c| c.len() > 100) {
            let t = welch(&classes);
            if t.abs() > worst.abs() {
                worst = t;
            }
        }
    }
    worst
}

/// Compares inputs made with `true`, the class of one secret, with those made with `false`. Making and dropping
/// an input is not measured.
fn compare<I>(
    measurements: usize,
    source: &mut Source,
    mut make: impl FnMut(&mut Source, bool) -> I,
    run: impl Fn(&I),
) -> f64 {
    let mut samples = Vec::with_capacity(measurements);
    // Several inputs are made at a time, so that when an input runs, the caches do not hold the data from making
    // it.
    const AT_ONCE: usize = 50;
    for round in 0..measurements / AT_ONCE {
        let inputs: Vec<(bool, I)> = (0..AT_ONCE)
            .map(|_| {
                let class = source.coin();
                (class, make(source, class))
            })
            .collect();
        for (class, input) in &inputs {
            // The system's clock counts single nanoseconds, and the measured work takes ten thousand of them or
            // more.
            let start = Instant::now();
            run(black_box(input));
            let time = start.elapsed().as_nanos() as f64;
            // The first rounds warm up.
            if round > 2 {
                samples.push((*class, time));
            }
        }
    }
    worst(&samples)
}

/// A base and an exponent as secrets.
type Pair = (SecretNatural, SecretInteger);

fn pair(base: &[u8], exponent: &[u8]) -> Pair {
    (
        SecretNatural::from_be_bytes(base),
        SecretInteger::from(SecretNatural::from_be_bytes(exponent)),
    )
}

/// The engines of this crate, alone and with as many products as go side by side.
fn settings() -> Vec<(Engine, usize)> {
    let own = Engine::own().into_iter();
    own.flat_map(|engine| {
        let many = Some(engine.lanes()).filter(|lanes| *lanes > 1);
        core::iter::once((engine, 1)).chain(many.map(|many| (engine, many)))
    })
    .collect()
}

fn judge(results: &[(String, f64)]) {
    for (name, t) in results {
        println!("{name}: t = {t:.2}");
    }
    for (name, t) in results {
        assert!(t.abs() < THRESHOLD, "{name}: t = {t:.2}");
    }
}

/// Secrets of many ones, of few, and of length far below their bound, against random ones.
#[test]
#[ignore = "statistical: wants a quiet machine and minutes; see the top of the file"]
fn powers_of_secrets_take_constant_time() {
    let source = &mut Source::new(1);
    let n = source.modulus();
    let square = Modulus::square_of(&n).unwrap();
    let mut results = Vec::new();
    for (engine, many) in settings() {
        powers_under(("a modulus", &n), (engine, many), source, &mut results);
        powers_under(("a square", &square), (engine, many), source, &mut results);
    }
    judge(&results);
}

fn powers_under(
    (what, n): (&str, &Modulus),
    (engine, many): (Engine, usize),
    source: &mut Source,
    results: &mut Vec<(String, f64)>,
) {
    let bytes = n.bits().div_ceil(8) as usize;
    let top = n.value().checked_sub(&Natural::one()).unwrap().to_be_bytes(bytes).unwrap();
    let mut small = vec![0; bytes];
    small[bytes - 1] = 2;
    let (zeros, ones) = (vec![0; EXPONENT_BITS / 8], vec![0xff; EXPONENT_BITS / 8]);
    let random = source.bytes(EXPONENT_BITS);
    let fixed = [
        ("zero exponent", &top, &zeros),
        ("exponent of ones", &small, &ones),
        ("some exponent", &top, &random),
    ];
    for (name, base, exponent) in fixed {
        let make = |source: &mut Source, class: bool| -> Vec<Pair> {
            let one = |source: &mut Source| {
                // Both are drawn for either class, so that making an input takes the same.
                let drawn = (source.bytes(8 * bytes), source.bytes(EXPONENT_BITS));
                if class { pair(base, exponent) } else { pair(&drawn.0, &drawn.1) }
            };
            (0..many).map(|_| one(source)).collect()
        };
        let run = |input: &Vec<Pair>| {
            let products: Vec<_> =
                input.iter().map(|(b, e)| SecretProduct::new(n).power(b, e.magnitude())).collect();
            drop(black_box(engine.evaluate(&products)));
        };
        results.push((
            format!("{engine} x{many}, {what}, {name}"),
            compare(MEASUREMENTS, source, make, run),
        ));
    }
}

/// Powers with a sign, over tables, and under a secret modulus.
#[test]
#[ignore = "statistical: wants a quiet machine and minutes; see the top of the file"]
fn secret_signs_combs_and_moduli() {
    let source = &mut Source::new(2);
    let n = source.modulus();
    let hidden =
        SecretModulus::new(&SecretNatural::classify(n.value(), n.bits()).unwrap()).unwrap();
    let ones = vec![0xff; EXPONENT_BITS / 8];
    let mut results = Vec::new();
    for (engine, many) in settings() {
        let bits = u32::try_from(EXPONENT_BITS).unwrap();
        let comb = Comb::new(&engine, &n, &[(Natural::from(4), bits)], 60_000).unwrap();
        let make = |source: &mut Source, class: bool| -> Vec<SecretInteger> {
            let one = |source: &mut Source| {
                let (drawn, negative) = (source.bytes(EXPONENT_BITS), source.coin());
                let magnitude = SecretNatural::from_be_bytes(if class { &ones } else { &drawn });
                SecretInteger::new(u8::from(class | negative).into(), magnitude)
            };
            (0..many).map(|_| one(source)).collect()
        };
        let run = |input: &Vec<SecretInteger>| {
            let products: Vec<_> =
                input.iter().map(|e| SecretProduct::new(&n).comb(&comb, vec![e.into()])).collect();
            drop(black_box(engine.evaluate(&products)));
        };
        results
            .push((format!("{engine} x{many}, table"), compare(MEASUREMENTS, source, make, run)));
        let base = SecretNatural::from_be_bytes(&[4]);
        let run = |input: &Vec<SecretInteger>| {
            let products: Vec<_> =
                input.iter().map(|e| SecretProduct::new(&n).power(Natural::from(4), e)).collect();
            drop(black_box(engine.evaluate(&products)));
        };
        results.push((
            format!("{engine} x{many}, sign"),
            compare(MEASUREMENTS / 2, source, make, run),
        ));
        let run = |input: &Vec<SecretInteger>| {
            let products: Vec<_> = input
                .iter()
                .map(|e| SecretProduct::under_secret(&hidden).power(&base, e.magnitude()))
                .collect();
            drop(black_box(engine.evaluate(&products)));
        };
        results.push((
            format!("{engine} x{many}, secret modulus"),
            compare(MEASUREMENTS / 2, source, make, run),
        ));
    }
    judge(&results);
}

/// Checks that the test sees a leak. The evaluation in variable time fails it, by its exponents and by its bases,
/// with fewer measurements.
#[test]
#[ignore = "statistical: wants a quiet machine and minutes; see the top of the file"]
fn the_leak_of_variable_time_is_seen() {
    let source = &mut Source::new(3);
    let n = source.modulus();
    let sparse = {
        let mut bytes = vec![0; EXPONENT_BITS / 8];
        (bytes[0], bytes[EXPONENT_BITS / 8 - 1]) = (0x80, 1);
        bytes
    };
    for (engine, many) in settings() {
        let make = |source: &mut Source, class: bool| -> Vec<(Natural, Integer)> {
            let one = |source: &mut Source| {
                let (base, mut drawn) = (source.bytes(MODULUS_BITS), source.bytes(EXPONENT_BITS));
                drawn[0] |= 0x80;
                let exponent = Natural::from_be_bytes(if class { &sparse } else { &drawn });
                (n.reduce(&Natural::from_be_bytes(&base)), Integer::from(exponent))
            };
            (0..many).map(|_| one(source)).collect()
        };
        let run = |input: &Vec<(Natural, Integer)>| {
            let products: Vec<_> =
                input.iter().map(|(b, e)| PublicProduct::new(&n).power(b, e)).collect();
            drop(black_box(engine.evaluate_vartime(&products)));
        };
        let t = compare(MEASUREMENTS / 5, source, make, run);
        println!("{engine} x{many}, variable time: t = {t:.2}");
        assert!(t.abs() > THRESHOLD, "{engine} x{many}: variable time is not seen, t = {t:.2}");
    }
}
