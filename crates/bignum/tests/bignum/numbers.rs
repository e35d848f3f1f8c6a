//! Numbers against an independent library, on random and extreme values.

use num_bigint::{BigInt, BigUint, Sign};
use quorate_bignum::{
    Base, Comb, Engine, Error, Exponent, Factored, Integer, Modulus, Natural, SecretInteger,
    SecretModulus, SecretNatural,
};

use crate::support::{Rng, big, natural};

/// Lengths around the ends of words and in between.
const SIZES: [u32; 11] = [0, 1, 7, 63, 64, 65, 128, 200, 521, 1024, 2049];

/// Zero, one, both ends of a length, powers of two, and random numbers; each with a bound of its length.
fn magnitudes(rng: &mut Rng) -> Vec<(BigUint, u32)> {
    let one = BigUint::from(1u8);
    let mut out = Vec::new();
    for bits in SIZES {
        let top = &one << bits;
        out.push((&top - 1u8, bits));
        out.push((BigUint::from(0u8), bits));
        if bits > 0 {
            out.push((&top >> 1u8, bits));
            out.push((rng.bits(bits), bits));
        }
    }
    out
}

fn signed(value: &BigUint, negative: bool) -> BigInt {
    BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, value.clone())
}

fn integer(value: &BigInt) -> Integer {
    Integer::new(value.sign() == Sign::Minus, natural(value.magnitude()))
}

fn big_int(value: &Integer) -> BigInt {
    signed(&big(value.magnitude()), value.is_negative())
}

fn residue(value: &BigInt, n: &BigUint) -> BigUint {
    let n = BigInt::from(n.clone());
    ((value % &n + &n) % &n).magnitude().clone()
}

#[test]
fn naturals() {
    let rng = &mut Rng::new(30);
    let values = magnitudes(rng);
    for (a, _) in &values {
        let x = natural(a);
        assert_eq!(u64::from(x.bits()), a.bits());
        assert_eq!((x.is_zero(), x.is_odd()), (a.bits() == 0, a.bit(0)));
        for shift in [0u32, 1, 63, 64, 65, 300, 3000] {
            assert_eq!(big(&x.shl(shift)), a << shift);
            assert_eq!(big(&x.shr(shift)), a >> shift);
            assert_eq!(x.bit(shift), a.bit(u64::from(shift)));
        }
        for (b, _) in &values {
            let y = natural(b);
            assert_eq!(x.cmp(&y), a.cmp(b));
            assert_eq!(x == y, a == b);
            assert_eq!(big(&x.add(&y)), a + b);
            assert_eq!(big(&x.mul(&y)), a * b);
            assert_eq!(x.checked_sub(&y).map(|d| big(&d)), (a >= b).then(|| a - b.min(a)));
            let parts = x.div_rem(&y).map(|(q, r)| (big(&q), big(&r)));
            assert_eq!(
                parts,
                (b.bits() > 0).then(|| (a / b.max(&1u8.into()), a % b.max(&1u8.into())))
            );
        }
    }
    assert_eq!(Natural::power_of_two(0), Natural::one());
}

#[test]
fn encodings_of_naturals() {
    let rng = &mut Rng::new(31);
    for (a, bits) in magnitudes(rng) {
        let (x, digits) = (natural(&a), usize::try_from(a.bits().div_ceil(8)).unwrap());
        for len in digits..digits + 3 {
            let bytes = x.to_be_bytes(len).unwrap();
            assert_eq!(bytes.len(), len);
            assert_eq!(BigUint::from_bytes_be(&bytes), a);
            assert_eq!(Natural::from_be_bytes(&bytes), x);
        }
        if let Some(short) = digits.checked_sub(1) {
            assert_eq!(x.to_be_bytes(short), Err(Error::Encoding));
        }
        let secret = SecretNatural::classify(&x, bits).unwrap();
        let bytes = secret.to_be_bytes();
        assert_eq!(bytes.len(), bits.div_ceil(8) as usize);
        let read = SecretNatural::from_be_bytes(&bytes);
        assert_eq!((read.bits(), read.declassify()), (bits.next_multiple_of(8), x));
    }
    assert_eq!(Natural::from_be_bytes(&[]), Natural::zero());
    assert_eq!(SecretNatural::from_be_bytes(&[]).bits(), 0);
    assert!(SecretNatural::from_be_bytes(&[]).to_be_bytes().is_empty());
}

#[test]
fn encodings_of_integers_are_canonical() {
    let rng = &mut Rng::new(32);
    for (a, _) in magnitudes(rng) {
        for negative in [false, true] {
            let value = signed(&a, negative);
            let x = integer(&value);
            let len = usize::try_from(a.bits().div_ceil(8)).unwrap() + 1;
            let bytes = x.to_be_bytes(len).unwrap();
            assert_eq!(bytes.len(), len + 1);
            assert_eq!(Integer::from_be_bytes(&bytes), Ok(x.clone()));
            assert_eq!(big_int(&x), value);
            let mut other = bytes.clone();
            for sign in 2..=255 {
                other[0] = sign;
                assert_eq!(Integer::from_be_bytes(&other), Err(Error::Encoding));
            }
            if len >= 2 && a.bits() > 0 {
                assert_eq!(x.to_be_bytes(len - 2), Err(Error::Encoding));
            }
        }
    }
    // There is one zero.
    for len in 0..40 {
        let mut bytes = vec![0; len + 1];
        assert_eq!(Integer::from_be_bytes(&bytes), Ok(Integer::zero()));
        bytes[0] = 1;
        assert_eq!(Integer::from_be_bytes(&bytes), Err(Error::Encoding));
    }
    assert_eq!(Integer::from_be_bytes(&[]), Err(Error::Encoding));
    assert!(!Integer::new(true, Natural::zero()).is_negative());
    assert_eq!(Integer::new(true, Natural::zero()), Integer::zero());
}

#[test]
fn integers() {
    let rng = &mut Rng::new(33);
    let values = magnitudes(rng);
    let n = rng.odd(300);
    let modulus = Modulus::new(&natural(&n)).unwrap();
    let secret_modulus =
        SecretModulus::new(&SecretNatural::classify(modulus.value(), modulus.bits()).unwrap())
            .unwrap();
    for (a, a_bits) in &values {
        for (b, b_bits) in &values {
            for signs in 0..4u8 {
                let (a, b) = (signed(a, signs & 1 != 0), signed(b, signs & 2 != 0));
                let (x, y) = (integer(&a), integer(&b));
                assert_eq!(x.cmp(&y), a.cmp(&b));
                assert_eq!(big_int(&x.add(&y)), &a + &b);
                assert_eq!(big_int(&x.sub(&y)), &a - &b);
                assert_eq!(big_int(&x.mul(&y)), &a * &b);
                let s = SecretInteger::classify(&x, *a_bits).unwrap();
                let t = SecretInteger::classify(&y, *b_bits).unwrap();
                let (sum, product) = (s.add(&t), s.mul(&t));
                assert_eq!((sum.bits(), product.bits()), (a_bits.max(b_bits) + 1, a_bits + b_bits));
                assert_eq!(big_int(&sum.declassify()), &a + &b);
                assert_eq!(big_int(&product.declassify()), &a * &b);
                assert_eq!(big_int(&s.mul_public(&y).declassify()), &a * &b);
                assert_eq!(big_int(&s.add(&t.neg()).declassify()), &a - &b);
                assert_eq!(big(&sum.reduce(&secret_modulus).declassify()), residue(&(&a + &b), &n));
            }
        }
        for negative in [false, true] {
            let a = signed(a, negative);
            let x = integer(&a);
            assert_eq!(big_int(&x.neg()), -&a);
            assert_eq!(big(&x.reduce(&modulus)), residue(&a, &n));
            let s = SecretInteger::classify(&x, *a_bits).unwrap();
            assert_eq!(big(&s.reduce(&secret_modulus).declassify()), residue(&a, &n));
            assert_eq!(big_int(&s.neg().declassify()), -&a);
            assert_eq!(bool::from(s.is_negative()), x.is_negative());
        }
    }
}

#[test]
fn secret_naturals() {
    let rng = &mut Rng::new(34);
    let values = magnitudes(rng);
    let n = rng.odd(300);
    let classify = |a: &BigUint, bits: u32| SecretNatural::classify(&natural(a), bits).unwrap();
    let modulus = SecretModulus::new(&classify(&n, 320)).unwrap();
    for (a, a_bits) in &values {
        let s = classify(a, *a_bits);
        assert_eq!(bool::from(s.is_zero()), a.bits() == 0);
        let inverse = modulus.inverse(&s).map(|i| big(&i.declassify()));
        assert_eq!(inverse, a.modinv(&n).ok_or(Error::NotInvertible));
        for (b, b_bits) in &values {
            let t = classify(b, *b_bits);
            assert_eq!(big(&s.add(&t).declassify()), a + b);
            assert_eq!(big(&s.mul(&t).declassify()), a * b);
            assert_eq!(big(&s.mul_public(&natural(b)).declassify()), a * b);
            let (x, y) = (modulus.reduce(&s), modulus.reduce(&t));
            assert_eq!(x.bits(), 320);
            assert_eq!(big(&x.declassify()), a % &n);
            assert_eq!(big(&modulus.sub(&x, &y).declassify()), (a % &n + &n - b % &n) % &n);
            assert_eq!(big(&modulus.mul(&s, &t).declassify()), a * b % &n);
        }
    }
}

#[test]
fn half_ranges() {
    for a in 0..70 {
        for negative in [false, true] {
            let inside =
                |magnitude: &Natural| Integer::new(negative, magnitude.clone()).in_half_range(a);
            if a == 0 {
                assert!(!inside(&Natural::zero()));
                continue;
            }
            let bound = Natural::power_of_two(a - 1);
            assert!(inside(&Natural::zero()));
            assert!(inside(&bound.checked_sub(&Natural::one()).unwrap()));
            assert!(inside(&bound));
            assert!(!inside(&bound.add(&Natural::one())));
            assert!(!inside(&bound.shl(1)));
        }
    }
}

#[test]
fn recombination() {
    let rng = &mut Rng::new(35);
    for (p_bits, q_bits) in [(2, 3), (64, 64), (65, 200), (300, 300), (512, 300)] {
        let (p, q) = loop {
            let (p, q) = (rng.odd(p_bits), rng.odd(q_bits));
            if natural(&p).gcd(&natural(&q)) == Natural::one() {
                break (p, q);
            }
        };
        let classify = |a: &BigUint, bits: u32| SecretNatural::classify(&natural(a), bits).unwrap();
        let known = Factored::new(&classify(&p, p_bits), &classify(&q, q_bits)).unwrap();
        let n = &p * &q;
        for x in
            [BigUint::from(0u8), BigUint::from(1u8), &n - 1u8, p.clone(), q.clone(), rng.below(&n)]
        {
            let value =
                known.recombine(&classify(&(&x % &p), p_bits), &classify(&(&x % &q), q_bits));
            assert_eq!(big(&value.declassify()), x);
        }
        let phi = (&p - 1u8) * (&q - 1u8);
        assert_eq!(big(&known.totient().declassify()), phi);
        for x in [n.clone(), BigUint::from(3u8), rng.below(&n)] {
            let inverse = known.inverse_mod_totient(&natural(&x)).map(|i| big(&i.declassify()));
            assert_eq!(inverse, x.modinv(&phi).ok_or(Error::NotInvertible));
        }
    }
}

/// Residues under secret moduli, by reductions or by division as the lengths ask for: moduli that fill their bound and
/// that do not, numbers at the edges of both.
#[test]
fn residues_of_secrets() {
    let rng = &mut Rng::new(41);
    let one = BigUint::from(1u8);
    for bits in [3u32, 64, 65, 512, 513, 1536] {
        for (n, bound) in [
            (rng.odd(bits), bits),
            ((&one << bits) - 1u8, bits),
            ((&one << (bits - 1)) + 1u8, bits),
            (BigUint::from(3u8), bits),
            (rng.odd(bits), bits + 200),
        ] {
            let classify = |a: &BigUint, bits| SecretNatural::classify(&natural(a), bits).unwrap();
            let modulus = SecretModulus::new(&classify(&n, bound)).unwrap();
            // The limbs of 64 bits that the modulus has in Montgomery's form.
            let room = 64 * bound.div_ceil(64).next_multiple_of(8);
            for length in [1, bound, bound + 1, room, room + 1, 2 * bound, 2 * room, 2 * room + 1] {
                let top = (&one << length) - 1u8;
                let of_n = [&n - 1u8, n.clone(), &n + 1u8, &n * 2u8, &n * &n - 1u8, &n * &n];
                let values = [BigUint::from(0u8), top.clone(), &top >> 1u32, rng.bits(length)];
                for value in values.iter().chain(&of_n).filter(|value| **value <= top) {
                    let residue = modulus.reduce(&classify(value, length));
                    assert_eq!(residue.bits(), bound);
                    assert_eq!(big(&residue.declassify()), value % &n, "{length} {bound} {n}");
                }
            }
        }
    }
}

#[test]
fn secrets_are_not_printed() {
    let secret = SecretNatural::classify(&Natural::from(0xabcd), 64).unwrap();
    assert_eq!(format!("{secret:?}"), "SecretNatural");
    assert_eq!(format!("{secret:#?}"), "SecretNatural");
    assert_eq!(format!("{:?}", SecretInteger::from(secret)), "SecretInteger");
    let prime = |p: u64| SecretNatural::classify(&Natural::from(p), 16).unwrap();
    assert_eq!(format!("{:?}", SecretModulus::new(&prime(0xfb)).unwrap()), "SecretModulus");
    // 251 and 239 do not show; their product does, which is public.
    let known = Factored::new(&prime(251), &prime(239)).unwrap();
    let printed = format!("{known:?}");
    assert_eq!(printed, "Factored { n: Modulus(Natural(0xea55)), .. }");
    let engine = Engine::portable();
    let comb = Comb::new(&engine, known.modulus(), &[(Natural::from(2), 8)], 10_000).unwrap();
    assert!(format!("{comb:?}").starts_with("Comb { bases: 1, bytes: "));
}

/// Products hold secrets and are not printable at all; nor are the parts that they are made of.
#[test]
fn parts_of_products_keep_their_kind() {
    let secret = SecretNatural::classify(&Natural::from(5), 8).unwrap();
    assert!(matches!(Base::from(&secret), Base::Secret(_)));
    assert!(matches!(Exponent::from(&secret), Exponent::SecretNatural(_)));
    let integer = SecretInteger::from(secret);
    assert!(matches!(Exponent::from(&integer), Exponent::Secret(_)));
    assert!(matches!(Base::from(Natural::one()), Base::Public(_)));
}

#[test]
fn a_secret_integer_is_stored_whole() {
    for (magnitude, bits) in magnitudes(&mut Rng::new(11)) {
        for negative in [false, true] {
            let value = integer(&signed(&magnitude, negative));
            let secret = SecretInteger::classify(&value, bits).unwrap();
            let mut bytes = secret.to_bytes().to_vec();
            assert_eq!(bytes.len(), 5 + bits.div_ceil(8) as usize);
            for end in 0..bytes.len() {
                assert!(
                    SecretInteger::from_bytes(&bytes[..end]).is_none(),
                    "{end} of {} bytes",
                    bytes.len()
                );
            }
            bytes.extend_from_slice(b"rest");
            let (again, rest) = SecretInteger::from_bytes(&bytes).unwrap();
            assert_eq!((again.declassify(), again.bits(), rest), (value, bits, &b"rest"[..]));
        }
    }
}

/// Residues under secret moduli of every size, of numbers near multiples of the modulus and near powers of two.
#[test]
fn residues_of_secrets_at_every_size() {
    let rng = &mut Rng::new(42);
    let one = BigUint::from(1u8);
    for bits in (3u32..=1100).step_by(3).chain([4, 64, 127, 128, 511, 512, 1024]) {
        let n = match bits % 4 {
            0 => (&one << bits) - 1u8,
            1 => (&one << (bits - 1)) + 1u8,
            _ => rng.odd(bits),
        };
        let bound = bits + [0, 0, 1, 64, 513][bits as usize % 5];
        let classify = |a: &BigUint, bits| SecretNatural::classify(&natural(a), bits).unwrap();
        let modulus = SecretModulus::new(&classify(&n, bound)).unwrap();
        let rooms = [64, 512].map(|limb| 2 * limb * bound.div_ceil(limb));
        let lengths = rooms.into_iter().flat_map(|room| [room - 1, room, room + 1]);
        for length in lengths.chain([1, bits, bound, 2 * bits, 2 * bound]) {
            let most = (&one << length) - 1u8;
            let multiple = (&most / &n) * &n;
            let (below, above) = ((&multiple + &n - 1u8), &multiple + 1u8);
            let half = &one << (length / 2);
            let mut values = vec![BigUint::from(0u8), most.clone(), multiple, below, above];
            values.extend([&n - 1u8, n.clone(), &n + 1u8, &half - 1u8, &half + 1u8, half]);
            for value in values.iter().filter(|value| **value <= most) {
                let residue = modulus.reduce(&classify(value, length));
                assert_eq!(big(&residue.declassify()), value % &n, "{length} {bound} {n} {value}");
                let (a, b) = (value % &n, (value >> 1u32) % &n);
                let [left, right] = [&a, &b].map(|one| classify(one, bound));
                let difference = big(&modulus.sub(&left, &right).declassify());
                assert_eq!(difference, (&n + &a - &b) % &n);
                assert_eq!(big(&modulus.mul(&left, &right).declassify()), &a * &b % &n);
            }
        }
    }
}
