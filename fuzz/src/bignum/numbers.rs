//! Decoders and arithmetic, public and secret, against another library.

use num_bigint::{BigInt, BigUint, Sign};
use quorate_bignum::{
    Error, Factored, Integer, MAX_BITS, Modulus, Natural, SecretInteger, SecretModulus,
    SecretNatural,
};

use super::{big, gcd, is_unit, length, natural, number, odd};
use crate::input::Input;

pub(crate) fn check(data: &[u8]) -> bool {
    let mut input = Input::new(data);
    match input.byte() % 4 {
        0 => return decoders(&mut input),
        1 => {
            let bits = [length(&mut input), length(&mut input)];
            let [a, b] = bits.map(|bits| number(&mut input, bits));
            naturals(&a, &b, u32::from(input.pair()) % 300);
        }
        2 => {
            let bits = [length(&mut input), length(&mut input)];
            let n = odd(&mut input, bits[0]);
            let a = number(&mut input, bits[1]);
            let b = number(&mut input, bits[1]);
            moduli(&n, &a, &b);
        }
        _ => {
            let signs = input.byte();
            let bits = [length(&mut input), length(&mut input)];
            let [a, b] = bits.map(|bits| number(&mut input, bits));
            let sign = |bit: u8| if signs & bit != 0 { Sign::Minus } else { Sign::Plus };
            let integers = [BigInt::from_biguint(sign(1), a), BigInt::from_biguint(sign(2), b)];
            let p = odd(&mut input, bits[0].div_ceil(2));
            let q = odd(&mut input, bits[1].div_ceil(2));
            signed(&integers, bits, &p);
            factors(&p, &q, integers[0].magnitude());
        }
    }
    true
}

fn decoders(input: &mut Input<'_>) -> bool {
    let len = input.below(64);
    let bytes = input.bytes(4096);
    let number = Natural::from_be_bytes(bytes);
    assert_eq!(big(&number), BigUint::from_bytes_be(bytes));
    assert_eq!(number.to_be_bytes(bytes.len()).expect("it came from so many"), bytes);
    let digits = number.bits().div_ceil(8) as usize;
    assert_eq!(number.to_be_bytes(len).is_ok(), digits <= len);
    let bits = u32::try_from(bytes.len() * 8).expect("short");
    let secret = SecretNatural::from_be_bytes(bytes);
    assert_eq!((secret.bits(), secret.declassify()), (bits, number.clone()));
    assert_eq!(**secret.to_be_bytes(), *bytes);
    let expected = if number.bits() > MAX_BITS {
        Some(Error::LargeModulus)
    } else if !number.is_odd() {
        Some(Error::EvenModulus)
    } else {
        (number.bits() < 2).then_some(Error::SmallModulus)
    };
    assert_eq!(Modulus::new(&number).err(), expected);
    match Integer::from_be_bytes(bytes) {
        Ok(integer) => {
            assert_eq!(integer.to_be_bytes(bytes.len() - 1).expect("it came from so many"), bytes);
            assert_eq!(integer.is_negative(), bytes[0] == 1);
            true
        }
        Err(error) => {
            assert_eq!(error, Error::Encoding);
            let rest = bytes.get(1..).unwrap_or(&[]);
            let negative_zero = bytes.first() == Some(&1) && rest.iter().all(|&byte| byte == 0);
            assert!(negative_zero || bytes.first().is_none_or(|&sign| sign > 1));
            false
        }
    }
}

fn naturals(a: &BigUint, b: &BigUint, shift: u32) {
    let (x, y) = (natural(a), natural(b));
    assert_eq!(u64::from(x.bits()), a.bits());
    assert_eq!(x.cmp(&y), a.cmp(b));
    assert_eq!(big(&x.add(&y)), a + b);
    assert_eq!(big(&x.mul(&y)), a * b);
    assert_eq!(x.checked_sub(&y).map(|d| big(&d)), (a >= b).then(|| a - b.min(a)));
    assert_eq!(big(&x.shl(shift)), a << shift);
    assert_eq!(big(&x.shr(shift)), a >> shift);
    assert_eq!(x.bit(shift), a.bit(u64::from(shift)));
    let divided = x.div_rem(&y).map(|(q, r)| (big(&q), big(&r)));
    assert_eq!(
        divided,
        (b.bits() > 0).then(|| (a / b.max(&BigUint::from(1u8)), a % b.max(&BigUint::from(1u8))))
    );
    assert_eq!(big(&x.gcd(&y)), gcd(a, b));
}

fn moduli(n: &BigUint, a: &BigUint, b: &BigUint) {
    let modulus = Modulus::new(&natural(n)).expect("odd and at least 3");
    let (x, y) = (natural(a), natural(b));
    assert_eq!(big(&modulus.reduce(&x)), a % n);
    assert_eq!(big(&modulus.mul(&x, &y)), a * b % n);
    assert_eq!(big(&modulus.add(&x, &y)), (a + b) % n);
    assert_eq!(big(&modulus.neg(&x)), (n - a % n) % n);
    assert_eq!(modulus.is_unit(&x), a < n && is_unit(a, n));
    assert_eq!(modulus.inverse(&x).map(|i| big(&i)), a.modinv(n).ok_or(Error::NotInvertible));
    assert_eq!(modulus.jacobi(&x), jacobi(a % n, n.clone()));
    let product = modulus.jacobi(&x) * modulus.jacobi(&y);
    assert_eq!(modulus.jacobi(&x.mul(&y)), product);
    let bits = |v: &BigUint| u32::try_from(v.bits()).expect("short");
    let classify =
        |v: &BigUint| SecretNatural::classify(&natural(v), bits(v)).expect("within its bound");
    let secret = SecretModulus::new(&classify(n)).expect("odd and at least 3");
    let (x, y) = (classify(a), classify(b));
    assert_eq!(big(&secret.reduce(&x).declassify()), a % n);
    assert_eq!(big(&secret.mul(&x, &y).declassify()), a * b % n);
    let difference = secret.sub(&secret.reduce(&x), &secret.reduce(&y)).declassify();
    assert_eq!(big(&difference), (a % n + n - b % n) % n);
    let inverse = secret.inverse(&x).map(|i| big(&i.declassify()));
    assert_eq!(inverse, a.modinv(n).ok_or(Error::NotInvertible));
}

/// The Jacobi symbol of `a` below an odd `n`, by its rules.
fn jacobi(mut a: BigUint, mut n: BigUint) -> i8 {
    let low = |v: &BigUint| v.iter_u32_digits().next().unwrap_or(0) & 7;
    let mut negative = false;
    while let Some(zeros) = a.trailing_zeros() {
        a >>= zeros;
        negative ^= zeros % 2 == 1 && matches!(low(&n), 3 | 5);
        negative ^= low(&a) & 3 == 3 && low(&n) & 3 == 3;
        (a, n) = (&n % &a, a);
    }
    match (n == BigUint::from(1u8), negative) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => -1,
    }
}

fn integer(value: &BigInt) -> Integer {
    Integer::new(value.sign() == Sign::Minus, natural(value.magnitude()))
}

fn big_int(value: &Integer) -> BigInt {
    let sign = if value.is_negative() { Sign::Minus } else { Sign::Plus };
    BigInt::from_biguint(sign, big(value.magnitude()))
}

fn signed([a, b]: &[BigInt; 2], bits: [u32; 2], m: &BigUint) {
    let (x, y) = (integer(a), integer(b));
    assert_eq!(x.cmp(&y), a.cmp(b));
    assert_eq!(big_int(&x.add(&y)), a + b);
    assert_eq!(big_int(&x.sub(&y)), a - b);
    assert_eq!(big_int(&x.mul(&y)), a * b);
    assert_eq!(big_int(&x.neg()), -a);
    let residue =
        |v: &BigInt| ((v % BigInt::from(m.clone())) + BigInt::from(m.clone())).magnitude() % m;
    let modulus = Modulus::new(&natural(m)).expect("odd and at least 3");
    assert_eq!(big(&x.reduce(&modulus)), residue(a));
    let s = SecretInteger::classify(&x, bits[0]).expect("within its bound");
    let t = SecretInteger::classify(&y, bits[1]).expect("within its bound");
    assert_eq!(big_int(&s.add(&t).declassify()), a + b);
    assert_eq!(big_int(&s.mul(&t).declassify()), a * b);
    assert_eq!(big_int(&s.mul_public(&y).declassify()), a * b);
    assert_eq!(big_int(&s.neg().declassify()), -a);
    let secret =
        SecretNatural::classify(modulus.value(), modulus.bits()).expect("within its bound");
    let secret = SecretModulus::new(&secret).expect("odd and at least 3");
    assert_eq!(big(&s.reduce(&secret).declassify()), residue(a));
}

fn factors(p: &BigUint, q: &BigUint, x: &BigUint) {
    let bits = |v: &BigUint| u32::try_from(v.bits()).expect("short").max(1);
    let classify =
        |v: &BigUint| SecretNatural::classify(&natural(v), bits(v)).expect("within its bound");
    match Factored::new(&classify(p), &classify(q)) {
        Ok(known) => {
            assert!(is_unit(p, q));
            assert_eq!(big(known.modulus().value()), p * q);
            let x = x % (p * q);
            assert_eq!(
                big(&known.recombine(&classify(&(&x % p)), &classify(&(&x % q))).declassify()),
                x
            );
            let phi = (p - 1u8) * (q - 1u8);
            assert_eq!(big(&known.totient().declassify()), phi);
            let inverse = known.inverse_mod_totient(&natural(&x)).map(|i| big(&i.declassify()));
            assert_eq!(inverse, x.modinv(&phi).ok_or(Error::NotInvertible));
        }
        Err(error) => assert!(!is_unit(p, q) && error == Error::BadFactors),
    }
}

/// A check, and its numbers.
pub(super) const SEEDS: &[(&str, &[u8])] = &[
    ("positive", &[0, 4, 0, 0, 1, 2, 3]),
    ("negative", &[0, 40, 1, 255, 255, 255, 255, 255, 255, 255, 255, 1]),
    ("naturals", &[1, 0, 8, 0, 0, 4, 0, 0xff, 1, 2, 3, 4, 5, 6, 7, 0x1e, 9, 8, 7, 1, 0]),
    ("division_of_runs", &[1, 200, 0, 16, 200, 0, 8, 0x85, 0x45, 0, 63]),
    ("modulus", &[2, 0, 8, 0, 0, 8, 0, 1, 0xff, 1, 2, 3, 4, 5, 6, 7, 0x1e, 9, 8, 7]),
    ("signs", &[3, 1, 0, 8, 0, 0, 4, 0, 0x1e, 1, 2, 3, 4, 0x1e, 9, 8, 7, 6, 1, 0x0e, 5]),
    ("both_negative", &[3, 3, 200, 0, 8, 0, 4, 0, 0x85, 0x45, 0x1e, 9, 8, 7, 6, 0x0e, 5, 1]),
];
