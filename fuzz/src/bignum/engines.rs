//! Lists of products through two engines, in public and with secrets, and through another library.
//!
//! The first byte of an input chooses the engines, the second what kind of list follows.

use num_bigint::BigUint;
use quorate_bignum::{
    Base, Comb, Engine, Error, Exponent, Factored, Integer, Modulus, Natural, PublicProduct,
    SecretInteger, SecretNatural, SecretProduct,
};

use super::{big, is_unit, length, natural, number, odd};
use crate::input::Input;

/// The longest exponent, in bits.
const EXPONENT: u32 = 300;

pub(crate) fn check(data: &[u8]) -> bool {
    let mut input = Input::new(data);
    let engines = Engine::available();
    let (first, second) = (input.below(16), input.below(16));
    let pair = [engines[first % engines.len()], engines[second % engines.len()]];
    match input.byte() % 4 {
        0 => combs(&mut input, pair),
        1 => factored(&mut input, pair),
        _ => lists(&mut input, pair),
    }
}

/// `base^exponent` in numbers, and how it is handed over.
struct Term {
    base: BigUint,
    exponent: BigUint,
    negative: bool,
    /// Flags: the base is secret, the exponent is secret.
    secret: [bool; 2],
    base_number: Natural,
    integer: Integer,
    secret_base: SecretNatural,
    secret_natural: SecretNatural,
    secret_integer: SecretInteger,
}

impl Term {
    fn read(input: &mut Input<'_>, n: &BigUint, exponent_bits: u32) -> Self {
        let flags = input.byte();
        let bits = u32::try_from(n.bits()).expect("a short modulus");
        let base = number(input, bits) % n;
        Self::new(base, bits, number(input, exponent_bits), exponent_bits, flags)
    }

    fn new(base: BigUint, bits: u32, exponent: BigUint, exponent_bits: u32, flags: u8) -> Self {
        let negative = flags & 1 != 0;
        let (base_number, magnitude) = (natural(&base), natural(&exponent));
        let integer = Integer::new(negative, magnitude.clone());
        Self {
            negative: integer.is_negative(),
            secret: [flags & 2 != 0, flags & 4 != 0],
            secret_base: SecretNatural::classify(&base_number, bits).expect("below the modulus"),
            secret_natural: SecretNatural::classify(&magnitude, exponent_bits)
                .expect("within its bound"),
            secret_integer: SecretInteger::classify(&integer, exponent_bits)
                .expect("within its bound"),
            base_number,
            integer,
            base,
            exponent,
        }
    }

    fn base(&self) -> Base<'_> {
        if self.secret[0] { (&self.secret_base).into() } else { (&self.base_number).into() }
    }

    fn exponent(&self) -> Exponent<'_> {
        match self.secret[1] {
            false => (&self.integer).into(),
            true if self.negative || self.exponent.bit(0) => (&self.secret_integer).into(),
            true => (&self.secret_natural).into(),
        }
    }

    /// Returns whether a base of this term is inverted, in whichever way the term is evaluated.
    fn inverts(&self) -> bool {
        self.negative || matches!(self.exponent(), Exponent::Secret(_))
    }

    /// The power by the other library, if it exists.
    fn expected(&self, n: &BigUint) -> Option<BigUint> {
        let base = if self.negative { self.base.modinv(n)? } else { self.base.clone() };
        Some(base.modpow(&self.exponent, n))
    }
}

fn expected(terms: &[Term], n: &BigUint) -> Option<BigUint> {
    terms.iter().try_fold(BigUint::from(1u8), |product, term| Some(product * term.expected(n)? % n))
}

/// Products under several moduli.
fn lists(input: &mut Input<'_>, engines: [Engine; 2]) -> bool {
    let count = 1 + input.below(12);
    let common = length(input);
    let mut roots = Vec::new();
    let cases: Vec<(BigUint, Vec<Term>)> = (0..count)
        .map(|_| {
            // Most have the same length, so that they go side by side.
            let flags = input.byte();
            let bits = if flags & 3 == 0 { length(input) } else { common };
            // A quarter are squares that are known to be.
            let root = (flags >> 6 == 3).then(|| odd(input, bits.div_ceil(2).max(2)));
            let n = root.as_ref().map_or_else(|| odd(input, bits), |root| root * root);
            roots.push(root);
            let terms = (0..(flags >> 2) % 4)
                .map(|_| {
                    let bits = 1 + u32::from(input.pair()) % EXPONENT;
                    Term::read(input, &n, bits)
                })
                .collect();
            (n, terms)
        })
        .collect();
    let modulus = |n: &BigUint| Modulus::new(&natural(n)).expect("odd and at least 3");
    let moduli: Vec<Modulus> = (cases.iter().zip(&roots))
        .map(|((n, _), root)| match root {
            Some(root) => Modulus::square_of(&modulus(root)).expect("short"),
            None => modulus(n),
        })
        .collect();
    for engine in engines {
        let products: Vec<PublicProduct<'_>> = (cases.iter().zip(&moduli))
            .map(|((_, terms), modulus)| {
                terms
                    .iter()
                    .fold(PublicProduct::new(modulus), |p, t| p.power(&t.base_number, &t.integer))
            })
            .collect();
        for (value, (n, terms)) in engine.evaluate_vartime(&products).into_iter().zip(&cases) {
            compare(value, expected(terms, n).ok_or(Error::NotInvertible));
        }
        let products: Vec<SecretProduct<'_>> = (cases.iter().zip(&moduli))
            .map(|((_, terms), modulus)| {
                terms
                    .iter()
                    .fold(SecretProduct::new(modulus), |p, t| p.power(t.base(), t.exponent()))
            })
            .collect();
        for (value, (n, terms)) in engine.evaluate(&products).into_iter().zip(&cases) {
            let inverts = terms.iter().any(|t| t.inverts() && !is_unit(&t.base, n));
            let expected = if inverts { None } else { expected(terms, n) };
            compare(value.map(|v| v.declassify()), expected.ok_or(Error::NotInvertible));
        }
    }
    true
}

fn compare(value: Result<Natural, Error>, expected: Result<BigUint, Error>) {
    assert_eq!(value.map(|v| big(&v)), expected);
}

/// Tables of one engine, used by both.
fn combs(input: &mut Input<'_>, engines: [Engine; 2]) -> bool {
    let bits = length(input);
    let n = odd(input, bits);
    let bits = u32::try_from(n.bits()).expect("a short modulus");
    let modulus = Modulus::new(&natural(&n)).expect("odd and at least 3");
    let bounds: Vec<u32> =
        (0..1 + input.below(3)).map(|_| 1 + u32::from(input.pair()) % EXPONENT).collect();
    let bases: Vec<BigUint> = bounds.iter().map(|_| number(input, bits) % &n).collect();
    let room = usize::from(input.pair());
    let named: Vec<(Natural, u32)> =
        bases.iter().map(natural).zip(bounds.iter().copied()).collect();
    let comb = match Comb::new(&engines[0], &modulus, &named, room) {
        Ok(comb) => comb,
        Err(error) => {
            let units = bases.iter().all(|b| is_unit(b, &n));
            assert_eq!(error, if units { Error::Unsupported } else { Error::NotInvertible });
            return false;
        }
    };
    assert!(comb.bytes() <= room);
    let rows: Vec<Vec<Term>> = (0..1 + input.below(9))
        .map(|_| {
            let row = bases.iter().zip(&bounds);
            row.map(|(base, &bound)| {
                let flags = input.byte();
                Term::new(base.clone(), bits, number(input, bound), bound, flags)
            })
            .collect()
        })
        .collect();
    for engine in engines {
        let products: Vec<PublicProduct<'_>> = rows
            .iter()
            .map(|row| {
                PublicProduct::new(&modulus)
                    .comb(&comb, row.iter().map(|t| (&t.integer).into()).collect())
            })
            .collect();
        for (value, row) in engine.evaluate_vartime(&products).into_iter().zip(&rows) {
            compare(value, expected(row, &n).ok_or(Error::NotInvertible));
        }
        let products: Vec<SecretProduct<'_>> = rows
            .iter()
            .map(|row| {
                SecretProduct::new(&modulus).comb(&comb, row.iter().map(Term::exponent).collect())
            })
            .collect();
        for (value, row) in engine.evaluate(&products).into_iter().zip(&rows) {
            compare(value.map(|v| v.declassify()), expected(row, &n).ok_or(Error::NotInvertible));
        }
    }
    true
}

/// Exponents of Mersenne primes.
const MERSENNE: [u32; 10] = [2, 3, 5, 13, 61, 89, 107, 127, 521, 607];

/// Products under `p q` or its square, of units.
fn factored(input: &mut Input<'_>, engines: [Engine; 2]) -> bool {
    let exponents = [MERSENNE[input.below(10)], MERSENNE[input.below(10)]];
    let [p, q] = exponents.map(|e| (BigUint::from(1u8) << e) - 1u8);
    let [left, right] = [(&p, exponents[0]), (&q, exponents[1])]
        .map(|(x, bits)| SecretNatural::classify(&natural(x), bits).expect("within its bound"));
    let known = match Factored::new(&left, &right) {
        Ok(known) => known,
        Err(error) => {
            assert!(p == q && error == Error::BadFactors);
            return false;
        }
    };
    let n = &p * &q;
    let square = input.byte() & 1 != 0;
    let ring = if square { known.square().expect("a short square") } else { known };
    let modulus = big(ring.modulus().value());
    assert_eq!(modulus, if square { &n * &n } else { n.clone() });
    let rows: Vec<(Vec<Term>, Option<Term>)> = (0..1 + input.below(5))
        .map(|_| {
            let flags = input.byte();
            let terms = (0..flags % 3)
                .map(|_| {
                    let bits = 1 + u32::from(input.pair()) % (2 * EXPONENT);
                    Term::read(input, &modulus, bits)
                })
                .filter(|t| is_unit(&t.base, &n))
                .collect();
            // Bases of an N-th power may be larger than N.
            let root = (square && flags & 4 != 0).then(|| Term::read(input, &modulus, 1));
            (terms, root.filter(|t| is_unit(&t.base, &n)))
        })
        .collect();
    for engine in engines {
        let products: Vec<SecretProduct<'_>> = rows
            .iter()
            .map(|(terms, root)| {
                let product = SecretProduct::factored(&ring);
                let product = terms.iter().fold(product, |p, t| p.power(t.base(), t.exponent()));
                root.iter().fold(product, |p, t| p.nth_power(t.base()))
            })
            .collect();
        for (value, (terms, root)) in engine.evaluate(&products).into_iter().zip(&rows) {
            let product = expected(terms, &modulus).expect("units");
            let product =
                root.iter().fold(product, |p, t| p * t.base.modpow(&n, &modulus) % &modulus);
            compare(value.map(|v| v.declassify()), Ok(product));
        }
    }
    true
}

/// Engines 1 and 2, what list, and the list; numbers left out are zeros and ones.
pub(super) const SEEDS: &[(&str, &[u8])] = &[
    // Nine products of 1024 bits: moduli of all ones, one power each of a base and an exponent of repeated bytes.
    (
        "nine_1024",
        &[
            1, 2, 2, 8, 0, 4, 0, 5, 1, 0, 200, 0, 0x3e, 1, 2, 3, 4, 5, 6, 7, 8, 0x1e, 9, 8, 7, 5,
            1, 0, 199, 6, 0x1e, 1, 2, 3, 0x1e, 9, 8, 7, 5, 1, 0, 198, 1, 1, 1, 5, 1, 0, 197, 2, 1,
            1, 5, 1, 0, 196, 4, 1, 1, 5, 1, 0, 195, 7, 1, 1,
        ],
    ),
    (
        "two_terms_2048",
        &[0, 1, 3, 1, 0, 8, 0, 9, 7, 1, 2, 3, 4, 0, 250, 0, 1, 1, 0, 90, 7, 0x0b, 5, 6, 1],
    ),
    (
        "limb_ends",
        &[
            2, 0, 2, 5, 200, 0, 8, 9, 1, 1, 44, 6, 1, 1, 1, 43, 6, 1, 1, 9, 9, 0, 63, 4, 1, 1, 0,
            64, 2, 1, 1,
        ],
    ),
    ("empty_products", &[1, 0, 3, 3, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1]),
    // Bases 2 and 4.
    (
        "comb_512",
        &[
            1, 2, 0, 0, 2, 0, 1, 1, 0, 120, 1, 20, 0x10, 0x20, 200, 0, 8, 0, 1, 1, 1, 6, 1, 7,
            0x1e, 1, 2, 3, 4, 5, 0x0b, 9, 8,
        ],
    ),
    ("comb_one_base", &[2, 1, 0, 0, 4, 0, 1, 0, 1, 0, 0x10, 100, 0, 5, 4, 1, 0, 1]),
    (
        "factored",
        &[
            0, 2, 1, 8, 9, 0, 3, 2, 2, 0, 6, 1, 1, 1, 0, 7, 0x1e, 1, 2, 3, 4, 1, 1, 2, 88, 4, 9, 1,
            1,
        ],
    ),
    (
        "factored_square",
        &[1, 2, 1, 7, 6, 1, 4, 5, 1, 0, 6, 1, 1, 2, 1, 1, 5, 2, 0, 7, 1, 1, 0, 1, 1, 4, 0, 1, 1],
    ),
    ("factored_small", &[2, 0, 1, 0, 1, 1, 3, 5, 0, 9, 6, 1, 1, 2, 1, 1, 6, 1, 1, 0, 7, 9, 1, 1]),
];
