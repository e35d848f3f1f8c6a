//! Inverses of secrets, and inverses under secret moduli.

use num_bigint::BigUint;
use quorate_bignum::{Error, Factored, MAX_BITS, Modulus, SecretModulus, SecretNatural};

use crate::support::{Rng, big, natural};

fn classify(a: &BigUint, bits: u32) -> SecretNatural {
    SecretNatural::classify(&natural(a), bits).unwrap()
}

/// Compares the inverse, and multiplies it with the number.
fn check(modulus: &SecretModulus, n: &BigUint, a: &BigUint) {
    let bits = u32::try_from(a.bits()).unwrap() + 3;
    let ours = modulus.inverse(&classify(a, bits)).map(|inverse| big(&inverse.declassify()));
    assert_eq!(ours, a.modinv(n).ok_or(Error::NotInvertible), "{a} modulo {n}");
    if let Ok(inverse) = ours {
        assert!(inverse < *n && inverse * a % n == BigUint::from(1u8));
    }
}

#[test]
fn every_number_under_small_moduli() {
    for n in (3u32..260).step_by(2) {
        for bits in [32 - n.leading_zeros(), 61, 64] {
            let modulus = SecretModulus::new(&classify(&n.into(), bits)).unwrap();
            (0..n + 3).for_each(|a| check(&modulus, &n.into(), &a.into()));
        }
    }
}

#[test]
fn numbers_of_all_lengths() {
    let rng = &mut Rng::new(61);
    let one = BigUint::from(1u8);
    for bits in
        [2, 45, 46, 59, 60, 61, 62, 63, 122, 123, 124, 185, 186, 512, 1024, 2048, 3072, MAX_BITS]
    {
        // Random, all ones, and with a factor that others share.
        let three = rng.odd(bits - bits / 3) * 3u8;
        for n in [rng.odd(bits), (&one << bits) - 1u8, (&one << (bits - 1)) + 1u8, three] {
            let length = u32::try_from(n.bits()).unwrap();
            if length > MAX_BITS {
                continue;
            }
            let secret = SecretModulus::new(&classify(&n, length)).unwrap();
            let public = Modulus::new(&natural(&n)).unwrap().for_secrets();
            let mut numbers =
                vec![BigUint::ZERO, one.clone(), BigUint::from(2u8), BigUint::from(3u8)];
            numbers.extend([&n - 1u8, &n - 2u8, n.clone(), &n + 1u8, &n >> 1, &one << (bits - 1)]);
            numbers.extend((0..6).map(|_| rng.below(&n)));
            for a in &numbers {
                check(&secret, &n, a);
                check(&public, &n, a);
            }
        }
    }
}

/// The modulus `φ` is even.
#[test]
fn numbers_under_totients() {
    let rng = &mut Rng::new(62);
    let one = BigUint::from(1u8);
    for (p_bits, q_bits) in [(2, 3), (5, 64), (200, 61), (512, 512)] {
        let (p, q) = loop {
            let (p, q) = (rng.odd(p_bits), rng.odd(q_bits));
            if p != q && p.modinv(&q).is_some() {
                break (p, q);
            }
        };
        let known = Factored::new(&classify(&p, p_bits), &classify(&q, q_bits)).unwrap();
        let totient = (&p - 1u8) * (&q - 1u8);
        let mut numbers = vec![BigUint::ZERO, one.clone(), BigUint::from(2u8), BigUint::from(3u8)];
        numbers.extend([&totient - 1u8, &totient + 1u8, &p * &q, p.clone(), rng.odd(700)]);
        numbers.extend((0..20).map(|_| rng.below(&totient)));
        for a in &numbers {
            let ours = known.inverse_mod_totient(&natural(a)).map(|one| big(&one.declassify()));
            assert_eq!(ours, a.modinv(&totient).ok_or(Error::NotInvertible), "{a}");
        }
    }
}
