//! Moduli, and the values computed once for each of them: Montgomery's constants, factors, inverses.
//!
//! This layer is above the numbers and below the kernels. A modulus knows how each kernel writes its numbers
//! ([`form::Form`]), but no kernel.

pub(crate) mod factored;
pub(crate) mod form;
pub(crate) mod modulus;
pub(crate) mod montgomery;
pub(crate) mod parameters;
mod per_form;
pub(crate) mod secret_modulus;
mod unit;
