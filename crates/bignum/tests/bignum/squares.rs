//! Moduli that know their roots: the same results as those that don't.

use num_bigint::BigUint;
use quorate_bignum::{
    Engine, Factored, Integer, Modulus, Natural, PublicProduct, SecretInteger, SecretModulus,
    SecretNatural, SecretProduct,
};

use crate::support::*;

/// Roots that are neither random nor alike: the least and the greatest of a length, and some between.
fn roots(rng: &mut Rng, bits: u32) -> Vec<BigUint> {
    let one = BigUint::from(1u8);
    let top = &one << (bits - 1);
    let ones = (&one << bits) - &one;
    // Its square is a bit shorter than that of the others.
    let mut roots = vec![&top + &one, ones.clone(), &ones - (&one << (bits / 2))];
    roots.extend((0..5).map(|_| rng.odd(bits)));
    roots
}

/// Numbers below the square of `n` whose halves are at the edges.
fn bases(rng: &mut Rng, n: &BigUint) -> Vec<BigUint> {
    let one = BigUint::from(1u8);
    let square = n * n;
    let mut bases = vec![BigUint::from(0u8), one.clone(), n - &one, n.clone(), n + &one];
    bases.extend([n * (n - &one), &square - n, &square - &one]);
    bases.extend((0..4).map(|_| rng.below(&square)));
    bases
}

/// A product: the place of its modulus, its bases and exponents.
type Job = (usize, Vec<(BigUint, BigUint)>);
/// Bases and exponents of a product, as ours.
type Terms = Vec<(Natural, Integer)>;

/// Products of one to three powers, with long exponents and short ones.
fn jobs(rng: &mut Rng, roots: &[BigUint], count: usize, long: u32) -> Vec<Job> {
    let mut job = |k: usize| {
        let at = k % roots.len();
        let bases = bases(rng, &roots[at]);
        let term = |j: usize, bits| (bases[(k * 5 + j) % bases.len()].clone(), bits);
        let terms = [term(0, long), term(3, 7), term(7, [1, 2, 3, 4, 5][k % 5])];
        let terms = terms.map(|(base, bits)| (base, rng.bits(bits)));
        (at, terms.into_iter().take(1 + k % 3).collect())
    };
    (0..count).map(&mut job).collect()
}

/// The value of a product, by another library.
fn expected(roots: &[BigUint], (at, terms): &Job) -> BigUint {
    let n = &roots[*at] * &roots[*at];
    let one = BigUint::from(1u8) % &n;
    terms.iter().fold(one, |product, (b, e)| product * b.modpow(e, &n) % &n)
}

fn public_values(engine: &Engine, jobs: &[(&Modulus, Terms)]) -> Vec<BigUint> {
    let mut products = Vec::new();
    for (square, terms) in jobs {
        let empty = PublicProduct::new(square);
        products.push(terms.iter().fold(empty, |product, (b, e)| product.power(b, e)));
    }
    engine.evaluate_vartime(&products).iter().map(|value| big(value.as_ref().unwrap())).collect()
}

/// With bases of at most `bits` bits, and exponents of at most `long`.
fn secret_values(
    engine: &Engine,
    jobs: &[(&Modulus, Terms)],
    [bits, long]: [u32; 2],
) -> Vec<BigUint> {
    let hidden = |(b, e): &(Natural, Integer)| {
        let base = SecretNatural::classify(b, bits).unwrap();
        (base, SecretInteger::classify(e, long).unwrap())
    };
    let terms: Vec<Vec<_>> =
        jobs.iter().map(|(_, terms)| terms.iter().map(hidden).collect()).collect();
    let mut products = Vec::new();
    for ((square, _), terms) in jobs.iter().zip(&terms) {
        let empty = SecretProduct::new(square);
        products.push(terms.iter().fold(empty, |product, (b, e)| product.power(b, e.magnitude())));
    }
    let values = engine.evaluate(&products);
    values.iter().map(|value| big(&value.as_ref().unwrap().declassify())).collect()
}

#[test]
fn products_of_every_size() {
    let mut rng = Rng::new(70);
    for bits in [16u32, 62, 130, 400, 451, 502, 512, 520, 553, 1024, 1536, 2048, 3072, 3456] {
        let roots = roots(&mut rng, bits);
        let moduli: Vec<Modulus> =
            roots.iter().map(|n| Modulus::new(&natural(n)).unwrap()).collect();
        let squares: Vec<Modulus> = moduli.iter().map(|n| Modulus::square_of(n).unwrap()).collect();
        let long = if bits > 600 { 40 } else { 300 };
        for count in [1, 2, 3, 4, 5, 7, 8, 9, 12, 17] {
            let jobs = jobs(&mut rng, &roots, count, long);
            let expected: Vec<BigUint> = jobs.iter().map(|job| expected(&roots, job)).collect();
            let ours = |(b, e): &(BigUint, BigUint)| (natural(b), Integer::new(false, natural(e)));
            let ours: Vec<(&Modulus, Terms)> = jobs
                .iter()
                .map(|(at, terms)| (&squares[*at], terms.iter().map(ours).collect()))
                .collect();
            for engine in Engine::available() {
                let values = public_values(&engine, &ours);
                assert_eq!(values, expected, "{engine} {bits} {count}");
                let values = secret_values(&engine, &ours, [2 * bits, long]);
                assert_eq!(values, expected, "{engine} {bits} {count}");
            }
        }
    }
}

/// Secret roots, shorter than the public bound of their length.
#[test]
fn secret_roots_below_their_bound() {
    let mut rng = Rng::new(73);
    for (bits, bound) in [(500, 512), (512, 520), (1000, 1100), (1024, 1024)] {
        let roots: Vec<BigUint> = (0..8).map(|_| rng.odd(bits)).collect();
        let moduli: Vec<SecretModulus> = roots
            .iter()
            .map(|n| SecretModulus::new(&SecretNatural::classify(&natural(n), bound).unwrap()))
            .map(|n| SecretModulus::square_of(&n.unwrap()).unwrap())
            .collect();
        let exponent = rng.bits(90);
        let power = SecretNatural::classify(&natural(&exponent), 90).unwrap();
        let bases: Vec<BigUint> = roots.iter().map(|n| rng.below(&(n * n))).collect();
        let hidden: Vec<SecretNatural> = bases
            .iter()
            .map(|b| SecretNatural::classify(&natural(b), 2 * bound).unwrap())
            .collect();
        for engine in Engine::available() {
            let products: Vec<SecretProduct<'_>> = moduli
                .iter()
                .zip(&hidden)
                .map(|(n, base)| SecretProduct::under_secret(n).power(base, &power))
                .collect();
            for ((value, n), base) in engine.evaluate(&products).iter().zip(&roots).zip(&bases) {
                let value = big(&value.as_ref().unwrap().declassify());
                assert_eq!(value, base.modpow(&exponent, &(n * n)), "{engine} {bits} {bound}");
            }
        }
    }
}

/// Squares side by side with moduli that are not squares, and squares of equal length whose roots have different
/// lengths.
#[test]
fn mixed_lists() {
    let mut rng = Rng::new(71);
    let plain: Vec<Modulus> =
        (0..3).map(|_| Modulus::new(&natural(&rng.odd(2048))).unwrap()).collect();
    let square = |bits: u32, rng: &mut Rng| {
        Modulus::square_of(&Modulus::new(&natural(&rng.odd(bits))).unwrap()).unwrap()
    };
    let squares: Vec<Modulus> =
        [1020, 1024, 1032, 1033, 1024].map(|bits| square(bits, &mut rng)).into();
    let moduli: Vec<&Modulus> = plain.iter().chain(&squares).cycle().take(21).collect();
    let bases: Vec<BigUint> = moduli.iter().map(|n| rng.below(&big(n.value()))).collect();
    let exponent = rng.bits(64);
    let naturals: Vec<_> = bases.iter().map(natural).collect();
    let power = Integer::new(false, natural(&exponent));
    for engine in Engine::available() {
        let products: Vec<PublicProduct<'_>> = moduli
            .iter()
            .zip(&naturals)
            .map(|(n, base)| PublicProduct::new(n).power(base, &power))
            .collect();
        for ((value, n), base) in engine.evaluate_vartime(&products).iter().zip(&moduli).zip(&bases)
        {
            assert_eq!(big(value.as_ref().unwrap()), base.modpow(&exponent, &big(n.value())));
        }
    }
}

/// Products under the squares of known factors.
#[test]
fn known_factors() {
    let mut rng = Rng::new(72);
    let (p, q) = primes_512();
    let hidden = |x: &BigUint| SecretNatural::classify(&natural(x), 512).unwrap();
    let factored = Factored::new(&hidden(&p), &hidden(&q)).unwrap().square().unwrap();
    let n = &p * &q;
    let square = &n * &n;
    let bases: Vec<BigUint> = (0..9).map(|_| rng.below(&square)).collect();
    let secret: Vec<SecretNatural> =
        bases.iter().map(|b| SecretNatural::classify(&natural(b), 2048).unwrap()).collect();
    for engine in Engine::available() {
        let products: Vec<SecretProduct<'_>> =
            secret.iter().map(|b| SecretProduct::factored(&factored).nth_power(b)).collect();
        for (value, base) in engine.evaluate(&products).iter().zip(&bases) {
            let value = big(&value.as_ref().unwrap().declassify());
            assert_eq!(value, base.modpow(&n, &square), "{engine}");
        }
    }
}

#[test]
fn a_square_that_is_too_long_is_refused() {
    let root = Modulus::new(&natural(&((BigUint::from(1u8) << 3500u32) + 1u8))).unwrap();
    assert_eq!(Modulus::square_of(&root).unwrap_err(), quorate_bignum::Error::LargeModulus);
}
