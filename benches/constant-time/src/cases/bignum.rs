//! Big numbers: powers with secrets, and arithmetic.

use quorate_bignum::{
    Comb, Engine, Factored, Integer, Modulus, Natural, PublicProduct, SecretInteger, SecretModulus,
    SecretNatural, SecretProduct,
};

use super::{Case, Run, bytes};
use crate::memory::{hide, show};

pub(super) const ALL: &[Case] = &[
    ("power, secret base and exponent", power),
    ("power, secret sign", signed),
    ("several powers and lengths", several),
    ("power under a secret modulus", secret_modulus),
    ("powers with known factors", factored),
    ("fixed-base table", comb),
    ("arithmetic", arithmetic),
];

/// A number, in public and as a secret that valgrind follows.
fn both(bytes: &[u8]) -> (Natural, SecretNatural) {
    let public = Natural::from_be_bytes(bytes);
    let marked = bytes.to_vec();
    hide(&marked);
    (public, SecretNatural::from_be_bytes(&marked))
}

/// The number of a secret, public from here on.
fn shown(secret: &SecretNatural) -> Natural {
    let bytes = secret.to_be_bytes();
    show(&bytes);
    Natural::from_be_bytes(&bytes)
}

fn expect(secret: &SecretNatural, value: &Natural) {
    assert_eq!(&shown(secret), value);
}

fn modulus(len: usize) -> Modulus {
    let mut bytes = bytes(1, len);
    bytes[0] |= 0x80;
    bytes[len - 1] |= 1;
    Modulus::new(&Natural::from_be_bytes(&bytes)).expect("odd")
}

/// A base that has an inverse.
fn unit(modulus: &Modulus, seed: u64) -> Vec<u8> {
    let len = modulus.bits().div_ceil(8) as usize;
    let found = (seed..)
        .map(|seed| modulus.reduce(&Natural::from_be_bytes(&bytes(seed, len))))
        .find(|b| modulus.is_unit(b));
    found.and_then(|b| b.to_be_bytes(len).ok()).expect("most numbers have one")
}

fn public(engine: &Engine, product: PublicProduct<'_>) -> Natural {
    engine.evaluate_vartime(&[product]).remove(0).expect("a value")
}

fn secret(engine: &Engine, product: SecretProduct<'_>) -> SecretNatural {
    engine.evaluate(&[product]).remove(0).expect("a value")
}

fn power(Run { engine, .. }: &Run) {
    for len in [128, 131] {
        let n = modulus(len);
        let (base, secret_base) = both(&unit(&n, 2));
        let (exponent, secret_exponent) = both(&bytes(3, 40));
        let value = public(engine, PublicProduct::new(&n).power(&base, Integer::from(exponent)));
        expect(
            &secret(engine, SecretProduct::new(&n).power(&secret_base, &secret_exponent)),
            &value,
        );
        expect(&secret(engine, SecretProduct::new(&n).power(&base, &secret_exponent)), &value);
    }
}

fn signed(Run { engine, .. }: &Run) {
    let n = modulus(64);
    let (base, secret_base) = both(&unit(&n, 4));
    for negative in [false, true] {
        let (magnitude, secret_magnitude) = both(&bytes(5, 24));
        let sign = [u8::from(negative)];
        hide(&sign);
        // A sign is a choice; this one is made of the bit by arithmetic.
        let minus = SecretInteger::from(SecretNatural::from_be_bytes(&sign));
        let exponent = SecretInteger::new(!minus.magnitude().is_zero(), secret_magnitude);
        let value =
            public(engine, PublicProduct::new(&n).power(&base, Integer::new(negative, magnitude)));
        expect(&secret(engine, SecretProduct::new(&n).power(&base, &exponent)), &value);
        expect(&secret(engine, SecretProduct::new(&n).power(&secret_base, &exponent)), &value);
    }
}

fn several(Run { engine, .. }: &Run) {
    let n = modulus(96);
    let (base, secret_base) = both(&unit(&n, 6));
    let (other, secret_other) = both(&unit(&n, 7));
    let (long, secret_long) = both(&bytes(8, 32));
    let (short, secret_short) = both(&bytes(9, 9));
    let value = public(
        engine,
        PublicProduct::new(&n)
            .power(&base, Integer::from(long))
            .power(&other, Integer::from(short.clone())),
    );
    let product = SecretProduct::new(&n)
        .power(&secret_base, &secret_long)
        .power(&secret_other, &secret_short);
    expect(&secret(engine, product), &value);
    let product = SecretProduct::new(&n).power(&secret_other, Integer::from(short.clone()));
    expect(
        &secret(engine, product),
        &public(engine, PublicProduct::new(&n).power(&other, Integer::from(short))),
    );
}

fn secret_modulus(Run { engine, .. }: &Run) {
    let n = modulus(64);
    let (_, secret_n) = both(&n.value().to_be_bytes(64).expect("its length"));
    let hidden = SecretModulus::new(&secret_n).expect("odd");
    let (base, secret_base) = both(&unit(&n, 10));
    let (exponent, secret_exponent) = both(&bytes(11, 24));
    let value = public(engine, PublicProduct::new(&n).power(&base, Integer::from(exponent)));
    expect(
        &secret(engine, SecretProduct::under_secret(&hidden).power(&secret_base, &secret_exponent)),
        &value,
    );
    let inverse = hidden.inverse(&secret_base).expect("a unit");
    expect(&inverse, &n.inverse(&base).expect("a unit"));
    let signed = SecretInteger::from(secret_exponent);
    expect(
        &secret(engine, SecretProduct::under_secret(&hidden).power(&secret_base, &signed)),
        &value,
    );
}

/// `2^521 - 1` and `2^607 - 1`, both prime.
fn factored(Run { engine, .. }: &Run) {
    let prime = |bits: u32| {
        let value =
            Natural::power_of_two(bits).checked_sub(&Natural::one()).expect("larger than one");
        both(&value.to_be_bytes(bits.div_ceil(8) as usize).expect("its length")).1
    };
    let known = Factored::new(&prime(521), &prime(607)).expect("two primes");
    let square = known.square().expect("short");
    for ring in [&known, &square] {
        let n = ring.modulus();
        let (base, secret_base) = both(&unit(n, 12));
        let (exponent, secret_exponent) = both(&bytes(13, 150));
        let value = public(engine, PublicProduct::new(n).power(&base, Integer::from(exponent)));
        expect(
            &secret(engine, SecretProduct::factored(ring).power(&secret_base, &secret_exponent)),
            &value,
        );
        let signed = SecretInteger::from(secret_exponent);
        expect(
            &secret(engine, SecretProduct::factored(ring).power(&base, &signed.neg())),
            &n.inverse(&value).expect("a unit"),
        );
    }
    let (root, secret_root) = both(&unit(known.modulus(), 14));
    let n = Integer::from(known.modulus().value().clone());
    let value = public(engine, PublicProduct::new(square.modulus()).power(&root, n));
    expect(&secret(engine, SecretProduct::factored(&square).nth_power(&secret_root)), &value);
    let e = Natural::from(65537);
    let inverse = shown(&known.inverse_mod_totient(&e).expect("odd"));
    let phi = shown(&known.totient());
    let product = inverse.mul(&e).div_rem(&phi).map(|(_, rest)| rest);
    assert_eq!(product, Some(Natural::one()));
}

fn comb(Run { engine, .. }: &Run) {
    let n = modulus(64);
    let base = |seed| Natural::from_be_bytes(&unit(&n, seed));
    let bases = [(base(15), 200), (base(16), 320)];
    let comb = Comb::new(engine, &n, &bases, 40_000).expect("room enough");
    let (x, secret_x) = both(&bytes(17, 25));
    let (y, secret_y) = both(&bytes(18, 40));
    let (secret_x, secret_y) = (SecretInteger::from(secret_x), SecretInteger::from(secret_y).neg());
    let product = SecretProduct::new(&n).comb(&comb, vec![(&secret_x).into(), (&secret_y).into()]);
    let [(s, _), (t, _)] = &bases;
    let value = public(
        engine,
        PublicProduct::new(&n).power(s, Integer::from(x)).power(t, Integer::new(true, y)),
    );
    expect(&secret(engine, product), &value);
}

fn arithmetic(_: &Run) {
    let (a, secret_a) = both(&bytes(19, 100));
    let (b, secret_b) = both(&bytes(20, 60));
    expect(&secret_a.add(&secret_b), &a.add(&b));
    expect(&secret_a.mul(&secret_b), &a.mul(&b));
    expect(&secret_a.mul_public(&b), &a.mul(&b));
    let (x, y) = (SecretInteger::from(secret_a), SecretInteger::from(secret_b));
    let (sum, difference) = (y.add(&x.neg()), x.add(&y.neg()));
    expect(sum.magnitude(), &a.checked_sub(&b).expect("the longer one"));
    expect(difference.magnitude(), &a.checked_sub(&b).expect("the longer one"));
    let n = modulus(48);
    let (_, secret_n) = both(&n.value().to_be_bytes(48).expect("its length"));
    let hidden = SecretModulus::new(&secret_n).expect("odd");
    let rest = n.reduce(&a.checked_sub(&b).expect("the longer one"));
    expect(&difference.reduce(&hidden), &rest);
    expect(&sum.reduce(&hidden), &n.neg(&rest));
    let (left, right) = (hidden.reduce(x.magnitude()), hidden.reduce(y.magnitude()));
    expect(&hidden.sub(&left, &right), &rest);
}

/// The power of [`power`] with an exponent that is marked, in variable time.
pub(super) fn leak(Run { engine, .. }: &Run) {
    let n = modulus(128);
    let base = Natural::from_be_bytes(&unit(&n, 2));
    let marked = bytes(3, 40);
    hide(&marked);
    let exponent = Integer::from(Natural::from_be_bytes(&marked));
    let value = public(engine, PublicProduct::new(&n).power(&base, exponent));
    println!("{} bits", value.bits());
}
