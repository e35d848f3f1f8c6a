//! Moduli, and the values worked out once for each of them: Montgomery's constants, factors, inverses.
//!
//! Above the numbers, below the kernels: a modulus knows how each kernel writes its numbers ([`form::Form`]) and no kernel.

pub(crate) mod factored;
pub(crate) mod form;
pub(crate) mod modulus;
pub(crate) mod montgomery;
pub(crate) mod parameters;
pub(crate) mod secret_modulus;
mod unit;
