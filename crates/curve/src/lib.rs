//! One small trait over the prime-order groups that Quorate signs with.
//!
//! [`Curve`] is implemented by five unit structs: [`Ed25519`], [`Ristretto255`], [`Ed448`],
//! [`P256`] and [`Secp256k1`], and is [sealed](Curve#sealed). Every group is of prime order. A [`Curve::Point`] is always in the
//! prime-order subgroup, whatever the curve's cofactor, because [`Curve::decode_point`] refuses
//! everything else and there is no other way to make one from bytes.
//!
//! ```
//! use quorate_curve::{Curve, Secp256k1};
//!
//! fn shared<C: Curve>(a: &C::Scalar, b: &C::Scalar) -> bool {
//!     let ours = C::mul(&C::mul_base(b), a);
//!     let theirs = C::mul(&C::mul_base(a), b);
//!     C::encode_point(&ours) == C::encode_point(&theirs)
//! }
//! assert!(shared::<Secp256k1>(&3.into(), &5.into()));
//! ```
//!
//! [`MapToCurve`] adds a map from hashed bytes to points for the groups that hash to a curve: all but Ed448.
//!
//! # Misuse
//!
//! This crate can't prevent:
//!
//! 1. A function with `vartime` in its name takes a time that depends on its arguments. Never give
//!    it a secret scalar.
//! 2. Scalars are `Copy`, so that arithmetic reads like the papers. Keep a scalar that lives on in
//!    a [`Secret`] (wiped on drop). A temporary copy stays on the stack until something overwrites
//!    it.
//! 3. The identity is a point like any other for the arithmetic. It can't be decoded, but it can be
//!    computed. Check [`Curve::is_identity`] where a protocol forbids it.
//! 4. Decoding takes a time that depends on whether the bytes are valid.
//!
//! # Features
//!
//! | feature | on by default | what it adds |
//! |---|---|---|
//! | `std` | yes | detection of the processor's features at run time |
//! | `testing` | no | the seal of `Curve`: for groups that count and toy groups in tests, never for keys in use |

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod bytes;
#[macro_use]
mod backend;
#[macro_use]
mod sec1;
mod common_scalar;
mod curve;
pub mod ed25519;
pub mod ed448;
mod edwards;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod map;
mod mask;
mod msm;
pub mod p256;
pub mod ristretto255;
mod scalars;
#[cfg(not(feature = "testing"))]
mod seal;
#[cfg(feature = "testing")]
pub mod seal;
pub mod secp256k1;
mod secret;
mod torsion;
mod window;

pub use curve::Curve;
pub use ed448::Ed448;
pub use ed25519::Ed25519;
pub use map::MapToCurve;
pub use p256::P256;
pub use rand_core;
pub use ristretto255::Ristretto255;
pub use scalars::{RandomnessError, batch_invert, random_nonzero_scalar, random_scalar};
pub use secp256k1::Secp256k1;
pub use secret::Secret;
