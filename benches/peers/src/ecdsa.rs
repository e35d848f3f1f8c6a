//! Libraries of threshold ECDSA beside Quorate.

mod cggmp;
mod dkls;
mod gmp;
mod machines;

pub use cggmp::{Cggmp21, Cggmp24};
pub use dkls::Dkls23;
pub use gmp::{Powm, count_gmp};

pub(crate) use cggmp::{Short, cggmp24_primes};
pub(crate) use machines::run;
