//! The operations that are watched. Each case compares its results with the same in public, so that it is known to have
//! done its work.

use quorate_bignum::Engine;
use quorate_paillier::Level;

mod bignum;
mod chilldkg;
mod curve;
mod frost;
mod keys;
mod leaks;
mod mldsa;
mod paillier;
mod prf;
mod zk;

pub(crate) use leaks::LEAKS;

/// With what the cases run.
pub(crate) struct Run {
    pub(crate) engine: Engine,
    pub(crate) level: Level,
}

/// A name, and what runs.
pub(crate) type Case = (&'static str, fn(&Run));

/// Points and scalars. They do not depend on the engine.
pub(crate) const CURVES: &[&[Case]] = &[curve::ALL, frost::ALL, chilldkg::ALL, prf::ALL];

/// The life of a key, over every curve.
pub(crate) const KEYS: &[Case] = keys::ALL;

/// The life of a key over a Weierstrass curve and over one with a cofactor.
pub(crate) const TWO_KEYS: &[Case] = keys::TWO;

/// Polynomials, and the real numbers that masks are drawn with.
pub(crate) const LATTICES: &[Case] = mldsa::ALL;

/// The engine's own operations.
pub(crate) const NUMBERS: &[&[Case]] = &[bignum::ALL, paillier::ALL];

/// Proofs, which take every branch of theirs with any engine.
pub(crate) const PROOFS: &[Case] = zk::ALL;

/// Bytes without a pattern, by a linear congruence.
fn bytes(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        state.to_be_bytes()[0]
    };
    (0..len).map(|_| next()).collect()
}
