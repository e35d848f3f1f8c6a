//! Every engine against an independent big-number library, on random and extreme inputs.

use crate::support::{self, Rng, big, natural};
use num_bigint::BigUint;
use quorate_bignum::{
    Comb, Engine, Factored, Integer, Modulus, Natural, PublicProduct, SecretInteger, SecretNatural,
    SecretProduct,
};

/// Sizes in use, odd ones between, and small ones.
const SIZES: [u32; 15] =
    [2, 64, 65, 127, 512, 777, 1024, 1031, 1536, 2048, 2049, 3072, 4095, 4096, 6144];

fn moduli(rng: &mut Rng, bits: u32) -> Vec<BigUint> {
    let one = BigUint::from(1u8);
    let top = &one << bits;
    vec![&top - 1u8, (&top >> 1u32) + 1u8, rng.odd(bits), rng.odd(bits)]
}

fn integer(value: &BigUint, negative: bool) -> Integer {
    Integer::new(negative, natural(value))
}

fn expected(n: &BigUint, terms: &[(BigUint, BigUint)]) -> BigUint {
    terms.iter().fold(BigUint::from(1u8) % n, |acc, (b, e)| acc * b.modpow(e, n) % n)
}

/// Bases and exponents at their extremes and at random.
fn terms(rng: &mut Rng, n: &BigUint, exponent_bits: u32) -> Vec<Vec<(BigUint, BigUint)>> {
    let (zero, one) = (BigUint::from(0u8), BigUint::from(1u8));
    let full = (&one << exponent_bits) - 1u8;
    vec![
        vec![],
        vec![(zero.clone(), one.clone())],
        vec![(zero.clone(), zero.clone())],
        vec![(&one % n, full.clone())],
        vec![(n - 1u8, full.clone())],
        vec![(n - 1u8, zero), (rng.below(n), one)],
        vec![(rng.below(n), rng.bits(exponent_bits))],
        vec![(rng.below(n), rng.bits(exponent_bits)), (rng.below(n), rng.bits(exponent_bits >> 1))],
        vec![
            (n - 1u8, full),
            (rng.below(n), rng.bits(exponent_bits)),
            (rng.below(n), rng.bits(13)),
        ],
    ]
}

#[test]
fn public_products_of_every_size() {
    for bits in SIZES {
        let rng = &mut Rng::new(u64::from(bits));
        let mut cases = Vec::new();
        for n in moduli(rng, bits).into_iter().filter(|n| n.bits() > 1) {
            for terms in terms(rng, &n, bits.min(200)) {
                cases.push((n.clone(), terms));
            }
        }
        let moduli: Vec<Modulus> =
            cases.iter().map(|(n, _)| Modulus::new(&natural(n)).unwrap()).collect();
        let products: Vec<PublicProduct<'_>> = cases
            .iter()
            .zip(&moduli)
            .map(|((_, terms), modulus)| {
                terms.iter().fold(PublicProduct::new(modulus), |product, (b, e)| {
                    product.power(natural(b), integer(e, false))
                })
            })
            .collect();
        for engine in Engine::available() {
            for (value, (n, terms)) in engine.evaluate_vartime(&products).into_iter().zip(&cases) {
                assert_eq!(
                    big(&value.unwrap()),
                    expected(n, terms),
                    "{engine} {bits} {n} {terms:?}"
                );
            }
        }
    }
}

#[test]
fn secret_products_of_every_size() {
    for bits in SIZES {
        let rng = &mut Rng::new(1000 + u64::from(bits));
        for n in moduli(rng, bits).into_iter().filter(|n| n.bits() > 1) {
            let modulus = Modulus::new(&natural(&n)).unwrap();
            let cases = terms(rng, &n, bits.min(150));
            let secrets: Vec<Vec<(SecretNatural, SecretInteger)>> = cases
                .iter()
                .map(|terms| {
                    let secret = |(b, e): &(BigUint, BigUint)| {
                        let b = SecretNatural::classify(&natural(b), bits).unwrap();
                        (b, SecretInteger::classify(&integer(e, false), 160).unwrap())
                    };
                    terms.iter().map(secret).collect()
                })
                .collect();
            // Public bases: a secret sign asks for their inverse, so units alone.
            let products: Vec<SecretProduct<'_>> = secrets
                .iter()
                .zip(&cases)
                .filter(|(_, terms)| terms.iter().all(|(b, _)| unit(b, &n)))
                .map(|(terms, _)| {
                    terms.iter().fold(SecretProduct::new(&modulus), |p, (b, e)| p.power(b, e))
                })
                .collect();
            let expected: Vec<BigUint> = cases
                .iter()
                .filter(|terms| terms.iter().all(|(b, _)| unit(b, &n)))
                .map(|terms| expected(&n, terms))
                .collect();
            for engine in Engine::available() {
                for (value, expected) in engine.evaluate(&products).into_iter().zip(&expected) {
                    assert_eq!(&big(&value.unwrap().declassify()), expected, "{engine} {bits} {n}");
                }
            }
        }
    }
}

fn unit(b: &BigUint, n: &BigUint) -> bool {
    natural(b).gcd(&natural(n)) == Natural::one()
}

/// Powers of secret bases by one public exponent, enough to fill lanes and more, beside powers by secret
/// exponents and by other public ones.
#[test]
fn exponents_in_common() {
    let rng = &mut Rng::new(77);
    for bits in [64, 777, 1536] {
        let n = rng.odd(bits);
        let modulus = Modulus::new(&natural(&n)).unwrap();
        let square = Modulus::square_of(&modulus).unwrap();
        let [zero, one] = [0u8, 1].map(BigUint::from);
        let alike = [zero, one.clone(), &one << 150u32, (&one << 150u32) - 1u8, rng.bits(150)];
        for modulus in [&modulus, &square] {
            let n = big(modulus.value());
            let mut cases = Vec::new();
            for e in &alike {
                for count in 0..11 {
                    let second = if count < 8 { rng.bits(40) } else { rng.bits(150) };
                    cases.push(([rng.below(&n), rng.below(&n)], [e.clone(), second]));
                }
            }
            let secrets: Vec<_> = cases
                .iter()
                .map(|(bases, [e, f])| {
                    let secret = |b| SecretNatural::classify(&natural(b), modulus.bits()).unwrap();
                    let bound = u32::try_from(f.bits()).unwrap().max(1);
                    (bases.each_ref().map(secret), integer(e, false), {
                        SecretNatural::classify(&natural(f), bound).unwrap()
                    })
                })
                .collect();
            let products: Vec<SecretProduct<'_>> = secrets
                .iter()
                .map(|([b, c], e, f)| SecretProduct::new(modulus).power(b, e).power(c, f))
                .collect();
            for engine in Engine::available() {
                for (value, ([b, c], [e, f])) in engine.evaluate(&products).into_iter().zip(&cases)
                {
                    let expected = expected(&n, &[(b.clone(), e.clone()), (c.clone(), f.clone())]);
                    assert_eq!(big(&value.unwrap().declassify()), expected, "{engine} {bits} {e}");
                }
            }
        }
    }
}

#[test]
fn long_lists_keep_their_order() {
    let rng = &mut Rng::new(7);
    let sizes = [512u32, 1024, 640, 1024, 1536];
    let cases: Vec<(BigUint, BigUint, BigUint)> = (0..41usize)
        .map(|i| {
            let n = rng.odd(sizes[i % sizes.len()]);
            (n.clone(), rng.below(&n), rng.bits(20 + 31 * u32::try_from(i).unwrap()))
        })
        .collect();
    let moduli: Vec<Modulus> =
        cases.iter().map(|(n, ..)| Modulus::new(&natural(n)).unwrap()).collect();
    let products: Vec<PublicProduct<'_>> = cases
        .iter()
        .zip(&moduli)
        .map(|((_, b, e), modulus)| {
            PublicProduct::new(modulus).power(natural(b), integer(e, false))
        })
        .collect();
    for engine in Engine::available() {
        for count in [1usize, 2, 3, 4, 5, 7, 8, 9, 41] {
            for (value, (n, b, e)) in
                engine.evaluate_vartime(&products[..count]).into_iter().zip(&cases)
            {
                assert_eq!(big(&value.unwrap()), b.modpow(e, n), "{engine} {count}");
            }
        }
    }
}

/// Lengths with equal numbers of 64-bit words but different numbers of limbs of another size, side by side in one
/// list.
#[test]
fn moduli_of_nearly_one_length() {
    let rng = &mut Rng::new(11);
    for words in [2u32, 8, 9, 16, 32] {
        let cases: Vec<(BigUint, BigUint, BigUint)> = (0..64u32)
            .map(|short| {
                let n = rng.odd(64 * words - short * 7 % 64);
                (n.clone(), rng.below(&n), rng.bits(60))
            })
            .collect();
        let moduli: Vec<Modulus> =
            cases.iter().map(|(n, ..)| Modulus::new(&natural(n)).unwrap()).collect();
        let (public, secret): (Vec<PublicProduct<'_>>, Vec<SecretProduct<'_>>) =
            (cases.iter().zip(&moduli))
                .map(|((_, b, e), modulus)| {
                    let public = PublicProduct::new(modulus).power(natural(b), integer(e, false));
                    (public, SecretProduct::new(modulus).power(natural(b), integer(e, false)))
                })
                .unzip();
        for engine in Engine::available() {
            let values = engine.evaluate_vartime(&public).into_iter().zip(engine.evaluate(&secret));
            for ((value, secret), (n, b, e)) in values.zip(&cases) {
                let expected = natural(&b.modpow(e, n));
                assert_eq!(value.unwrap(), expected, "{engine} {n}");
                assert_eq!(secret.unwrap().declassify(), expected, "{engine} {n}");
            }
        }
    }
}

#[test]
fn negative_exponents() {
    let rng = &mut Rng::new(8);
    let n = rng.odd(700);
    let modulus = Modulus::new(&natural(&n)).unwrap();
    let base = loop {
        let base = rng.below(&n);
        if unit(&base, &n) {
            break base;
        }
    };
    let e = rng.bits(300);
    let secret = SecretInteger::classify(&integer(&e, true), 300).unwrap();
    let secret_base = SecretNatural::classify(&natural(&base), 700).unwrap();
    for engine in Engine::available() {
        let power = PublicProduct::new(&modulus).power(natural(&base), integer(&e, true));
        let value = engine.evaluate_vartime(&[power]).remove(0).unwrap();
        assert_eq!(big(&value) * base.modpow(&e, &n) % &n, BigUint::from(1u8));
        let powers = [
            SecretProduct::new(&modulus).power(natural(&base), &secret),
            SecretProduct::new(&modulus).power(&secret_base, &secret),
            SecretProduct::new(&modulus).power(&secret_base, integer(&e, true)),
        ];
        for value in engine.evaluate(&powers) {
            assert_eq!(
                value.unwrap().declassify(),
                natural(&big(&power_of(&engine, &modulus, &base, &e)))
            );
        }
    }
}

fn power_of(engine: &Engine, modulus: &Modulus, base: &BigUint, e: &BigUint) -> Natural {
    let power = PublicProduct::new(modulus).power(natural(base), integer(e, true));
    engine.evaluate_vartime(&[power]).remove(0).unwrap()
}

#[test]
fn combs() {
    for bits in [512u32, 1024, 2048] {
        let rng = &mut Rng::new(9 + u64::from(bits));
        let n = rng.odd(bits);
        let modulus = Modulus::new(&natural(&n)).unwrap();
        let mut unit_base = || loop {
            let base = rng.below(&n);
            if unit(&base, &n) {
                break base;
            }
        };
        let (s, t) = (unit_base(), unit_base());
        let bases = [(natural(&s), 300), (natural(&t), 700)];
        for engine in Engine::available() {
            comb_agrees(&engine, &modulus, &bases, rng);
        }
    }
}

/// A comb for two bases, with exponents of all signs, public and secret, against powers.
fn comb_agrees(engine: &Engine, modulus: &Modulus, bases: &[(Natural, u32); 2], rng: &mut Rng) {
    let [(s, ls), (t, lt)] = bases;
    let comb = Comb::new(engine, modulus, bases, 60_000).unwrap();
    assert!(comb.bytes() <= 60_000);
    let full = |bits: u32| (BigUint::from(1u8) << bits) - 1u8;
    let zero = BigUint::from(0u8);
    let mut cases = vec![(zero.clone(), zero), (full(*ls), full(*lt))];
    cases.extend((0..9).map(|_| (rng.bits(*ls), rng.bits(*lt))));
    for (negative_s, negative_t) in [(false, false), (true, false), (false, true), (true, true)] {
        let ints: Vec<[Integer; 2]> =
            cases.iter().map(|(x, y)| [integer(x, negative_s), integer(y, negative_t)]).collect();
        let secret = |x: &Integer, bits: &u32| SecretInteger::classify(x, *bits).unwrap();
        let secrets: Vec<_> = ints.iter().map(|[x, y]| [secret(x, ls), secret(y, lt)]).collect();
        let public: Vec<PublicProduct<'_>> = ints
            .iter()
            .map(|[x, y]| PublicProduct::new(modulus).comb(&comb, vec![x.into(), y.into()]))
            .collect();
        let plain = ints
            .iter()
            .map(|[x, y]| PublicProduct::new(modulus).power(s.clone(), x).power(t.clone(), y));
        let plain = Engine::portable().evaluate_vartime(&plain.collect::<Vec<_>>());
        let secret: Vec<SecretProduct<'_>> = secrets
            .iter()
            .map(|[x, y]| SecretProduct::new(modulus).comb(&comb, vec![x.into(), y.into()]))
            .collect();
        let found = engine.evaluate_vartime(&public).into_iter().zip(engine.evaluate(&secret));
        assert_eq!((found.len(), plain.len()), (cases.len(), cases.len()));
        for ((a, b), c) in found.zip(plain) {
            let c = c.unwrap();
            assert_eq!(a.unwrap(), c, "{engine} {}", modulus.bits());
            assert_eq!(b.unwrap().declassify(), c, "{engine} {}", modulus.bits());
        }
    }
}

/// Jobs over several combs in one list: of one shape, which share lanes, of another, and of longer numbers.
#[test]
fn many_combs() {
    let rng = &mut Rng::new(30);
    let shapes =
        [(1024u32, 300, 3), (1024, 300, 3), (1024, 200, 2), (1024, 300, 9), (1536, 300, 1)];
    let setups = shapes.map(|(bits, length, jobs)| {
        let n = rng.odd(bits);
        let mut base = || loop {
            let base = rng.below(&n);
            if unit(&base, &n) {
                break natural(&base);
            }
        };
        let bases = [(base(), length), (base(), 700)];
        (Modulus::new(&natural(&n)).unwrap(), bases, jobs)
    });
    for engine in Engine::available() {
        let combs =
            setups.each_ref().map(|(n, bases, _)| Comb::new(&engine, n, bases, 60_000).unwrap());
        let mut jobs = Vec::new();
        for (index, (_, bases, count)) in setups.iter().enumerate() {
            for at in 0..*count {
                let e = bases.each_ref().map(|(_, bits)| integer(&rng.bits(*bits), at % 2 == 1));
                // One of each comb after the other.
                jobs.push((at, index, e));
            }
        }
        jobs.sort_by_key(|(at, index, _)| (*at, *index));
        let secret = |e: &Integer, bits: u32| SecretInteger::classify(e, bits).unwrap();
        let secrets: Vec<[SecretInteger; 2]> = jobs
            .iter()
            .map(|(_, index, [x, y])| {
                let [(_, s), (_, t)] = &setups[*index].1;
                [secret(x, *s), secret(y, *t)]
            })
            .collect();
        let (mut public, mut hidden, mut plain) = (Vec::new(), Vec::new(), Vec::new());
        for ((_, index, [x, y]), [sx, sy]) in jobs.iter().zip(&secrets) {
            let ((n, [(s, _), (t, _)], _), comb) = (&setups[*index], &combs[*index]);
            public.push(PublicProduct::new(n).comb(comb, vec![x.into(), y.into()]));
            hidden.push(SecretProduct::new(n).comb(comb, vec![sx.into(), sy.into()]));
            plain.push(PublicProduct::new(n).power(s, x).power(t, y));
        }
        let known = engine.evaluate_vartime(&public);
        let public = public.into_iter().map(SecretProduct::from).collect::<Vec<_>>();
        let joined = engine.evaluate(&public);
        let found = known.into_iter().zip(engine.evaluate(&hidden)).zip(joined);
        for (((a, b), c), plain) in found.zip(Engine::portable().evaluate_vartime(&plain)) {
            let expected = plain.unwrap();
            assert_eq!(a.unwrap(), expected, "{engine}");
            assert_eq!(b.unwrap().declassify(), expected, "{engine}");
            assert_eq!(c.unwrap().declassify(), expected, "{engine}");
        }
    }
}

#[test]
fn known_factors() {
    let rng = &mut Rng::new(10);
    let (p, q) = support::primes_512();
    let n = &p * &q;
    let secret = |x: &BigUint| SecretNatural::classify(&natural(x), 512).unwrap();
    let factored = Factored::new(&secret(&p), &secret(&q)).unwrap();
    let square = factored.square().unwrap();
    let nn = &n * &n;
    assert_eq!(big(square.modulus().value()), nn);
    for engine in Engine::available() {
        for (ring, n, bits) in [(&factored, &n, 1024), (&square, &nn, 2048)] {
            let (b, c, e) = (rng.below(n), rng.below(n), rng.bits(bits));
            let sb = SecretNatural::classify(&natural(&b), bits).unwrap();
            let se = SecretInteger::classify(&integer(&e, false), bits).unwrap();
            let minus = SecretInteger::classify(&integer(&e, true), bits).unwrap();
            let products = [
                SecretProduct::factored(ring),
                SecretProduct::factored(ring).power(&sb, &se),
                SecretProduct::factored(ring)
                    .power(natural(&b), integer(&e, false))
                    .power(natural(&c), Integer::from(Natural::from(5))),
                SecretProduct::factored(ring).power(natural(&b), &minus),
            ];
            let values: Vec<BigUint> = engine
                .evaluate(&products)
                .into_iter()
                .map(|v| big(&v.unwrap().declassify()))
                .collect();
            assert_eq!(values[0], BigUint::from(1u8), "{engine}");
            assert_eq!(values[1], b.modpow(&e, n), "{engine}");
            assert_eq!(
                values[2],
                b.modpow(&e, n) * c.modpow(&BigUint::from(5u8), n) % n,
                "{engine}"
            );
            assert_eq!(&values[3] * b.modpow(&e, n) % n, BigUint::from(1u8), "{engine}");
        }
        let r = rng.below(&n);
        let sr = SecretNatural::classify(&natural(&r), 1024).unwrap();
        let g = rng.below(&nn);
        let products = [
            SecretProduct::factored(&square).nth_power(&sr),
            SecretProduct::factored(&square)
                .power(natural(&g), Integer::from(Natural::from(3)))
                .nth_power(natural(&r)),
        ];
        let values: Vec<BigUint> =
            engine.evaluate(&products).into_iter().map(|v| big(&v.unwrap().declassify())).collect();
        assert_eq!(values[0], r.modpow(&n, &nn), "{engine}");
        assert_eq!(
            values[1],
            r.modpow(&n, &nn) * g.modpow(&BigUint::from(3u8), &nn) % &nn,
            "{engine}"
        );
    }
}

/// Exponents at the edges of digits.
fn edges(rng: &mut Rng) -> Vec<BigUint> {
    let one = BigUint::from(1u8);
    let mut edges: Vec<BigUint> = (0u8..70).map(BigUint::from).collect();
    for k in [5u32, 6, 7, 12, 13, 62, 63, 64, 65, 127, 128, 129, 191, 192, 600] {
        let power = &one << k;
        edges.extend([&power - 1u8, &power + 1u8, (&power - 1u8) << 3u32]);
        edges.extend([power | (&one << (k / 2)) | &one, &one << k, rng.bits(k)]);
    }
    edges
}

/// Every count of jobs up to two times the lanes, by one public exponent at the edges of digits, with one of another length
/// among them or not; on every engine.
#[test]
fn exponents_in_common_at_their_edges() {
    let rng = &mut Rng::new(78);
    let counts = [1, 2, 3, 7, 8, 9, 15, 16, 17];
    for (at, e) in edges(rng).iter().enumerate() {
        let n = rng.odd([33u32, 64, 65, 129, 512, 520][at % 6]);
        let modulus = Modulus::new(&natural(&n)).unwrap();
        let count = counts[at % counts.len()];
        let mut cases: Vec<_> = (0..count).map(|_| (rng.below(&n), e.clone())).collect();
        cases[0].0 = BigUint::from(0u8);
        cases[count - 1].0 = &n - 1u8;
        if at % 3 == 0 {
            cases[count / 2].1 = rng.bits(150);
        }
        let secret = |b| SecretNatural::classify(&natural(b), modulus.bits()).unwrap();
        let secrets: Vec<_> = cases.iter().map(|(b, e)| (secret(b), integer(e, false))).collect();
        let three = || (natural(&BigUint::from(3u8)), Integer::from(Natural::from(5)));
        // Some have a second power.
        let products = secrets.iter().enumerate().map(|(job, (b, e))| {
            let (first, (three, five)) = (SecretProduct::new(&modulus).power(b, e), three());
            if at % 5 == 0 && job % 2 == 1 { first.power(three, five) } else { first }
        });
        let products: Vec<SecretProduct<'_>> = products.collect();
        for engine in Engine::available() {
            for (job, (value, (b, e))) in
                engine.evaluate(&products).into_iter().zip(&cases).enumerate()
            {
                let second = if at % 5 == 0 && job % 2 == 1 { 243u8 } else { 1 };
                let expected = b.modpow(e, &n) * second % &n;
                assert_eq!(big(&value.unwrap().declassify()), expected, "{engine} {count} {e}");
            }
        }
    }
}
