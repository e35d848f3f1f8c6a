//! Numbers: public and secret, natural and signed, and their arithmetic on 64-bit words.
//!
//! This layer does not know moduli with their computed values, kernels or engines.

pub(crate) mod euclid;
pub(crate) mod integer;
pub(crate) mod inverse;
pub(crate) mod limbs;
pub(crate) mod natural;
pub(crate) mod random;
pub(crate) mod secret_integer;
pub(crate) mod secret_natural;
pub(crate) mod word;
