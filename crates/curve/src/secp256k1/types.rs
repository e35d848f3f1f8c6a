//! Scalars and points of secp256k1.

use crrl::secp256k1 as backend;

scalar_over_crrl!("the order of secp256k1", backend::Scalar);

/// A point of secp256k1.
#[derive(Clone, Copy)]
pub struct Point(pub(crate) backend::Point);

point_operators!();
point_equality_over_crrl!();
