//! The controls: leaks that are there, and that must be reported. Without that, silence would prove nothing.

use quorate_curve::{Curve, Secp256k1};

use super::{Case, Run, bytes};
use crate::memory::hide;

/// Each on its own must be reported.
pub(crate) const LEAKS: &[Case] =
    &[("number", super::bignum::leak), ("point", point), ("branch", branch), ("address", address)];

/// A sum of products, whose function is in variable time.
fn point(_: &Run) {
    let encoded = Secp256k1::encode_scalar(&7.into());
    hide(&encoded);
    let mut limbs = [0; 8];
    limbs[0] = u64::from(encoded[31]);
    let secret = Secp256k1::scalar_from_limbs(&limbs);
    let sum = Secp256k1::msm_vartime(&[secret], &[Secp256k1::generator()]);
    println!("{:?}", Secp256k1::is_identity(&sum));
}

/// A jump on one bit of a secret.
fn branch(_: &Run) {
    let secret = bytes(30, 1);
    hide(&secret);
    if core::hint::black_box(secret[0]) & 1 == 1 {
        println!("odd");
    } else {
        println!("even");
    }
}

/// An entry of a table by a secret index.
fn address(_: &Run) {
    let (table, secret) = (bytes(31, 256), bytes(32, 1));
    hide(&secret);
    let entry = core::hint::black_box(&table)[usize::from(core::hint::black_box(secret[0]))];
    core::hint::black_box(entry);
}
