//! The five groups: scalars and points.

use quorate_curve::{
    Curve, Ed448, Ed25519, P256, Ristretto255, Secp256k1, batch_invert, random_nonzero_scalar,
    random_scalar,
};

use super::{Case, Run};
use crate::memory::{hide, show, show_value};
use crate::random::{self, Secrets};

pub(super) const ALL: &[Case] = &[
    ("secp256k1", every::<Secp256k1>),
    ("P-256", every::<P256>),
    ("Ed25519", every::<Ed25519>),
    ("ristretto255", every::<Ristretto255>),
    ("Ed448", every::<Ed448>),
];

/// A scalar, and the same one marked, by its encoding.
fn both<C: Curve>(seed: u8) -> (C::Scalar, C::Scalar) {
    let scalar = random_scalar::<C>(&mut random::public(seed));
    let encoded = C::encode_scalar(&scalar);
    hide(encoded.as_ref());
    (scalar, C::decode_scalar(encoded.as_ref()).expect("below the order"))
}

fn expect_scalar<C: Curve>(mut secret: C::Scalar, public: C::Scalar) {
    show_value(&mut secret);
    assert!(secret == public);
}

fn expect_point<C: Curve>(mut secret: C::Point, public: C::Point) {
    show_value(&mut secret);
    assert!(secret == public);
}

fn expect_bytes(secret: impl AsRef<[u8]>, public: impl AsRef<[u8]>) {
    show(secret.as_ref());
    assert_eq!(secret.as_ref(), public.as_ref());
}

fn every<C: Curve>(_: &Run) {
    scalars::<C>();
    encodings::<C>();
    points::<C>();
}

fn scalars<C: Curve>() {
    let ((a, secret_a), (b, secret_b)) = (both::<C>(1), both::<C>(2));
    expect_scalar::<C>(secret_a + secret_b, a + b);
    expect_scalar::<C>(secret_a - secret_b, a - b);
    expect_scalar::<C>(secret_a * secret_b, a * b);
    expect_scalar::<C>(-secret_a, -a);
    expect_scalar::<C>(C::invert(&secret_a), C::invert(&a));
    let mut list = [secret_a, secret_b];
    batch_invert::<C>(&mut list).expect("none is zero");
    expect_scalar::<C>(list[0], C::invert(&a));
    let random = random_scalar::<C>(&mut Secrets::new(3));
    expect_scalar::<C>(random, random_scalar::<C>(&mut random::public(3)));
    let random = random_nonzero_scalar::<C>(&mut Secrets::new(4)).expect("not zero");
    expect_scalar::<C>(random, random_scalar::<C>(&mut random::public(4)));
}

fn encodings<C: Curve>() {
    let (a, secret_a) = both::<C>(5);
    expect_bytes(C::encode_scalar(&secret_a), C::encode_scalar(&a));
    let mut limbs = C::scalar_limbs(&secret_a);
    expect_scalar::<C>(C::scalar_from_limbs(&limbs), a);
    show_value(&mut limbs);
    assert!(limbs == C::scalar_limbs(&a));
    let wide = super::bytes(6, 96);
    let value = C::scalar_from_wide(&wide);
    hide(&wide);
    expect_scalar::<C>(C::scalar_from_wide(&wide), value);
}

fn points<C: Curve>() {
    let ((a, secret_a), (b, secret_b)) = (both::<C>(7), both::<C>(8));
    let (p, secret_p) = (C::mul_base(&a), C::mul_base(&secret_a));
    let (q, secret_q) = (C::mul(&p, &b), C::mul(&secret_p, &secret_b));
    expect_point::<C>(secret_p, p);
    expect_point::<C>(secret_q, q);
    expect_point::<C>(C::mul(&p, &secret_b), q);
    expect_point::<C>(secret_p + secret_q, p + q);
    expect_point::<C>(secret_p - secret_q, p - q);
    expect_point::<C>(-secret_p, -p);
    expect_point::<C>(C::double(&secret_p), C::double(&p));
    expect_bytes(C::encode_point(&secret_p), C::encode_point(&p));
    for (secret, public) in C::encode_points(&[secret_p, secret_q]).iter().zip([p, q]) {
        expect_bytes(secret, C::encode_point(&public));
    }
    let (points, encoded) = C::mul_base_many(&[secret_a, secret_b]);
    for ((point, bytes), scalar) in points.into_iter().zip(encoded).zip([a, b]) {
        expect_point::<C>(point, C::mul_base(&scalar));
        expect_bytes(bytes, C::encode_point(&C::mul_base(&scalar)));
    }
}
